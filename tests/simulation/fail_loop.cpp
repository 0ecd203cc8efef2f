#include "tests/simulation/fail_loop.hpp"

#include "tests/simulation/last_words.hpp"
#include "tests/simulation/scripts.hpp"
#include "tests/simulation/service.hpp"

#include <string>
#include <system_error>
#include <vector>

namespace simulation {
namespace {

constexpr std::int64_t ms = 1'000;
constexpr std::int64_t second = 1'000'000;

enum class Fault : std::uint8_t {
  io_error_once,
  io_error_from_there_on,
  no_room_once,
  no_room_from_there_on,
  killed,    // the process
  no_power,  // the process, and the machine
};
constexpr Fault faults[] = {Fault::io_error_once, Fault::io_error_from_there_on,
                            Fault::no_room_once,  Fault::no_room_from_there_on,
                            Fault::killed,        Fault::no_power};

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::io_error_once:
      return "fails once with EIO";
    case Fault::io_error_from_there_on:
      return "and all behind it fail with EIO";
    case Fault::no_room_once:
      return "fails once with ENOSPC";
    case Fault::no_room_from_there_on:
      return "and all behind it fail with ENOSPC";
    case Fault::killed:
      return "is the last of the process";
    case Fault::no_power:
      return "is the last before the power fails";
  }
  return "";
}

struct Plan {
  const char* name;
  ProcessOptions options;
};

std::vector<Plan> plans() {
  ProcessOptions always{.rules = {engine::SyncPolicy::always, {}}, .segment_bytes = 700};
  ProcessOptions everysec{
      .rules = {engine::SyncPolicy::everysec, {}}, .segment_bytes = 1'500, .reserve_bytes = 3'000};
  ProcessOptions mixed{.rules = {engine::SyncPolicy::no, {{"lock:", engine::SyncPolicy::always}}},
                       .segment_bytes = 700,
                       .reserve_bytes = 3'000,
                       .token_block = 8};
  return {{"always", always}, {"everysec", everysec}, {"no, locks always", mixed}};
}

class Scenario {
 public:
  Scenario(const Plan& plan, Fault fault, std::size_t call, Verdict& verdict)
      : plan_(plan), fault_(fault), verdict_(verdict), service_(random_, verdict) {
    for (const Resp version : {Resp::two, Resp::two, Resp::three}) service_.new_client(version);
    service_.machine.disk.count_reads(true);
    arm(call);
  }

  void run() {
    if (start()) live();
    if (service_.is_up() && !service_.is_ending() && !verdict_.has_failed()) service_.stop();
    service_.kill();
    service_.machine.time.true_us += second;
    if (!is_fault_over() && start()) live();
    look_back();
  }
  // Whether the scenario ended before the call that was to go wrong.
  [[nodiscard]] bool is_untouched() const { return !was_killed_ && !has_failed(); }

 private:
  void arm(std::size_t call) {
    test::MemoryFileSystem& disk = service_.machine.disk;
    switch (fault_) {
      case Fault::io_error_once:
        return disk.fail_at(call, std::errc::io_error);
      case Fault::io_error_from_there_on:
        return disk.fail_from(call, std::errc::io_error);
      case Fault::no_room_once:
        return disk.fail_at(call, std::errc::no_space_on_device);
      case Fault::no_room_from_there_on:
        return disk.fail_from(call, std::errc::no_space_on_device);
      case Fault::killed:
      case Fault::no_power:
        return disk.end_process_at(call);
    }
  }

  [[nodiscard]] bool has_failed() const { return service_.machine.disk.has_failed(); }
  // A disk that fails from some call on has failed enough when it was seen by one process.
  [[nodiscard]] bool is_fault_over() const { return was_killed_ || has_failed(); }

  bool start() {
    const bool is_up = service_.start(plan_.options);
    was_killed_ = was_killed_ || service_.machine.disk.is_process_dead();
    return is_up;
  }

  bool goes_on() {
    was_killed_ = was_killed_ || service_.machine.disk.is_process_dead();
    return service_.is_up() && !service_.is_ending() && !verdict_.has_failed();
  }

  void say(std::size_t number, const std::vector<Call>& calls) {
    if (!goes_on()) return;
    Client& client = *service_.clients()[number];
    if (!client.is_connected()) service_.connect(client);
    service_.say(client, calls);
    service_.finish();
    if (goes_on()) service_.pass(2 * ms);
  }

  void write_everything() {
    say(0, {calls::set_nx_px("lock:a", "owner-a", 30'000)});
    say(1,
        {calls::set_nx_px("lock:a", "owner-b", 30'000), calls::fence_token("lock:a", "owner-a")});
    say(1, {scripts::enter(Named::by_text, "hlock:a", "owner-b", 40)});
    say(0, {scripts::renew(Named::by_text, "lock:a", "owner-a", 60'000)});
    say(1, calls::transaction({calls::increment("cnt:a", 5),
                               calls::push_right("list:a", std::string(200, 'x')),
                               calls::add_score("zset:a", "m", 3), calls::set_add("set:a", "m")}));
    say(0, {scripts::transfer(Named::by_text, "acct:", 7, "note"),
            scripts::transfer(Named::by_sha1, "acct:", 2, "another")});
    if (goes_on()) service_.pass(50 * ms);  // the hash lock runs out
    say(1, {calls::set("rec:a", std::string(300, 'y'), 0), calls::pexpire("rec:a", 90'000),
            calls::rename("rec:a", "rec:b"), calls::copy("rec:b", "rec:c")});
    say(0, {calls::hash_set("hash:a", "f", "v"), calls::hash_delete("hash:a", "g"),
            calls::pop_left("list:a"), calls::fence_check("res:a", 12)});
    say(1, {scripts::release(Named::by_text, "lock:a", "owner-a"), calls::del("rec:c"),
            calls::persist("rec:b")});
  }

  void listen() {
    if (!goes_on()) return;
    Client& listener = *service_.clients()[2];
    if (!listener.is_connected()) service_.connect(listener);
    service_.subscribe(listener, "channel:a");
    service_.track(listener);
    service_.finish();
    if (!goes_on()) return;
    service_.publish(listener, "channel:a", "hello");
    service_.finish();
  }

  void take_snapshot() {
    if (!goes_on()) return;
    Client& client = *service_.clients()[0];
    if (!client.is_connected()) service_.connect(client);
    service_.ask_for_snapshot(client);
    service_.finish();
    if (goes_on()) service_.pass(5 * ms);
  }

  void live() {
    listen();
    write_everything();
    take_snapshot();
    write_everything();
    if (goes_on()) service_.pass(second);
    if (goes_on() && has_failed()) service_.convalesce();
    write_everything();
  }

  // On a disk that works, behind whatever has become of the machine.
  void look_back() {
    test::MemoryFileSystem& disk = service_.machine.disk;
    disk.heal();
    disk.count_reads(false);
    if (fault_ != Fault::killed) service_.crash_machine(second, 0);
    if (verdict_.has_failed() || !service_.start(plan_.options)) return;
    write_everything();
    if (goes_on()) service_.convalesce();
    if (goes_on()) service_.stop();
  }

  const Plan& plan_;
  Fault fault_;
  Verdict& verdict_;
  Random random_{1};
  Service service_;
  bool was_killed_ = false;
};

// Until the scenario passes untouched.
std::size_t run_with(const Plan& plan, Fault fault, Verdict& verdict) {
  for (std::size_t call = 0;; ++call) {
    const std::string place =
        std::string(plan.name) + ": call " + std::to_string(call) + " " + name_of(fault);
    set_last_words(place);
    verdict.tell("--- " + place);
    Scenario scenario(plan, fault, call, verdict);
    scenario.run();
    if (verdict.has_failed()) verdict.name_place(place);
    if (verdict.has_failed() || scenario.is_untouched()) return call + 1;
  }
}

}  // namespace

std::size_t run_fail_loop(Verdict& verdict) {
  std::size_t runs = 0;
  for (const Plan& plan : plans()) {
    for (const Fault fault : faults) {
      if (!verdict.has_failed()) runs += run_with(plan, fault, verdict);
    }
  }
  return runs;
}

}  // namespace simulation
