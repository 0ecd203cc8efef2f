// Members by rank, by score and by their bytes: reading, counting, storing and removing them.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/sorted_set_commands.hpp"
#include "commands/sorted_set_range.hpp"
#include "commands/sorted_set_reading.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace commands::sorted_set {
namespace {

using engine::Order;

enum class By : std::uint8_t { rank, score, lex };

// Given by the command's name, or asked for with words (ZRANGE, ZRANGESTORE).
struct RangeKind {
  By by = By::rank;
  Order order = Order::ascending;
};

struct Ranks {
  std::int64_t start;
  std::int64_t stop;
};

struct RangeQuery {
  RangeKind kind;
  std::variant<Ranks, ScoreRange, LexRange> range;
  std::int64_t offset = 0;
  std::int64_t limit = -1;  // negative: none
  Shown shown = Shown::members;
};

enum class Words : std::uint8_t { ranges, stores, named };  // which options a command knows

void read_options(ArgumentReader& args, RangeQuery& query, Words words) {
  bool has_kind = words == Words::named;
  bool has_order = words == Words::named;
  while (args.has_more()) {
    if (words != Words::stores && args.take_word("WITHSCORES")) {
      query.shown = Shown::members_and_scores;
    } else if (args.left() > 2 && args.take_word("LIMIT")) {
      query.offset = args.next_integer();
      query.limit = args.next_integer();
    } else if (!has_order && args.take_word("REV")) {
      query.kind.order = Order::descending;
      has_order = true;
    } else if (!has_kind && args.take_word("BYLEX")) {
      query.kind.by = By::lex;
      has_kind = true;
    } else if (!has_kind && args.take_word("BYSCORE")) {
      query.kind.by = By::score;
      has_kind = true;
    } else {
      args.fail(error_text::syntax);
    }
  }
  if (query.limit != -1 && query.kind.by == By::rank) {
    args.fail(
        "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  }
  if (query.shown == Shown::members_and_scores && query.kind.by == By::lex) {
    args.fail("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  }
}

void read_bounds(ArgumentReader& args, RangeQuery& query, By by) {
  std::string_view low = args.next();
  std::string_view high = args.next();
  if (by == By::rank) {
    ArgumentReader start(std::span(&low, 1), 0);
    ArgumentReader stop(std::span(&high, 1), 0);
    query.range = Ranks{start.next_integer(), stop.next_integer()};
    if (start.failed() || stop.failed()) args.fail(error_text::not_an_integer);
    return;
  }
  if (query.kind.order == Order::descending) std::swap(low, high);
  if (by == By::score) {
    const auto range = parse_score_range(low, high);
    if (!range) args.fail(error_text::not_a_score_range);
    query.range = range.value_or(ScoreRange{});
    return;
  }
  const auto range = parse_lex_range(low, high);
  if (!range) args.fail(error_text::not_a_lex_range);
  query.range = range.value_or(LexRange{});
}

// Two bounds, then options, which Redis reads first.
RangeQuery read_query(CommandContext& c, ArgumentReader& args, std::size_t bounds_at, Words words,
                      RangeKind kind) {
  RangeQuery query;
  query.kind = kind;
  ArgumentReader options(c.args, bounds_at + 2);
  read_options(options, query, words);
  if (options.failed()) {
    options.reply_error(c.reply);
    args.fail(error_text::syntax);
    return query;
  }
  read_bounds(args, query, query.kind.by);
  if (args.failed()) args.reply_error(c.reply);
  return query;
}

RankRange ranks_of(const engine::SortedSetValue& value, const RangeQuery& query) {
  if (const auto* score = std::get_if<ScoreRange>(&query.range)) return ranks_within(value, *score);
  if (const auto* lex = std::get_if<LexRange>(&query.range)) return ranks_within(value, *lex);
  const auto [start, stop] = std::get<Ranks>(query.range);
  RankRange ranks = ranks_between(value.size(), start, stop);
  // From the highest: ranks are counted from there.
  if (query.kind.order == Order::descending) {
    ranks.first = value.size() - ranks.first - ranks.count;
  }
  return ranks;
}

// The members to visit: how many to skip in the query's order, how many to take.
RankRange visited_by(const engine::SortedSetValue& value, const RangeQuery& query) {
  RankRange ranks = ranks_of(value, query);
  if (query.kind.order == Order::descending) {
    ranks.first = value.size() - ranks.first - ranks.count;
  }
  // Redis 7.0: LIMIT offset -1 is accepted with ranks, and of no effect.
  if (query.kind.by == By::rank) return ranks;
  if (query.offset < 0 || static_cast<std::uint64_t>(query.offset) >= ranks.count) return {};
  const auto offset = static_cast<std::size_t>(query.offset);
  ranks.first += offset;
  ranks.count -= offset;
  if (query.limit >= 0) {
    ranks.count = std::min(ranks.count, static_cast<std::size_t>(query.limit));
  }
  return ranks;
}

void reply_range(CommandContext& c, Words words, RangeKind kind) {
  ArgumentReader args(c.args, 2);
  const RangeQuery query = read_query(c, args, 2, words, kind);
  if (args.failed()) return;
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.array(0);
  const RankRange visited = visited_by(**found, query);
  ScoredReply reply(c.reply, query.shown, visited.count);
  (*found)->visit(visited.first, visited.count, query.kind.order,
                  [&](const engine::ScoredMember& item) { reply.add(item); });
}

void reply_count(CommandContext& c, By by) {
  ArgumentReader args(c.args, 2);
  RangeQuery query;
  read_bounds(args, query, by);
  if (!args.done()) return args.reply_error(c.reply);
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  const std::size_t count = *found == nullptr ? 0 : ranks_of(**found, query).count;
  c.reply.integer(static_cast<std::int64_t>(count));
}

void remove_range(CommandContext& c, By by, std::string_view event) {
  const std::string_view key = c.args[1];
  ArgumentReader args(c.args, 2);
  RangeQuery query;
  read_bounds(args, query, by);
  if (!args.done()) return args.reply_error(c.reply);
  const FoundSortedSet found = inspect_sorted_set(c, key);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.integer(0);
  const RankRange ranks = ranks_of(**found, query);
  if (ranks.count > 0) {
    const bool is_all = ranks.count == (*found)->size();
    c.db().remove_ranks(key, ranks.first, ranks.count);
    c.notify(notify_zset, event, key);
    if (is_all) c.notify(notify_generic, "del", key);
  }
  c.reply.integer(static_cast<std::int64_t>(ranks.count));
}

}  // namespace

void zrange(CommandContext& c) {
  reply_range(c, Words::ranges, {});
}
void zrevrange(CommandContext& c) {
  reply_range(c, Words::named, {By::rank, Order::descending});
}
void zrangebyscore(CommandContext& c) {
  reply_range(c, Words::named, {By::score, Order::ascending});
}
void zrevrangebyscore(CommandContext& c) {
  reply_range(c, Words::named, {By::score, Order::descending});
}
void zrangebylex(CommandContext& c) {
  reply_range(c, Words::named, {By::lex, Order::ascending});
}
void zrevrangebylex(CommandContext& c) {
  reply_range(c, Words::named, {By::lex, Order::descending});
}

void zrangestore(CommandContext& c) {
  const std::string_view to = c.args[1];
  ArgumentReader args(c.args, 3);
  const RangeQuery query = read_query(c, args, 3, Words::stores, {});
  if (args.failed()) return;
  const FoundSortedSet found = read_sorted_set(c, c.args[2]);
  if (!found) return reply_error(c.reply, found.error());
  std::vector<engine::ScoredMember> items;
  if (*found != nullptr) {
    const RankRange visited = visited_by(**found, query);
    items.reserve(visited.count);
    (*found)->visit(visited.first, visited.count, query.kind.order,
                    [&](const engine::ScoredMember& item) { items.push_back(item); });
  }
  store_sorted_set(c, to, items, "zrangestore");
}

void zcount(CommandContext& c) {
  reply_count(c, By::score);
}
void zlexcount(CommandContext& c) {
  reply_count(c, By::lex);
}

void zremrangebyrank(CommandContext& c) {
  remove_range(c, By::rank, "zremrangebyrank");
}
void zremrangebyscore(CommandContext& c) {
  remove_range(c, By::score, "zremrangebyscore");
}
void zremrangebylex(CommandContext& c) {
  remove_range(c, By::lex, "zremrangebylex");
}

}  // namespace commands::sorted_set
