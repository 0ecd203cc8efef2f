// Strings as numbers: INCR, INCRBY, DECR, DECRBY, INCRBYFLOAT.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/long_double_text.hpp"
#include "commands/string_commands.hpp"

#include <cmath>
#include <limits>

namespace commands::string {
namespace {

void add(CommandContext& c, std::int64_t delta) {
  const auto sum = c.db().increment(c.args[1], delta);
  if (!sum) return reply_error(c.reply, sum.error());
  c.notify(notify_string, "incrby", c.args[1]);
  c.reply.integer(*sum);
}

}  // namespace

void incr(CommandContext& c) {
  add(c, 1);
}

void decr(CommandContext& c) {
  add(c, -1);
}

void incrby(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t delta = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  add(c, delta);
}

void decrby(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t delta = args.next_integer();
  if (delta == std::numeric_limits<std::int64_t>::min()) {
    args.fail("ERR decrement would overflow");
  }
  if (!args.done()) return args.reply_error(c.reply);
  add(c, -delta);
}

void incrbyfloat(CommandContext& c) {
  const std::string_view key = c.args[1];
  const Found found = inspect_typed(c, key, engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  const auto old = *found == nullptr ? 0.0L : parse_long_double((*found)->string());
  const auto delta = parse_long_double(c.args[2]);
  if (!old || !delta) return reply_error(c.reply, engine::Error::not_a_real);
  const long double sum = *old + *delta;
  if (!std::isfinite(sum)) return reply_error(c.reply, engine::Error::not_finite);
  const std::string text = format_long_double(sum);
  const auto stored = c.db().replace_value(key, text);
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_string, "incrbyfloat", key);
  c.reply.bulk(text);
}

}  // namespace commands::string
