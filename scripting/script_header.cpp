#include "scripting/script_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace scripting {
namespace {

// Words of a line as redis-cli quotes them: "…" with backslash escapes, '…'. Nothing when a quote
// is not closed or not followed by a blank.
class Words {
 public:
  static std::optional<std::vector<std::string>> of(std::string_view line) {
    Words words(line);
    return words.read() ? std::optional(std::move(words.words_)) : std::nullopt;
  }

 private:
  explicit Words(std::string_view line) : line_(line) {}
  [[nodiscard]] bool at_end() const { return at_ >= line_.size(); }
  [[nodiscard]] bool at_blank() const {
    return !at_end() && std::isspace(static_cast<unsigned char>(line_[at_])) != 0;
  }

  bool read() {
    for (;;) {
      while (at_blank()) ++at_;
      if (at_end()) return true;
      words_.emplace_back();
      while (!at_end() && !at_blank()) {
        const char c = line_[at_++];
        if (c != '"' && c != '\'')
          words_.back() += c;
        else if (!read_quoted(c))
          return false;
      }
    }
  }

  bool read_quoted(char quote) {
    while (!at_end()) {
      char c = line_[at_++];
      if (c == quote) return at_end() || at_blank();
      if (c == '\\' && !at_end() && (quote == '"' || line_[at_] == '\'')) c = line_[at_++];
      words_.back() += c;
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<std::string> words_;
};

struct FlagName {
  std::string_view name;
  bool ScriptFlags::* flag;
};

constexpr std::array<FlagName, 5> flag_names = {
    {{"no-writes", &ScriptFlags::no_writes},
     {"allow-oom", &ScriptFlags::allow_oom},
     {"allow-stale", &ScriptFlags::allow_stale},
     {"no-cluster", &ScriptFlags::no_cluster},
     {"allow-cross-slot-keys", &ScriptFlags::allow_cross_slot_keys}}};

}  // namespace

bool set_script_flag(ScriptFlags& flags, std::string_view name) {
  for (const FlagName& known : flag_names) {
    if (known.name != name) continue;
    flags.*known.flag = true;
    return true;
  }
  return false;
}

namespace {

// The first unknown name, if any.
std::optional<std::string> set_flags(ScriptFlags& flags, std::string_view list) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (!set_script_flag(flags, name)) return std::string(name);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
    if (list.empty()) return "";
  }
  return std::nullopt;
}

}  // namespace

namespace {

// `option` in lower case.
bool starts_with_option(std::string_view word, std::string_view option) {
  return word.size() >= option.size() &&
         std::equal(option.begin(), option.end(), word.begin(), [](char wanted, char c) {
           return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

}  // namespace

std::expected<ScriptHeader, std::string> read_script_header(std::string_view text) {
  ScriptHeader header;
  header.body = text;
  if (!text.starts_with("#!")) return header;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::unexpected("ERR Invalid script shebang");
  header.body = text.substr(end);
  header.flags.compat = false;
  const auto words = Words::of(text.substr(0, end));
  if (!words || words->empty()) return std::unexpected("ERR Invalid engine in script shebang");
  if (words->front() != "#!lua")
    return std::unexpected("ERR Unexpected engine in script shebang: " + words->front());
  constexpr std::string_view flags_option = "flags=";
  for (std::size_t i = 1; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (!word.starts_with(flags_option))
      return std::unexpected("ERR Unknown lua shebang option: " + word);
    if (const auto unknown = set_flags(header.flags, word.substr(flags_option.size())))
      return std::unexpected("ERR Unexpected flag in script shebang: " + *unknown);
  }
  return header;
}

bool is_library_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::expected<LibraryHeader, std::string> read_library_header(std::string_view code) {
  if (!code.starts_with("#!")) return std::unexpected("ERR Missing library metadata");
  const std::size_t end = code.find('\n');
  const auto words = end == std::string_view::npos || code.substr(0, end).contains('\0')
                         ? std::nullopt
                         : Words::of(code.substr(2, end - 2));
  if (!words) return std::unexpected("ERR Invalid library metadata");
  const bool has_engine = end > 2 && std::isspace(static_cast<unsigned char>(code[2])) == 0;
  const std::string engine = has_engine ? words->front() : "";
  std::optional<std::string> name;
  for (std::size_t i = has_engine ? 1 : 0; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (!starts_with_option(word, "name=")) {
      return std::unexpected("ERR Invalid metadata value given: " + word);
    }
    if (name) {
      return std::unexpected("ERR Invalid metadata value, name argument was given multiple times");
    }
    name = word.substr(word.find('=') + 1);
  }
  if (!name) return std::unexpected("ERR Library name was not given");
  if (!is_library_name(*name)) return std::unexpected(std::string("ERR ") + library_name_rule);
  if (!starts_with_option(engine, "lua") || engine.size() != 3) {
    return std::unexpected("ERR Engine '" + engine + "' not found");
  }
  return LibraryHeader{std::move(*name), code.substr(end)};
}

}  // namespace scripting
