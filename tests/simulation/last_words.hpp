// What is under way, so that a process that aborts (an assertion, a sanitizer, a broken memory) can
// still say which seed or call it was.
#pragma once

#include <string_view>

namespace simulation {

// Once, before the first of them.
void prepare_last_words();
// Cut when it is longer than a line.
void set_last_words(std::string_view words);

}  // namespace simulation
