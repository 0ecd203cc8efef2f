// A Mortise server in this process. Construct it with a Config, start() it, run() it on a thread of
// yours; stop() may be called from any thread and from signal handlers.
//
//   server::Config config;
//   server::Server server(config, log);
//   server.use_any_free_port();
//   if (auto started = server.start(); !started) …started.error()…
//   std::thread thread([&] { server.run(); });  …  server.stop(); thread.join();
#pragma once

#include "server/config.hpp"
#include "server/log.hpp"
#include "server/start_error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace server {

class Server {
 public:
  // Both must outlive the server; they are used by the thread that runs it.
  Server(Config& config, Log& log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Instead of the port of the settings.
  void use_any_free_port();
  // For INFO.
  void set_executable(std::string path);
  // Listens from here on; clients are served by run().
  std::expected<void, StartError> start();
  // Until stop() or SHUTDOWN. Everything said so far is sent, as far as sockets take it.
  void run();
  void stop() noexcept;
  // Opens the log file again, soon. Any thread, signal handlers too.
  void reopen_log() noexcept;
  // The TCP port that it listens on; 0: none.
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace server
