// Run-time messages of 5.4 in the words of 5.1.
#include "scripting/dialect.hpp"

#include <array>

namespace scripting {
namespace {

constexpr std::string_view mark = "L51_";

struct Loop {
  std::string_view text;
  std::string_view text_of_5_1;
};
constexpr std::array<Loop, 2> loops{
    {{"'__index' chain too long; possible loop", "loop in gettable"},
     {"'__newindex' chain too long; possible loop", "loop in settable"}}};

// "local 'x'" from the kind and name 5.4 gives; empty when 5.1 would name nothing.
std::string variable_of_5_1(std::string_view kind, std::string_view name) {
  if (name.starts_with("L51_g_")) return "global '" + std::string(original_name(name)) + "'";
  if (name.starts_with("L51_f_")) return "field '" + std::string(original_name(name)) + "'";
  if (name == "integer index") name = "?";
  constexpr std::array<std::string_view, 5> kinds = {"global", "local", "method", "field",
                                                     "upvalue"};
  for (const std::string_view known : kinds) {
    if (kind == known) return std::string(kind) + " '" + std::string(original_name(name)) + "'";
  }
  return {};
}

// "attempt to V a T value (K 'N')" at `start` → "attempt to V K 'N' (a T value)".
std::string reworded(std::string_view message, std::size_t start) {
  const std::size_t open = message.rfind(" (");
  const std::size_t type = message.find(" a ", start);
  if (open == std::string_view::npos || type == std::string_view::npos || type > open ||
      !message.ends_with("')"))
    return std::string(message);
  const std::string_view inside = message.substr(open + 2, message.size() - open - 3);
  const std::size_t quote = inside.find(" '");
  if (quote == std::string_view::npos) return std::string(message);
  const std::string variable =
      variable_of_5_1(inside.substr(0, quote), inside.substr(quote + 2, inside.size() - quote - 3));
  std::string result(message.substr(0, type + 1));
  const std::string_view value = message.substr(type + 1, open - type - 1);
  if (variable.empty()) return result.append(value);
  return result.append(variable).append(" (").append(value).append(")");
}

std::string without_marks(std::string text) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    std::size_t end = at;
    while (end < text.size() &&
           (text[end] == '_' || std::isalnum(static_cast<unsigned char>(text[end])) != 0))
      ++end;
    const std::string name(original_name(std::string_view(text).substr(at, end - at)));
    text.replace(at, end - at, name);
  }
  return text;
}

}  // namespace

std::string_view original_name(std::string_view name) {
  if (name.starts_with("L51_g_") || name.starts_with("L51_u_")) return name.substr(6);
  if (name.starts_with("L51_f_")) {
    const std::size_t field = name.find('_', 6);
    if (field != std::string_view::npos) return name.substr(field + 1);
  }
  return name;
}

std::string message_of_5_1(std::string_view message) {
  for (const Loop& loop : loops) {
    if (!message.ends_with(loop.text)) continue;
    return std::string(message.substr(0, message.size() - loop.text.size()))
        .append(loop.text_of_5_1);
  }
  const std::size_t attempt = message.find("attempt to ");
  std::string result(message);
  if (attempt != std::string_view::npos) {
    if (message.substr(attempt) == "attempt to yield across a C-call boundary" ||
        message.substr(attempt) == "attempt to yield from outside a coroutine")
      return "attempt to yield across metamethod/C-call boundary";
    result = reworded(message, attempt);
  }
  return result.find(mark) == std::string::npos ? result : without_marks(std::move(result));
}

}  // namespace scripting
