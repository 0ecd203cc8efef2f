// The floor for CPU per operation: an epoll loop that finds where each request ends and answers
// +OK. No keyspace, no clock, no limits: what any server on this machine pays for the sockets
// alone.
//
//   echo_floor --port PORT      (other arguments are ignored, so that it starts like a server)
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

namespace {

// Bytes of the one complete request at the start of `input`, 0 when it is not complete.
std::size_t request_bytes(std::string_view input) {
  const std::size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  std::size_t at = line_end + 1;
  if (input[0] != '*') return at;
  const long arguments = std::strtol(input.data() + 1, nullptr, 10);
  for (long i = 0; i < arguments; ++i) {
    const std::size_t header_end = input.find('\n', at);
    if (header_end == std::string_view::npos) return 0;
    at = header_end + 1 + std::strtoul(input.data() + at + 1, nullptr, 10) + 2;
    if (at > input.size()) return 0;
  }
  return at;
}

class Echo {
 public:
  explicit Echo(int port) {
    const int on = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener_, 511) != 0) {
      std::perror("bind");
      std::exit(1);
    }
    watch(listener_);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 1024> events{};
    for (;;) {
      const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < ready; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        if (descriptor == listener_) {
          accept_one();
        } else {
          answer(descriptor);
        }
      }
    }
  }

 private:
  void watch(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void accept_one() {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK);
    if (descriptor < 0) return;
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(descriptor);
    inputs_[descriptor];
  }

  void answer(int descriptor) {
    const ssize_t size = read(descriptor, chunk_.data(), chunk_.size());
    if (size <= 0) {
      close(descriptor);
      inputs_.erase(descriptor);
      return;
    }
    std::string& kept = inputs_[descriptor];
    std::string_view input(chunk_.data(), static_cast<std::size_t>(size));
    if (!kept.empty()) input = kept.append(input);
    output_.clear();
    while (!input.empty()) {
      const std::size_t bytes = request_bytes(input);
      if (bytes == 0) break;
      output_ += "+OK\r\n";
      input.remove_prefix(bytes);
    }
    kept = std::string(input);
    if (!output_.empty() && write(descriptor, output_.data(), output_.size()) < 0) {
      std::perror("write");
    }
  }

  int listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  int epoll_ = epoll_create1(0);
  std::unordered_map<int, std::string> inputs_;
  std::array<char, 65536> chunk_{};
  std::string output_;
};

}  // namespace

int main(int argc, char** argv) {
  int port = 7600;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--port") == 0) port = std::atoi(argv[i + 1]);
  }
  static Echo echo(port);
  echo.run();
}
