#include "server/server.hpp"

#include "base/assert.hpp"
#include "commands/persistence_commands.hpp"
#include "engine/commit_log.hpp"
#include "server/connection.hpp"
#include "server/core.hpp"
#include "server/descriptor_limit.hpp"
#include "server/journal.hpp"
#include "server/listener.hpp"
#include "server/machine.hpp"
#include "server/turn.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/error_code.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace server {
namespace {

std::uint64_t random_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32u | device();
}

}  // namespace

struct Server::State {
  State(Config& the_config, Log& the_log);
  // Sessions tell their connections that they end, so they go first.
  ~State() {
    journal.close();
    core.clients().end_all();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::expected<void, std::string> apply(std::string_view name);
  std::expected<void, std::string> apply_log();
  void wait_for_wake();
  void wake() noexcept;
  void on_wake();
  void stop();
  std::expected<void, StartError> load();
  void answer_saves(const engine::Snapshot::Report& ended);

  Config& config;
  Log& log;
  SystemMachine machine{[this] { wake(); }};
  // Only the loop's thread uses it: other threads speak through the eventfd.
  boost::asio::io_context io{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  boost::asio::posix::stream_descriptor wake_descriptor;
  Journal journal;
  Core core;
  Turn turn;
  Connections connections;
  Listener listener;
  std::atomic<bool> stop_wanted = false;
  std::atomic<bool> reopen_wanted = false;
  bool any_port = false;
  bool started = false;
};

Server::State::State(Config& the_config, Log& the_log)
    : config(the_config),
      log(the_log),
      wake_descriptor(io, ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      journal(config.server(), log, machine),
      core(config, log, machine.clock(), journal.commit_log(), random_seed()),
      turn(io, core, machine.clock(), journal.commit_log().wants_frames()),
      connections(turn),
      listener(turn, connections, config.server().port) {
  journal.set_progress(&core);
  core.set_journal(journal);
  core.set_background(journal);
  journal.set_saved([this](const engine::Snapshot::Report& ended) { answer_saves(ended); });
  core.set_serve_others([this] { turn.serve_others(); });
  core.set_stop([this](commands::ShutdownMode) { stop(); });
  config.on_change([this](std::string_view name) { return apply(name); });
  wait_for_wake();
}

std::expected<void, std::string> Server::State::apply(std::string_view name) {
  if (name == "loglevel" || name == "log-format" || name == "logfile") return apply_log();
  if (name == "maxclients") {
    const std::size_t possible = raise_descriptor_limit(config.server().clients_max);
    if (possible >= config.server().clients_max) return {};
    return std::unexpected(
        "The operating system is not able to handle the specified number of clients, try with " +
        std::to_string(possible));
  }
  if (name == "dir") {
    if (::chdir(config.server().directory.c_str()) == 0) return {};
    return std::unexpected(std::string(std::strerror(errno)));
  }
  if (!started || (name != "bind" && name != "port")) return {};
  if (name == "port") listener.set_port(config.server().port);
  listener.close_tcp();
  if (listener.port() == 0) return {};
  const auto opened = listener.open_tcp();
  core.set_port(listener.port());
  if (opened) return {};
  log.warning(opened.error());
  return std::unexpected(name == "port" ? "Unable to listen on this port. Check server logs."
                                        : "Failed to bind to specified addresses.");
}

std::expected<void, std::string> Server::State::apply_log() {
  const ServerSettings& settings = config.server();
  log.set_level(settings.log_level);
  log.set_format(settings.log_format);
  return {};
}

void Server::State::wait_for_wake() {
  wake_descriptor.async_wait(boost::asio::posix::descriptor_base::wait_read,
                             [this](const boost::system::error_code& error) {
                               if (!error) on_wake();
                             });
}

void Server::State::wake() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      ::write(wake_descriptor.native_handle(), &one, sizeof one);
}

void Server::State::on_wake() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size =
      ::read(wake_descriptor.native_handle(), &count, sizeof count);
  wait_for_wake();
  if (reopen_wanted.exchange(false)) {
    if (const auto opened = log.reopen(); !opened) {
      log.warning("Cannot open the log file again: " + opened.error());
    }
  }
  journal.on_wake();
  turn.finish();
  if (!stop_wanted.exchange(false)) return;
  log.notice("Asked to stop: shutting down");
  core.shutdown(commands::ShutdownMode::orderly);
}

// Those who said SAVE.
void Server::State::answer_saves(const engine::Snapshot::Report& ended) {
  std::vector<commands::ClientState*> waiting;
  core.clients().for_each([&](commands::ClientState& client) {
    if (dynamic_cast<commands::persistence::SaveCall*>(client.blocked.get()) != nullptr) {
      waiting.push_back(&client);
    }
  });
  for (commands::ClientState* const client : waiting) {
    core.clients().answer_blocked_call(
        *client, [&](commands::BlockedCall& /*call*/, protocol::ReplySink& reply) {
          if (ended.taken) return reply.simple("OK");
          reply.error("ERR the snapshot failed: " + ended.text);
        });
  }
}

// Clients that come meanwhile are told that the server loads.
std::expected<void, StartError> Server::State::load() {
  core.begin_loading();
  auto loaded = journal.open(core.keyspace(), [this] {
    turn.serve_others();
    return !core.is_stopping();
  });
  core.end_loading();
  if (loaded) turn.finish();
  return loaded;
}

void Server::State::stop() {
  // From a slow script's loop this ends after the script, which shutdown() has stopped.
  io.stop();
}

Server::Server(Config& config, Log& log) : state_(std::make_unique<State>(config, log)) {}

Server::~Server() = default;

void Server::use_any_free_port() {
  state_->any_port = true;
  state_->listener.set_port(0);
}

void Server::set_executable(std::string path) {
  state_->core.set_executable(std::move(path));
}

std::expected<void, StartError> Server::start() {
  State& state = *state_;
  const ServerSettings& settings = state.config.server();
  const bool wants_tcp = (settings.port != 0 || state.any_port) && !settings.addresses.empty();
  if (!wants_tcp && settings.unix_socket.empty()) {
    return std::unexpected(
        StartError{"nowhere to listen: port is 0 or bind is empty, and there is "
                   "no unixsocket",
                   "set --port, --bind or --unixsocket"});
  }
  if (auto loaded = state.core.load_acl_file(); !loaded) {
    return std::unexpected(StartError{loaded.error(), "docs/acl.md describes the file"});
  }
  const std::size_t possible = raise_descriptor_limit(settings.clients_max);
  if (possible < settings.clients_max) {
    state.log.warning("maxclients reduced from " + std::to_string(settings.clients_max) + " to " +
                      std::to_string(possible) +
                      ": the limit on open files is too low (ulimit -n)");
    ASSERT(state.config.assign("maxclients", std::to_string(possible)));
  }
  if (wants_tcp) {
    if (auto opened = state.listener.open_tcp(); !opened) {
      return std::unexpected(StartError{opened.error(),
                                        "is another server running there, or the address not this "
                                        "machine's? choose another --port or "
                                        "--bind"});
    }
    state.core.set_port(state.listener.port());
  }
  if (!settings.unix_socket.empty()) {
    if (auto opened = state.listener.open_unix(); !opened) {
      return std::unexpected(StartError{
          opened.error(),
          "check that the directory exists, may be written to and has no other file of that name"});
    }
  }
  state.started = true;
  return state.load();
}

void Server::run() {
  State& state = *state_;
  state.io.run();
  // What was said in the last turn still leaves.
  state.core.end_turn();
  state.journal.close();
  state.core.committed(state.journal.commit_log().committed_position());
}

void Server::stop() noexcept {
  state_->stop_wanted = true;
  state_->wake();
}

void Server::reopen_log() noexcept {
  state_->reopen_wanted = true;
  state_->wake();
}

std::uint16_t Server::port() const {
  return state_->listener.port();
}

}  // namespace server
