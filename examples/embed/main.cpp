// A Mortise server inside this program, on a free port of its own: takes a lock through the socket
// as any client would, shows that a second owner is refused, releases it, stops the server.
#include "server/config.hpp"
#include "server/log.hpp"
#include "server/server.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

class Client {
 public:
  explicit Client(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      std::perror("connect");
      std::exit(1);
    }
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends one line (an inline request) and returns the first line of the answer.
  std::string ask(std::string_view line) {
    const std::string bytes = std::string(line) + "\r\n";
    if (write(socket_, bytes.data(), bytes.size()) < 0) return "write failed";
    std::array<char, 512> answer{};
    const ssize_t size = read(socket_, answer.data(), answer.size());
    std::string text(answer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return text.substr(0, text.find('\r'));
  }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
};

bool expect(Client& client, std::string_view request, std::string_view answer) {
  const std::string got = client.ask(request);
  std::printf("%-45.*s %s\n", static_cast<int>(request.size()), request.data(), got.c_str());
  return got == answer;
}

}  // namespace

int main() {
  server::Config config;
  server::Log log;
  log.silence();
  server::Server server(config, log);
  server.use_any_free_port();
  if (const auto started = server.start(); !started) {
    std::fprintf(stderr, "%s\n", started.error().reason.c_str());
    return 1;
  }
  std::thread thread([&server] { server.run(); });
  bool passed = true;
  {
    Client client(server.port());
    passed &= expect(client, "SET lock:order owner-a NX PX 30000", "+OK");
    passed &= expect(client, "SET lock:order owner-b NX PX 30000", "$-1");
    passed &= expect(client, "DELIFEQ lock:order owner-b", ":0");
    passed &= expect(client, "DELIFEQ lock:order owner-a", ":1");
  }
  server.stop();
  thread.join();
  std::puts(passed ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return passed ? 0 : 1;
}
