// Sets of a Database.
#include "engine/database.hpp"
#include "engine/keyspace_state.hpp"
#include "engine/set_value.hpp"

#include <algorithm>
#include <iterator>

namespace engine {

Result<std::size_t> Database::set_add(std::string_view key,
                                      std::span<const std::string_view> members) {
  const auto place = place_of(key, Type::set);
  if (!place) return std::unexpected(place.error());
  if (members.empty()) return 0;
  if (place->entry == nullptr) {
    Mutation mutation = this->mutation(MutationKind::put_set, key, *place);
    mutation.names = members;
    const auto grown = grow(mutation);
    if (!grown) return std::unexpected(grown.error());
    return set_of(*keyspace_.state_->applied).size();
  }
  const SetValue& set = set_of(*place->entry);
  auto& names = keyspace_.state_->names;
  names.clear();
  std::ranges::copy_if(members, std::back_inserter(names),
                       [&](std::string_view member) { return !set.contains(member); });
  if (names.empty()) return 0;
  const std::size_t old_size = set.size();
  Mutation mutation = this->mutation(MutationKind::add_members, key, *place);
  mutation.names = names;
  const auto grown = grow(mutation);
  if (!grown) return std::unexpected(grown.error());
  return set.size() - old_size;
}

Result<std::size_t> Database::set_remove(std::string_view key,
                                         std::span<const std::string_view> members) {
  const auto place = place_of(key, Type::set);
  if (!place) return std::unexpected(place.error());
  if (place->entry == nullptr) return 0;
  const SetValue& set = set_of(*place->entry);
  auto& names = keyspace_.state_->names;
  names.clear();
  std::ranges::copy_if(members, std::back_inserter(names),
                       [&](std::string_view member) { return set.contains(member); });
  if (names.empty()) return 0;
  const std::size_t old_size = set.size();
  Mutation mutation = this->mutation(MutationKind::remove_members, key, *place);
  mutation.names = names;
  keyspace_.change(mutation);
  const Entry* left = keyspace_.state_->applied;
  return left == nullptr ? old_size : old_size - set_of(*left).size();
}

Result<void> Database::set_put(std::string_view key, std::span<const std::string_view> members,
                               Encoding encoding) {
  Mutation mutation = this->mutation(MutationKind::put_set, key, place(key));
  mutation.names = members;
  mutation.encoding = encoding;
  return grow(mutation);
}

void Database::set_keep(std::string_view key, std::span<const std::string_view> members) {
  const Place place = this->place(key);
  Mutation mutation = this->mutation(MutationKind::put_set, key, place);
  mutation.names = members;
  mutation.deadline_ms = place.entry->deadline_ms();
  mutation.token = place.entry->token();
  keyspace_.change(mutation);
}

}  // namespace engine
