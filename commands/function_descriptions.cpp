// FUNCTION LIST and FUNCTION STATS.
#include "base/glob.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/function_commands.hpp"
#include "scripting/function_libraries.hpp"

#include <string>
#include <vector>

namespace commands::function {
namespace {

using scripting::FunctionLibrary;
using scripting::LibraryFunction;
using scripting::ScriptFlags;

struct ListOptions {
  std::optional<std::string_view> pattern;
  bool with_code = false;
};

ListOptions read_list_options(ArgumentReader& args) {
  ListOptions options;
  while (args.has_more()) {
    if (!options.with_code && args.take_word("WITHCODE")) {
      options.with_code = true;
    } else if (!options.pattern && args.take_word("LIBRARYNAME")) {
      if (!args.has_more()) args.fail("ERR library name argument was not given");
      options.pattern = args.next();
    } else {
      args.fail("ERR Unknown argument " + std::string(up_to_nul(args.next())));
    }
  }
  return options;
}

void reply_flags(protocol::ReplySink& reply, const ScriptFlags& flags) {
  std::vector<std::string_view> names;
  if (flags.no_writes) names.emplace_back("no-writes");
  if (flags.allow_oom) names.emplace_back("allow-oom");
  if (flags.allow_stale) names.emplace_back("allow-stale");
  if (flags.no_cluster) names.emplace_back("no-cluster");
  if (flags.allow_cross_slot_keys) names.emplace_back("allow-cross-slot-keys");
  reply.set(names.size());
  for (const std::string_view name : names) reply.simple(name);
}

void reply_function(protocol::ReplySink& reply, const LibraryFunction& function) {
  reply.map(3);
  reply.bulk("name");
  reply.bulk(function.name);
  reply.bulk("description");
  if (function.description) {
    reply.bulk(*function.description);
  } else {
    reply.null();
  }
  reply.bulk("flags");
  reply_flags(reply, scripting::ScriptEngine::flags_of(*function.script));
}

void reply_library(protocol::ReplySink& reply, const FunctionLibrary& library, bool with_code) {
  reply.map(with_code ? 4 : 3);
  reply.bulk("library_name");
  reply.bulk(library.name);
  reply.bulk("engine");
  reply.bulk("LUA");
  reply.bulk("functions");
  reply.array(library.functions.size());
  for (const LibraryFunction& function : library.functions) reply_function(reply, function);
  if (!with_code) return;
  reply.bulk("library_code");
  reply.bulk(library.code);
}

}  // namespace

void list(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const ListOptions options = read_list_options(args);
  if (!args.done()) return args.reply_error(c.reply);
  std::vector<const FunctionLibrary*> chosen;
  for (const auto& [name, library] : c.scripts.functions().all()) {
    if (!options.pattern || base::glob_matches(*options.pattern, name, base::LetterCase::ignored)) {
      chosen.push_back(&library);
    }
  }
  c.reply.array(chosen.size());
  for (const FunctionLibrary* library : chosen) {
    reply_library(c.reply, *library, options.with_code);
  }
}

void stats(CommandContext& c) {
  const auto running = c.scripts.running_function();
  // A script that is no function holds the server: nothing but its end helps.
  if (c.scripts.is_running() && !running) return c.reply.error(error_text::busy);
  c.reply.map(2);
  c.reply.bulk("running_script");
  if (running) {
    c.reply.map(3);
    c.reply.bulk("name");
    c.reply.bulk(running->name);
    c.reply.bulk("command");
    c.reply.array(running->request.size());
    for (const std::string_view argument : running->request) c.reply.bulk(argument);
    c.reply.bulk("duration_ms");
    c.reply.integer(running->run_ms);
  } else {
    c.reply.null();
  }
  const auto& functions = c.scripts.functions();
  c.reply.bulk("engines");
  c.reply.map(1);
  c.reply.bulk("LUA");
  c.reply.map(2);
  c.reply.bulk("libraries_count");
  c.reply.integer(static_cast<std::int64_t>(functions.all().size()));
  c.reply.bulk("functions_count");
  c.reply.integer(static_cast<std::int64_t>(functions.functions()));
}

}  // namespace commands::function
