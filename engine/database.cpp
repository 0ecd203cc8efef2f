#include "engine/database.hpp"

#include "base/assert.hpp"
#include "base/integers.hpp"
#include "engine/keyspace_state.hpp"
#include "engine/text_encoding.hpp"

#include <string>

namespace engine {
Database::Database(Keyspace& keyspace, int index) : keyspace_(keyspace), index_(index) {}
Database::~Database() = default;

bool Database::is_visible(const Entry* entry) const {
  return entry != nullptr && !entry->is_expired(keyspace_.state_->now_ms);
}

// --- reading

const Entry* Database::find(std::string_view key) {
  auto& state = *keyspace_.state_;
  Entry* entry = visible_entry(key);
  if (entry == nullptr) {
    ++state.counters.misses;
    return nullptr;
  }
  ++state.counters.hits;
  if (state.access_noted) KeyTable::note_access(*entry, state.now_ms);
  return entry;
}

const Entry* Database::peek(std::string_view key) {
  return visible_entry(key);
}

bool Database::holds(std::string_view key) const {
  return is_visible(table_->find(key, table_->hash_of(key)));
}

Entry* Database::visible_entry(std::string_view key) {
  Entry* entry = table_->find(key, table_->hash_of(key));
  if (is_visible(entry)) return entry;
  if (entry != nullptr && keyspace_.in_frame()) keyspace_.expire_key(*this, *entry);
  return nullptr;
}

std::size_t Database::size() const {
  return table_->table().size();
}
std::size_t Database::with_deadline() const {
  return table_->with_deadline();
}

const Entry* Database::random() {
  constexpr int tries = 100;
  for (int attempt = 0; attempt < tries; ++attempt) {
    const Entry* entry = table_->table().random([&] { return keyspace_.random_bits(); });
    if (entry == nullptr || is_visible(entry)) return entry;
  }
  // Nearly all are overdue: take the first that is not.
  const Entry* found = nullptr;
  for_each([&](const Entry& entry) {
    if (found == nullptr) found = &entry;
  });
  return found;
}

void Database::for_each(base::FunctionRef<void(const Entry&)> visit) const {
  table_->table().for_each([&](const Entry& entry) {
    if (is_visible(&entry)) visit(entry);
  });
}

std::uint64_t Database::scan(std::uint64_t cursor, std::size_t count,
                             base::FunctionRef<void(const Entry&)> visit) const {
  return table_->table().scan(cursor, count, [&](const Entry& entry) {
    if (is_visible(&entry)) visit(entry);
  });
}

// --- changing

Database::Place Database::place(std::string_view key) {
  Place place{table_->hash_of(key), nullptr};
  place.entry = table_->find(key, place.hash);
  if (place.entry != nullptr && !is_visible(place.entry)) {
    keyspace_.expire_key(*this, *place.entry);
    place.entry = nullptr;
  }
  return place;
}

Mutation Database::mutation(MutationKind kind, std::string_view key, const Place& place) const {
  Mutation mutation(kind);
  mutation.database = static_cast<std::uint8_t>(index_);
  mutation.key = key;
  mutation.located = true;
  mutation.hash = place.hash;
  mutation.entry = place.entry;
  return mutation;
}

std::optional<Error> Database::growth_refusal() const {
  const auto& state = *keyspace_.state_;
  if (state.wrote) return std::nullopt;
  if (state.limits.intake == Intake::no_growth) return Error::journal_full;
  if (state.limits.intake == Intake::releases) return Error::journal_failed;
  if (state.limits.bytes_max == 0 || keyspace_.used_bytes() <= state.limits.bytes_max) {
    return std::nullopt;
  }
  return Error::out_of_memory;
}

// Of what takes a new number without taking more memory.
std::optional<Error> Database::journal_refusal() const {
  return keyspace_.limits().intake == Intake::everything ? std::nullopt : growth_refusal();
}

std::optional<Error> Database::renewal_refusal() const {
  const auto& state = *keyspace_.state_;
  if (state.wrote || state.limits.intake != Intake::releases) return std::nullopt;
  return Error::journal_failed;
}

Result<void> Database::set_string(std::string_view key, std::string_view value,
                                  std::int64_t deadline_ms) {
  const Place place = this->place(key);
  const bool was_string = place.entry != nullptr && place.entry->type() == Type::string;
  const std::string_view old = was_string ? place.entry->string() : std::string_view();
  const bool is_same = was_string && old == value;
  // On a full disk another value of the same size is refused, too: it is a new holding.
  const bool is_more = !was_string || value.size() > old.size() ||
                       (!is_same && keyspace_.limits().intake != Intake::everything);
  if (const auto refused = is_more ? growth_refusal() : renewal_refusal()) {
    return std::unexpected(*refused);
  }
  Mutation mutation = this->mutation(MutationKind::put_string, key, place);
  mutation.value = value;
  mutation.encoding = value_encoding(value);
  mutation.deadline_ms = deadline_ms;
  mutation.token = is_same ? place.entry->token() : keyspace_.state_->tokens.next();
  keyspace_.change(mutation);
  return {};
}

Result<void> Database::create_string(std::string_view key, const Place& place,
                                     std::string_view value, Encoding encoding) {
  if (const auto refused = growth_refusal()) return std::unexpected(*refused);
  Mutation mutation = this->mutation(MutationKind::put_string, key, place);
  mutation.value = value;
  mutation.encoding = encoding;
  mutation.token = keyspace_.state_->tokens.next();
  keyspace_.change(mutation);
  return {};
}

Result<void> Database::change_text(const Mutation& mutation, std::size_t new_bytes) {
  const std::size_t old_bytes = mutation.entry->string().size();
  if (const auto refused = new_bytes > old_bytes ? growth_refusal() : renewal_refusal();
      refused && new_bytes != 0) {
    return std::unexpected(*refused);
  }
  keyspace_.change(mutation);
  return {};
}

Result<std::size_t> Database::append(std::string_view key, std::string_view bytes) {
  const Place place = this->place(key);
  if (place.entry != nullptr && place.entry->type() != Type::string) {
    return std::unexpected(Error::wrong_type);
  }
  const std::size_t old_bytes = place.entry != nullptr ? place.entry->string().size() : 0;
  const std::size_t new_bytes = old_bytes + bytes.size();
  if (place.entry != nullptr && new_bytes > keyspace_.limits().string_bytes_max) {
    return std::unexpected(Error::string_too_long);
  }
  Result<void> done;
  if (place.entry == nullptr) {
    done = create_string(key, place, bytes, value_encoding(bytes));
  } else {
    Mutation mutation = this->mutation(MutationKind::append, key, place);
    mutation.value = bytes;
    done = change_text(mutation, new_bytes);
  }
  if (!done) return std::unexpected(done.error());
  return new_bytes;
}

Result<std::size_t> Database::set_range(std::string_view key, std::size_t offset,
                                        std::string_view bytes) {
  const Place place = this->place(key);
  if (place.entry != nullptr && place.entry->type() != Type::string) {
    return std::unexpected(Error::wrong_type);
  }
  const std::size_t old_bytes = place.entry != nullptr ? place.entry->string().size() : 0;
  if (bytes.empty()) return old_bytes;
  const std::size_t bytes_max = keyspace_.limits().string_bytes_max;
  if (bytes.size() > bytes_max || offset > bytes_max - bytes.size()) {
    return std::unexpected(Error::string_too_long);
  }
  const std::size_t new_bytes = std::max(old_bytes, offset + bytes.size());
  Result<void> done;
  if (place.entry == nullptr) {
    std::string padded(offset, '\0');
    padded.append(bytes);
    done = create_string(key, place, padded, Encoding::raw);
  } else {
    Mutation mutation = this->mutation(MutationKind::set_range, key, place);
    mutation.number = offset;
    mutation.value = bytes;
    done = change_text(mutation, new_bytes);
  }
  if (!done) return std::unexpected(done.error());
  return new_bytes;
}

Result<std::int64_t> Database::increment(std::string_view key, std::int64_t delta) {
  const Place place = this->place(key);
  if (place.entry == nullptr) {
    const base::IntegerText text(delta);
    const auto done = create_string(key, place, text.view(), Encoding::integer);
    if (!done) return std::unexpected(done.error());
    return delta;
  }
  if (place.entry->type() != Type::string) return std::unexpected(Error::wrong_type);
  const auto old = base::parse_int64(place.entry->string());
  if (!old) return std::unexpected(Error::not_an_integer);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*old, delta, &sum)) {
    return std::unexpected(Error::increment_overflow);
  }
  const base::IntegerText text(sum);
  Mutation mutation = this->mutation(MutationKind::replace_value, key, place);
  mutation.value = text.view();
  mutation.encoding = Encoding::integer;
  // Counting down is how locks are given back: never refused, though "-1" is longer than "0". On a
  // full disk neither is counting up: so permits of semaphores are.
  const bool gives_back = delta < 0 || keyspace_.limits().intake == Intake::no_growth;
  const auto done = change_text(mutation, gives_back ? 0 : text.view().size());
  if (!done) return std::unexpected(done.error());
  return sum;
}

Result<void> Database::replace_value(std::string_view key, std::string_view value) {
  const Place place = this->place(key);
  if (place.entry == nullptr) return create_string(key, place, value, text_encoding(value));
  if (place.entry->type() != Type::string) return std::unexpected(Error::wrong_type);
  Mutation mutation = this->mutation(MutationKind::replace_value, key, place);
  mutation.value = value;
  mutation.encoding = text_encoding(value);
  return change_text(mutation, value.size());
}

// --- collections

Result<Database::Place> Database::place_of(std::string_view key, Type type) {
  const Place place = this->place(key);
  if (place.entry == nullptr || place.entry->type() == type) return place;
  return std::unexpected(Error::wrong_type);
}

Result<void> Database::grow(Mutation& mutation) {
  if (const auto refused = growth_refusal()) return std::unexpected(*refused);
  if (is_put(mutation.kind)) mutation.token = keyspace_.state_->tokens.next();
  keyspace_.change(mutation);
  return {};
}

// --- keys

bool Database::remove(std::string_view key, Removal reason) {
  const Place place = this->place(key);
  if (place.entry == nullptr) return false;
  Mutation mutation = this->mutation(MutationKind::remove, key, place);
  mutation.reason = reason;
  keyspace_.change(mutation);
  return true;
}

Result<bool> Database::set_deadline(std::string_view key, std::int64_t deadline_ms) {
  const Place place = this->place(key);
  if (place.entry == nullptr) return false;
  if (const auto refused = renewal_refusal()) return std::unexpected(*refused);
  Mutation mutation = this->mutation(MutationKind::set_deadline, key, place);
  mutation.deadline_ms = deadline_ms;
  keyspace_.change(mutation);
  return true;
}

void Database::put_from(KeyTable& source_table, Entry& source, SourceUse use,
                        std::string_view to_key) {
  const Place place = this->place(to_key);
  Mutation mutation = this->mutation(put_of(source.type()), to_key, place);
  mutation.encoding = source.encoding();
  mutation.deadline_ms = source.deadline_ms();
  mutation.token = keyspace_.state_->tokens.next();
  mutation.source_use = use;
  mutation.source = &source;
  mutation.source_table = &source_table;
  keyspace_.change(mutation);
}

Result<void> Database::rename(std::string_view from, std::string_view to) {
  const Place place = this->place(from);
  ASSERT(place.entry != nullptr);
  if (from == to) return {};
  if (const auto refused = journal_refusal()) return std::unexpected(*refused);
  put_from(*table_, *place.entry, SourceUse::steal, to);
  keyspace_.change(mutation(MutationKind::remove, from, place));
  return {};
}

Result<void> Database::copy(std::string_view key, Database& to, std::string_view to_key) {
  const Place place = this->place(key);
  ASSERT(place.entry != nullptr);
  if (this == &to && key == to_key) return {};
  if (const auto refused = growth_refusal()) return std::unexpected(*refused);
  to.put_from(*table_, *place.entry, SourceUse::clone, to_key);
  return {};
}

Result<void> Database::move(std::string_view key, Database& to) {
  const Place place = this->place(key);
  ASSERT(place.entry != nullptr);
  if (this == &to) return {};
  if (const auto refused = journal_refusal()) return std::unexpected(*refused);
  to.put_from(*table_, *place.entry, SourceUse::steal, key);
  keyspace_.change(mutation(MutationKind::remove, key, place));
  return {};
}

}  // namespace engine
