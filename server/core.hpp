// A whole server without sockets: store, commands, scripts, sessions, and the turn that ties them
// together. Time and durability are arguments, so a test runs it with a ManualClock and nothing
// else.
//
// A turn:  sessions execute what they were fed → end_turn(): the frames become one batch for the
// commit log, each session with output is told to flush what is durable, ended sessions are
// forgotten.
#pragma once

#include "base/clock.hpp"
#include "commands/dispatcher.hpp"
#include "commands/notifications.hpp"
#include "commands/server_control.hpp"
#include "engine/channel_registry.hpp"
#include "engine/commit_log.hpp"
#include "engine/keyspace.hpp"
#include "server/acl_file.hpp"
#include "server/background.hpp"
#include "server/clients.hpp"
#include "server/config.hpp"
#include "server/log.hpp"
#include "server/rate_meter.hpp"
#include "server/session.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace server {

class Core final : public commands::ProcessControl, public engine::CommitProgress {
 public:
  // All must outlive the core. `seed` keys the store's hash function.
  Core(Config& config, Log& log, const base::Clock& clock, engine::CommitLog& commit_log,
       std::uint64_t seed);
  ~Core() override;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // At the start, after the settings' users: those of the aclfile, if there is one.
  std::expected<void, std::string> load_acl_file();

  // Owned by the core until it ends. The address may be filled in through client().figures.
  Session& open_session(Transport* transport = nullptr);

  // Everything that is due, then the end of the turn. True: more work waits, call again soon.
  bool run_turn();
  // Executes sessions that have input left over. Part of run_turn().
  void run_ready();
  // See above. Also from within a slow script's loop, where the store is left alone.
  void end_turn();
  // Removes due keys and frees memory, a slice of each. True: more is left.
  bool expire_slice();
  // Timeouts of blocked calls, pauses, idle clients, output limits.
  void check_time();
  // Monotonic; nullopt: nothing to wait for. Deadlines of keys are not included.
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const;
  // Whether anything waits but input: calls left over, memory to free, a snapshot's next slice.
  [[nodiscard]] bool has_work() const;

  // How the loop runs one round for the others; unset: nobody is served meanwhile.
  void set_serve_others(std::function<void()> serve) { serve_others_ = std::move(serve); }
  void set_stop(std::function<void(commands::ShutdownMode)> stop) { stop_ = std::move(stop); }
  void set_executable(std::string path) { executable_ = std::move(path); }
  void set_port(int port) { port_ = port; }
  void set_journal(commands::JournalControl& journal) { control_.journal = &journal; }
  void set_background(Background& background) { background_ = &background; }
  // In between only commands that need no keys are served; the clock may be set.
  void begin_loading();
  void end_loading();
  void count_rejected() { ++figures_.connections_rejected; }

  [[nodiscard]] engine::Keyspace& keyspace() { return keyspace_; }
  [[nodiscard]] commands::Dispatcher& dispatcher() { return dispatcher_; }
  [[nodiscard]] Clients& clients() { return clients_; }
  [[nodiscard]] const commands::Settings& settings() const { return config_.settings(); }
  [[nodiscard]] const ServerSettings& server_settings() const { return config_.server(); }
  [[nodiscard]] Log& log() { return log_; }
  [[nodiscard]] const base::Clock& clock() const { return clock_; }
  // Monotonic time of the current run; read once a run.
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  [[nodiscard]] bool is_stopping() const { return stopping_; }

  // --- for sessions
  void begin_run(Session& session);
  void end_run(Session& session);
  // Nothing new begins once the process is to end: what waits in line may run for ever.
  [[nodiscard]] bool holds_everyone(Session& session);
  [[nodiscard]] bool holds(Session& session, std::span<const std::string_view> args) {
    return clients_.holds(session, args);
  }
  void make_dirty(Session& session) { clients_.make_dirty(session); }
  void make_ready(Session& session) { clients_.make_ready(session); }
  void bury(Session& session) { clients_.bury(session); }
  void watch_soft_limit() { clients_.watch_soft_limit(); }
  void count_input(std::size_t bytes);
  void count_output(std::size_t bytes);
  void count_query_buffer_limit() { ++figures_.query_buffer_limit_disconnections; }
  void count_output_buffer_limit() { ++figures_.output_buffer_limit_disconnections; }

  // --- ProcessControl
  commands::ProcessFigures figures() override;
  void reset_figures() override;
  void shutdown(commands::ShutdownMode mode) override;
  void serve_others() override;

  // --- CommitProgress
  void committed(engine::Position position) override;
  void read_ready(engine::ReadTicket ticket) override;
  void role_changed(engine::Role role) override;
  void tail_void(engine::Position last_committed) override;
  void health_changed(engine::LogHealth health, std::string_view reason) override;

 private:
  void apply_limits();
  [[nodiscard]] RateMeter::Counts counts();
  void note_expiry(std::int64_t us, bool is_cut);

  Config& config_;
  Log& log_;
  const base::Clock& clock_;
  engine::CommitLog& commit_log_;
  engine::Keyspace keyspace_;
  engine::ChannelRegistry channels_;
  commands::Notifier notifier_;
  Clients clients_;
  AclFileOnDisk acl_file_;
  commands::ServerControl control_;
  commands::Dispatcher dispatcher_;
  commands::ProcessFigures figures_;
  RateMeter rates_;
  Background* background_ = nullptr;
  engine::Intake intake_ = engine::Intake::everything;
  std::function<void()> serve_others_;
  std::function<void(commands::ShutdownMode)> stop_;
  std::string executable_;
  int port_ = 0;
  std::int64_t started_at_us_;
  std::int64_t now_us_;
  Condition appended_;  // what the newest turn waits for
  Condition reached_;   // what is durable and readable
  bool stopping_ = false;
};

}  // namespace server
