#include "commands/sorted_set_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/score_text.hpp"
#include "commands/sorted_set_reading.hpp"

#include <array>
#include <vector>

namespace commands::sorted_set {
namespace {

struct AddOptions {
  engine::ScoreCondition condition;
  bool counts_updates = false;  // CH
  bool increments = false;      // INCR
};

AddOptions read_add_options(ArgumentReader& args) {
  AddOptions options;
  while (true) {
    if (args.take_word("NX")) {
      options.condition.new_only = true;
    } else if (args.take_word("XX")) {
      options.condition.existing_only = true;
    } else if (args.take_word("GT")) {
      options.condition.greater_only = true;
    } else if (args.take_word("LT")) {
      options.condition.less_only = true;
    } else if (args.take_word("CH")) {
      options.counts_updates = true;
    } else if (args.take_word("INCR")) {
      options.increments = true;
    } else {
      break;
    }
  }
  const auto& [new_only, existing_only, greater_only, less_only] = options.condition;
  if (args.left() == 0 || args.left() % 2 != 0) args.fail(error_text::syntax);
  if (new_only && existing_only) {
    args.fail("ERR XX and NX options at the same time are not compatible");
  }
  if ((new_only && (greater_only || less_only)) || (greater_only && less_only)) {
    args.fail("ERR GT, LT, and/or NX options at the same time are not compatible");
  }
  if (options.increments && args.left() > 2) {
    args.fail("ERR INCR option supports a single increment-element pair");
  }
  return options;
}

engine::ScoredMember next_scored(ArgumentReader& args) {
  const auto score = parse_score(args.next());
  if (!score) args.fail(error_text::not_a_real);
  return {args.next(), score.value_or(0)};
}

void reply_incremented(CommandContext& c, const engine::ScoredMember& delta,
                       engine::ScoreCondition condition) {
  const auto change = c.db().increment_score(c.args[1], delta, condition);
  if (!change) return reply_error(c.reply, change.error());
  if (change->added + change->updated > 0) c.notify(notify_zset, "zincr", c.args[1]);
  const std::optional<double> score = change->score;
  if (!score) return c.reply.null();
  c.reply.real(*score);
}

void reply_rank(CommandContext& c, engine::Order order) {
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  const auto rank = *found == nullptr ? std::nullopt : (*found)->rank(c.args[2]);
  if (!rank) return c.reply.null();
  const bool ascending = order == engine::Order::ascending;
  c.reply.integer(static_cast<std::int64_t>(ascending ? *rank : (*found)->size() - 1 - *rank));
}

void reply_score(CommandContext& c, const engine::SortedSetValue* value, std::string_view member) {
  const auto score = value == nullptr ? std::nullopt : value->score(member);
  if (!score) return c.reply.null();
  c.reply.real(*score);
}

}  // namespace

void zadd(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const AddOptions options = read_add_options(args);
  // Few pairs need no allocation.
  const std::size_t count = args.left() / 2;
  std::array<engine::ScoredMember, 16> few;
  std::vector<engine::ScoredMember> many;
  if (count > few.size()) many.resize(count);
  const std::span<engine::ScoredMember> scores =
      count > few.size() ? std::span(many) : std::span(few).first(count);
  for (engine::ScoredMember& item : scores) item = next_scored(args);
  if (!args.done()) return args.reply_error(c.reply);
  if (options.increments) return reply_incremented(c, scores.front(), options.condition);
  const auto change = c.db().set_scores(c.args[1], scores, options.condition);
  if (!change) return reply_error(c.reply, change.error());
  if (change->added + change->updated > 0) c.notify(notify_zset, "zadd", c.args[1]);
  const std::size_t told = change->added + (options.counts_updates ? change->updated : 0);
  c.reply.integer(static_cast<std::int64_t>(told));
}

void zincrby(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const engine::ScoredMember delta = next_scored(args);
  if (!args.done()) return args.reply_error(c.reply);
  reply_incremented(c, delta, {});
}

void zcard(CommandContext& c) {
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  c.reply.integer(*found == nullptr ? 0 : static_cast<std::int64_t>((*found)->size()));
}

void zscore(CommandContext& c) {
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  reply_score(c, *found, c.args[2]);
}

void zmscore(CommandContext& c) {
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  const auto members = c.args.subspan(2);
  c.reply.array(members.size());
  for (const std::string_view member : members) reply_score(c, *found, member);
}

void zrank(CommandContext& c) {
  reply_rank(c, engine::Order::ascending);
}

void zrevrank(CommandContext& c) {
  reply_rank(c, engine::Order::descending);
}

void zrem(CommandContext& c) {
  const std::string_view key = c.args[1];
  const auto removed = c.db().remove_scored(key, c.args.subspan(2));
  if (!removed) return reply_error(c.reply, removed.error());
  if (*removed > 0) {
    c.notify(notify_zset, "zrem", key);
    if (c.db().peek(key) == nullptr) c.notify(notify_generic, "del", key);
  }
  c.reply.integer(static_cast<std::int64_t>(*removed));
}

}  // namespace commands::sorted_set
