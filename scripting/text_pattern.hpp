// Matching of Lua 5.1 patterns by backtracking. A pattern ends at its first NUL, as in 5.1 (%z
// stands for NUL). Raises 5.1's messages for malformed patterns.
#pragma once

#include <lua.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace scripting {

class TextPattern {
 public:
  // `pattern` and `subject` must outlive the object; a '^' is the caller's.
  TextPattern(lua_State* lua, std::string_view subject, std::string_view pattern)
      : lua_(lua), subject_(subject), pattern_(pattern.substr(0, pattern.find('\0'))) {}

  // The end of a match that begins at `start`.
  std::optional<std::size_t> match_at(std::size_t start);

  [[nodiscard]] std::size_t captures() const { return level_; }
  // Capture `index`, or the whole match [start, end) when there are none and index is 0.
  void push_capture(std::size_t index, std::size_t start, std::size_t end);
  // All captures; the whole match instead of none when `whole` says so.
  enum class Whole : unsigned char { when_no_capture, never };
  int push_captures(std::size_t start, std::size_t end, Whole whole);

 private:
  static constexpr std::size_t captures_max = 32;
  static constexpr std::ptrdiff_t unfinished = -1;
  static constexpr std::ptrdiff_t position = -2;
  static constexpr int depth_max = 4000;
  static constexpr unsigned steps_per_check = 4096;
  using Result = std::optional<std::size_t>;
  struct Capture {
    std::size_t start = 0;
    std::ptrdiff_t size = unfinished;
  };

  [[nodiscard]] char at(std::size_t p) const { return p < pattern_.size() ? pattern_[p] : '\0'; }
  [[nodiscard]] bool ends(std::size_t p) const { return p >= pattern_.size(); }
  Result match(std::size_t s, std::size_t p);
  Result match_items(std::size_t s, std::size_t p);
  Result special(std::size_t s, std::size_t& p, bool& is_special);
  Result open_capture(std::size_t s, std::size_t p);
  Result close_capture(std::size_t s, std::size_t p);
  Result balanced(std::size_t s, std::size_t p);
  bool frontier(std::size_t s, std::size_t p, std::size_t end);
  Result back_reference(std::size_t s, char digit);
  Result expand_greedy(std::size_t s, std::size_t p, std::size_t end);
  Result expand_lazy(std::size_t s, std::size_t p, std::size_t end);
  std::size_t item_end(std::size_t p);
  [[nodiscard]] bool matches_one(std::size_t s, std::size_t p, std::size_t end) const;
  [[nodiscard]] bool in_set(unsigned char c, std::size_t p, std::size_t last) const;

  lua_State* lua_;
  std::string_view subject_;
  std::string_view pattern_;
  std::size_t level_ = 0;
  int depth_ = 0;
  unsigned steps_ = 0;
  std::array<Capture, captures_max> captures_;
};

}  // namespace scripting
