#include "commands/sort_pattern.hpp"

#include "commands/key_reading.hpp"
#include "engine/entry.hpp"

namespace commands::sort {

bool names_keys(std::string_view pattern) {
  return pattern.contains('*');
}

std::optional<std::string> look_up(const CommandContext& c, std::string_view pattern,
                                   std::string_view element) {
  if (pattern == "#") return std::string(element);
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::nullopt;
  constexpr std::string_view arrow_text = "->";
  const std::size_t arrow = pattern.find(arrow_text, star + 1);
  // An arrow with nothing behind it belongs to the name.
  const bool has_field =
      arrow != std::string_view::npos && arrow + arrow_text.size() < pattern.size();
  const std::size_t name_end = has_field ? arrow : pattern.size();
  std::string key(pattern.substr(0, star));
  key += element;
  key += pattern.substr(star + 1, name_end - star - 1);
  const engine::Entry* entry = read_key(c, key);
  if (entry == nullptr) return std::nullopt;
  if (!has_field) {
    if (entry->type() != engine::Type::string) return std::nullopt;
    return std::string(entry->string());
  }
  if (entry->type() != engine::Type::hash) return std::nullopt;
  const auto value = engine::HashView(*entry).get(pattern.substr(arrow + arrow_text.size()));
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

}  // namespace commands::sort
