#include "commands/set_commands.hpp"

#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "engine/set_value.hpp"

namespace commands::set {
namespace {

bool has_member(const engine::Entry* entry, std::string_view member) {
  return entry != nullptr && engine::set_of(*entry).contains(member);
}

// Removes members and says so. The arguments' types are right.
std::size_t take_members(const CommandContext& c, std::string_view key,
                         std::span<const std::string_view> members) {
  const std::size_t removed = c.db().set_remove(key, members).value_or(0);
  if (removed == 0) return 0;
  c.notify(notify_set, "srem", key);
  if (c.db().peek(key) == nullptr) c.notify(notify_generic, "del", key);
  return removed;
}

}  // namespace

void sadd(CommandContext& c) {
  const auto added = c.db().set_add(c.args[1], c.args.subspan(2));
  if (!added) return reply_error(c.reply, added.error());
  if (*added > 0) c.notify(notify_set, "sadd", c.args[1]);
  c.reply.integer(static_cast<std::int64_t>(*added));
}

void srem(CommandContext& c) {
  const Found found = inspect_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  const std::size_t removed = take_members(c, c.args[1], c.args.subspan(2));
  c.reply.integer(static_cast<std::int64_t>(removed));
}

void smove(CommandContext& c) {
  const std::string_view from = c.args[1];
  const std::string_view to = c.args[2];
  const auto member = c.args.subspan(3, 1);
  const Found source = inspect_typed(c, from, engine::Type::set);
  if (source && *source == nullptr) return c.reply.integer(0);
  const Found target = inspect_typed(c, to, engine::Type::set);
  if (!source || !target) return reply_error(c.reply, engine::Error::wrong_type);
  if (!has_member(*source, member[0])) return c.reply.integer(0);
  if (*source == *target) return c.reply.integer(1);
  take_members(c, from, member);
  // What moves is no growth: never refused.
  const auto added = c.db().set_add(to, member);
  if (!added) return reply_error(c.reply, added.error());
  if (*added > 0) c.notify(notify_set, "sadd", to);
  c.reply.integer(1);
}

void scard(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  const std::size_t size = *found == nullptr ? 0 : engine::set_of(**found).size();
  c.reply.integer(static_cast<std::int64_t>(size));
}

void sismember(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  c.reply.integer(has_member(*found, c.args[2]) ? 1 : 0);
}

void smismember(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  const auto members = c.args.subspan(2);
  c.reply.array(members.size());
  for (const std::string_view member : members) {
    c.reply.integer(has_member(*found, member) ? 1 : 0);
  }
}

void smembers(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::set);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.set(0);
  const engine::SetValue& set = engine::set_of(**found);
  c.reply.set(set.size());
  set.for_each([&](std::string_view member) { c.reply.bulk(member); });
}

}  // namespace commands::set
