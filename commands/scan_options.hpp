// What SCAN and HSCAN share: cursor, MATCH, COUNT, TYPE.
#pragma once

#include "commands/argument_reader.hpp"
#include "engine/entry.hpp"
#include "protocol/reply_sink.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace commands {

inline constexpr std::string_view invalid_cursor = "ERR invalid cursor";

enum class ScanSubject : std::uint8_t { keys, fields };  // only keys have a TYPE

struct ScanOptions {
  std::size_t count = 10;
  std::optional<std::string_view> pattern;
  std::optional<std::string_view> type;

  [[nodiscard]] bool matches(std::string_view name) const;
  // An unknown type matches nothing.
  [[nodiscard]] bool matches(engine::Type entry_type) const;
};

// By the rules of strtoul, as Redis: a sign is allowed, an empty text is 0.
[[nodiscard]] std::optional<std::uint64_t> parse_cursor(std::string_view text);
[[nodiscard]] ScanOptions read_scan_options(ArgumentReader& args, ScanSubject subject);
// The first half of the reply: the cursor, to be followed by one array.
void reply_cursor(protocol::ReplySink& reply, std::uint64_t cursor);
// "string", "hash".
[[nodiscard]] std::string_view type_name(engine::Type type);

}  // namespace commands
