// The server on its machine, its clients, and the model of what they did: everything that happens
// in a simulation happens through here and is checked here.
#pragma once

#include "tests/simulation/calls.hpp"
#include "tests/simulation/client.hpp"
#include "tests/simulation/model.hpp"
#include "tests/simulation/owners.hpp"
#include "tests/simulation/promises.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/server_process.hpp"
#include "tests/simulation/simulated_machine.hpp"
#include "tests/simulation/tally.hpp"
#include "tests/simulation/verdict.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simulation {

class Service {
 public:
  // All outlive it.
  Service(Random& random, Verdict& verdict);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // --- lives of the server
  // A process starts on what the disk holds; what it brings back is checked. False: it refused to,
  // or was killed meanwhile.
  bool start(const ProcessOptions& options);
  [[nodiscard]] bool is_up() const { return process_ != nullptr; }
  // It has been killed (by the disk, see MemoryFileSystem), or has given up.
  [[nodiscard]] bool is_ending() const;
  // kill -9, or what is left to do when is_ending().
  void kill();
  // SIGTERM.
  void stop();
  // Only the machine: no process is up.
  void crash_machine(std::int64_t down_us, std::int64_t wall_step_us);

  // --- while it is up
  Client& new_client(Resp version);
  [[nodiscard]] std::vector<std::unique_ptr<Client>>& clients() { return clients_; }
  void connect(Client& client);
  void hang_up(Client& client);
  // Sends the calls at once; they are executed before this returns, unless one waits. `then` is
  // called when the last one is answered.
  void say(Client& client, const std::vector<Call>& calls, const Answer::Then& then = nullptr);
  // BLPOP.
  void wait_for(Client& client, const std::string& list, std::int64_t timeout_ms);
  void subscribe(Client& client, const std::string& channel);
  void publish(Client& client, const std::string& channel, const std::string& text);
  // A call publishes: how many clients the message shall reach, from now on.
  int deliver(const std::string& channel, const std::string& text);
  // BGREWRITEAOF.
  void ask_for_snapshot(Client& client);
  void monitor(Client& client);
  void track(Client& client);
  // A round of I/O is over.
  void finish();
  // Time passes, and what it makes due happens.
  void pass(std::int64_t us);

  // Whatever is wrong with the disk is over. Everything is taken again before long, and everybody
  // who does not wait for a key is answered.
  void convalesce();
  [[nodiscard]] Tally tally() const;

  SimulatedMachine machine;
  Model model;
  Owners owners;

  [[nodiscard]] std::int64_t lease_ms() { return machine.clock().lease_ms(); }
  [[nodiscard]] Verdict& verdict() { return verdict_; }
  [[nodiscard]] engine::Position newest() const { return model.newest(); }
  // Whether the journal takes everything.
  [[nodiscard]] bool is_healthy() { return process_->figures().health == engine::LogHealth::good; }

 private:
  struct Waiter {
    Client* client;
    std::string list;
    std::int64_t until_us;
    std::shared_ptr<Answer> answer;
  };

  void run(Client& client, const Call& call, const Answer::Then& then);
  bool adopt_outcome();
  void feed(Client& client, const std::string& bytes);
  void serve_waiters();
  void time_out_waiters();
  void learn_tokens();
  // The last one handed out up to there; 0: none.
  [[nodiscard]] std::uint64_t token_at(engine::Position position) const;
  void turn_ended();
  void note_expired();
  void end_process();
  void count_turn(const commands::JournalFigures& figures);
  void check_refusal(const std::string& reason);
  void check_recovered(engine::Position position);
  void check_lease_time(engine::Position position);
  [[nodiscard]] bool is_lease_expected(const Moment& moment);
  void tell_lease(const Moment& moment);
  [[nodiscard]] Moment now();
  void tell(const std::string& text);

  Random& random_;
  Verdict& verdict_;
  Tally tally_;
  Promises promises_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::unique_ptr<ServerProcess> process_;
  std::deque<Waiter> waiters_;
  std::uint64_t last_token_ = 0;
  std::uint64_t seen_token_ = 0;                      // not above it: clients may know it
  std::map<engine::Position, std::uint64_t> tokens_;  // the last one, by position
  engine::LogHealth last_health_ = engine::LogHealth::good;
  bool is_serving_ = false;            // the process has started
  std::size_t failures_at_start_ = 0;  // of the disk
  // Turns and attempts to start since the last one that succeeded: when heads of files were
  // written.
  std::vector<Moment> heads_;
  int attempts_ = 0;                     // to start, since one succeeded
  std::optional<Moment> lease_of_boot_;  // of a process that served on this boot
};

}  // namespace simulation
