#include "tests/simulation/last_words.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <unistd.h>

namespace simulation {
namespace {

// Plain memory: a handler of signals may allocate nothing.
std::array<char, 160> words_now;
volatile std::sig_atomic_t length_now = 0;

extern "C" void say_last_words(int signal) {
  static_cast<void>(::write(STDERR_FILENO, words_now.data(), static_cast<std::size_t>(length_now)));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void prepare_last_words() {
  // A sanitizer has a handler of its own for the other, and aborts when told to (ASAN_OPTIONS).
  std::signal(SIGABRT, say_last_words);
}

void set_last_words(std::string_view words) {
  const std::size_t length = std::min(words.size(), words_now.size() - 1);
  length_now = 0;
  std::copy_n(words.begin(), length, words_now.begin());
  words_now[length] = '\n';
  length_now = static_cast<std::sig_atomic_t>(length + 1);
}

}  // namespace simulation
