#include "commands/function_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/dump_payload.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/script_call.hpp"
#include "commands/script_journal.hpp"
#include "commands/subcommand_syntax.hpp"
#include "engine/varint.hpp"
#include "scripting/function_libraries.hpp"

#include <string>

namespace commands::function {
namespace {

using scripting::LibraryFunction;
using scripting::RestorePolicy;
using scripting::ScriptAccess;

void call(CommandContext& c, ScriptAccess access) {
  const LibraryFunction* function = c.scripts.functions().find(c.args[1]);
  if (function == nullptr) return c.reply.error("ERR Function not found");
  const auto keys = read_key_count(c, "ERR Bad number of keys provided");
  if (!keys) return;
  run_script(c, *function->script, *keys, access);
}

// The libraries of a payload's body; nothing when it is none.
std::optional<std::vector<std::string_view>> read_codes(std::string_view body) {
  std::uint64_t count = 0;
  if (!engine::varint::read(body, count)) return std::nullopt;
  std::vector<std::string_view> codes;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t length = 0;
    if (!engine::varint::read(body, length) || length > body.size()) return std::nullopt;
    codes.push_back(body.substr(0, length));
    body.remove_prefix(length);
  }
  if (!body.empty()) return std::nullopt;
  return codes;
}

}  // namespace

void fcall(CommandContext& c) {
  call(c, ScriptAccess::read_write);
}
void fcall_ro(CommandContext& c) {
  call(c, ScriptAccess::read_only);
}

void load(CommandContext& c) {
  bool replaces = false;
  for (const std::string_view option : c.args.subspan(2, c.args.size() - 3)) {
    if (!is_word(option, "REPLACE")) {
      return c.reply.error("ERR Unknown option given: " + std::string(up_to_nul(option)));
    }
    replaces = true;
  }
  if (memory_is_full(c)) return c.reply.error(error_text::out_of_memory);
  const auto name = c.scripts.functions().load(c.args.back(), replaces);
  if (!name) return c.reply.error(name.error());
  record_library(c.keyspace, *name, c.args.back());
  c.reply.bulk(*name);
}

void delete_library(CommandContext& c) {
  if (!c.scripts.functions().remove(c.args[2])) return c.reply.error("ERR Library not found");
  record_library_removal(c.keyspace, c.args[2]);
  c.reply.simple("OK");
}

void flush(CommandContext& c) {
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "FUNCTION");
  if (c.args.size() == 3 && !is_word(c.args[2], "SYNC") && !is_word(c.args[2], "ASYNC")) {
    return c.reply.error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
  }
  c.scripts.functions().flush();
  record_library_flush(c.keyspace);
  c.reply.simple("OK");
}

void kill(CommandContext& c) {
  if (!c.scripts.is_running()) {
    return c.reply.error("NOTBUSY No scripts in execution right now.");
  }
  if (!c.scripts.running_function()) return c.reply.error(error_text::busy);
  kill_script(c);
}

void dump(CommandContext& c) {
  std::string body;
  const auto& libraries = c.scripts.functions().all();
  engine::varint::write(body, libraries.size());
  for (const auto& [name, library] : libraries) {
    engine::varint::write(body, library.code.size());
    body += library.code;
  }
  c.reply.bulk(seal_payload(std::move(body), PayloadKind::functions));
}

void restore(CommandContext& c) {
  if (c.args.size() > 4) return reply_subcommand_syntax(c, "FUNCTION");
  auto policy = RestorePolicy::append;
  if (c.args.size() == 4) {
    if (is_word(c.args[3], "FLUSH")) {
      policy = RestorePolicy::flush;
    } else if (is_word(c.args[3], "REPLACE")) {
      policy = RestorePolicy::replace;
    } else if (!is_word(c.args[3], "APPEND")) {
      return c.reply.error(
          "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
    }
  }
  if (memory_is_full(c)) return c.reply.error(error_text::out_of_memory);
  const auto body = open_payload(c.args[2], PayloadKind::functions);
  const auto codes = body ? read_codes(*body) : std::nullopt;
  if (!codes) return c.reply.error(wrong_payload);
  const auto restored = c.scripts.functions().restore(*codes, policy);
  if (!restored) return c.reply.error(restored.error());
  if (policy == RestorePolicy::flush) record_library_flush(c.keyspace);
  // First all that went: its functions may be in another library now.
  for (const auto& [name, has_replaced] : *restored) {
    if (has_replaced) record_library_removal(c.keyspace, name);
  }
  for (std::size_t at = 0; at < codes->size(); ++at) {
    record_library(c.keyspace, (*restored)[at].name, (*codes)[at]);
  }
  c.reply.simple("OK");
}

void help(CommandContext& c) {
  reply_help(c.reply, "FUNCTION",
             {
                 "DELETE <name>",
                 "    Deletes a library.",
                 "DUMP",
                 "    Answers all libraries as bytes that FUNCTION RESTORE takes.",
                 "FLUSH [ASYNC|SYNC]",
                 "    Deletes all libraries. Both modes act at once.",
                 "KILL",
                 "    Stops the running function, unless it has already written.",
                 "LIST [LIBRARYNAME <pattern>] [WITHCODE]",
                 "    Describes the libraries, or those whose name matches.",
                 "LOAD [REPLACE] <code>",
                 "    Loads a library: \"#!lua name=<name>\", then Lua that registers functions.",
                 "RESTORE <payload> [APPEND|FLUSH|REPLACE]",
                 "    Loads what FUNCTION DUMP answered; all of it or nothing.",
                 "STATS",
                 "    Tells which function runs and how many there are.",
             });
}

}  // namespace commands::function
