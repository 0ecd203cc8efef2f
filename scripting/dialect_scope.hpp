// Which names are locals, upvalues or globals at a point of a 5.1 script, and 5.1's limits on them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scripting {

enum class NameKind : std::uint8_t { local, upvalue, global };

inline constexpr std::size_t locals_max = 200;
inline constexpr std::size_t upvalues_max = 60;

struct FunctionScope {
  int line = 0;  // where the function began; 0: the main function
  bool has_dots = false;
  bool uses_dots = false;  // then there is no `arg` table
  bool uses_arg = false;
  std::vector<std::string> locals;
  std::vector<bool> block_is_loop;
  std::set<std::pair<std::size_t, std::size_t>> upvalues;  // (function, local) each
};

class DialectScope {
 public:
  void enter_function(int line);
  void leave_function() { functions_.pop_back(); }
  [[nodiscard]] FunctionScope& function() { return functions_.back(); }

  // `name` is visible from here on. The place can be given back to leave_locals().
  void declare(std::string name) { function().locals.push_back(std::move(name)); }
  [[nodiscard]] std::size_t locals() const { return functions_.back().locals.size(); }
  void leave_locals(std::size_t count) { function().locals.resize(count); }

  NameKind resolve(std::string_view name);
  [[nodiscard]] bool in_loop() const;
  // "main function", "function at line 3".
  [[nodiscard]] std::string description() const;
  [[nodiscard]] bool has_too_many_upvalues() const {
    return functions_.back().upvalues.size() > upvalues_max;
  }

 private:
  std::vector<FunctionScope> functions_;
};

}  // namespace scripting
