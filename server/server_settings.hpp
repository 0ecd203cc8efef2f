// The settings that the server itself looks at, as plain values. Owned by Config.
#pragma once

#include "engine/durability.hpp"
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
  std::string acl_file;           // empty: none
  bool journal_is_on = false;     // appendonly
  std::string journal_directory;  // appenddirname
  std::uint64_t journal_segment_bytes_max = 0;
  std::uint64_t journal_reserve_bytes = 0;
  // A snapshot is taken when the journal behind the last one is that large, and that many percent
  // of it. 0 percent: never by itself.
  std::uint64_t snapshot_growth_percent = 0;
  std::uint64_t snapshot_bytes_min = 0;
  engine::Durability durability;
};

}  // namespace server
