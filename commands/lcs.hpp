// The longest common subsequence of two texts, by the classic table of prefix lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace commands {

// Offsets of the first and last byte.
struct TextRange {
  std::size_t first;
  std::size_t last;
};

// A run of equal bytes that the subsequence takes from both texts.
struct CommonRun {
  TextRange in_a;
  TextRange in_b;
  [[nodiscard]] std::size_t length() const { return in_a.last - in_a.first + 1; }
};

class CommonSubsequence {
 public:
  // Both texts must outlive the object. Takes table_bytes() of memory.
  CommonSubsequence(std::string_view a, std::string_view b);
  // Saturates.
  [[nodiscard]] static std::size_t table_bytes(std::string_view a, std::string_view b);

  [[nodiscard]] std::size_t length() const { return at(a_.size(), b_.size()); }
  // From the end of the texts to their beginning.
  [[nodiscard]] std::vector<CommonRun> runs() const;
  [[nodiscard]] std::string text() const;

 private:
  // Length of the subsequence of the first `i` and `j` bytes.
  [[nodiscard]] std::uint32_t at(std::size_t i, std::size_t j) const {
    return lengths_[j + i * (b_.size() + 1)];
  }

  std::string_view a_;
  std::string_view b_;
  std::vector<std::uint32_t> lengths_;
};

}  // namespace commands
