#include "tests/transcripts/runner/tcp_backend.hpp"

#include "tests/transcripts/runner/resp_value.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace transcripts {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds control_limit{30000};
constexpr int busy_tries = 1000;  // of 20 ms: a script left running by a failed transcript

// Every setting that a transcript may change, at its default; users have these names.
constexpr std::array resets = {
    std::string_view("ACL DELUSER alice bob carol"),
    std::string_view("ACL LOG RESET"),
    std::string_view("CONFIG SET requirepass \"\""),
    std::string_view("CONFIG SET notify-keyspace-events \"\""),
    std::string_view("CONFIG SET busy-reply-threshold 5000"),
    std::string_view("CONFIG SET proto-max-bulk-len 536870912"),
    std::string_view("CONFIG SET maxmemory 0"),
    std::string_view("CONFIG SET zset-max-listpack-entries 128"),
    std::string_view("CONFIG SET timeout 0"),
    std::string_view("CLIENT UNPAUSE"),
    std::string_view("SCRIPT FLUSH"),
    std::string_view("CONFIG RESETSTAT"),
    std::string_view("FUNCTION FLUSH"),
    std::string_view("FLUSHALL"),
};

BackendResult send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    // The server hung up on a request that it did not want to read to the end: its last words are
    // still to be received.
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return {};
    if (sent < 0) return std::unexpected(std::string("send: ") + std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Received receive_some(int fd, milliseconds limit) {
  pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
  if (poll(&wanted, 1, static_cast<int>(limit.count())) <= 0) return {};
  std::string bytes(65536, '\0');
  const ssize_t size = recv(fd, bytes.data(), bytes.size(), 0);
  if (size < 0 && errno == EINTR) return receive_some(fd, limit);
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return {.bytes = std::move(bytes), .closed = size <= 0};
}

// A socket that is readable with nothing to read has been closed by the other side.
bool is_usable(int fd) {
  char byte = 0;
  return fd >= 0 && (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 || errno == EAGAIN);
}

}  // namespace

TcpBackend::TcpBackend(std::string host, std::uint16_t port)
    : host_(std::move(host)), port_(port) {}

TcpBackend::TcpBackend(std::unique_ptr<ServerProcess> server)
    : host_("127.0.0.1"), port_(server->port()), server_(std::move(server)) {}

TcpBackend::~TcpBackend() {
  close_all();
  if (control_ >= 0) close(control_);
}

BackendResult TcpBackend::connect(char client) {
  auto fd = open_socket();
  if (!fd) return std::unexpected(fd.error());
  sockets_[client] = *fd;
  return {};
}

BackendResult TcpBackend::send(char client, std::string_view bytes) {
  return send_all(sockets_.at(client), bytes);
}

std::expected<Received, std::string> TcpBackend::receive(char client, milliseconds limit) {
  Received received = receive_some(sockets_.at(client), limit);
  if (received.closed && server_ && !server_->is_running()) {
    return std::unexpected("the server has ended");
  }
  return received;
}

void TcpBackend::disconnect(char client) {
  close(sockets_.at(client));
  sockets_.erase(client);
}

void TcpBackend::advance(std::int64_t ms) {
  std::this_thread::sleep_for(milliseconds(ms));
}

BackendResult TcpBackend::reset() {
  close_all();
  if (!is_usable(control_)) {
    if (control_ >= 0) close(control_);
    auto fd = open_socket();
    if (!fd) return std::unexpected(fd.error());
    control_ = *fd;
  }
  for (const std::string_view command : resets) {
    if (auto result = control(command); !result) return result;
  }
  return {};
}

std::expected<int, std::string> TcpBackend::open_socket() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  if (inet_pton(AF_INET, host_.c_str(), &address.sin_addr) != 1) {
    return std::unexpected("not an IPv4 address: " + host_);
  }
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    const std::string why = std::strerror(errno);
    if (fd >= 0) close(fd);
    return std::unexpected("no connection to " + host_ + ":" + std::to_string(port_) + ": " + why);
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

BackendResult TcpBackend::control(std::string_view command) {
  for (int i = 0; i < busy_tries; ++i) {
    RespReader reader;
    if (auto sent = send_all(control_, std::string(command) + "\r\n"); !sent) return sent;
    while (true) {
      const Received received = receive_some(control_, control_limit);
      reader.feed(received.bytes);
      const auto reply = reader.next();
      if (!reply) return std::unexpected(reply.error());
      if (*reply && !(*reply)->text.starts_with("BUSY")) {
        if ((*reply)->type != '-') return {};
        return std::unexpected(std::string(command) + ": " + (*reply)->text);
      }
      if (*reply) break;
      if (received.bytes.empty()) return std::unexpected(std::string(command) + ": no reply");
    }
    static_cast<void>(send_all(control_, "SCRIPT KILL\r\n"));
    static_cast<void>(receive_some(control_, control_limit));
    std::this_thread::sleep_for(milliseconds(20));
  }
  return std::unexpected("a script of an earlier transcript cannot be ended");
}

void TcpBackend::close_all() {
  for (const auto& [client, fd] : sockets_) close(fd);
  sockets_.clear();
}

}  // namespace transcripts
