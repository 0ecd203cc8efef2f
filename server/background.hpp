// Work that is done in slices between rounds of I/O.
#pragma once

#include <cstdint>

namespace server {

class Background {
 public:
  virtual ~Background() = default;
  // Whether a slice would do something now.
  [[nodiscard]] virtual bool has_work() const = 0;
  // For about `budget_us` of monotonic time.
  virtual void run_slice(std::int64_t budget_us) = 0;
};

}  // namespace server
