#include "server/health_check.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace server {
namespace {

constexpr timeval answer_limit{3, 0};

struct Descriptor {
  explicit Descriptor(int number) : value(number) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value;
};

std::unexpected<std::string> system_error(const std::string& target) {
  return std::unexpected(target + ": " + std::strerror(errno));
}

void limit_waiting(int descriptor) {
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &answer_limit, sizeof answer_limit);
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &answer_limit, sizeof answer_limit);
}

std::expected<void, std::string> ask(int descriptor, const std::string& target) {
  constexpr std::string_view request = "*1\r\n$4\r\nPING\r\n";
  if (::send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    return system_error(target);
  }
  char answer[64];
  const ssize_t size = ::recv(descriptor, answer, sizeof answer, 0);
  if (size < 0) return system_error(target);
  const std::string_view text(answer, static_cast<std::size_t>(size));
  if (text.starts_with("+PONG") || text.starts_with("-NOAUTH")) return {};
  return std::unexpected(target + ": unexpected answer '" +
                         std::string(text.substr(0, text.find('\r'))) + "'");
}

std::expected<void, std::string> ping_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::unexpected(path + ": path too long");
  path.copy(address.sun_path, path.size());
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.value < 0) return system_error(path);
  limit_waiting(socket.value);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.value, generic, sizeof address) != 0) return system_error(path);
  return ask(socket.value, path);
}

}  // namespace

std::expected<void, std::string> ping_server(const std::string& target) {
  if (target.find('/') != std::string::npos) return ping_path(target);
  const std::size_t colon = target.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : target.substr(0, colon);
  const std::string port = colon == std::string::npos ? target : target.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (const int outcome = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &list); outcome != 0) {
    return std::unexpected(target + ": " + ::gai_strerror(outcome));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> found(list, ::freeaddrinfo);
  std::expected<void, std::string> answered = std::unexpected(target + ": no address");
  for (const addrinfo* at = found.get(); at != nullptr && !answered; at = at->ai_next) {
    const Descriptor socket(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (socket.value < 0) {
      answered = system_error(target);
      continue;
    }
    limit_waiting(socket.value);
    const bool connected = ::connect(socket.value, at->ai_addr, at->ai_addrlen) == 0;
    answered = connected ? ask(socket.value, target) : system_error(target);
  }
  return answered;
}

}  // namespace server
