// The log for people: one line per event, as Redis writes it or as logfmt, to standard output or to
// a file that is opened again on request (SIGHUP, log rotation).
#pragma once

#include "commands/server_control.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace server {

using commands::LogLevel;
enum class LogFormat : std::uint8_t { redis, logfmt };

struct LogEvent {
  LogLevel level;
  std::int64_t wall_us;
  int process_id;
  std::string_view text;
};

// One line without its end. Line ends and other control characters in the text are escaped.
[[nodiscard]] std::string format_event(const LogEvent& event, LogFormat format);

class Log final : public commands::EventLog {
 public:
  Log() = default;
  ~Log() override;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void set_level(LogLevel level) { level_ = level; }
  void set_format(LogFormat format) { format_ = format; }
  // Empty: standard output. The error is what the system says.
  std::expected<void, std::string> open(const std::string& file);
  // The same name again; the old file stays in use when that fails.
  std::expected<void, std::string> reopen();
  // Nothing is written at all: for servers inside another program.
  void silence() { silent_ = true; }

  void debug(std::string_view text) { write(LogLevel::debug, text); }
  void verbose(std::string_view text) { write(LogLevel::verbose, text); }
  void notice(std::string_view text) { write(LogLevel::notice, text); }
  void warning(std::string_view text) { write(LogLevel::warning, text); }
  void event(LogLevel level, std::string_view text) override { write(level, text); }
  void write(LogLevel level, std::string_view text);

 private:
  LogLevel level_ = LogLevel::notice;
  LogFormat format_ = LogFormat::redis;
  std::string file_;
  int descriptor_ = 1;
  bool silent_ = false;
};

}  // namespace server
