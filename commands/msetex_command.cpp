// MSETEX numkeys key value [key value …] [NX | XX] [EX | PX | EXAT | PXAT amount | KEEPTTL]
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/string_commands.hpp"
#include "commands/string_options.hpp"

#include <limits>

namespace commands::string {
namespace {

constexpr std::size_t first_pair = 2;

// The pairs alone; empty after an error reply.
std::span<const std::string_view> read_pairs(CommandContext& c) {
  const auto count = base::parse_int64(c.args[1]);
  if (!count || *count < 1 || *count > std::numeric_limits<std::int32_t>::max()) {
    c.reply.error("ERR invalid numkeys value");
    return {};
  }
  const auto words = static_cast<std::size_t>(*count) * 2;
  if (words > c.args.size() - first_pair) {
    c.reply.error("ERR wrong number of key-value pairs");
    return {};
  }
  return c.args.subspan(first_pair, words);
}

// Whether all keys, or none, are there.
bool condition_holds_for_all(const CommandContext& c, std::span<const std::string_view> pairs,
                             const SetOptions& options) {
  if (options.condition == SetCondition::always) return true;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (!condition_holds(options, c.db().peek(pairs[i]))) return false;
  }
  return true;
}

engine::Result<void> store(const CommandContext& c, std::string_view key, std::string_view value,
                           const SetOptions& options) {
  const engine::Entry* entry = options.keeps_deadline ? c.db().peek(key) : nullptr;
  const std::int64_t deadline_ms = entry != nullptr ? entry->deadline_ms() : options.deadline_ms;
  const auto stored = c.db().set_string(key, value, deadline_ms);
  if (!stored) return stored;
  c.notify(notify_string, "set", key);
  if (options.deadline_ms != engine::no_deadline) c.notify(notify_generic, "expire", key);
  return {};
}

}  // namespace

void msetex(CommandContext& c) {
  const auto pairs = read_pairs(c);
  if (pairs.empty()) return;
  ArgumentReader args(c.args, first_pair + pairs.size());
  const SetOptions options = read_set_options(args, c);
  if (options.returns_old || options.compares()) args.fail(error_text::syntax);
  if (!args.done()) return args.reply_error(c.reply);
  if (!condition_holds_for_all(c, pairs, options)) return c.reply.integer(0);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const auto stored = store(c, pairs[i], pairs[i + 1], options);
    if (!stored) return reply_error(c.reply, stored.error());
  }
  c.reply.integer(1);
}

}  // namespace commands::string
