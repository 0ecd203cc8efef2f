#include "commands/script_call.hpp"

#include "base/integers.hpp"
#include "commands/error_replies.hpp"

namespace commands {
namespace {

using scripting::Script;
using scripting::ScriptAccess;
using scripting::ScriptEngine;
using scripting::ScriptFlags;

// What the flags of a "#!lua" line refuse before the script starts. Empty: it may run.
std::string_view refusal(const CommandContext& c, const ScriptFlags& flags, ScriptAccess access) {
  if (flags.compat || flags.no_writes) return {};
  if (access == ScriptAccess::read_only) {
    return "ERR Can not execute a script with write flag using *_ro command.";
  }
  if (!flags.allow_oom && memory_is_full(c)) return error_text::out_of_memory;
  return {};
}

}  // namespace

std::optional<std::size_t> read_key_count(CommandContext& c, std::string_view not_a_number) {
  const auto count = base::parse_int64(c.args[2]);
  if (!count) {
    c.reply.error(not_a_number);
  } else if (*count > static_cast<std::int64_t>(c.args.size()) - 3) {
    c.reply.error("ERR Number of keys can't be greater than number of args");
  } else if (*count < 0) {
    c.reply.error("ERR Number of keys can't be negative");
  } else {
    return static_cast<std::size_t>(*count);
  }
  return std::nullopt;
}

bool memory_is_full(const CommandContext& c) {
  const std::uint64_t limit = c.settings.memory_bytes_max;
  return limit != 0 && c.keyspace.used_bytes() > limit;
}

void run_script(CommandContext& c, const Script& script, std::size_t keys, ScriptAccess access) {
  const ScriptFlags& flags = ScriptEngine::flags_of(script);
  if (const std::string_view text = refusal(c, flags, access); !text.empty()) {
    return c.reply.error(text);
  }
  const bool may_write = access == ScriptAccess::read_write && !flags.no_writes;
  // SELECT in a script lasts as long as the script.
  const int database = c.client.database;
  c.scripts.run(script,
                {.keys = c.args.subspan(3, keys),
                 .arguments = c.args.subspan(3 + keys),
                 .access = may_write ? ScriptAccess::read_write : ScriptAccess::read_only,
                 .request = c.args},
                c.reply);
  c.client.database = database;
}

std::string_view busy_text(const ScriptEngine& scripts) {
  return scripts.running_function() ? error_text::busy_function : error_text::busy;
}

void kill_script(CommandContext& c) {
  if (c.runner.script_has_written()) {
    return c.reply.error(
        "UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
        "either wait the script termination or kill the server in a hard way using the SHUTDOWN "
        "NOSAVE command.");
  }
  c.scripts.kill();
  c.reply.simple("OK");
}

}  // namespace commands
