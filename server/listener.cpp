#include "server/listener.hpp"

#include "base/assert.hpp"

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace server {

struct Listener::Door {
  Door(boost::asio::io_context& io, int descriptor, int address_family)
      : socket(io, descriptor), retry(io), family(address_family) {}
  boost::asio::posix::stream_descriptor socket;
  boost::asio::steady_timer retry;
  int family;
};

namespace {

// How long accepting pauses when the process has no descriptor left.
constexpr std::chrono::milliseconds retry_interval{100};
constexpr int keepalive_probes = 3;

constexpr std::string_view refusal_full = "-ERR max number of clients reached\r\n";
constexpr std::string_view refusal_protected =
    "-DENIED Mortise is running in protected mode: no password is set, so only clients of the same "
    "machine are served. Set requirepass, or protected-mode no if every client that can reach this "
    "port may be trusted.\r\n";

std::string errno_text() {
  return std::strerror(errno);
}

void set_option(int descriptor, int level, int name, int value) {
  // These improve a connection, none of them is needed.
  (void)::setsockopt(descriptor, level, name, &value, sizeof value);
}

bool is_missing_address(int error) {
  return error == EADDRNOTAVAIL || error == EAFNOSUPPORT || error == EPROTONOSUPPORT ||
         error == ENOPROTOOPT || error == ESOCKTNOSUPPORT || error == EPFNOSUPPORT;
}

struct Endpoint {
  std::string text;
  std::uint16_t port = 0;
  bool is_loopback = false;
};

Endpoint describe(const sockaddr_storage& address) {
  char host[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, host, sizeof host);
    const std::uint16_t port = ntohs(in.sin_port);
    return {std::string(host) + ':' + std::to_string(port), port,
            std::string_view(host).starts_with("127.")};
  }
  sockaddr_in6 in{};
  std::memcpy(&in, &address, sizeof in);
  ::inet_ntop(AF_INET6, &in.sin6_addr, host, sizeof host);
  const std::uint16_t port = ntohs(in.sin6_port);
  const bool is_loopback = IN6_IS_ADDR_LOOPBACK(&in.sin6_addr) != 0;
  return {'[' + std::string(host) + "]:" + std::to_string(port), port, is_loopback};
}

template <typename Query>
sockaddr_storage ask(Query query, int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  (void)query(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

// What an earlier process left behind; anything else at that path is not ours to remove.
void remove_old_socket(const std::string& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode)) ::unlink(path.c_str());
}

void refuse(int descriptor, std::string_view reply) {
  (void)::send(descriptor, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::close(descriptor);
}

}  // namespace

Listener::Listener(Turn& turn, Connections& connections, std::uint16_t port)
    : turn_(turn), connections_(connections), port_(port) {}

Listener::~Listener() {
  if (!unix_path_.empty()) ::unlink(unix_path_.c_str());
}

void Listener::close_tcp() {
  tcp_.clear();
}

std::expected<void, std::string> Listener::open_tcp() {
  for (const std::string& address : settings().addresses) {
    if (auto opened = open_address(address); !opened) {
      close_tcp();
      return opened;
    }
  }
  return {};
}

std::expected<void, std::string> Listener::open_address(const std::string& address) {
  const bool may_be_missing = address.starts_with('-');
  std::string host = may_be_missing ? address.substr(1) : address;
  int family = AF_UNSPEC;
  if (host == "*") {
    host = "0.0.0.0";
    family = AF_INET;
  } else if (host == "::*") {
    host = "::";
    family = AF_INET6;
  }
  const auto opened = open_socket(host, family);
  if (opened) {
    const int bound_family = ask(::getsockname, *opened).ss_family;
    tcp_.push_back(std::make_unique<Door>(turn_.io(), *opened, bound_family));
    watch(*tcp_.back());
    return {};
  }
  if (may_be_missing && is_missing_address(errno)) return {};
  return std::unexpected("cannot listen on " + host + ':' + std::to_string(port_) + ": " +
                         opened.error());
}

// On failure errno says why, too.
std::expected<int, std::string> Listener::open_socket(const std::string& host, int family) {
  addrinfo wanted{};
  wanted.ai_family = family;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int outcome = ::getaddrinfo(host.c_str(), std::to_string(port_).c_str(), &wanted, &found);
  if (outcome != 0) {
    errno = EADDRNOTAVAIL;
    return std::unexpected(std::string(::gai_strerror(outcome)));
  }
  const int descriptor = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
  if (found->ai_family == AF_INET6) set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  const bool is_open = descriptor >= 0 &&
                       ::bind(descriptor, found->ai_addr, found->ai_addrlen) == 0 &&
                       ::listen(descriptor, settings().accept_backlog) == 0;
  const int error = errno;
  ::freeaddrinfo(found);
  if (!is_open) {
    if (descriptor >= 0) ::close(descriptor);
    errno = error;
    return std::unexpected(errno_text());
  }
  if (port_ == 0) port_ = describe(ask(::getsockname, descriptor)).port;
  return descriptor;
}

std::expected<void, std::string> Listener::open_unix() {
  const std::string& path = settings().unix_socket;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto failed = [&](const std::string& reason) {
    return std::unexpected("cannot listen on the Unix socket " + path + ": " + reason);
  };
  if (path.size() >= sizeof address.sun_path) return failed("the path is too long");
  path.copy(address.sun_path, path.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return failed(errno_text());
  remove_old_socket(path);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(descriptor, generic, sizeof address) != 0 ||
      ::listen(descriptor, settings().accept_backlog) != 0) {
    const std::string reason = errno_text();
    ::close(descriptor);
    return failed(reason);
  }
  unix_path_ = path;
  if (settings().unix_socket_mode != 0) ::chmod(path.c_str(), settings().unix_socket_mode);
  unix_ = std::make_unique<Door>(turn_.io(), descriptor, AF_UNIX);
  watch(*unix_);
  return {};
}

void Listener::watch(Door& door) {
  door.socket.async_wait(boost::asio::posix::descriptor_base::wait_read,
                         [this, &door](const boost::system::error_code& error) {
                           if (!error) accept_all(door);
                         });
}

void Listener::watch_later(Door& door) {
  door.retry.expires_after(retry_interval);
  door.retry.async_wait([this, &door](const boost::system::error_code& error) {
    if (!error) watch(door);
  });
}

void Listener::accept_all(Door& door) {
  for (;;) {
    const int descriptor =
        ::accept4(door.socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      greet(descriptor, door.family);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      turn_.core().log().warning("Cannot accept a connection: " + errno_text());
      return watch_later(door);
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return watch(door);
    }
  }
}

void Listener::greet(int descriptor, int family) {
  AcceptedSocket accepted;
  accepted.descriptor = descriptor;
  accepted.family = family;
  if (family == AF_UNIX) {
    accepted.is_local = true;
    accepted.address = unix_path_ + ":0";
    accepted.local_address = accepted.address;
  } else {
    const Endpoint peer = describe(ask(::getpeername, descriptor));
    accepted.address = peer.text;
    accepted.local_address = describe(ask(::getsockname, descriptor)).text;
    accepted.is_local = peer.is_loopback;
  }
  if (refuses(accepted)) return;
  if (family != AF_UNIX) {
    set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    if (const int idle_s = settings().keepalive_s; idle_s > 0) {
      set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
      set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, idle_s);
      set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, std::max(idle_s / keepalive_probes, 1));
      set_option(descriptor, IPPROTO_TCP, TCP_KEEPCNT, keepalive_probes);
    }
  }
  connections_.open(accepted);
}

bool Listener::refuses(const AcceptedSocket& accepted) {
  Core& core = turn_.core();
  if (core.clients().size() >= settings().clients_max) {
    core.count_rejected();
    refuse(accepted.descriptor, refusal_full);
    return true;
  }
  const bool is_open =
      !settings().is_protected || !core.dispatcher().acl().default_user()->needs_no_password();
  if (is_open || accepted.is_local) return false;
  core.count_rejected();
  refuse(accepted.descriptor, refusal_protected);
  return true;
}

}  // namespace server
