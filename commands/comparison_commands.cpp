// Strings that are deleted only if they hold what is expected: DELEX, DELIFEQ; and DIGEST.
#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/string_commands.hpp"
#include "commands/string_options.hpp"
#include "commands/value_digest.hpp"

namespace commands::string {
namespace {

void delete_key(CommandContext& c, std::string_view key) {
  c.db().remove(key);
  c.notify(notify_generic, "del", key);
  c.reply.integer(1);
}

// always: the word is no condition.
SetCondition condition_named(std::string_view word) {
  if (is_word(word, "IFEQ")) return SetCondition::if_equal;
  if (is_word(word, "IFNE")) return SetCondition::if_not_equal;
  if (is_word(word, "IFDEQ")) return SetCondition::if_digest_equal;
  if (is_word(word, "IFDNE")) return SetCondition::if_digest_not_equal;
  return SetCondition::always;
}

}  // namespace

void delifeq(CommandContext& c) {
  const std::string_view key = c.args[1];
  const Found found = inspect_typed(c, key, engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr || (*found)->string() != c.args[2]) return c.reply.integer(0);
  delete_key(c, key);
}

void delex(CommandContext& c) {
  if (c.args.size() == 3 || c.args.size() > 4) {
    return c.reply.error(wrong_arity(full_name(c.spec)));
  }
  const std::string_view key = c.args[1];
  const engine::Entry* entry = c.db().peek(key);
  // Redis 8.4 looks at the key before it looks at the condition.
  if (entry == nullptr) return c.reply.integer(0);
  if (c.args.size() == 2) return delete_key(c, key);
  if (entry->type() != engine::Type::string) {
    return c.reply.error("ERR Key should be of string type if conditions are specified");
  }
  SetOptions options;
  options.condition = condition_named(c.args[2]);
  options.compared = c.args[3];
  if (options.condition == SetCondition::always) {
    return c.reply.error("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
  }
  if (options.compares_digests() && !is_digest(options.compared)) {
    return c.reply.error(not_a_digest);
  }
  if (!condition_holds(options, entry)) return c.reply.integer(0);
  delete_key(c, key);
}

void digest(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  const ValueDigest text = digest_of((*found)->string());
  c.reply.bulk({text.data(), text.size()});
}

}  // namespace commands::string
