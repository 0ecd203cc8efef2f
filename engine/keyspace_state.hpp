// What a Keyspace holds. For keyspace and database code only.
#pragma once

#include "engine/commit_log.hpp"
#include "engine/database.hpp"
#include "engine/durability.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/graveyard.hpp"
#include "engine/key_table.hpp"
#include "engine/key_waiters.hpp"
#include "engine/keyspace.hpp"
#include "engine/keyspace_walk.hpp"
#include "engine/token_sequence.hpp"
#include "engine/watched_keys.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

struct Keyspace::State {
  State(std::uint64_t first_token_after, std::uint64_t hash_seed)
      : walk(graveyard), tokens(first_token_after), seed(hash_seed), random_state(hash_seed) {}

  [[nodiscard]] std::unique_ptr<KeyTable> new_table() {
    auto table = std::make_unique<KeyTable>(allocator, graveyard, seed);
    table->set_epoch(epoch);
    return table;
  }

  // Destroyed in reverse: databases bury values in the graveyard, whose entries are pieces of the
  // allocator.
  EntryAllocator allocator;
  Graveyard graveyard;
  std::array<std::unique_ptr<Database>, database_count> databases;
  KeyspaceWalk walk;
  bool epoch = false;  // of all tables

  TokenSequence tokens;
  WatchedKeys watched;
  KeyWaiters waiters;
  KeyspaceLimits limits;
  KeyspaceCounters counters;
  KeyEvents* events = nullptr;
  ChangeListener* change_listener = nullptr;
  ScriptState* scripts = nullptr;
  std::uint64_t seed;
  std::uint64_t random_state;
  bool access_noted = true;
  bool expires_actively = true;

  // The open (or last) frame.
  std::int64_t now_ms = 0;
  bool in_frame = false;
  bool wrote = false;  // something a client asked for; removing overdue keys does not count
  std::size_t frame_mutations = 0;
  std::string frame_bytes;
  bool frames_wanted = false;
  SyncPolicy frame_policy = SyncPolicy::no;
  Durability durability;
  Batch batch;

  // What the last applied mutation left at its key; null when nothing.
  Entry* applied = nullptr;
  std::string expired_key;
  std::vector<std::string_view> names;
  std::size_t trimmed_at_bytes =
      0;  // graveyard.freed_string_bytes() when the heap was last trimmed
};

}  // namespace engine
