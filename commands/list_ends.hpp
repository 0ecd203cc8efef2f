// What commands that take elements from the ends of lists share, the blocking ones included: their
// arguments, their events and their replies.
#pragma once

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "engine/error.hpp"
#include "engine/mutation.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace commands::list {

using engine::Side;

// "LEFT" or "RIGHT"; a syntax error otherwise.
[[nodiscard]] Side read_side(ArgumentReader& args);

// LMPOP and BLMPOP from numkeys on.
struct ManyKeysPop {
  std::span<const std::string_view> keys;
  Side side = Side::left;
  std::size_t count = 1;
};
// Reads from numkeys to the end of the arguments.
[[nodiscard]] ManyKeysPop read_many_keys_pop(ArgumentReader& args);

// The first of `keys` that is there; wrong_type when that is no list. Null: none is.
using FirstList = engine::Result<const engine::Entry*>;
[[nodiscard]] FirstList first_list(const CommandContext& c, std::span<const std::string_view> keys,
                                   std::string_view& key);

// `key` holds a list. Each takes from it, tells, and answers:
void pop_one(CommandContext& c, std::string_view key, Side side);  // the element
// An array of up to `count` elements.
void pop_some(CommandContext& c, std::string_view key, Side side, std::size_t count);
// From an end to an end: the element, or an error when `to` holds no list.
struct Move {
  std::string_view from;
  Side from_side;
  std::string_view to;
  Side to_side;
};
void move_one(CommandContext& c, const Move& move);
// The same when it is not known what `from` holds: null when nothing. Growth may be refused.
void move_now(CommandContext& c, const Move& move);

}  // namespace commands::list
