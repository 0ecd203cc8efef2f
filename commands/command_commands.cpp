#include "commands/command_commands.hpp"

#include "base/glob.hpp"
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/call_names.hpp"
#include "commands/command_context.hpp"
#include "commands/command_description.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"

#include <algorithm>

namespace commands::command {
namespace {

// "get" or "client|list", any letter case; null when there is none.
const CommandSpec* find_named(std::string_view name) {
  const std::size_t bar = name.find('|');
  const int index = find_command(name.substr(0, bar));
  if (index < 0) return nullptr;
  const CommandSpec& spec = command_table()[static_cast<std::size_t>(index)];
  return bar == std::string_view::npos ? &spec : find_subcommand(spec, name.substr(bar + 1));
}

// The row that a whole call would run; null when there is none.
const CommandSpec* find_called(std::span<const std::string_view> call) {
  const int index = find_command(call[0]);
  if (index < 0) return nullptr;
  const CommandSpec& spec = command_table()[static_cast<std::size_t>(index)];
  if (spec.subcommands.empty() || call.size() < 2) return &spec;
  return find_subcommand(spec, call[1]);
}

struct KeysOfCall {
  std::span<const std::string_view> call;
  const CommandSpec* spec = nullptr;
  std::vector<CallKey> keys;
};

// Nullopt after an error reply.
std::optional<KeysOfCall> read_keys(CommandContext& c) {
  KeysOfCall keys;
  keys.call = c.args.subspan(2);
  keys.spec = find_called(keys.call);
  const auto refuse = [&c](std::string_view error) {
    c.reply.error(error);
    return std::nullopt;
  };
  if (keys.spec == nullptr) return refuse("ERR Invalid command specified");
  if (!has_keys(*keys.spec)) return refuse("ERR The command has no key arguments");
  if (!arity_fits(*keys.spec, keys.call.size())) {
    return refuse("ERR Invalid number of arguments specified for command");
  }
  auto named = keys_of(*keys.spec, keys.call);
  // Scripts may have no keys, so a bad count means none; others that count theirs need one.
  const bool may_have_none = keys.spec->flags.has(flag::runs_script);
  const auto at = static_cast<std::size_t>(keys.spec->keys.numkeys_at);
  const bool counts_none = at != 0 && base::parse_int64(keys.call[at]) == 0;
  if ((!named || counts_none) && !may_have_none) {
    return refuse("ERR Invalid arguments specified for command");
  }
  if (named) keys.keys = std::move(*named);
  return keys;
}

void visit_all(base::FunctionRef<void(const CommandSpec&)> visit) {
  for (const CommandSpec& spec : command_table()) {
    visit(spec);
    for (const CommandSpec& subcommand : spec.subcommands) visit(subcommand);
  }
}

void reply_filtered(CommandContext& c, base::FunctionRef<bool(const CommandSpec&)> wanted) {
  std::vector<std::string> names;
  visit_all([&](const CommandSpec& spec) {
    if (wanted(spec)) names.push_back(full_name(spec));
  });
  c.reply.array(names.size());
  for (const std::string& name : names) c.reply.bulk(name);
}

bool in_category(const CommandSpec& spec, std::string_view category) {
  const std::vector<std::string_view> categories = acl_categories(spec);
  return std::any_of(categories.begin(), categories.end(),
                     [&](std::string_view own) { return own.substr(1) == category; });
}

}  // namespace

void command(CommandContext& c) {
  c.reply.array(command_table().size());
  for (const CommandSpec& spec : command_table()) reply_command_info(c.reply, spec);
}

void count(CommandContext& c) {
  c.reply.integer(static_cast<std::int64_t>(command_table().size()));
}

void info(CommandContext& c) {
  const auto names = c.args.subspan(2);
  if (names.empty()) {
    c.reply.array(command_table().size());
    for (const CommandSpec& spec : command_table()) reply_command_info(c.reply, spec);
    return;
  }
  c.reply.array(names.size());
  for (const std::string_view name : names) {
    const CommandSpec* spec = find_named(name);
    if (spec == nullptr) {
      c.reply.null();
    } else {
      reply_command_info(c.reply, *spec);
    }
  }
}

void docs(CommandContext& c) {
  std::vector<const CommandSpec*> rows;
  for (const std::string_view name : c.args.subspan(2)) {
    if (const CommandSpec* spec = find_named(name)) rows.push_back(spec);
  }
  if (c.args.size() == 2) {
    for (const CommandSpec& spec : command_table()) rows.push_back(&spec);
  }
  c.reply.map(rows.size());
  for (const CommandSpec* spec : rows) reply_command_docs(c.reply, *spec);
}

void list(CommandContext& c) {
  if (c.args.size() == 2) return reply_filtered(c, [](const CommandSpec&) { return true; });
  if (c.args.size() != 5 || !is_word(c.args[2], "FILTERBY")) {
    return c.reply.error(error_text::syntax);
  }
  const std::string_view argument = c.args[4];
  if (is_word(c.args[3], "MODULE")) {
    reply_filtered(c, [](const CommandSpec&) { return false; });
  } else if (is_word(c.args[3], "ACLCAT")) {
    const std::string category = lower_case(argument);
    reply_filtered(c, [&](const CommandSpec& spec) { return in_category(spec, category); });
  } else if (is_word(c.args[3], "PATTERN")) {
    reply_filtered(c, [&](const CommandSpec& spec) {
      return base::glob_matches(argument, full_name(spec), base::LetterCase::ignored);
    });
  } else {
    c.reply.error(error_text::syntax);
  }
}

void getkeys(CommandContext& c) {
  const auto keys = read_keys(c);
  if (!keys) return;
  c.reply.array(keys->keys.size());
  for (const CallKey& key : keys->keys) c.reply.bulk(keys->call[key.position]);
}

void getkeysandflags(CommandContext& c) {
  const auto keys = read_keys(c);
  if (!keys) return;
  c.reply.array(keys->keys.size());
  for (const CallKey& key : keys->keys) {
    c.reply.array(2);
    c.reply.bulk(keys->call[key.position]);
    reply_key_access(c.reply, key.access);
  }
}

void help(CommandContext& c) {
  reply_help(c.reply, "COMMAND",
             {
                 "(no subcommand)",
                 "    Describes all commands.",
                 "COUNT",
                 "    Counts the commands.",
                 "DOCS [<name> ...]",
                 "    Explains commands, all without arguments.",
                 "GETKEYS <call>",
                 "    Extracts the keys of a call.",
                 "GETKEYSANDFLAGS <call>",
                 "    Extracts the keys of a call and what it does to them.",
                 "INFO [<name> ...]",
                 "    Describes commands, all without arguments.",
                 "LIST [FILTERBY (MODULE <name> | ACLCAT <category> | PATTERN <glob>)]",
                 "    Lists the names of commands.",
             });
}

}  // namespace commands::command
