#include "tests/transcripts/runner/server_process.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace transcripts {
namespace {

using std::chrono::milliseconds;

constexpr int start_tries = 1000;  // of 10 ms
constexpr int stop_tries = 500;    // of 10 ms, then SIGKILL

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The port is free when this returns; whoever takes it before the server does makes the start fail.
std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return 0;
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  std::uint16_t port = 0;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ntohs(address.sin_port);
  }
  close(fd);
  return port;
}

bool accepts(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const sockaddr_in address = loopback(port);
  const bool connected =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return connected;
}

[[noreturn]] void run_server(std::vector<std::string> arguments) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // not to outlive a runner that is killed
  const char* log = std::getenv("TRANSCRIPT_SERVER_LOG");
  const int out = open(log == nullptr ? "/dev/null" : log, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out < 0) _exit(126);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  _exit(127);
}

}  // namespace

std::expected<std::unique_ptr<ServerProcess>, std::string> ServerProcess::start(
    const std::string& program) {
  const std::uint16_t port = free_port();
  const pid_t pid = fork();
  if (pid < 0) return std::unexpected("fork failed");
  if (pid == 0) {
    run_server({program, "--port", std::to_string(port), "--bind", "127.0.0.1", "--save", "",
                "--appendonly", "no", "--enable-debug-command", "yes"});
  }
  std::unique_ptr<ServerProcess> server(new ServerProcess(pid, port));
  for (int i = 0; i < start_tries && server->is_running(); ++i) {
    if (accepts(port)) return server;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return std::unexpected(program + " did not come up on port " + std::to_string(port) +
                         "; TRANSCRIPT_SERVER_LOG=file shows what it prints");
}

bool ServerProcess::is_running() {
  if (pid_ != 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
  return pid_ != 0;
}

ServerProcess::~ServerProcess() {
  if (!is_running()) return;
  kill(pid_, SIGTERM);
  for (int i = 0; i < stop_tries && is_running(); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  if (!is_running()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace transcripts
