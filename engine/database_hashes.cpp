// Hashes of a Database.
#include "base/integers.hpp"
#include "engine/database.hpp"
#include "engine/keyspace_state.hpp"

#include <algorithm>

namespace engine {

bool Database::grows(const Entry& entry, std::span<const FieldValue> fields) {
  const HashView hash(entry);
  return std::ranges::any_of(fields, [&](const FieldValue& field) {
    const auto old = hash.get(field.first);
    return !old || field.second.size() > old->size();
  });
}

Result<std::size_t> Database::put_fields(std::string_view key, const Place& place,
                                         std::span<const FieldValue> fields) {
  const bool is_new = place.entry == nullptr;
  const std::size_t old_size = is_new ? 0 : HashView(*place.entry).size();
  Mutation mutation =
      this->mutation(is_new ? MutationKind::put_hash : MutationKind::set_fields, key, place);
  mutation.fields = fields;
  if (is_new) mutation.token = keyspace_.state_->tokens.next();
  keyspace_.change(mutation);
  return HashView(*keyspace_.state_->applied).size() - old_size;
}

Result<std::size_t> Database::hash_set(std::string_view key, std::span<const FieldValue> fields) {
  const Place place = this->place(key);
  if (place.entry != nullptr && place.entry->type() != Type::hash) {
    return std::unexpected(Error::wrong_type);
  }
  if (fields.empty()) return 0;
  const KeyspaceLimits& limits = keyspace_.limits();
  if (limits.bytes_max > 0 || limits.intake != Intake::everything) {
    const bool is_more = place.entry == nullptr || grows(*place.entry, fields);
    if (const auto refused = is_more ? growth_refusal() : renewal_refusal()) {
      return std::unexpected(*refused);
    }
  }
  return put_fields(key, place, fields);
}

Result<std::size_t> Database::hash_remove(std::string_view key,
                                          std::span<const std::string_view> fields) {
  const Place place = this->place(key);
  if (place.entry == nullptr) return 0;
  if (place.entry->type() != Type::hash) return std::unexpected(Error::wrong_type);
  const HashView hash(*place.entry);
  auto& state = *keyspace_.state_;
  state.names.clear();
  for (const std::string_view field : fields) {
    if (hash.get(field)) state.names.push_back(field);
  }
  if (state.names.empty()) return 0;
  const std::size_t old_size = hash.size();
  Mutation mutation = this->mutation(MutationKind::remove_fields, key, place);
  mutation.names = state.names;
  keyspace_.change(mutation);
  return state.applied == nullptr ? old_size : old_size - HashView(*state.applied).size();
}

Result<std::int64_t> Database::hash_increment(std::string_view key, std::string_view field,
                                              std::int64_t delta) {
  const Place place = this->place(key);
  if (place.entry != nullptr && place.entry->type() != Type::hash) {
    return std::unexpected(Error::wrong_type);
  }
  const auto old_text = place.entry ? HashView(*place.entry).get(field) : std::nullopt;
  const auto old = old_text ? base::parse_int64(*old_text) : 0;
  if (!old) return std::unexpected(Error::hash_value_not_an_integer);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*old, delta, &sum)) {
    return std::unexpected(Error::increment_overflow);
  }
  const base::IntegerText text(sum);
  // Counting down is how locks are given back: never refused.
  const bool is_more = !old_text || (delta > 0 && text.view().size() > old_text->size());
  if (const auto refused = is_more ? growth_refusal() : renewal_refusal(); refused) {
    if (is_more || delta >= 0) return std::unexpected(*refused);
  }
  const FieldValue change[] = {{field, text.view()}};
  const auto done = put_fields(key, place, change);
  if (!done) return std::unexpected(done.error());
  return sum;
}

}  // namespace engine
