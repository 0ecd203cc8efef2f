// The sessions of a core: who there is, who has output, who waits for a turn, who is held by CLIENT
// PAUSE, who has ended. Owned by Core.
#pragma once

#include "commands/server_control.hpp"
#include "server/session.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

class Core;

class Clients final : public commands::ClientRegistry {
 public:
  explicit Clients(Core& core) : core_(core) {}

  Session& open(Transport* transport);
  [[nodiscard]] std::size_t size() const { return sessions_.size(); }
  [[nodiscard]] std::size_t blocked() const;

  // --- ClientRegistry
  void for_each(base::FunctionRef<void(commands::ClientState&)> visit) override;
  commands::ClientState* find(std::int64_t id) override;
  void close(commands::ClientState& client) override;
  void unblock(commands::ClientState& client, commands::UnblockReason reason) override;
  void answer_blocked_call(commands::ClientState& client, Answer answer) override;
  void pause(commands::PauseMode mode, std::int64_t until_us) override;

  // --- lists
  void make_dirty(Session& session);
  void make_ready(Session& session);
  void bury(Session& session) { buried_.push_back(&session); }
  // Its call is held, until a time perhaps; it no longer is.
  void note_blocked(Session& session);
  void forget_blocked(Session& session);
  void watch_soft_limit() { soft_limits_watched_ = true; }
  [[nodiscard]] bool has_ready() const { return !ready_.empty(); }
  void run_ready();
  // Seals what was said since the last turn and lets transports flush.
  void flush_dirty(const Condition& condition, const Condition& reached);
  // Around a round of I/O within a call: what was said before it waits for the end of the turn.
  void set_dirty_aside();
  void take_dirty_back();
  void release_held(const Condition& reached);
  void forget_ended();
  void end_all();
  // Ends the sessions whose output waits for a commit.
  void abort_waiting();
  void set_request_limits(const protocol::RequestLimits& limits);

  // --- CLIENT PAUSE. True: the session is held until the pause ends.
  [[nodiscard]] bool holds_everyone(Session& session) {
    return pause_mode_ == commands::PauseMode::all && hold(session);
  }
  [[nodiscard]] bool holds(Session& session, std::span<const std::string_view> args);

  // --- time
  void check_time(std::int64_t now_us);
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const;

 private:
  bool hold(Session& session);
  void end_pause();
  void check_blocked(std::int64_t now_us);
  void check_idle(std::int64_t now_us);
  [[nodiscard]] bool wants_sweeps() const;
  [[nodiscard]] Session* session(std::int64_t id);

  Core& core_;
  std::map<std::int64_t, std::unique_ptr<Session>> sessions_;  // by id: in order of connection
  std::vector<Session*> dirty_;
  std::vector<Session*> dirty_aside_;
  std::vector<Session*> held_;  // have output that waits for a commit
  std::vector<Session*> buried_;
  std::vector<std::int64_t> ready_;   // ids: a slow script's rounds may end any of them
  std::vector<std::int64_t> paused_;  // ids, in order
  std::set<std::pair<std::int64_t, std::int64_t>> timeouts_;  // of held calls: when, whose (id)
  commands::PauseMode pause_mode_ = commands::PauseMode::none;
  std::int64_t pause_until_us_ = 0;
  std::int64_t next_sweep_us_ = 0;  // of idle clients and soft limits
  protocol::RequestLimits request_limits_;
  std::int64_t next_id_ = 1;
  bool soft_limits_watched_ = false;
};

}  // namespace server
