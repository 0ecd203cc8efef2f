// Work off the request path is bounded by real time; it decides nothing that anyone could see.
#pragma once

#include <chrono>
#include <cstdint>

namespace engine {

class Budget {
 public:
  explicit Budget(std::int64_t us)
      : end_(std::chrono::steady_clock::now() + std::chrono::microseconds(us)) {}
  [[nodiscard]] bool is_spent() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace engine
