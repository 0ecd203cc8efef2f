// Keyspace::apply: from mutations to values. Live execution and replay meet here; nothing in this
// file reads a clock, decides, or tells anyone.
#include "base/assert.hpp"
#include "engine/collection.hpp"
#include "engine/keyspace_state.hpp"

namespace engine {
namespace {

// Longer strings come only from damaged bytes (proto-max-bulk-len allows less).
constexpr std::uint64_t string_bytes_bound = std::uint64_t{1} << 40U;

struct Target {
  std::uint64_t hash;
  Entry* entry;
};

Target locate(const KeyTable& table, const Mutation& mutation) {
  if (mutation.located) return {mutation.hash, mutation.entry};
  const std::uint64_t hash = table.hash_of(mutation.key);
  return {hash, table.find(mutation.key, hash)};
}

bool is_all_of(const Entry& entry, std::span<const std::string_view> names) {
  const HashView hash(entry);
  return names.size() == 1 && hash.size() == 1 && hash.get(names.front()).has_value();
}

PackedLimits packed_limits(const KeyspaceLimits& limits) {
  return {limits.packed_hash_fields_max, limits.packed_hash_value_bytes_max};
}

bool is_collection(Type type) {
  return type != Type::string && type != Type::hash;
}

}  // namespace

bool Keyspace::apply(const Mutation& mutation) {
  State& state = *state_;
  Database& database = *state.databases[mutation.database];
  state.applied = nullptr;
  switch (mutation.kind) {
    case MutationKind::flush:
      flush_table(database);
      return true;
    case MutationKind::swap:
      if (mutation.number >= database_count) return false;
      std::swap(database.table_, state.databases[mutation.number]->table_);
      return true;
    case MutationKind::reserve_tokens:
      state.tokens.reserve(mutation.number);
      return true;
    case MutationKind::expect_keys:
      database.table_->expect(mutation.number);
      return true;
    case MutationKind::load_script:
    case MutationKind::flush_scripts:
    case MutationKind::put_library:
    case MutationKind::remove_library:
    case MutationKind::flush_libraries:
      return state.scripts == nullptr || state.scripts->apply(mutation);
    default:
      return is_put(mutation.kind) ? put(mutation) : change_value(mutation);
  }
}

bool Keyspace::put(const Mutation& mutation) {
  State& state = *state_;
  KeyTable& table = *state.databases[mutation.database]->table_;
  auto [hash, entry] = locate(table, mutation);
  const bool is_string = mutation.kind == MutationKind::put_string;
  const Type type = type_of(mutation.kind).value_or(Type::string);
  // Before what stands there goes: its items may lie in it.
  std::unique_ptr<Collection> built;
  if (mutation.source_use == SourceUse::none && is_collection(type)) {
    built = new_collection(type, state.seed, state.allocator);
    if (!built->apply(mutation, state.limits) || built->size() == 0) return false;
  }
  if (type == Type::hash && mutation.source_use == SourceUse::none && mutation.fields.empty()) {
    return false;
  }
  const bool reuses = is_string && entry != nullptr && entry->type() == Type::string &&
                      mutation.source_use == SourceUse::none;
  if (entry != nullptr && !reuses) table.remove(*entry, hash);
  if (mutation.source_use == SourceUse::clone) {
    entry = &table.add_clone(mutation.key, hash, *mutation.source);
  } else if (mutation.source_use == SourceUse::steal) {
    entry = &table.add_stolen(mutation.key, hash, *mutation.source, *mutation.source_table);
  } else if (built) {
    entry = &table.add_value(mutation.key, hash, type, std::move(built));
  } else if (!is_string) {
    const bool is_table = mutation.encoding == Encoding::hashtable;
    const PackedLimits limits = is_table ? PackedLimits{0, 0} : packed_limits(state.limits);
    entry = &table.add_hash(mutation.key, hash, mutation.fields, limits);
  } else {
    entry = reuses ? &table.set_text(*entry, hash, mutation.value)
                   : &table.add_string(mutation.key, hash, mutation.value);
  }
  if (is_string) KeyTable::set_encoding(*entry, mutation.encoding);
  KeyTable::set_token(*entry, mutation.token);
  state.tokens.saw(mutation.token);
  if (entry->deadline_ms() != mutation.deadline_ms) {
    table.set_deadline(*entry, mutation.deadline_ms, state.now_ms);
  }
  KeyTable::note_access(*entry, state.now_ms);
  state.applied = entry;
  return true;
}

bool Keyspace::change_value(const Mutation& mutation) {
  State& state = *state_;
  KeyTable& table = *state.databases[mutation.database]->table_;
  const auto [hash, entry] = locate(table, mutation);
  if (entry == nullptr) return false;
  if (mutation.kind == MutationKind::remove) {
    table.remove(*entry, hash);
    return true;
  }
  if (mutation.kind == MutationKind::set_deadline) {
    table.set_deadline(*entry, mutation.deadline_ms, state.now_ms);
    state.applied = entry;
    return true;
  }
  if (type_of(mutation.kind) != entry->type()) return false;
  if (is_collection(entry->type())) return change_collection(mutation, table, *entry, hash);
  Entry* changed = entry;
  switch (mutation.kind) {
    case MutationKind::replace_value:
      changed = &table.set_text(*entry, hash, mutation.value);
      KeyTable::set_encoding(*changed, mutation.encoding);
      break;
    case MutationKind::append:
      changed = &table.append(*entry, hash, mutation.value);
      KeyTable::set_encoding(*changed, Encoding::raw);
      break;
    case MutationKind::set_range:
      if (mutation.number > string_bytes_bound) return false;
      changed = &table.set_range(*entry, hash, mutation.number, mutation.value);
      KeyTable::set_encoding(*changed, Encoding::raw);
      break;
    case MutationKind::set_fields:
      changed = &table.set_fields(*entry, hash, mutation.fields, packed_limits(state.limits));
      break;
    case MutationKind::remove_fields:
      if (!is_all_of(*entry, mutation.names)) {
        changed = &table.remove_fields(*entry, hash, mutation.names);
        if (HashView(*changed).size() > 0) break;
      }
      table.remove(*changed, hash);
      return true;
    default:
      return false;
  }
  KeyTable::note_access(*changed, state.now_ms);
  state.applied = changed;
  return true;
}

bool Keyspace::change_collection(const Mutation& mutation, KeyTable& table, Entry& entry,
                                 std::uint64_t hash) {
  State& state = *state_;
  bool fits = false;
  table.change_collection(entry,
                          [&](Collection& value) { fits = value.apply(mutation, state.limits); });
  if (entry.collection().size() == 0) {
    table.remove(entry, hash);
    return fits;
  }
  KeyTable::note_access(entry, state.now_ms);
  state.applied = &entry;
  return fits;
}

void Keyspace::flush_table(Database& database) {
  if (database.table_->table().size() == 0) return;
  auto old = std::exchange(database.table_, state_->new_table());
  if (state_->walk.is_running()) return state_->walk.keep(std::move(old));
  state_->graveyard.bury(std::move(old));
}

}  // namespace engine
