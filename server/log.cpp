#include "server/log.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace server {
namespace {

constexpr int standard_output = 1;

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char letter : text) {
    const auto value = static_cast<unsigned char>(letter);
    if (letter == '\n') {
      out += "\\n";
    } else if (letter == '\r') {
      out += "\\r";
    } else if (value < 0x20 || value == 0x7f) {
      out += "\\x";
      out += digits[value >> 4u];
      out += digits[value & 15u];
    } else {
      out += letter;
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : printable(text)) {
    if (letter == '"') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string time_text(std::int64_t wall_us, const char* pattern, bool is_utc) {
  const std::time_t seconds = wall_us / 1'000'000;
  std::tm parts{};
  if (is_utc) {
    gmtime_r(&seconds, &parts);
  } else {
    localtime_r(&seconds, &parts);
  }
  std::array<char, 64> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), pattern, &parts);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03d", static_cast<int>(wall_us / 1000 % 1000));
  return std::string(text.data(), length) + fraction.data();
}

std::int64_t wall_now_us() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace

std::string format_event(const LogEvent& event, LogFormat format) {
  const auto level = static_cast<std::size_t>(event.level);
  if (format == LogFormat::logfmt) {
    constexpr std::array names{"debug", "verbose", "notice", "warning"};
    return "time=" + time_text(event.wall_us, "%Y-%m-%dT%H:%M:%S", true) +
           "Z level=" + names.at(level) + " pid=" + std::to_string(event.process_id) +
           " msg=" + quoted(event.text);
  }
  constexpr std::array marks{'.', '-', '*', '#'};
  return std::to_string(event.process_id) + ":M " +
         time_text(event.wall_us, "%d %b %Y %H:%M:%S", false) + ' ' + marks.at(level) + ' ' +
         printable(event.text);
}

Log::~Log() {
  if (descriptor_ != standard_output) ::close(descriptor_);
}

std::expected<void, std::string> Log::open(const std::string& file) {
  int descriptor = standard_output;
  if (!file.empty()) {
    descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return std::unexpected(std::string(std::strerror(errno)));
  }
  if (descriptor_ != standard_output) ::close(descriptor_);
  descriptor_ = descriptor;
  file_ = file;
  return {};
}

std::expected<void, std::string> Log::reopen() {
  const std::string same = file_;
  return open(same);
}

void Log::write(LogLevel level, std::string_view text) {
  if (level < level_ || silent_) return;
  const std::string line = format_event({level, wall_now_us(), ::getpid(), text}, format_) + '\n';
  // A log that cannot be written has nobody to be told.
  [[maybe_unused]] const auto written = ::write(descriptor_, line.data(), line.size());
}

}  // namespace server
