#include "tests/simulation/service.hpp"

#include "tests/simulation/comparison.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace simulation {

Service::Service(Random& random, Verdict& verdict)
    : machine(random), random_(random), verdict_(verdict) {}

Service::~Service() {
  end_process();
}

void Service::tell(const std::string& text) {
  if (!verdict_.is_told()) return;
  verdict_.tell(std::to_string(machine.time.true_us) + " us: " + text);
}

Moment Service::now() {
  return {.lease_ms = machine.clock().lease_ms(),
          .wall_us = machine.time.wall_us(),
          .true_us = machine.time.true_us};
}

// --- lives of the server

bool Service::start(const ProcessOptions& options) {
  for (const std::string& name : machine.disk.names()) {
    tell("on the disk: " + name + ", " + std::to_string(machine.disk.content(name).size()) +
         " bytes");
  }
  model.set_rules(options.rules);
  failures_at_start_ = machine.disk.failures();
  process_ = std::make_unique<ServerProcess>(machine, random_, options, [this] { turn_ended(); });
  const auto started = process_->start();
  const auto recovered = process_->figures().recovered_position;
  if (recovered) check_recovered(*recovered);
  if (machine.disk.is_process_dead()) {
    tell("killed while it starts");
    ++tally_.interrupted_starts;
  } else if (!started) {
    tell("refuses to start: " + started.error().reason);
    check_refusal(started.error().reason);
    ++tally_.refused_starts;
  } else if (!verdict_.has_failed()) {
    promises_.recovered(newest());
    heads_.clear();
    attempts_ = 0;
    ++tally_.starts;
    lease_of_boot_ = now();
    return is_serving_ = true;
  }
  heads_.push_back(now());
  ++attempts_;
  if (!machine.disk.is_process_dead()) end_process();
  return false;
}

void Service::check_refusal(const std::string& reason) {
  if (reason.empty()) verdict_.fail("refuses to start and does not say why");
  if (machine.disk.failures() == failures_at_start_) {
    verdict_.fail("refuses to start on a disk that works: " + reason);
  }
}

// Whether or not the rest of the start succeeds.
void Service::check_recovered(engine::Position position) {
  tell("found " + std::to_string(position) + " of " + std::to_string(newest()) + ", at least " +
       std::to_string(promises_.least()));
  if (position < promises_.least()) {
    return verdict_.fail("only " + std::to_string(position) + " batches are left; " +
                         std::to_string(promises_.least()) + " were promised");
  }
  if (position > newest()) return verdict_.fail("more batches are there than were written");
  check_lease_time(position);
  tally_.lost_batches += newest() - position;
  last_token_ = std::max(seen_token_, token_at(position));
  tokens_.erase(tokens_.upper_bound(position), tokens_.end());
  model.roll_back(position);
  owners.forget_behind(model.changes());
  process_->core().keyspace().validate();
  if (auto wrong = difference(process_->core().keyspace(), model, lease_ms())) {
    return verdict_.fail("behind " + std::to_string(position) + " batches: " + *wrong);
  }
  model.note_start(position + 1, now());
}

// Within one boot of the machine lease time goes on as if nothing had been; else from the newest
// record, by what the wall clock says has passed.
void Service::check_lease_time(engine::Position position) {
  if (lease_of_boot_) {
    const std::int64_t passed_us = machine.time.true_us - lease_of_boot_->true_us;
    const std::int64_t expected_ms = lease_of_boot_->lease_ms + passed_us / 1000;
    // The head of a file has whole milliseconds: each start may lose a part of one.
    if (std::abs(lease_ms() - expected_ms) <= 1 + attempts_) return;
    return verdict_.fail("lease time is " + std::to_string(lease_ms()) + ", not " +
                         std::to_string(expected_ms) + " as the same boot has it");
  }
  if (position == 0 && heads_.empty()) return;
  for (const Mark& mark : model.marks()) {
    if (mark.position >= position && is_lease_expected(mark.moment)) return;
  }
  if (std::ranges::any_of(heads_, [&](const Moment& head) { return is_lease_expected(head); })) {
    return;
  }
  for (const Mark& mark : model.marks()) {
    if (mark.position >= position) tell_lease(mark.moment);
  }
  for (const Moment& head : heads_) tell_lease(head);
  verdict_.fail("lease time " + std::to_string(lease_ms()) + " does not go on from any record");
}

void Service::tell_lease(const Moment& moment) {
  tell("a record of " + std::to_string(moment.true_us) + " us has lease " +
       std::to_string(moment.lease_ms) + ", wall " + std::to_string(moment.wall_us));
}

bool Service::is_lease_expected(const Moment& moment) {
  const std::int64_t passed_us = std::max<std::int64_t>(machine.time.wall_us() - moment.wall_us, 0);
  return std::abs(lease_ms() - (moment.lease_ms + passed_us / 1000)) <= 1 + attempts_;
}

bool Service::is_ending() const {
  return machine.disk.is_process_dead() || (process_ && process_->wants_to_stop());
}

void Service::kill() {
  if (!process_) return;
  if (process_->wants_to_stop() && !machine.disk.is_process_dead()) process_->stop();
  tell("killed");
  ++tally_.kills;
  end_process();
}

void Service::stop() {
  tell("stops");
  process_->stop();
  const bool was_healthy = machine.disk.failures() == failures_at_start_;
  if (was_healthy && !machine.disk.is_process_dead()) promises_.ended_in_order(newest());
  end_process();
}

void Service::end_process() {
  if (!process_) return;
  tally_.snapshots += process_->figures().saves;
  last_health_ = engine::LogHealth::good;
  const bool was_healthy = machine.disk.failures() == failures_at_start_;
  if (std::exchange(is_serving_, false)) {
    seen_token_ = std::max(seen_token_, token_at(promises_.seen()));
    promises_.process_ended(model, machine.time.true_us,
                            was_healthy ? DiskWas::healthy : DiskWas::ill);
  }
  waiters_.clear();
  for (const auto& client : clients_) client->go_deaf();
  process_.reset();
  machine.disk.revive();
}

void Service::crash_machine(std::int64_t down_us, std::int64_t wall_step_us) {
  tell("the machine crashes, is down for " + std::to_string(down_us) + " us, its clock is set by " +
       std::to_string(wall_step_us));
  machine.crash(down_us, wall_step_us);
  ++tally_.machine_crashes;
  promises_.machine_crashed();
  lease_of_boot_.reset();
}

// --- clients

Client& Service::new_client(Resp version) {
  const int number = static_cast<int>(clients_.size());
  clients_.push_back(std::make_unique<Client>(number, version, machine.disk, promises_, verdict_));
  return *clients_.back();
}

void Service::connect(Client& client) {
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.client == &client; });
  client.connect(process_->core().open_session(&client));
  if (client.version() == Resp::two) return;
  feed(client, request({"HELLO", "3"}));
  auto answer = std::make_shared<Answer>();
  answer->text = "";
  answer->is_any = true;  // it describes the server
  client.expect(std::move(answer));
}

void Service::hang_up(Client& client) {
  tell(client.name() + " hangs up");
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.client == &client; });
  client.channels.clear();
  client.session()->hang_up();
  finish();
}

void Service::feed(Client& client, const std::string& bytes) {
  if (client.session() != nullptr) client.session()->feed(bytes);
}

void Service::say(Client& client, const std::vector<Call>& calls, const Answer::Then& then) {
  // The outcome of each is looked at while it may be refused.
  const std::size_t at_once = is_healthy() ? calls.size() : 1;
  for (std::size_t begin = 0; begin < calls.size(); begin += at_once) {
    std::string bytes;
    for (std::size_t i = begin; i < begin + at_once; ++i) {
      bytes += request(calls[i].words);
      if (verdict_.is_told()) tell(client.name() + " > " + printable(request(calls[i].words)));
    }
    feed(client, bytes);
    for (std::size_t i = begin; i < begin + at_once; ++i) {
      run(client, calls[i], i + 1 == calls.size() ? then : nullptr);
    }
    learn_tokens();
  }
}

void Service::run(Client& client, const Call& call, const Answer::Then& then) {
  ++tally_.calls;
  model.begin_call(lease_ms());
  auto answer = std::make_shared<Answer>();
  answer->text = call.effect(model, client.version());
  answer->then = then;
  answer->may_be_refused = !is_healthy();
  answer->is_refused = answer->may_be_refused && adopt_outcome();
  model.end_call();
  client.expect(std::move(answer));
  serve_waiters();
}

// What the server has made of a call that a journal in trouble may refuse. True: it is not what
// would have been without the trouble.
bool Service::adopt_outcome() {
  bool is_other = false;
  for (const std::string& name : model.touched_by_call()) {
    if (is_hidden(name)) continue;
    auto there = key_in(process_->core().keyspace(), name, lease_ms());
    const Key* const expected = model.find(name);
    // A new incarnation: its number is learnt like those of others.
    if (there && there->token != model.token_before_call(name)) there->token = 0;
    if (there ? expected != nullptr && *there == *expected : expected == nullptr) continue;
    is_other = true;
    model.adopt(name, std::move(there));
  }
  return is_other;
}

void Service::wait_for(Client& client, const std::string& list, std::int64_t timeout_ms) {
  const std::string seconds =
      std::to_string(timeout_ms / 1000) + "." + std::to_string(1000 + timeout_ms % 1000).substr(1);
  const std::string bytes = request({"BLPOP", list, seconds});
  tell(client.name() + " > " + printable(bytes));
  feed(client, bytes);
  auto answer = std::make_shared<Answer>();
  client.expect(answer);
  waiters_.push_back(
      {&client, list, machine.clock().monotonic_us() + timeout_ms * 1000, std::move(answer)});
  serve_waiters();
  learn_tokens();
}

void Service::serve_waiters() {
  std::erase_if(waiters_, [](const Waiter& waiter) { return !waiter.client->is_connected(); });
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    model.begin_call(lease_ms());
    if (model.find(waiter->list) == nullptr) {
      ++waiter;
      continue;
    }
    const std::string popped =
        calls::pop_left(waiter->list).effect(model, waiter->client->version());
    model.end_call();
    waiter->answer->text = array({bulk(waiter->list), popped});
    waiter = waiters_.erase(waiter);
  }
}

void Service::time_out_waiters() {
  const std::int64_t now_us = machine.clock().monotonic_us();
  std::erase_if(waiters_, [&](Waiter& waiter) {
    if (waiter.until_us > now_us) return false;
    waiter.answer->text = null_array(waiter.client->version());
    return true;
  });
}

void Service::subscribe(Client& client, const std::string& channel) {
  client.channels.push_back(channel);
  std::string text = push(client.version(), {bulk("subscribe"), bulk(channel), integer(1)});
  say(client, {{{"SUBSCRIBE", channel}, [text = std::move(text)](Model&, Resp) { return text; }}});
}

void Service::publish(Client& client, const std::string& channel, const std::string& text) {
  say(client, {{{"PUBLISH", channel, text},
                [=, this](Model&, Resp) { return integer(deliver(channel, text)); }}});
}

int Service::deliver(const std::string& channel, const std::string& text) {
  int receivers = 0;
  for (const auto& other : clients_) {
    if (!other->is_connected()) continue;
    if (std::ranges::find(other->channels, channel) == other->channels.end()) continue;
    ++receivers;
    other->expect_message(push(other->version(), {bulk("message"), bulk(channel), bulk(text)}));
  }
  return receivers;
}

void Service::ask_for_snapshot(Client& client) {
  tell(client.name() + " > BGREWRITEAOF");
  feed(client, request({"BGREWRITEAOF"}));
  auto answer = std::make_shared<Answer>();
  answer->text = "";
  answer->is_any = true;  // one may be under way
  client.expect(std::move(answer));
}

void Service::monitor(Client& client) {
  say(client, {{{"MONITOR"}, [](Model&, Resp) { return simple("OK"); }}});
  client.monitors = true;
}

void Service::track(Client& client) {
  client.tracks = true;
  say(client, {{{"CLIENT", "TRACKING", "ON", "BCAST"}, [](Model&, Resp) { return simple("OK"); }}});
}

// Keys that came into being have taken new numbers, above all before.
void Service::learn_tokens() {
  if (is_ending()) return;
  std::uint64_t newest = last_token_;
  for (const std::string& name : model.take_touched()) {
    const Key* const key = model.find(name);
    if (key == nullptr || is_hidden(name)) continue;
    const auto there = key_in(process_->core().keyspace(), name, lease_ms());
    if (!there) return verdict_.fail(name + " is not there");
    const std::string has = name + " has token " + std::to_string(there->token);
    if (key->token != 0 && there->token != key->token) {
      return verdict_.fail(has + ", not " + std::to_string(key->token));
    }
    if (key->token == 0 && there->token <= last_token_) {
      return verdict_.fail(has + ", not above " + std::to_string(last_token_));
    }
    model.set_token(name, there->token);
    newest = std::max(newest, there->token);
  }
  last_token_ = newest;
}

std::uint64_t Service::token_at(engine::Position position) const {
  const auto above = tokens_.upper_bound(position);
  return above == tokens_.begin() ? 0 : std::prev(above)->second;
}

// --- time

void Service::turn_ended() {
  heads_.push_back(now());
  const engine::Position before = newest();
  const commands::JournalFigures figures = process_->figures();
  note_expired();
  if (!model.end_turn(figures.position, now())) verdict_.fail("a change is in no batch");
  tokens_[newest()] = last_token_;
  count_turn(figures);
  tally_.batches += newest() - before;
  if (newest() != before) tell("batch " + std::to_string(newest()));
  // While nothing is written, what shows a state that asked for no sync does not wait for it.
  const bool shows_lax_state = newest() == before && figures.health == engine::LogHealth::failed;
  const engine::Position shown = shows_lax_state ? model.newest_always() : newest();
  for (const auto& client : clients_) client->note_turn(shown);
}

// What has expired must never come back.
void Service::note_expired() {
  for (const std::string& name : process_->take_expired()) {
    if (model.expire(name, lease_ms())) ++tally_.expired;
  }
}

void Service::count_turn(const commands::JournalFigures& figures) {
  using engine::LogHealth;
  if (figures.health == LogHealth::full) ++tally_.full_turns;
  if (figures.health == LogHealth::failed) ++tally_.failed_turns;
  if (figures.health == LogHealth::good && last_health_ == LogHealth::failed) {
    ++tally_.recoveries;
  }
  last_health_ = figures.health;
}

Tally Service::tally() const {
  Tally tally = tally_;
  tally.grants = owners.grants();
  for (const auto& client : clients_) {
    tally.refusals += client->refusals();
    tally.pushes += client->pushes();
  }
  return tally;
}

void Service::convalesce() {
  machine.disk.heal();
  constexpr std::int64_t long_us = 70'000'000;
  pass(long_us);
  if (is_ending() || verdict_.has_failed()) return;
  if (!is_healthy()) return verdict_.fail("the journal does not recover on a disk that works");
  for (const auto& client : clients_) {
    if (!client->is_connected()) continue;
    client->read_slowly(0);
    client->flush();
    if (client->unanswered() != 0 && !client->waits()) {
      return verdict_.fail(client->name() + " waits for an answer for ever");
    }
  }
}

void Service::finish() {
  process_->finish();
}

void Service::pass(std::int64_t us) {
  const std::int64_t end_us = machine.time.true_us + us;
  constexpr int steps_max = 100'000;
  for (int step = 0; step < steps_max; ++step) {
    if (is_ending() || verdict_.has_failed()) return;
    const auto due_us = process_->next_due_us();
    std::int64_t next_us = end_us;
    if (due_us)
      next_us = std::clamp(*due_us + machine.time.booted_us, machine.time.true_us, end_us);
    machine.time.true_us = next_us;
    const bool is_due = due_us && *due_us <= machine.clock().boottime_us();
    if (is_due) {
      time_out_waiters();
      process_->run_due();
    }
    if (next_us == end_us && !is_due) return;
  }
  verdict_.fail("there is always something due");
}

}  // namespace simulation
