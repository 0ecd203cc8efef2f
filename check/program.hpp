// mortise-check without its main: arguments → text and exit code.
#pragma once

#include "check/options.hpp"

#include <ostream>

namespace check {

// 0 whole, or made so; 1 damaged; 2 cannot tell.
[[nodiscard]] int run(const Options& options, std::ostream& out, std::ostream& errors);

}  // namespace check
