#include "tests/simulation/habits.hpp"

#include <utility>
#include <vector>

namespace simulation {
namespace {

bool is_refusal(const std::string& reply) {
  return reply.find("MISCONF ") != std::string::npos;
}

bool is_positive(const std::string& reply) {
  return reply == "+OK\r\n" || (reply.front() == ':' && reply[1] != '-' && reply[1] != '0');
}

}  // namespace

std::string Habits::cargo() {
  constexpr std::uint64_t sizes[] = {1, 8, 60, 700};
  return std::to_string(++count_) + std::string(random_.one_of(sizes), '.');
}

std::int64_t Habits::ttl_ms() {
  constexpr std::int64_t times[] = {5, 40, 300, 2'000, 30'000};
  return random_.one_of(times) + random_.between(0, 4);
}

void Habits::act(Client& client) {
  switch (random_.below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return string_lock(client);
    case 4:
    case 5:
      return hash_lock(client);
    case 6:
    case 7:
      return transact(client);
    case 8:
      return service_.say(client,
                          {scripts::transfer(named(), name("acct:", 2) + ":", random_.between(1, 9),
                                             std::to_string(++count_))});
    case 9:
      return wait(client);
    case 10:
      return listen(client);
    case 11:
      if (random_.one_in(20)) return flush_all(client);
      if (random_.one_in(20)) return service_.say(client, {scripts::flush()});
      if (random_.one_in(3)) return service_.ask_for_snapshot(client);
      [[fallthrough]];
    default:
      return service_.say(client, some_calls());
  }
}

// --- locks

void Habits::granted(Client& client, const std::string& lock, Owners::Holding holding) {
  const auto other = service_.owners.grant(lock, std::move(holding), service_.lease_ms());
  if (!other) return;
  service_.verdict().fail(lock + " is granted to " + client.name() + " while c" +
                          std::to_string(*other) + " holds it");
}

void Habits::acquire(Client& client, const std::string& lock) {
  const bool is_hash = lock.front() == 'h';
  const std::int64_t ttl = ttl_ms();
  Owners::Holding holding{.client = client.number(),
                          .owner = client.name() + (is_hash ? "" : "-" + std::to_string(++count_)),
                          .deadline_ms = service_.lease_ms() + ttl};
  const Call call = is_hash ? scripts::enter(named(), lock, holding.owner, ttl)
                            : calls::set_nx_px(lock, holding.owner, ttl);
  const std::size_t changes = service_.model.changes() + 1;
  holding.asked = service_.owners.end(lock, client.number());
  service_.say(client, {call}, [=, this, &client](const std::string& reply) mutable {
    holding.changes = changes;
    if (is_positive(reply)) granted(client, lock, std::move(holding));
  });
}

void Habits::string_lock(Client& client) {
  const std::string lock = name("lock:", 3);
  Owners::Holding* const holding = service_.owners.of(lock, client.number(), service_.lease_ms());
  if (holding == nullptr) return acquire(client, lock);
  work(client, lock, *holding);
}

void Habits::hash_lock(Client& client) {
  const std::string lock = name("hlock:", 2);
  Owners::Holding* const holding = service_.owners.of(lock, client.number(), service_.lease_ms());
  if (holding == nullptr || random_.one_in(4)) return acquire(client, lock);
  work(client, lock, *holding);
}

// What an owner does: it believes to be one, so that the server must agree.
void Habits::work(Client& client, const std::string& lock, Owners::Holding& holding) {
  const auto must_be_mine = [this, lock, name = client.name()](const std::string& reply) {
    if (!is_positive(reply) && !is_refusal(reply))
      service_.verdict().fail(name + " has lost " + lock + " too early");
  };
  switch (random_.below(5)) {
    case 0:
      return renew(client, lock, holding);
    case 1:
      return ask_token(client, lock, holding);
    case 2:
      if (holding.token != 0) {
        return service_.say(client, {calls::fence_check("res:" + lock, holding.token)});
      }
      [[fallthrough]];
    case 3:
      return service_.say(client, {calls::exists(lock)}, must_be_mine);
    default:
      break;
  }
  const std::string owner = holding.owner;
  service_.owners.end(lock, client.number());
  if (lock.front() == 'h') {
    // A refused script publishes nothing.
    if (!service_.is_healthy() || random_.one_in(2)) {
      return service_.say(client, {scripts::leave(named(), lock, owner)});
    }
    const std::string channel = name("channel:", 2);
    const auto tell = [this, channel](const std::string& text) {
      return service_.deliver(channel, text);
    };
    return service_.say(client, {scripts::leave_and_tell(named(), lock, owner, channel, tell)});
  }
  service_.say(client, {scripts::release(named(), lock, owner)});
}

void Habits::renew(Client& client, const std::string& lock, const Owners::Holding& holding) {
  if (lock.front() == 'h') return acquire(client, lock);
  const std::int64_t ttl = ttl_ms();
  Owners::Holding renewed = holding;
  renewed.deadline_ms = service_.lease_ms() + ttl;
  renewed.changes = service_.model.changes() + 1;
  renewed.asked = service_.owners.end(lock, client.number());
  service_.say(client, {scripts::renew(named(), lock, renewed.owner, ttl)},
               [=, this, &client](const std::string& reply) {
                 if (is_positive(reply)) granted(client, lock, renewed);
               });
}

void Habits::ask_token(Client& client, const std::string& lock, const Owners::Holding& holding) {
  service_.say(
      client, {calls::fence_token(lock, holding.owner)},
      [this, lock, owner = holding.owner, number = client.number()](const std::string& reply) {
        Owners::Holding* const mine = service_.owners.of(lock, number, service_.lease_ms());
        if (mine == nullptr || mine->owner != owner) return;
        if (!is_positive(reply)) {
          return service_.verdict().fail("the owner of " + lock + " gets no token");
        }
        mine->token = std::stoull(reply.substr(1));
      });
}

// --- the rest

void Habits::transact(Client& client) {
  const std::string prefix = name("acct:", 2) + ":";
  const std::int64_t amount = random_.between(1, 9);
  std::vector<Call> queued{calls::increment(prefix + "from", -amount),
                           calls::increment(prefix + "to", amount)};
  if (random_.one_in(2)) queued.push_back(some_call());
  service_.say(client, calls::transaction(std::move(queued)));
}

void Habits::wait(Client& client) {
  constexpr std::int64_t timeouts_ms[] = {3, 50, 1'000};
  if (!service_.is_healthy()) return;
  if (random_.one_in(2)) {
    service_.say(client, {calls::push_right(name("queue:", 2), cargo())});
  } else {
    service_.wait_for(client, name("queue:", 2), random_.one_of(timeouts_ms));
  }
}

void Habits::listen(Client& client) {
  const std::string channel = name("channel:", 2);
  if (client.version() == Resp::two || random_.one_in(2)) {
    return service_.publish(client, channel, cargo());
  }
  if (client.channels.empty()) return service_.subscribe(client, channel);
  if (!client.tracks) service_.track(client);
}

void Habits::flush_all(Client& client) {
  service_.owners.end_all(service_.model.changes());
  service_.say(client, {calls::flush_all()});
}

std::vector<Call> Habits::some_calls() {
  std::vector<Call> calls;
  for (std::uint64_t count = 1 + random_.below(3); count > 0; --count) {
    calls.push_back(some_call());
  }
  return calls;
}

Call Habits::some_call() {
  return random_.one_in(2) ? call_on_string() : call_on_collection();
}

Call Habits::call_on_string() {
  const std::string key = name("rec:", 4);
  switch (random_.below(9)) {
    case 0:
    case 1:
      return calls::set(key, cargo(), random_.one_in(2) ? 0 : ttl_ms());
    case 2:
      return calls::get(key);
    case 3:
      return calls::increment(name("cnt:", 2), 1);
    case 4:
      return calls::pexpire(key, ttl_ms());
    case 5:
      return random_.one_in(2) ? calls::persist(key) : calls::pttl(key);
    case 6:
      return random_.one_in(2) ? calls::rename(key, key + "b") : calls::copy(key, key + "b");
    case 7:
      return calls::del(random_.one_in(2) ? key : key + "b");
    default:
      return calls::get(name("cnt:", 2));
  }
}

Call Habits::call_on_collection() {
  const std::string item = name("m", 6);
  switch (random_.below(11)) {
    case 0:
      return calls::push_right(name("list:", 2), cargo());
    case 1:
      return calls::pop_left(name("list:", 2));
    case 2:
      return calls::list_range(name("list:", 2));
    case 3:
      return calls::hash_set(name("hash:", 2), item, cargo());
    case 4:
      return calls::hash_delete(name("hash:", 2), item);
    case 5:
      return calls::hash_get(name("hash:", 2), item);
    case 6:
      return calls::set_add(name("set:", 2), item);
    case 7:
      return random_.one_in(2) ? calls::set_remove(name("set:", 2), item)
                               : calls::set_count(name("set:", 2));
    case 8:
      return calls::add_score(name("zset:", 2), item, random_.between(0, 20));
    case 9:
      return calls::sorted_range(name("zset:", 2));
    default:
      return calls::del(name("zset:", 2));
  }
}

}  // namespace simulation
