// What the kernel says of this process: memory, processor time, names. For INFO.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace commands {

struct MemoryFigures {
  std::size_t allocated_bytes = 0;  // in use, by the C library's allocator
  std::size_t resident_bytes = 0;
  std::size_t resident_peak_bytes = 0;
  std::size_t system_bytes = 0;
  std::size_t heap_bytes = 0;     // what the C library holds, in use or not
  std::size_t startup_bytes = 0;  // in use by it when figures were first asked for

  // What allocators hold of the system's memory, as far as the engine's part is known.
  [[nodiscard]] std::size_t active_bytes(std::size_t data_bytes) const {
    return std::max(heap_bytes, allocated_bytes) + (in_use_bytes(data_bytes) - allocated_bytes);
  }
  // The heap and the engine's own mappings. `data_bytes` of the engine lie in both: large values
  // are on the heap, so what is resident bounds the sum.
  [[nodiscard]] std::size_t in_use_bytes(std::size_t data_bytes) const {
    return std::min(allocated_bytes + data_bytes, std::max(allocated_bytes, resident_bytes));
  }
};
[[nodiscard]] MemoryFigures memory_figures();

struct CpuFigures {
  std::int64_t system_us = 0;
  std::int64_t user_us = 0;
  std::int64_t children_system_us = 0;
  std::int64_t children_user_us = 0;
  std::int64_t thread_system_us = 0;
  std::int64_t thread_user_us = 0;
};
[[nodiscard]] CpuFigures cpu_figures();

[[nodiscard]] std::int64_t process_number();
// "Linux 6.1.0 x86_64"
[[nodiscard]] std::string operating_system();
extern const std::string_view compiler_version;

}  // namespace commands
