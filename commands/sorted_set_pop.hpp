// What the commands that take members off an end of a sorted set share, those that wait too.
#pragma once

#include "commands/argument_reader.hpp"
#include "commands/sorted_set_reading.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace commands {

enum class PopEnd : std::uint8_t { lowest, highest };

struct Pop {
  std::string_view key;
  PopEnd end = PopEnd::lowest;
  std::size_t count = 1;
};

enum class Pairs : std::uint8_t { flat, nested };

// Writes up to pop.count members with their scores (the caller announced them), removes and
// notifies them. `value` is what stands at pop.key, and gone or changed afterwards.
void pop_members(CommandContext& c, const engine::SortedSetValue& value, const Pop& pop,
                 Pairs pairs);

// Of ZMPOP and BZMPOP: numkeys key [key ...] MIN|MAX [COUNT count].
struct KeyedPop {
  std::span<const std::string_view> keys;
  PopEnd end = PopEnd::lowest;
  std::size_t count = 1;
};
[[nodiscard]] KeyedPop read_keyed_pop(ArgumentReader& args);
// From the first key that holds a sorted set: [key, [[member, score] ...]]. False, and nothing is
// answered, when there is none; true after an error reply, too.
[[nodiscard]] bool pop_first_of(CommandContext& c, const KeyedPop& pop);

}  // namespace commands
