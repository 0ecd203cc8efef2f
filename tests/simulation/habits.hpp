// What simulated clients do: each looks at what it holds and draws its next calls.
#pragma once

#include "tests/simulation/random.hpp"
#include "tests/simulation/scripts.hpp"
#include "tests/simulation/service.hpp"

#include <cstdint>
#include <string>

namespace simulation {

class Habits {
 public:
  // Both outlive it.
  Habits(Service& service, Random& random) : service_(service), random_(random) {}

  // A connected client that does not wait for anything asks for something.
  void act(Client& client);

 private:
  void string_lock(Client& client);
  void hash_lock(Client& client);
  void acquire(Client& client, const std::string& lock);
  void work(Client& client, const std::string& lock, Owners::Holding& holding);
  void renew(Client& client, const std::string& lock, const Owners::Holding& holding);
  void ask_token(Client& client, const std::string& lock, const Owners::Holding& holding);
  void transact(Client& client);
  void wait(Client& client);
  void listen(Client& client);
  void flush_all(Client& client);
  [[nodiscard]] std::vector<Call> some_calls();
  [[nodiscard]] Call some_call();
  [[nodiscard]] Call call_on_string();
  [[nodiscard]] Call call_on_collection();
  void granted(Client& client, const std::string& lock, Owners::Holding holding);

  [[nodiscard]] std::string name(const char* kind, std::uint64_t count) {
    return kind + std::to_string(random_.below(count));
  }
  [[nodiscard]] std::string cargo();
  [[nodiscard]] std::int64_t ttl_ms();
  [[nodiscard]] Named named() { return random_.one_in(2) ? Named::by_sha1 : Named::by_text; }

  Service& service_;
  Random& random_;
  std::uint64_t count_ = 0;  // makes owners and values distinct
};

}  // namespace simulation
