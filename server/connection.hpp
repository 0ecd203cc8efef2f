// A client's socket: feeds its session with what arrives (hop 1 of a command's life) and writes
// what the session has to say (hop 5). One read and one write a turn; no allocation between
// requests.
//
// Asio re-arms a plain wait with one epoll_ctl each time, a read of few bytes with none: so a
// connection reads into a small buffer of its own, and what fills it is completed from the shared
// one.
//
// Owned by Connections. Destroyed once its session has ended and no wait of it is outstanding.
#pragma once

#include "server/session.hpp"
#include "server/turn.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace server {

class Connections;

struct AcceptedSocket {
  int descriptor = -1;
  int family = 0;
  std::string address;
  std::string local_address;
  bool is_local = false;
};

class Connection final : public Transport {
 public:
  Connection(Turn& turn, Connections& owner, std::size_t slot, const AcceptedSocket& accepted);

  void flush() override;
  void session_ended() override;
  // Begins to listen to the client.
  void start() { wait_for_input(); }

 private:
  // A pipeline of thirty lock requests fits; the better part of what an idle connection costs.
  static constexpr std::size_t own_buffer_bytes = 4096;

  void wait_for_input();
  void wait_for_room();
  void on_input(std::size_t size);
  // What was read, together with what more has arrived when that filled the connection's buffer.
  [[nodiscard]] std::string_view arrived(std::size_t size);
  void on_room();
  void leave_if_unused();

  Turn& turn_;
  Connections& owner_;
  std::size_t slot_;
  // With the loop's own executor: the type-erased one costs on every wait.
  boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol,
                                   boost::asio::io_context::executor_type>
      socket_;
  Session* session_;
  std::array<char, own_buffer_bytes> buffer_{};
  int waits_ = 0;
  bool waits_for_room_ = false;
  bool is_busy_ = false;  // a member function below is on the stack
};

// All sockets of clients.
class Connections {
 public:
  explicit Connections(Turn& turn) : turn_(turn) {}
  void open(const AcceptedSocket& accepted);
  void remove(std::size_t slot);
  [[nodiscard]] std::size_t size() const { return slots_.size() - unused_.size(); }

 private:
  Turn& turn_;
  std::vector<std::unique_ptr<Connection>> slots_;
  std::vector<std::size_t> unused_;
};

}  // namespace server
