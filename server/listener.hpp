// Sockets that wait for clients: TCP on any number of addresses, and a Unix socket. Refuses clients
// beyond maxclients and, in protected mode, those from other machines.
#pragma once

#include "server/connection.hpp"
#include "server/server_settings.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace server {

class Listener {
 public:
  // All must outlive the listener.
  Listener(Turn& turn, Connections& connections, std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Listens on every address of the settings. Port 0: any free one, the same on all. The error is
  // one line for people.
  std::expected<void, std::string> open_tcp();
  std::expected<void, std::string> open_unix();
  void close_tcp();
  void set_port(std::uint16_t port) { port_ = port; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  struct Door;

  std::expected<void, std::string> open_address(const std::string& address);
  std::expected<int, std::string> open_socket(const std::string& host, int family);
  void watch(Door& door);
  // When descriptors or memory have run out.
  void watch_later(Door& door);
  void accept_all(Door& door);
  void greet(int descriptor, int family);
  [[nodiscard]] bool refuses(const AcceptedSocket& accepted);
  [[nodiscard]] const ServerSettings& settings() const { return turn_.core().server_settings(); }

  Turn& turn_;
  Connections& connections_;
  std::uint16_t port_;
  std::vector<std::unique_ptr<Door>> tcp_;
  std::unique_ptr<Door> unix_;
  std::string unix_path_;
};

}  // namespace server
