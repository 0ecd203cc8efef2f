// Every setting there is: the names of Redis 7.0.15 and our own. A row without a meaning here (no
// summary) is accepted, shown by CONFIG GET, and named in one warning at the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace server {

enum class OptionKind : std::uint8_t {
  yes_no,
  integer,
  octal,
  bytes,  // with units: 1k = 1000, 1kb = 1024
  bytes_or_percent,
  choice,
  text,
  words,          // several words, kept as one text
  percentiles,    // numbers from 0 to 100
  save_points,    // pairs of seconds and changes
  durability,     // pairs of a glob and a sync policy
  output_limits,  // per class: hard limit, soft limit, seconds over the soft limit
  notify_classes
};

// When a setting may change. `guarded`: by CONFIG SET only with enable-protected-configs.
enum class OptionChange : std::uint8_t { anytime, guarded, at_start };

struct Option {
  std::string_view name;
  OptionKind kind;
  std::string_view default_value;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string_view choices;  // separated by ", "
  OptionChange change = OptionChange::anytime;
  std::string_view same_as;   // an older name of that option
  std::string_view harmless;  // of one without meaning: the value that needs no warning
  std::string_view summary;   // one sentence; empty: no meaning here

  [[nodiscard]] constexpr bool has_meaning() const { return !summary.empty(); }
  [[nodiscard]] constexpr bool takes_several_words() const {
    return kind == OptionKind::words || kind == OptionKind::percentiles ||
           kind == OptionKind::save_points || kind == OptionKind::output_limits ||
           kind == OptionKind::durability;
  }
};

// Sorted by name.
[[nodiscard]] std::span<const Option> option_table();
// Index of the option, older names resolved to themselves; any letter case. nullopt: there is none.
[[nodiscard]] std::optional<std::size_t> find_option(std::string_view name);
// Index of the row that holds the value: of the newer name where there are two.
[[nodiscard]] std::size_t value_index(std::size_t option);
// The name most like `name`, for messages; empty when none is near.
[[nodiscard]] std::string_view nearest_option(std::string_view name);

}  // namespace server
