// Unions, intersections and differences of sorted sets and sets (whose members score 1).
#include "base/assert.hpp"
#include "commands/argument_reader.hpp"
#include "commands/cardinality_limit.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/score_text.hpp"
#include "commands/sorted_set_commands.hpp"
#include "commands/sorted_set_reading.hpp"
#include "commands/sorted_set_source.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace commands::sorted_set {
namespace {

enum class Operation : std::uint8_t { merge, intersect, subtract };
enum class Result : std::uint8_t { reply, store };

struct Query {
  std::vector<ScoreSource> sources;
  Aggregate aggregate = Aggregate::sum;
  Shown shown = Shown::members;
};

void read_weights(ArgumentReader& args, std::vector<ScoreSource>& sources) {
  for (ScoreSource& source : sources) {
    const auto weight = parse_score(args.next());
    if (!weight) args.fail("ERR weight value is not a float");
    source.weight = weight.value_or(1);
  }
}

Aggregate read_aggregate(ArgumentReader& args) {
  if (args.take_word("SUM")) return Aggregate::sum;
  if (args.take_word("MIN")) return Aggregate::min;
  if (!args.take_word("MAX")) args.fail(error_text::syntax);
  return Aggregate::max;
}

void read_options(ArgumentReader& args, Query& query, Operation operation, Result result) {
  const bool weighs = operation != Operation::subtract;
  while (args.has_more()) {
    if (weighs && args.left() > query.sources.size() && args.take_word("WEIGHTS")) {
      read_weights(args, query.sources);
    } else if (weighs && args.left() >= 2 && args.take_word("AGGREGATE")) {
      query.aggregate = read_aggregate(args);
    } else if (result == Result::reply && args.take_word("WITHSCORES")) {
      query.shown = Shown::members_and_scores;
    } else {
      args.fail(error_text::syntax);
    }
  }
}

// numkeys key [key ...], and what stands at the keys. False after an error reply.
bool read_sources(CommandContext& c, ArgumentReader& args, std::vector<ScoreSource>& sources) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t count = args.next_integer_between(lowest, highest, error_text::not_an_integer);
  if (count < 1) {
    args.fail("ERR at least 1 input key is needed for '" + full_name(c.spec) + "' command");
  }
  const auto keys = args.take(static_cast<std::size_t>(count));
  if (args.failed()) {
    args.reply_error(c.reply);
    return false;
  }
  for (const std::string_view key : keys) {
    const auto source = read_score_source(c, key);
    if (!source) {
      reply_error(c.reply, source.error());
      return false;
    }
    sources.push_back(*source);
  }
  return true;
}

std::vector<engine::ScoredMember> combine(const Query& query, Operation operation,
                                          ScoreCombination& combination) {
  switch (operation) {
    case Operation::merge:
      return combination.merged(query.sources, query.aggregate);
    case Operation::intersect:
      return combination.intersected(query.sources, query.aggregate);
    case Operation::subtract:
      return combination.subtracted(query.sources);
  }
  ASSERT(false && "an operation without a function");
}

void run(CommandContext& c, Operation operation, Result result, std::string_view event = {}) {
  ArgumentReader args(c.args, result == Result::store ? 2 : 1);
  Query query;
  if (!read_sources(c, args, query.sources)) return;
  read_options(args, query, operation, result);
  if (!args.done()) return args.reply_error(c.reply);
  ScoreCombination combination;
  const auto items = combine(query, operation, combination);
  if (result == Result::store) return store_sorted_set(c, c.args[1], items, event);
  ScoredReply reply(c.reply, query.shown, items.size());
  for (const engine::ScoredMember& item : items) reply.add(item);
}

}  // namespace

void zunion(CommandContext& c) {
  run(c, Operation::merge, Result::reply);
}
void zunionstore(CommandContext& c) {
  run(c, Operation::merge, Result::store, "zunionstore");
}
void zinter(CommandContext& c) {
  run(c, Operation::intersect, Result::reply);
}
void zinterstore(CommandContext& c) {
  run(c, Operation::intersect, Result::store, "zinterstore");
}
void zdiff(CommandContext& c) {
  run(c, Operation::subtract, Result::reply);
}
void zdiffstore(CommandContext& c) {
  run(c, Operation::subtract, Result::store, "zdiffstore");
}

void zintercard(CommandContext& c) {
  ArgumentReader args(c.args, 1);
  std::vector<ScoreSource> sources;
  if (!read_sources(c, args, sources)) return;
  const std::size_t limit = read_cardinality_limit(args);
  if (!args.done()) return args.reply_error(c.reply);
  c.reply.integer(static_cast<std::int64_t>(count_common(sources, limit)));
}

}  // namespace commands::sorted_set
