// When ZADD may change a score, and what it did.
#pragma once

#include <cstddef>
#include <optional>

namespace engine {

struct ScoreCondition {
  bool new_only = false;       // NX
  bool existing_only = false;  // XX
  bool greater_only = false;   // GT, for members that exist
  bool less_only = false;      // LT, for members that exist
};

struct ScoreChange {
  std::size_t added = 0;
  std::size_t updated = 0;
  // Of an increment: the new score, nullopt when the condition refused it.
  std::optional<double> score;
};

}  // namespace engine
