#include "commands/script_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/script_call.hpp"
#include "commands/script_journal.hpp"

#include <string>

namespace commands::script {
namespace {

using scripting::Script;
using scripting::ScriptAccess;
using scripting::ScriptEngine;

constexpr std::size_t sha_length = 40;
constexpr std::string_view no_script = "NOSCRIPT No matching script. Please use EVAL.";

// Null after an error reply. What was not cached before joins the frame.
const Script* load_script(CommandContext& c, std::string_view text) {
  const std::size_t cached = c.scripts.cached_scripts();
  std::string error;
  const Script* script = c.scripts.load(text, error);
  if (script == nullptr) {
    c.reply.error(error);
  } else if (c.scripts.cached_scripts() != cached) {
    record_script(c.keyspace, text);
  }
  return script;
}

void run_text(CommandContext& c, ScriptAccess access) {
  const auto keys = read_key_count(c, error_text::not_an_integer);
  if (!keys) return;
  const Script* script = load_script(c, c.args[1]);
  if (script != nullptr) run_script(c, *script, *keys, access);
}

void run_cached(CommandContext& c, ScriptAccess access) {
  if (c.args[1].size() != sha_length) return c.reply.error(no_script);
  const auto keys = read_key_count(c, error_text::not_an_integer);
  if (!keys) return;
  const Script* script = c.scripts.find(c.args[1]);
  if (script == nullptr) return c.reply.error(no_script);
  run_script(c, *script, *keys, access);
}

}  // namespace

void eval(CommandContext& c) {
  run_text(c, ScriptAccess::read_write);
}
void eval_ro(CommandContext& c) {
  run_text(c, ScriptAccess::read_only);
}
void evalsha(CommandContext& c) {
  run_cached(c, ScriptAccess::read_write);
}
void evalsha_ro(CommandContext& c) {
  run_cached(c, ScriptAccess::read_only);
}

void exists(CommandContext& c) {
  const auto shas = c.args.subspan(2);
  c.reply.array(shas.size());
  for (const std::string_view sha : shas) c.reply.integer(c.scripts.find(sha) != nullptr ? 1 : 0);
}

void flush(CommandContext& c) {
  const bool valid =
      c.args.size() == 2 ||
      (c.args.size() == 3 && (is_word(c.args[2], "SYNC") || is_word(c.args[2], "ASYNC")));
  if (!valid) return c.reply.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  if (c.scripts.cached_scripts() > 0) record_script_flush(c.keyspace);
  c.scripts.flush();
  c.reply.simple("OK");
}

void load(CommandContext& c) {
  const Script* script = load_script(c, c.args[2]);
  if (script != nullptr) c.reply.bulk(ScriptEngine::sha_of(*script));
}

void kill(CommandContext& c) {
  if (!c.scripts.is_running()) {
    return c.reply.error("NOTBUSY No scripts in execution right now.");
  }
  if (c.scripts.running_function()) return c.reply.error(busy_text(c.scripts));
  kill_script(c);
}

// There is no debugger: only leaving it is granted.
void debug(CommandContext& c) {
  if (is_word(c.args[2], "NO")) return c.reply.simple("OK");
  if (is_word(c.args[2], "YES") || is_word(c.args[2], "SYNC")) {
    return c.reply.error("ERR this server has no script debugger");
  }
  c.reply.error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
}

void help(CommandContext& c) {
  reply_help(c.reply, "SCRIPT",
             {
                 "DEBUG (YES|SYNC|NO)",
                 "    NO is granted; this server has no script debugger.",
                 "EXISTS <sha1> [<sha1> ...]",
                 "    Tells for each script whether it is cached.",
                 "FLUSH [ASYNC|SYNC]",
                 "    Empties the script cache. Both modes act at once.",
                 "KILL",
                 "    Stops the running script, unless it has already written.",
                 "LOAD <script>",
                 "    Compiles and caches a script; answers its SHA1.",
             });
}

}  // namespace commands::script
