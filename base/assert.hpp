// ASSERT(cond): a broken invariant stops the process, in every build. It prints the expression and
// its place to standard error and aborts. Never for anything a client can cause.
#pragma once

namespace base {
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;
}  // namespace base

#define ASSERT(cond) ((cond) ? void() : ::base::assertion_failed(#cond, __FILE__, __LINE__))
