// ZRANDMEMBER and ZSCAN.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/sample_options.hpp"
#include "commands/scan_options.hpp"
#include "commands/score_text.hpp"
#include "commands/sorted_set_commands.hpp"
#include "commands/sorted_set_reading.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace commands::sorted_set {
namespace {

using Value = engine::SortedSetValue;

// `count` distinct members, each set of them as likely. Many: each is taken with the probability
// (still wanted) / (still to come).
void reply_many(CommandContext& c, const Value& value, std::size_t count, Shown shown) {
  std::size_t to_come = value.size();
  std::size_t wanted = count;
  ScoredReply reply(c.reply, shown, count);
  value.visit(0, to_come, engine::Order::ascending, [&](const engine::ScoredMember& item) {
    const bool taken = wanted == to_come || c.keyspace.random_bits() % to_come < wanted;
    --to_come;
    if (wanted == 0 || !taken) return;
    --wanted;
    reply.add(item);
  });
}

// Few among many: ranks are drawn until enough are different.
void reply_few(CommandContext& c, const Value& value, std::size_t count, Shown shown) {
  ScoredReply reply(c.reply, shown, count);
  std::unordered_set<std::size_t> drawn;
  while (drawn.size() < count) {
    const std::size_t rank = c.keyspace.random_bits() % value.size();
    if (drawn.insert(rank).second) reply.add(value.at(rank));
  }
}

void reply_repeated(CommandContext& c, const Value& value, std::size_t count, Shown shown) {
  ScoredReply reply(c.reply, shown, count);
  for (std::size_t i = 0; i < count; ++i) {
    reply.add(value.at(c.keyspace.random_bits() % value.size()));
  }
}

void reply_one(CommandContext& c) {
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  c.reply.bulk((*found)->at(c.keyspace.random_bits() % (*found)->size()).member);
}

}  // namespace

void zrandmember(CommandContext& c) {
  constexpr std::size_t few_share = 3;
  if (c.args.size() == 2) return reply_one(c);
  ArgumentReader args(c.args, 2);
  const SampleOptions options = read_sample_options(args, "WITHSCORES");
  if (!args.done()) return args.reply_error(c.reply);
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr || options.count == 0) return c.reply.array(0);
  const Value& value = **found;
  const Shown shown = options.with_values ? Shown::members_and_scores : Shown::members;
  if (options.count < 0) {
    return reply_repeated(c, value, static_cast<std::size_t>(-options.count), shown);
  }
  const auto count = std::min(static_cast<std::size_t>(options.count), value.size());
  if (count < value.size() / few_share) return reply_few(c, value, count, shown);
  reply_many(c, value, count, shown);
}

void zscan(CommandContext& c) {
  const auto cursor = parse_cursor(c.args[2]);
  if (!cursor) return c.reply.error(invalid_cursor);
  // Redis 7.0: a missing key is answered before the options are looked at.
  const FoundSortedSet found = read_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  std::vector<engine::ScoredMember> items;
  std::uint64_t next = 0;
  bool is_packed = false;
  if (*found != nullptr) {
    ArgumentReader args(c.args, 3);
    const ScanOptions options = read_scan_options(args, ScanSubject::fields);
    if (!args.done()) return args.reply_error(c.reply);
    is_packed = (*found)->encoding() == engine::Encoding::listpack;
    next = (*found)->scan(*cursor, options.count, [&](const engine::ScoredMember& item) {
      if (options.matches(item.member)) items.push_back(item);
    });
  }
  reply_cursor(c.reply, next);
  c.reply.array(2 * items.size());
  for (const engine::ScoredMember& item : items) {
    c.reply.bulk(item.member);
    c.reply.bulk(is_packed ? packed_score_text(item.score) : score_text(item.score));
  }
}

}  // namespace commands::sorted_set
