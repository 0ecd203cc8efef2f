// A server under test that this process starts on a free loopback port and stops again, by its pid.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <sys/types.h>

namespace transcripts {

class ServerProcess {
 public:
  // Starts `program --port N --bind 127.0.0.1 …` without persistence and waits until it accepts.
  // What it prints goes to the file named by TRANSCRIPT_SERVER_LOG, else nowhere.
  static std::expected<std::unique_ptr<ServerProcess>, std::string> start(
      const std::string& program);

  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  std::uint16_t port() const { return port_; }
  bool is_running();

 private:
  ServerProcess(pid_t pid, std::uint16_t port) : pid_(pid), port_(port) {}

  pid_t pid_;  // 0 once it was waited for
  std::uint16_t port_;
};

}  // namespace transcripts
