#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace base {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "mortise: assertion failed: %s at %s:%d\n", expression, file, line);
  std::abort();
}

}  // namespace base
