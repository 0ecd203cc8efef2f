// Work that is done in slices between rounds of I/O.
#pragma once

#include <cstdint>
#include <optional>

namespace server {

class Background {
 public:
  virtual ~Background() = default;
  // Whether a slice would do something now. Asked at the end of each turn.
  [[nodiscard]] virtual bool has_work() = 0;
  // For about `budget_us` of monotonic time.
  virtual void run_slice(std::int64_t budget_us) = 0;
  // When it wants to be asked again although nothing else happens; monotonic.
  [[nodiscard]] virtual std::optional<std::int64_t> next_check_us() const = 0;
};

}  // namespace server
