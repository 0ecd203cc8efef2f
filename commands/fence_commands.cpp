#include "commands/fence_commands.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"

#include <optional>
#include <string>

namespace commands::lock {
namespace {

// A string lock is held by its value, a hash lock by its fields; other types name no owner.
bool is_owned_by(const engine::Entry& entry, std::string_view owner) {
  if (entry.type() == engine::Type::string) return entry.string() == owner;
  if (entry.type() != engine::Type::hash) return false;
  return engine::HashView(entry).get(owner).has_value();
}

std::string stale(std::int64_t token, std::int64_t newest) {
  return "STALE token " + std::to_string(token) + " is older than " + std::to_string(newest);
}

}  // namespace

void fence_token(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  std::optional<std::string_view> owner;
  if (args.take_word("OWNER")) owner = args.next();
  if (!args.done()) return args.reply_error(c.reply);
  const engine::Entry* entry = read_key(c, c.args[1]);
  if (entry == nullptr || (owner && !is_owned_by(*entry, *owner))) return c.reply.null();
  c.reply.integer(static_cast<std::int64_t>(entry->token()));
}

void fence_check(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t token = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  const std::string_view resource = c.args[1];
  const Found found = inspect_typed(c, resource, engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  if (*found != nullptr) {
    const auto newest = base::parse_int64((*found)->string());
    if (!newest) return reply_error(c.reply, engine::Error::not_an_integer);
    if (token < *newest) return c.reply.error(stale(token, *newest));
    if (token == *newest) return c.reply.simple("OK");
  }
  const auto stored = c.db().replace_value(resource, base::IntegerText(token).view());
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_string, "set", resource);
  c.reply.simple("OK");
}

void fence_last(CommandContext& c) {
  c.reply.integer(static_cast<std::int64_t>(c.keyspace.last_token()));
}

}  // namespace commands::lock
