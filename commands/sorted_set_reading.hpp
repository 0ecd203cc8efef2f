// How commands look at sorted sets (key_reading.hpp), store and show their members.
#pragma once

#include "commands/key_reading.hpp"
#include "engine/sorted_set_value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace commands {

// Null when absent, wrong_type when it is of another type.
using FoundSortedSet = engine::Result<const engine::SortedSetValue*>;
[[nodiscard]] FoundSortedSet read_sorted_set(const CommandContext& c, std::string_view key);
[[nodiscard]] FoundSortedSet inspect_sorted_set(const CommandContext& c, std::string_view key);

// Puts `items` (they may lie in any value) in place of what stands at `key`, nothing when there are
// none; notifies and answers how many there are.
void store_sorted_set(CommandContext& c, std::string_view key,
                      std::span<const engine::ScoredMember> items, std::string_view event);

enum class Shown : std::uint8_t { members, members_and_scores };

// Announces the members, then writes them one by one. RESP3 nests pairs, RESP2 has them flat.
class ScoredReply {
 public:
  ScoredReply(protocol::ReplySink& reply, Shown shown, std::size_t count);
  void add(const engine::ScoredMember& item);

 private:
  protocol::ReplySink& reply_;
  bool with_scores_;
  bool nested_;
};

}  // namespace commands
