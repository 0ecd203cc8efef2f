#include "engine/keyspace.hpp"

#include "base/assert.hpp"
#include "engine/budget.hpp"
#include "engine/keyspace_state.hpp"

#include <algorithm>
#include <malloc.h>
#include <utility>

namespace engine {
Keyspace::Keyspace(std::uint64_t first_token_after, std::uint64_t seed)
    : state_(std::make_unique<State>(first_token_after, seed)) {
  for (int index = 0; index < database_count; ++index) {
    auto database = std::make_unique<Database>(*this, index);
    database->table_ = state_->new_table();
    state_->databases[static_cast<std::size_t>(index)] = std::move(database);
  }
}

Keyspace::~Keyspace() = default;

Database& Keyspace::database(int index) {
  ASSERT(index >= 0 && index < database_count);
  return *state_->databases[static_cast<std::size_t>(index)];
}

void Keyspace::set_events(KeyEvents* events) {
  state_->events = events;
}
void Keyspace::set_change_listener(ChangeListener* listener) {
  state_->change_listener = listener;
}
void Keyspace::set_limits(const KeyspaceLimits& limits) {
  state_->limits = limits;
}
const KeyspaceLimits& Keyspace::limits() const {
  return state_->limits;
}
void Keyspace::set_access_noted(bool noted) {
  state_->access_noted = noted;
}
void Keyspace::set_active_expiry(bool active) {
  state_->expires_actively = active;
}
KeyWaiters& Keyspace::waiters() {
  return state_->waiters;
}
std::uint64_t Keyspace::last_token() const {
  return state_->tokens.last();
}
const KeyspaceCounters& Keyspace::counters() const {
  return state_->counters;
}

void Keyspace::reset_counters() {
  state_->counters.hits = 0;
  state_->counters.misses = 0;
  state_->counters.expired = 0;
}

std::uint64_t Keyspace::random_bits() {
  // splitmix64 (Steele, Lea, Flood 2014): a counter through a mixing function.
  std::uint64_t bits = (state_->random_state += 0x9E3779B97F4A7C15U);
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

std::size_t Keyspace::used_bytes() const {
  std::size_t bytes = 0;
  for (const auto& database : state_->databases) bytes += database->table_->allocated_bytes();
  return bytes;
}

bool Keyspace::has_garbage() const {
  return !state_->graveyard.is_empty();
}

std::size_t Keyspace::pending_bytes() const {
  return state_->graveyard.bytes() + state_->walk.kept_bytes();
}

// --- frames

void Keyspace::begin_frame(std::int64_t now_ms) {
  ASSERT(!state_->in_frame);
  state_->in_frame = true;
  state_->now_ms = now_ms;
  state_->wrote = false;
  state_->frame_mutations = 0;
  state_->frame_policy = SyncPolicy::no;
}

void Keyspace::end_frame() {
  State& state = *state_;
  ASSERT(state.in_frame);
  state.in_frame = false;
  if (state.frame_mutations == 0) return;
  ++state.batch.frames;
  state.batch.mutations += state.frame_mutations;
  state.batch.lease_ms = state.now_ms;
  if (!state.frames_wanted) return;
  if (state.tokens.wants_block()) reserve_tokens();
  state.batch.policy = std::max(state.batch.policy, state.frame_policy);
  encode_frame(state.now_ms, state.frame_bytes, state.batch.bytes);
  state.frame_bytes.clear();
}

// In the open frame; whoever sees one of these numbers has waited until the reservation is durable.
void Keyspace::reserve_tokens() {
  State& state = *state_;
  Mutation mutation(MutationKind::reserve_tokens);
  mutation.number = state.tokens.next_reservation();
  encode(mutation, state.frame_bytes);
  state.frame_policy = SyncPolicy::always;
  state.tokens.reserve(mutation.number);
}

void Keyspace::start_tokens(std::uint64_t floor, std::int64_t now_ms) {
  state_->tokens.go_on_above(floor);
  if (!state_->frames_wanted) return;
  begin_frame(now_ms);
  state_->frame_mutations = 1;
  end_frame();
}

void Keyspace::set_token_block(std::uint64_t numbers) {
  state_->tokens.set_block(numbers);
}

std::uint64_t Keyspace::reserved_tokens() const {
  return state_->tokens.reserved();
}

void Keyspace::set_durability(Durability durability) {
  state_->durability = std::move(durability);
}

bool Keyspace::in_frame() const {
  return state_->in_frame;
}
bool Keyspace::frame_has_changes() const {
  return state_->frame_mutations > 0;
}
std::int64_t Keyspace::now_ms() const {
  return state_->now_ms;
}

void Keyspace::set_frames_wanted(bool wanted) {
  ASSERT(!state_->in_frame);
  state_->frames_wanted = wanted;
}

Batch Keyspace::take_batch() {
  ASSERT(!state_->in_frame);
  return std::exchange(state_->batch, {});
}

void Keyspace::change(const Mutation& mutation) {
  State& state = *state_;
  ASSERT(state.in_frame);
  ++state.frame_mutations;
  ++state.counters.changes;
  const bool is_expiry =
      mutation.kind == MutationKind::remove && mutation.reason == Removal::expired;
  if (!is_expiry) state.wrote = true;
  if (state.frames_wanted) record(mutation, is_expiry);
  if (!state.watched.is_empty()) touch_watchers(mutation);
  if (state.change_listener != nullptr && mutation.kind < MutationKind::flush) {
    state.change_listener->key_changed(mutation.key,
                                       is_expiry ? ChangeCause::expiry : ChangeCause::requested);
  }
  if (state.walk.is_running()) [[unlikely]] {
    state.walk.before(mutation, *state.databases[mutation.database]->table_);
  }
  // As in Redis: RENAME and COPY over a key delete it and create a new one, SET overwrites.
  const bool creates = is_put(mutation.kind) &&
                       (mutation.entry == nullptr || mutation.source_use != SourceUse::none);
  const bool fits = apply(mutation);
  ASSERT(fits);
  if (!creates) return;
  if (!state.waiters.is_empty()) {
    state.waiters.created(mutation.database, type_of(mutation.kind).value_or(Type::string),
                          mutation.key);
  }
  if (state.events == nullptr) return;
  Entry* created = std::exchange(state.applied, nullptr);
  state.events->key_created(mutation.database, mutation.key);
  state.applied = created;
}

// Nobody waits for the sync of an expiry: what is overdue is so after a crash, too. It is not put
// off for ever, though: when the machine comes up with its clock set back, lease time goes on from
// the newest record.
void Keyspace::record(const Mutation& mutation, bool is_expiry) {
  State& state = *state_;
  encode(mutation, state.frame_bytes);
  if (state.frame_policy == SyncPolicy::always) return;
  const SyncPolicy policy = mutation.kind < MutationKind::flush
                                ? state.durability.policy_of(mutation.key)
                                : state.durability.strictest();
  state.frame_policy =
      std::max(state.frame_policy, is_expiry ? std::min(policy, SyncPolicy::everysec) : policy);
}

void Keyspace::expire_key(Database& database, Entry& entry) {
  State& state = *state_;
  state.expired_key.assign(entry.key());
  Mutation mutation(MutationKind::remove);
  mutation.database = static_cast<std::uint8_t>(database.index());
  mutation.reason = Removal::expired;
  mutation.key = state.expired_key;
  mutation.located = true;
  mutation.hash = database.table_->hash_of(mutation.key);
  mutation.entry = &entry;
  change(mutation);
  ++state.counters.expired;
  if (state.events != nullptr) state.events->key_expired(database.index(), state.expired_key);
}

// --- scripts

void Keyspace::set_script_state(ScriptState* scripts) {
  state_->scripts = scripts;
}
ScriptState* Keyspace::script_state() const {
  return state_->scripts;
}

void Keyspace::record_script_change(const Mutation& mutation) {
  State& state = *state_;
  ASSERT(state.in_frame && is_of_scripts(mutation.kind));
  ++state.frame_mutations;
  // As in Redis: libraries are data, the script cache is none.
  if (mutation.kind >= MutationKind::put_library) ++state.counters.changes;
  if (!state.frames_wanted) return;
  encode(mutation, state.frame_bytes);
  state.frame_policy = std::max(state.frame_policy, state.durability.general());
}

// --- snapshots

void Keyspace::begin_walk(ImageWriter& images) {
  State& state = *state_;
  ASSERT(!state.in_frame && state.batch.empty());
  Mutation tokens(MutationKind::reserve_tokens);
  tokens.number = std::max(state.tokens.reserved(), state.tokens.last());
  images.add(tokens);
  if (state.scripts != nullptr) {
    state.scripts->for_each([&](const Mutation& mutation) { images.add(mutation); });
  }
  state.epoch = !state.epoch;
  std::array<KeyTable*, database_count> tables{};
  Mutation keys(MutationKind::expect_keys);
  for (std::size_t index = 0; index < tables.size(); ++index) {
    tables[index] = state.databases[index]->table_.get();
    tables[index]->set_epoch(state.epoch);
    keys.database = static_cast<std::uint8_t>(index);
    keys.number = tables[index]->table().size();
    if (keys.number > 0) images.add(keys);
  }
  state.walk.begin(tables, images);
}

KeyspaceWalk& Keyspace::walk() {
  return state_->walk;
}

// --- whole databases

void Keyspace::flush(int database) {
  Mutation mutation(MutationKind::flush);
  mutation.database = static_cast<std::uint8_t>(this->database(database).index());
  change(mutation);
}

void Keyspace::flush_all() {
  for (int index = 0; index < database_count; ++index) {
    if (database(index).size() > 0) flush(index);
  }
}

void Keyspace::swap(int first, int second) {
  if (first == second) return;
  Mutation mutation(MutationKind::swap);
  mutation.database = static_cast<std::uint8_t>(database(first).index());
  mutation.number = static_cast<std::uint64_t>(database(second).index());
  change(mutation);
  if (state_->waiters.is_empty()) return;
  for (const int index : {first, second}) {
    state_->waiters.created_all(index, [&](std::string_view key) -> std::optional<Type> {
      const Database& there = database(index);
      if (!there.holds(key)) return std::nullopt;
      return there.table_->find(key, there.table_->hash_of(key))->type();
    });
  }
}

// --- expiry

bool Keyspace::expire_due(std::int64_t now_ms, std::int64_t budget_us) {
  if (!state_->expires_actively) return false;
  const Budget budget(budget_us);
  for (const auto& database : state_->databases) {
    ExpiryWheel* wheel = database->table_->wheel();
    if (wheel == nullptr || wheel->size() == 0) continue;
    wheel->advance(now_ms);
    while (expire_some(*database, *wheel, now_ms)) {
      if (budget.is_spent()) return true;
    }
    // Nothing is due: what is left of the slice goes to those that are next.
    constexpr std::size_t nodes_ahead = 64;
    while (wheel->deal_ahead(nodes_ahead) && !budget.is_spent()) {
    }
  }
  return false;
}

// What is due goes first; nodes of crowded slots are dealt out in between.
bool Keyspace::expire_some(Database& database, ExpiryWheel& wheel, std::int64_t now_ms) {
  constexpr int removals_max = 16;
  constexpr std::size_t cascade_nodes = 64;
  for (int removals = 0; removals < removals_max; ++removals) {
    ExpiryNode* node = wheel.first_due(now_ms);
    if (node == nullptr) return wheel.cascade(cascade_nodes) || wheel.first_due(now_ms) != nullptr;
    begin_frame(now_ms);
    expire_key(database, KeyTable::entry_of(*node));
    end_frame();
  }
  return true;
}

std::optional<std::int64_t> Keyspace::next_deadline_ms() const {
  std::optional<std::int64_t> next;
  if (!state_->expires_actively) return next;
  for (const auto& database : state_->databases) {
    ExpiryWheel* wheel = database->table_->wheel();
    if (wheel == nullptr) continue;
    const auto candidate = wheel->next_deadline_ms();
    if (candidate && (!next || *candidate < *next)) next = candidate;
  }
  return next;
}

bool Keyspace::free_some(std::int64_t budget_us) {
  // Trimming walks the heap's free pieces: only after many large strings went.
  constexpr std::size_t bytes_before_trim = 64u << 20u;
  State& state = *state_;
  if (state.graveyard.is_empty()) return false;
  const Budget budget(budget_us);
  while (state.graveyard.free_slice()) {
    if (budget.is_spent()) return true;
  }
  if (state.graveyard.freed_string_bytes() - state.trimmed_at_bytes >= bytes_before_trim) {
    malloc_trim(0);
    state.trimmed_at_bytes = state.graveyard.freed_string_bytes();
  }
  return false;
}

// --- watching

void Keyspace::watch(KeyWatcher& watcher, int database, std::string_view key) {
  const KeyTable& table = *this->database(database).table_;
  const Entry* entry = table.find(key, table.hash_of(key));
  WatchedState watched = WatchedState::absent;
  if (entry != nullptr) {
    watched = entry->is_expired(state_->now_ms) ? WatchedState::overdue : WatchedState::present;
  }
  state_->watched.add(watcher, database, key, watched);
}

void Keyspace::unwatch(KeyWatcher& watcher) {
  state_->watched.remove(watcher);
}

bool Keyspace::watches_overdue_key(const KeyWatcher& watcher) const {
  return state_->watched.any_of(watcher, [&](int database, std::string_view key) {
    const KeyTable& table = *state_->databases[static_cast<std::size_t>(database)]->table_;
    const Entry* entry = table.find(key, table.hash_of(key));
    return entry != nullptr && entry->is_expired(state_->now_ms);
  });
}

void Keyspace::touch_watchers(const Mutation& mutation) {
  State& state = *state_;
  const int index = mutation.database;
  if (mutation.kind == MutationKind::reserve_tokens) return;
  if (mutation.kind < MutationKind::flush) {
    const bool is_expiry =
        mutation.kind == MutationKind::remove && mutation.reason == Removal::expired;
    if (is_expiry) return state.watched.expired(index, mutation.key);
    return state.watched.changed(index, mutation.key);
  }
  const Database& here = database(index);
  if (mutation.kind == MutationKind::flush) {
    const auto was_here = [&](std::string_view key) { return here.holds(key); };
    return state.watched.changed_where(index, was_here);
  }
  const Database& there = database(static_cast<int>(mutation.number));
  const auto in_either = [&](std::string_view key) { return here.holds(key) || there.holds(key); };
  state.watched.changed_where(here.index(), in_either);
  state.watched.changed_where(there.index(), in_either);
}

void Keyspace::validate() const {
  for (const auto& database : state_->databases) {
    const KeyTable& table = *database->table_;
    table.validate();
    if (state_->walk.is_running()) continue;
    table.table().for_each([&](const Entry& entry) { ASSERT(table.is_seen(entry)); });
  }
}

}  // namespace engine
