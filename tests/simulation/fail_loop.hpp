// One fixed scenario (a start, changes of all kinds, segments, a snapshot, an orderly end, another
// start) in which the disk's call number 0, 1, 2 … goes wrong, until there are no more calls.
// Whatever happens, the server either refuses to start and says why, or serves and keeps what it
// has promised; and on a disk that works again it comes back, with a restart and without.
#pragma once

#include "tests/simulation/verdict.hpp"

#include <cstddef>

namespace simulation {

// How many runs it took. Stops at the first that goes wrong; the verdict names its call.
std::size_t run_fail_loop(Verdict& verdict);

}  // namespace simulation
