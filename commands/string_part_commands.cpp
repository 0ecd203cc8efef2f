// Parts of strings: APPEND, STRLEN, GETRANGE, SETRANGE.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/string_commands.hpp"

#include <algorithm>

namespace commands::string {
namespace {

// Offsets count from the end when negative; both ends belong to the part.
std::string_view part_of(std::string_view text, std::int64_t first, std::int64_t last) {
  const auto size = static_cast<std::int64_t>(text.size());
  // Redis 7.0: told apart before clamping, else GETRANGE key -1 -100 would give the first byte.
  if (first < 0 && last < 0 && first > last) return {};
  if (first < 0) first = std::max<std::int64_t>(0, first + size);
  if (last < 0) last = std::max<std::int64_t>(0, last + size);
  last = std::min(last, size - 1);
  if (first > last) return {};
  return text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

void reply_length(CommandContext& c, const Found& found) {
  if (!found) return reply_error(c.reply, found.error());
  const std::size_t bytes = *found == nullptr ? 0 : (*found)->string().size();
  c.reply.integer(static_cast<std::int64_t>(bytes));
}

}  // namespace

void append(CommandContext& c) {
  const auto bytes = c.db().append(c.args[1], c.args[2]);
  if (!bytes) return reply_error(c.reply, bytes.error());
  c.notify(notify_string, "append", c.args[1]);
  c.reply.integer(static_cast<std::int64_t>(*bytes));
}

void strlen(CommandContext& c) {
  reply_length(c, read_typed(c, c.args[1], engine::Type::string));
}

void getrange(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t first = args.next_integer();
  const std::int64_t last = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = read_typed(c, c.args[1], engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  c.reply.bulk(*found == nullptr ? std::string_view() : part_of((*found)->string(), first, last));
}

void setrange(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t offset = args.next_integer();
  const std::string_view bytes = args.next();
  if (offset < 0) args.fail("ERR offset is out of range");
  if (!args.done()) return args.reply_error(c.reply);
  const std::string_view key = c.args[1];
  // Nothing to write: neither creates nor lengthens the string.
  if (bytes.empty()) return reply_length(c, inspect_typed(c, key, engine::Type::string));
  const auto length = c.db().set_range(key, static_cast<std::size_t>(offset), bytes);
  if (!length) return reply_error(c.reply, length.error());
  c.notify(notify_string, "setrange", key);
  c.reply.integer(static_cast<std::int64_t>(*length));
}

}  // namespace commands::string
