#include "commands/command_page.hpp"

#include "commands/command_description.hpp"
#include "commands/command_syntax.hpp"
#include "commands/command_table.hpp"

#include <map>
#include <string_view>
#include <vector>

namespace commands {
namespace {

constexpr std::string_view introduction =
    R"(# Commands

Printed by `mortise-server --print-commands` from the command table; a test fails when this page is
stale. *Since* is the version of Redis whose behaviour a command has. *Keys*: positions of the
arguments that are keys, -1 is the last; `2: n` says that argument 2 counts the keys behind it.
Commands that differ from Redis 7.0.15 name their heading of [compatibility.md](compatibility.md).
)";

// '|' would end a cell, '<' start a tag.
std::string in_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    if (letter == '|') letter = ' ';
  }
  return upper;
}

// The name of a heading in a link: lower case, blanks as '-', no punctuation.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') anchor += c;
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string keys_of(const KeySpec& keys) {
  std::string text;
  if (keys.first != 0) {
    text = std::to_string(keys.first);
    if (keys.last != keys.first) text += " … " + std::to_string(keys.last);
    if (keys.step > 1) text += " step " + std::to_string(keys.step);
  }
  if (keys.numkeys_at != 0) {
    if (!text.empty()) text += ", ";
    text += std::to_string(keys.numkeys_at) + ": n";
  }
  return text;
}

void append_row(std::string& page, const CommandSpec& spec) {
  // A mere container: its subcommands say all.
  if (spec.handler.is_set()) {
    const std::string name = full_name(spec);
    const CommandSyntax* syntax = find_syntax(name);
    const std::string_view arguments = syntax == nullptr ? "?" : syntax->arguments;
    page += "| `" + upper_case(name);
    if (!arguments.empty()) page += ' ' + in_cell(arguments);
    page += "` | " + in_cell(spec.summary);
    if (syntax != nullptr && !syntax->deviation.empty()) {
      page += " → [" + std::string(syntax->deviation) + "](compatibility.md#" +
              anchor_of(syntax->deviation) + ")";
    }
    page += " | " + std::string(spec.since) + " | " + std::to_string(spec.arity) + " | " +
            joined(flag_names(spec)) + " | " + joined(acl_categories(spec)) + " | " +
            keys_of(spec.keys) + " |\n";
  }
  for (const CommandSpec& subcommand : spec.subcommands) append_row(page, subcommand);
}

}  // namespace

std::string command_page() {
  std::map<std::string_view, std::vector<const CommandSpec*>> groups;
  for (const CommandSpec& spec : command_table()) groups[group_name(spec.group)].push_back(&spec);
  std::string page(introduction);
  for (const auto& [name, rows] : groups) {
    page += "\n## " + std::string(name) +
            "\n\n| command | | since | arity | flags | categories | keys |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const CommandSpec* spec : rows) append_row(page, *spec);
  }
  return page;
}

}  // namespace commands
