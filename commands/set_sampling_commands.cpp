// SPOP, SRANDMEMBER and SSCAN.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/scan_options.hpp"
#include "commands/set_algebra.hpp"
#include "commands/set_commands.hpp"
#include "engine/set_value.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

namespace commands::set {
namespace {

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
// With repetition the reply can be longer than the set: Redis would build any number of elements.
constexpr std::int64_t repeated_members_max = 50'000'000;

std::string draw(const CommandContext& c, const engine::SetValue& set) {
  return set.random_member([&] { return c.keyspace.random_bits(); });
}

// `count` distinct members, each choice of them as likely; `count` is at most the size.
std::vector<std::string> draw_distinct(const CommandContext& c, const engine::SetValue& set,
                                       std::size_t count) {
  std::vector<std::string> drawn;
  drawn.reserve(count);
  if (count < set.size() / 3) {
    std::unordered_set<std::string> seen;
    while (drawn.size() < count) {
      std::string member = draw(c, set);
      if (seen.insert(member).second) drawn.push_back(std::move(member));
    }
    return drawn;
  }
  // A member is taken with the probability (still wanted) / (still to come).
  std::size_t to_come = set.size();
  set.for_each([&](std::string_view member) {
    if (c.keyspace.random_bits() % to_come-- < count - drawn.size()) drawn.emplace_back(member);
  });
  return drawn;
}

void pop_one(CommandContext& c, const engine::SetValue& set) {
  const std::string member = draw(c, set);
  const std::string_view names[] = {member};
  static_cast<void>(c.db().set_remove(c.args[1], names));
  c.notify(notify_set, "spop", c.args[1]);
  if (c.db().peek(c.args[1]) == nullptr) c.notify(notify_generic, "del", c.args[1]);
  c.reply.bulk(member);
}

void pop_all(CommandContext& c, const engine::SetValue& set) {
  c.reply.set(set.size());
  set.for_each([&](std::string_view member) { c.reply.bulk(member); });
  c.notify(notify_set, "spop", c.args[1]);
  c.db().remove(c.args[1]);
  c.notify(notify_generic, "del", c.args[1]);
}

// `count` is at least 1 and below the size. Redis 7.0: when few stay, they make a new set, which
// begins as integers again if it can.
void pop_some(CommandContext& c, const engine::SetValue& set, std::size_t count) {
  constexpr std::size_t few = 5;
  const std::size_t left = set.size() - count;
  std::vector<std::string> popped;
  if (left * few > count) {
    popped = draw_distinct(c, set, count);
    static_cast<void>(c.db().set_remove(c.args[1], views_of(popped)));
  } else {
    const std::vector<std::string> kept = draw_distinct(c, set, left);
    const std::unordered_set<std::string_view> stays(kept.begin(), kept.end());
    popped.reserve(count);
    set.for_each([&](std::string_view member) {
      if (!stays.contains(member)) popped.emplace_back(member);
    });
    c.db().set_keep(c.args[1], views_of(kept));
  }
  c.notify(notify_set, "spop", c.args[1]);
  c.reply.set(popped.size());
  for (const std::string& member : popped) c.reply.bulk(member);
}

}  // namespace

void spop(CommandContext& c) {
  const bool counted = c.args.size() > 2;
  ArgumentReader args(c.args, 2);
  if (c.args.size() > 3) args.fail(error_text::syntax);
  std::int64_t count = 1;
  if (counted) {
    count = args.next_integer_between(0, highest, "ERR value is out of range, must be positive");
  }
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = inspect_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return counted ? c.reply.set(0) : c.reply.null();
  const engine::SetValue& set = engine::set_of(**found);
  if (!counted) return pop_one(c, set);
  if (count == 0) return c.reply.set(0);
  if (static_cast<std::size_t>(count) >= set.size()) return pop_all(c, set);
  pop_some(c, set, static_cast<std::size_t>(count));
}

void srandmember(CommandContext& c) {
  const bool counted = c.args.size() > 2;
  ArgumentReader args(c.args, 2);
  if (c.args.size() > 3) args.fail(error_text::syntax);
  const std::int64_t count = counted ? args.next_integer() : 1;
  if (count < -highest) {
    args.fail(
        "ERR value is out of range, value must between -9223372036854775807 and "
        "9223372036854775807");
  }
  if (count < -repeated_members_max) args.fail("ERR value is out of range");
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return counted ? c.reply.array(0) : c.reply.null();
  const engine::SetValue& set = engine::set_of(**found);
  if (!counted) return c.reply.bulk(draw(c, set));
  if (count < 0) {
    c.reply.array(static_cast<std::size_t>(-count));
    for (std::int64_t left = -count; left > 0; --left) c.reply.bulk(draw(c, set));
    return;
  }
  const auto drawn = draw_distinct(c, set, std::min(static_cast<std::size_t>(count), set.size()));
  c.reply.array(drawn.size());
  for (const std::string& member : drawn) c.reply.bulk(member);
}

void sscan(CommandContext& c) {
  const auto cursor = parse_cursor(c.args[2]);
  if (!cursor) return c.reply.error(invalid_cursor);
  // Redis 7.0: a missing key is answered before the options are looked at.
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  std::vector<std::string> members;
  std::uint64_t next = 0;
  if (*found != nullptr) {
    ArgumentReader args(c.args, 3);
    const ScanOptions options = read_scan_options(args, ScanSubject::fields);
    if (!args.done()) return args.reply_error(c.reply);
    next = engine::set_of(**found).scan(*cursor, options.count, [&](std::string_view member) {
      if (options.matches(member)) members.emplace_back(member);
    });
  }
  reply_cursor(c.reply, next);
  c.reply.array(members.size());
  for (const std::string& member : members) c.reply.bulk(member);
}

}  // namespace commands::set
