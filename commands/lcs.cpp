#include "commands/lcs.hpp"

#include <algorithm>
#include <limits>

namespace commands {

std::size_t CommonSubsequence::table_bytes(std::string_view a, std::string_view b) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(a.size() + 1, b.size() + 1, &bytes) ||
      __builtin_mul_overflow(bytes, sizeof(std::uint32_t), &bytes)) {
    return std::numeric_limits<std::size_t>::max();
  }
  return bytes;
}

CommonSubsequence::CommonSubsequence(std::string_view a, std::string_view b)
    : a_(a), b_(b), lengths_((a.size() + 1) * (b.size() + 1)) {
  const std::size_t row = b.size() + 1;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      lengths_[j + i * row] =
          a[i - 1] == b[j - 1] ? at(i - 1, j - 1) + 1 : std::max(at(i - 1, j), at(i, j - 1));
    }
  }
}

std::vector<CommonRun> CommonSubsequence::runs() const {
  std::vector<CommonRun> runs;
  bool in_run = false;
  std::size_t i = a_.size();
  std::size_t j = b_.size();
  while (i > 0 && j > 0) {
    if (a_[i - 1] != b_[j - 1]) {
      in_run = false;
      // Redis 7.0 prefers to go back in the second text when both ways are as good.
      --(at(i - 1, j) > at(i, j - 1) ? i : j);
      continue;
    }
    --i;
    --j;
    if (!in_run) runs.push_back({{i, i}, {j, j}});
    runs.back().in_a.first = i;
    runs.back().in_b.first = j;
    in_run = true;
  }
  return runs;
}

std::string CommonSubsequence::text() const {
  const std::vector<CommonRun> backwards = runs();
  std::string text;
  text.reserve(length());
  for (auto run = backwards.rbegin(); run != backwards.rend(); ++run) {
    text += a_.substr(run->in_a.first, run->length());
  }
  return text;
}

}  // namespace commands
