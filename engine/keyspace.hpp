// All databases, the one sequence of fencing tokens, the expiry wheel, memory accounting, and the
// frame: the mutations of one call, script or EXEC, which is the unit of the journal.
//
// A turn of the server:   begin_frame(now) … changes … end_frame()   (any number of frames)
//                         take_batch() → CommitLog::append()
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/database.hpp"

namespace engine {

inline constexpr int database_count = 16;

// Told of things that happen by themselves or that commands cannot see. Called inside a frame.
class KeyEvents {
 public:
  virtual ~KeyEvents() = default;
  virtual void key_expired(int database, std::string_view key) = 0;
  virtual void key_created(int database, std::string_view key) = 0;
};

// Told when a watched key changes, comes into being, ends or expires.
class KeyWatcher {
 public:
  virtual ~KeyWatcher() = default;
  virtual void watched_key_changed() = 0;
};

struct KeyspaceLimits {
  std::size_t bytes_max = 0;           // maxmemory; 0: none
  std::size_t string_bytes_max = 512u << 20u;
  std::size_t packed_hash_fields_max = 128;  // hash-max-listpack-entries
  std::size_t packed_hash_value_bytes_max = 64;  // hash-max-listpack-value
};

struct KeyspaceCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t expired = 0;
  std::uint64_t changes = 0;  // mutations since the start
};

class Keyspace {
 public:
  // `first_token_after`: the sequence goes on above it (wall clock in microseconds at start). `seed`
  // keys the hash function.
  Keyspace(std::uint64_t first_token_after, std::uint64_t seed);
  ~Keyspace();
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;

  [[nodiscard]] Database& database(int index);
  void set_events(KeyEvents* events);
  void set_limits(const KeyspaceLimits& limits);
  [[nodiscard]] const KeyspaceLimits& limits() const;

  // --- frames
  void begin_frame(std::int64_t now_ms);
  // Closes the frame; if it changed anything it joins the batch.
  void end_frame();
  [[nodiscard]] bool in_frame() const;
  [[nodiscard]] bool frame_has_changes() const;
  // Lease time of the current or last frame.
  [[nodiscard]] std::int64_t now_ms() const;

  // --- whole databases
  void flush(int database);
  void flush_all();
  void swap(int first, int second);

  // --- expiry. Both open frames of their own: call between frames.
  // Removes what is due at now_ms, for at most about `budget_us` of monotonic time. True: more is due.
  bool expire_due(std::int64_t now_ms, std::int64_t budget_us);
  // Frees flushed and removed big values in slices. True: more is left.
  bool free_some(std::int64_t budget_us);
  // Lower bound of the next deadline to come due, nullopt when no key has one.
  [[nodiscard]] std::optional<std::int64_t> next_deadline_ms() const;

  // --- watching (WATCH). A key that is overdue at watch() counts as absent then.
  void watch(KeyWatcher& watcher, int database, std::string_view key);
  void unwatch(KeyWatcher& watcher);

  // --- fencing
  // The last number handed out; 0 before the first.
  [[nodiscard]] std::uint64_t last_token() const;

  [[nodiscard]] std::size_t used_bytes() const;
  [[nodiscard]] const KeyspaceCounters& counters() const;
  void reset_counters();  // hits, misses, expired
};

}  // namespace engine
