#include "scripting/dialect_scope.hpp"

#include <algorithm>

namespace scripting {

void DialectScope::enter_function(int line) {
  functions_.emplace_back();
  functions_.back().line = line;
}

NameKind DialectScope::resolve(std::string_view name) {
  for (std::size_t level = functions_.size(); level-- > 0;) {
    FunctionScope& owner = functions_[level];
    const auto found = std::find(owner.locals.rbegin(), owner.locals.rend(), name);
    if (found == owner.locals.rend()) continue;
    const auto index = static_cast<std::size_t>(owner.locals.rend() - found) - 1;
    if (name == "arg") owner.uses_arg = true;
    if (level + 1 == functions_.size()) return NameKind::local;
    for (std::size_t inner = level + 1; inner < functions_.size(); ++inner)
      functions_[inner].upvalues.emplace(level, index);
    return NameKind::upvalue;
  }
  return NameKind::global;
}

bool DialectScope::in_loop() const {
  const auto& blocks = functions_.back().block_is_loop;
  return std::find(blocks.begin(), blocks.end(), true) != blocks.end();
}

std::string DialectScope::description() const {
  const int line = functions_.back().line;
  return line == 0 ? "main function" : "function at line " + std::to_string(line);
}

}  // namespace scripting
