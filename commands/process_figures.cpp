#include "commands/process_figures.hpp"

#include <fstream>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace commands {
namespace {

std::int64_t microseconds(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
}

std::size_t resident_bytes(std::size_t page_bytes) {
  std::ifstream file("/proc/self/statm");
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * page_bytes;
}

}  // namespace

MemoryFigures memory_figures() {
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto memory = mallinfo2();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  static const std::size_t startup_bytes = memory.uordblks + memory.hblkhd;
  return {.allocated_bytes = memory.uordblks + memory.hblkhd,
          .resident_bytes = resident_bytes(page_bytes),
          .resident_peak_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024,
          .system_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes,
          .heap_bytes = memory.arena + memory.hblkhd,
          .startup_bytes = startup_bytes};
}

CpuFigures cpu_figures() {
  rusage own{};
  rusage children{};
  rusage thread{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  getrusage(RUSAGE_THREAD, &thread);
  return {.system_us = microseconds(own.ru_stime),
          .user_us = microseconds(own.ru_utime),
          .children_system_us = microseconds(children.ru_stime),
          .children_user_us = microseconds(children.ru_utime),
          .thread_system_us = microseconds(thread.ru_stime),
          .thread_user_us = microseconds(thread.ru_utime)};
}

std::int64_t process_number() {
  return getpid();
}

std::string operating_system() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

const std::string_view compiler_version = __VERSION__;

}  // namespace commands
