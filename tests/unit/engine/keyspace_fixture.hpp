// A keyspace with a clock that moves only when told to, and one frame per change.
#pragma once

#include "base/clock.hpp"
#include "engine/keyspace.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class KeyspaceTest : public ::testing::Test, public engine::KeyEvents {
 protected:
  static constexpr std::int64_t budget_us = 10'000'000;

  KeyspaceTest() { keyspace.set_events(this); }
  ~KeyspaceTest() override { keyspace.validate(); }

  void key_expired(int database, std::string_view key) override {
    events.push_back("expired " + std::to_string(database) + " " + std::string(key));
  }
  void key_created(int database, std::string_view key) override {
    events.push_back("created " + std::to_string(database) + " " + std::string(key));
  }

  // Runs `change` as one frame at the clock's time.
  template <typename Change>
  auto frame(Change change) {
    keyspace.begin_frame(clock.lease_ms());
    struct End {
      engine::Keyspace& keyspace;
      ~End() { keyspace.end_frame(); }
    } end{keyspace};
    return change();
  }

  engine::Database& db(int index = 0) { return keyspace.database(index); }
  void set(std::string_view key, std::string_view value,
           std::int64_t deadline_ms = engine::no_deadline) {
    ASSERT_TRUE(frame([&] { return db().set_string(key, value, deadline_ms); }).has_value());
  }
  std::size_t hset(std::string_view key, std::initializer_list<engine::FieldValue> fields) {
    return frame([&] { return db().hash_set(key, {fields.begin(), fields.size()}); }).value();
  }
  std::size_t hdel(std::string_view key, std::initializer_list<std::string_view> fields) {
    return frame([&] { return db().hash_remove(key, {fields.begin(), fields.size()}); }).value();
  }
  // Frames are for changes; a look needs only the time.
  const engine::Entry* look(std::string_view key, int index = 0) {
    return frame([&] { return db(index).peek(key); });
  }
  std::optional<std::string> get(std::string_view key, int index = 0) {
    const engine::Entry* entry = look(key, index);
    if (entry == nullptr) return std::nullopt;
    return std::string(entry->string());
  }
  std::optional<std::string> hget(std::string_view key, std::string_view field) {
    const engine::Entry* entry = look(key);
    if (entry == nullptr) return std::nullopt;
    const auto value = engine::HashView(*entry).get(field);
    return value ? std::optional<std::string>(*value) : std::nullopt;
  }
  std::int64_t in_ms(std::int64_t ttl_ms) const { return clock.lease_ms() + ttl_ms; }
  bool expire() { return keyspace.expire_due(clock.lease_ms(), budget_us); }

  base::ManualClock clock;
  engine::Keyspace keyspace{1000, 42};
  std::vector<std::string> events;
};
