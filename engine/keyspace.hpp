// All databases, the one sequence of fencing tokens, the expiry wheel, memory accounting, and the
// frame: the mutations of one call, script or EXEC, which is the unit of the journal.
//
// A turn of the server:   begin_frame(now) … changes … end_frame()   (any number of frames)
//                         take_batch() → CommitLog::append()
#pragma once

#include "engine/change_listener.hpp"
#include "engine/commit_log.hpp"
#include "engine/database.hpp"
#include "engine/durability.hpp"
#include "engine/error.hpp"
#include "engine/key_events.hpp"
#include "engine/key_waiters.hpp"
#include "engine/keyspace_counters.hpp"
#include "engine/keyspace_limits.hpp"
#include "engine/mutation.hpp"
#include "engine/script_state.hpp"
#include "engine/watched_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

inline constexpr int database_count = 16;

class Keyspace {
 public:
  // `first_token_after`: the sequence goes on above it (wall clock in microseconds at start).
  // `seed` keys the hash function.
  Keyspace(std::uint64_t first_token_after, std::uint64_t seed);
  ~Keyspace();
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;

  // `index` is 0 … database_count - 1.
  [[nodiscard]] Database& database(int index);
  void set_events(KeyEvents* events);
  void set_change_listener(ChangeListener* listener);  // null: nobody listens
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
  // Whether batches carry bytes (CommitLog::wants_frames). Default: no.
  void set_frames_wanted(bool wanted);
  // The frames closed since the last call. Between frames only.
  [[nodiscard]] Batch take_batch();
  // Which frames must be synced before they are answered. Default: everysec for all.
  void set_durability(Durability durability);
  // Applies frames as recorded: no clock, no events, no watchers, no new frame. False: the bytes
  // are damaged; frames before the damage are applied. Between frames only.
  [[nodiscard]] bool replay(std::string_view frames);

  // --- scripts. What replayed frames tell; null, the default: it is left out.
  void set_script_state(ScriptState* scripts);
  [[nodiscard]] ScriptState* script_state() const;
  // What a command has done to it joins the frame. No write: neither WATCH nor maxmemory sees it.
  void record_script_change(const Mutation& mutation);

  // --- snapshots. Images of all that is journalled, as it is now, begin to go to `images`. Between
  // frames, behind take_batch(), while no walk runs.
  void begin_walk(class ImageWriter& images);
  [[nodiscard]] class KeyspaceWalk& walk();

  // --- whole databases
  void flush(int database);
  void flush_all();
  void swap(int first, int second);

  // --- expiry. Both open frames of their own: call between frames.
  // Removes what is due at now_ms, for about `budget_us` of monotonic time. True: more is due.
  bool expire_due(std::int64_t now_ms, std::int64_t budget_us);
  // Frees flushed and removed big values in slices. True: more is left.
  bool free_some(std::int64_t budget_us);
  [[nodiscard]] bool has_garbage() const;  // for free_some(); what a walk keeps is none yet
  // Lower bound of the next deadline to come due, nullopt when no key has one.
  [[nodiscard]] std::optional<std::int64_t> next_deadline_ms() const;
  // Off: nothing comes due by itself; overdue keys stay hidden from readers. Default: on.
  void set_active_expiry(bool active);

  // --- watching (WATCH). A key that is overdue at watch() counts as absent then.
  void watch(KeyWatcher& watcher, int database, std::string_view key);
  void unwatch(KeyWatcher& watcher);
  // Whether a key that was there when `watcher` began to watch it is overdue now (but not removed
  // yet): EXEC must fail then, too. `now` of the current frame.
  [[nodiscard]] bool watches_overdue_key(const KeyWatcher& watcher) const;

  // --- waiting for keys (BLPOP). Names become ready as keys come to be.
  [[nodiscard]] KeyWaiters& waiters();

  // --- fencing
  // After replay, before anything changes: numbers go on above all that may have been handed out
  // before, and above `floor`. Where frames are wanted, opens one that reserves the first block.
  void start_tokens(std::uint64_t floor, std::int64_t now_ms);
  void set_token_block(std::uint64_t numbers);  // reserved at once; default: TokenSequence::block
  // Numbers up to here may have been handed out (what a snapshot must hold).
  [[nodiscard]] std::uint64_t reserved_tokens() const;
  // The last number handed out; 0 before the first.
  [[nodiscard]] std::uint64_t last_token() const;

  // Bytes of all keys, values and tables, from real allocation sizes. What is removed no longer
  // counts, even while free_some() has yet to free it (pending_bytes).
  [[nodiscard]] std::size_t used_bytes() const;
  [[nodiscard]] std::size_t pending_bytes() const;
  [[nodiscard]] const KeyspaceCounters& counters() const;
  void reset_counters();                      // hits, misses, expired
  [[nodiscard]] std::uint64_t random_bits();  // from the seed: for random keys and fields
  void set_access_noted(bool noted);          // by find() (CLIENT NO-TOUCH); default: yes
  // Asserts every invariant; walks everything.
  void validate() const;

 private:
  friend class Database;
  friend class ListKeys;
  friend class ValueDump;
  struct State;

  // The one way from a mutation to values, live and in replay. False: it does not fit what is there
  // (only damaged frames do that).
  bool apply(const Mutation& mutation);
  void reserve_tokens();
  bool put(const Mutation& mutation);
  bool change_value(const Mutation& mutation);
  bool change_collection(const Mutation& mutation, KeyTable& table, Entry& entry,
                         std::uint64_t hash);
  void flush_table(Database& database);
  // Live: records the mutation in the frame, applies it, tells watchers and events.
  void change(const Mutation& mutation);
  void record(const Mutation& mutation, bool is_expiry);
  void expire_key(Database& database, Entry& entry);
  // One step of expire_due(). True: there is more to do.
  bool expire_some(Database& database, ExpiryWheel& wheel, std::int64_t now_ms);
  void touch_watchers(const Mutation& mutation);

  std::unique_ptr<State> state_;
};

}  // namespace engine
