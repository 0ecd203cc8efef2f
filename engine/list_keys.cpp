#include "engine/list_keys.hpp"

#include "base/assert.hpp"
#include "engine/keyspace_state.hpp"
#include "engine/list_value.hpp"

#include <algorithm>

namespace engine {

void ListKeys::change(const Mutation& mutation) {
  database_.keyspace_.change(mutation);
}

std::size_t ListKeys::put_or_push(std::string_view key, const Place& place, Side side,
                                  std::span<const std::string_view> elements) {
  const bool is_new = place.entry == nullptr;
  Mutation mutation =
      database_.mutation(is_new ? MutationKind::put_list : MutationKind::push, key, place);
  mutation.side = side;
  mutation.names = elements;
  mutation.encoding = Encoding::quicklist;
  std::vector<std::string_view> reversed;
  if (is_new && side == Side::left && elements.size() > 1) {
    reversed.assign(elements.rbegin(), elements.rend());
    mutation.names = reversed;
  }
  if (is_new) mutation.token = database_.keyspace_.state_->tokens.next();
  change(mutation);
  return list_of(*database_.keyspace_.state_->applied).size();
}

Result<std::size_t> ListKeys::push(std::string_view key, Side side,
                                   std::span<const std::string_view> elements) {
  const auto place = database_.place_of(key, Type::list);
  if (!place) return std::unexpected(place.error());
  ASSERT(!elements.empty());
  if (const auto refused = database_.growth_refusal()) return std::unexpected(*refused);
  return put_or_push(key, *place, side, elements);
}

Result<void> ListKeys::store(std::string_view key, std::span<const std::string_view> elements,
                             std::int64_t deadline_ms) {
  ASSERT(!elements.empty());
  Mutation mutation = database_.mutation(MutationKind::put_list, key, database_.place(key));
  mutation.names = elements;
  mutation.encoding = Encoding::quicklist;
  mutation.deadline_ms = deadline_ms;
  return database_.grow(mutation);
}

ListKeys::Place ListKeys::place(std::string_view key) {
  const auto place = database_.place_of(key, Type::list);
  ASSERT(place && place->entry != nullptr);
  return *place;
}

void ListKeys::pop(std::string_view key, Side side, std::size_t count) {
  if (count == 0) return;
  Mutation mutation = database_.mutation(MutationKind::pop, key, this->place(key));
  mutation.side = side;
  mutation.count = count;
  change(mutation);
}

void ListKeys::erase(std::string_view key, std::size_t index, std::size_t count) {
  if (count == 0) return;
  Mutation mutation = database_.mutation(MutationKind::erase_elements, key, this->place(key));
  mutation.number = index;
  mutation.count = count;
  change(mutation);
}

std::size_t ListKeys::remove(std::string_view key, std::string_view element, std::int64_t count) {
  const Place place = this->place(key);
  const ListValue& list = list_of(*place.entry);
  const std::uint64_t most = count == 0  ? list.size()
                             : count < 0 ? ~static_cast<std::uint64_t>(count) + 1
                                         : static_cast<std::uint64_t>(count);
  std::vector<std::size_t> found;
  std::size_t index = count < 0 ? list.size() - 1 : 0;
  const auto note = [&](std::string_view candidate) {
    if (candidate == element) found.push_back(index);
    index += count < 0 ? ~std::size_t{0} : 1;
    return found.size() < most;
  };
  if (count < 0) {
    list.visit_backward(index, note);
    std::ranges::reverse(found);
  } else {
    list.visit_forward(index, note);
  }
  if (found.empty()) return 0;
  erase_found(key, place, found);
  return found.size();
}

// From the back, so that what is left to erase keeps its index; one mutation for those that stand
// together.
void ListKeys::erase_found(std::string_view key, const Place& place,
                           std::span<const std::size_t> found) {
  // Each erasure walks the chain: from here on one walk that leaves them out is less work.
  constexpr std::size_t erasures_max = 1000;
  if (found.size() > erasures_max) return keep_others(key, place, found);
  for (std::size_t end = found.size(); end > 0;) {
    std::size_t start = end - 1;
    while (start > 0 && found[start - 1] + 1 == found[start]) --start;
    erase(key, found[start], end - start);
    end = start;
  }
}

void ListKeys::keep_others(std::string_view key, const Place& place,
                           std::span<const std::size_t> found) {
  const ListValue& list = list_of(*place.entry);
  if (found.size() == list.size()) return erase(key, 0, list.size());
  std::vector<std::string_view> kept;
  kept.reserve(list.size() - found.size());
  std::size_t index = 0;
  list.visit_forward(0, [&](std::string_view element) {
    const bool goes = !found.empty() && found.front() == index;
    if (goes) {
      found = found.subspan(1);
    } else {
      kept.push_back(element);
    }
    ++index;
    return true;
  });
  Mutation mutation = database_.mutation(MutationKind::put_list, key, place);
  mutation.names = kept;
  mutation.encoding = Encoding::quicklist;
  mutation.deadline_ms = place.entry->deadline_ms();
  mutation.token = place.entry->token();
  change(mutation);
}

Result<void> ListKeys::set(std::string_view key, std::size_t index, std::string_view element) {
  const Place place = this->place(key);
  Mutation mutation = database_.mutation(MutationKind::set_element, key, place);
  mutation.number = index;
  mutation.value = element;
  if (element.size() > list_of(*place.entry).at(index).size()) return database_.grow(mutation);
  change(mutation);
  return {};
}

Result<void> ListKeys::insert(std::string_view key, std::size_t index, std::string_view element) {
  Mutation mutation = database_.mutation(MutationKind::insert_element, key, this->place(key));
  mutation.number = index;
  mutation.value = element;
  return database_.grow(mutation);
}

Result<std::string> ListKeys::move(std::string_view from, Side from_side, std::string_view to,
                                   Side to_side) {
  const auto target = database_.place_of(to, Type::list);
  if (!target) return std::unexpected(target.error());
  const ListValue& list = list_of(*this->place(from).entry);
  std::string element(list.at(from_side == Side::left ? 0 : list.size() - 1));
  const std::string_view moved[] = {element};
  // First there, then gone: the key of a list that turns over stays, and a new one is told of
  // before an old one goes, as in Redis.
  put_or_push(to, *target, to_side, moved);
  pop(from, from_side, 1);
  return element;
}

}  // namespace engine
