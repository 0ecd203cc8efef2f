// Random changes of a keyspace through everything that makes a mutation: all types, few names, so
// that they meet. Some names are long, some values large.
#pragma once

#include "engine/keyspace.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace test {

class RandomChanges {
 public:
  explicit RandomChanges(std::mt19937_64& random) : random_(random) {}

  // One change, or none when it does not fit what is there. In an open frame.
  void one(engine::Keyspace& keyspace);

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  [[nodiscard]] std::string key();
  [[nodiscard]] std::string text();
  [[nodiscard]] std::int64_t deadline(const engine::Keyspace& keyspace);
  void string(engine::Database& database, const std::string& key, std::int64_t deadline_ms);
  void hash(engine::Database& database, const std::string& key);
  void list(engine::Database& database, const std::string& key);
  void set(engine::Database& database, const std::string& key);
  void sorted_set(engine::Database& database, const std::string& key);
  void whole_key(engine::Keyspace& keyspace, engine::Database& database, const std::string& key);

  std::mt19937_64& random_;
};

}  // namespace test
