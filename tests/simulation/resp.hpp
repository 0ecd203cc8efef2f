// RESP as the simulated clients write and read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simulation {

using Words = std::vector<std::string>;

enum class Resp : std::uint8_t { two = 2, three = 3 };

// A request.
[[nodiscard]] std::string request(const Words& words);

// Replies.
[[nodiscard]] std::string simple(std::string_view text);
[[nodiscard]] std::string integer(std::int64_t number);
[[nodiscard]] std::string bulk(std::string_view text);
[[nodiscard]] std::string null(Resp version);
[[nodiscard]] std::string null_array(Resp version);
// Of `items` that are replies themselves.
[[nodiscard]] std::string array(const std::vector<std::string>& items);
[[nodiscard]] std::string push(Resp version, const std::vector<std::string>& items);

// Where the first value in `bytes` ends; nullopt: it is not complete.
[[nodiscard]] std::optional<std::size_t> value_end(std::string_view bytes);
// For people: on one line, cut when long.
[[nodiscard]] std::string printable(std::string_view bytes);

}  // namespace simulation
