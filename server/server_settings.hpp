// The settings that the server itself looks at, as plain values. Owned by Config.
#pragma once

#include "server/log.hpp"
#include "server/setting_value.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace server {

struct ServerSettings {
  std::vector<std::string> addresses;  // bind; "-" in front: may be missing
  std::uint16_t port = 0;
  std::string unix_socket;
  unsigned unix_socket_mode = 0;
  int accept_backlog = 0;
  int keepalive_s = 0;
  std::int64_t idle_timeout_s = 0;
  std::size_t clients_max = 0;
  bool is_protected = true;
  std::size_t query_bytes_max = 0;
  OutputLimits output_limits{};
  std::string log_file;
  LogLevel log_level = LogLevel::notice;
  LogFormat log_format = LogFormat::redis;
  std::string directory;
  std::string pid_file;
  std::string acl_file;  // empty: none
};

}  // namespace server
