#include "engine/sorted_set_value.hpp"

#include "base/assert.hpp"
#include "engine/keyspace_limits.hpp"
#include "engine/packed_scores.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace engine {
namespace {

std::size_t bytes_with(std::size_t member_bytes) {
  return sizeof(ScoredNode) + member_bytes;
}

}  // namespace

std::uint64_t ScoredTraits::hash_of(std::string_view member) const {
  return XXH3_64bits_withSeed(member.data(), member.size(), seed);
}

const SortedSetValue& sorted_set_of(const Entry& entry) {
  ASSERT(entry.type() == Type::sorted_set);
  return static_cast<const SortedSetValue&>(entry.collection());
}

SortedSetValue::SortedSetValue(std::uint64_t seed, EntryAllocator& allocator)
    : traits_{seed}, allocator_(allocator) {}

SortedSetValue::~SortedSetValue() {
  while (free_some(~std::size_t{0})) {
  }
}

std::unique_ptr<LargeValue> SortedSetValue::clone() const {
  auto copy = std::make_unique<SortedSetValue>(traits_.seed, allocator_);
  copy->packed_ = packed_;
  copy->packed_count_ = packed_count_;
  if (!index_) return copy;
  copy->convert_to_index();
  visit(0, size(), Order::ascending,
        [&](const ScoredMember& item) { copy->add_node(item, traits_.hash_of(item.member)); });
  return copy;
}

std::size_t SortedSetValue::allocated_bytes() const {
  const std::size_t index =
      index_ ? sizeof(Index) + index_->table.allocated_bytes() + node_bytes_ : 0;
  return sizeof(SortedSetValue) + packed_.capacity() + index;
}

bool SortedSetValue::free_some(std::size_t members_max) {
  if (!index_) return false;
  for (; members_max > 0; --members_max) {
    ScoredNode* node = index_->table.take_any();
    if (node == nullptr) return false;
    free_node(node);
  }
  return true;
}

void SortedSetValue::validate() const {
  if (index_) {
    index_->table.validate();
    index_->tree.validate();
    ASSERT(index_->tree.size() == index_->table.size());
    return;
  }
  std::vector<ScoredMember> items;
  visit(0, packed_count_, Order::ascending,
        [&](const ScoredMember& item) { items.push_back(item); });
  ASSERT(items.size() == packed_count_);
  ASSERT(std::ranges::is_sorted(items, comes_before));
}

bool SortedSetValue::apply(const Mutation& mutation, const KeyspaceLimits& limits) {
  switch (mutation.kind) {
    case MutationKind::put_sorted_set:
      if (mutation.encoding == Encoding::skiplist) convert_to_index();
      [[fallthrough]];
    case MutationKind::set_scores:
      for (const ScoredMember& item : mutation.scored) set(item, limits);
      return true;
    case MutationKind::remove_scored:
      remove(mutation.names);
      return true;
    default:
      return false;
  }
}

void SortedSetValue::write_items(std::string& out) const {
  std::vector<ScoredMember> items;
  items.reserve(size());
  visit(0, size(), Order::ascending, [&](const ScoredMember& item) { items.push_back(item); });
  write_scored(out, items);
}

// --- reading

std::optional<double> SortedSetValue::score(std::string_view member) const {
  if (!index_) return packed_scores::find(packed_, member);
  const ScoredNode* node = find_node(member, traits_.hash_of(member));
  return node != nullptr ? std::optional(node->score) : std::nullopt;
}

std::optional<std::size_t> SortedSetValue::rank(std::string_view member) const {
  if (index_) {
    const ScoredNode* node = find_node(member, traits_.hash_of(member));
    return node != nullptr ? std::optional(index_->tree.rank_of(*node)) : std::nullopt;
  }
  std::size_t rank = 0;
  for (std::string_view rest = packed_; !rest.empty(); ++rank) {
    if (packed_scores::take(rest).member == member) return rank;
  }
  return std::nullopt;
}

ScoredMember SortedSetValue::at(std::size_t rank) const {
  if (index_) return index_->tree.at(rank);
  std::string_view rest = packed_;
  for (; rank > 0; --rank) packed_scores::take(rest);
  return packed_scores::take(rest);
}

std::size_t SortedSetValue::count_before(RankedTree::IsBefore is_before) const {
  if (index_) return index_->tree.count_before(is_before);
  std::size_t count = 0;
  for (std::string_view rest = packed_; !rest.empty(); ++count) {
    if (!is_before(packed_scores::take(rest))) break;
  }
  return count;
}

void SortedSetValue::visit(std::size_t skip, std::size_t count, Order order, Visit visit) const {
  if (index_) return index_->tree.visit(skip, count, order, visit);
  if (skip >= packed_count_) return;
  count = std::min(count, packed_count_ - skip);
  const std::size_t first = order == Order::ascending ? skip : packed_count_ - skip - count;
  std::string_view rest = packed_;
  for (std::size_t at = 0; at < first; ++at) packed_scores::take(rest);
  if (order == Order::ascending) {
    for (; count > 0; --count) visit(packed_scores::take(rest));
    return;
  }
  std::vector<ScoredMember> items(count);
  for (ScoredMember& item : items) item = packed_scores::take(rest);
  for (; count > 0; --count) visit(items[count - 1]);
}

std::uint64_t SortedSetValue::scan(std::uint64_t cursor, std::size_t count, Visit visit) const {
  if (index_) {
    return index_->table.scan(cursor, count, [&](const ScoredNode& node) { visit(node.view()); });
  }
  this->visit(0, packed_count_, Order::ascending, visit);
  return 0;
}

// --- changing

void SortedSetValue::convert_to_index() {
  if (index_) return;
  index_ = std::make_unique<Index>(traits_);
  for (std::string_view rest = packed_; !rest.empty();) {
    const ScoredMember item = packed_scores::take(rest);
    add_node(item, traits_.hash_of(item.member));
  }
  packed_count_ = 0;
  packed_ = std::string();
}

void SortedSetValue::set(const ScoredMember& item, const KeyspaceLimits& limits) {
  if (index_) return set_indexed(item);
  const bool is_at_limit = packed_count_ >= limits.packed_sorted_set_members_max ||
                           item.member.size() > limits.packed_sorted_set_member_bytes_max;
  if (is_at_limit && !packed_scores::find(packed_, item.member)) {
    convert_to_index();
    return set_indexed(item);
  }
  if (packed_scores::set(packed_, item)) ++packed_count_;
}

void SortedSetValue::set_indexed(const ScoredMember& item) {
  const std::uint64_t hash = traits_.hash_of(item.member);
  ScoredNode* node = find_node(item.member, hash);
  if (node == nullptr) return add_node(item, hash);
  index_->tree.erase(*node);
  node->score = item.score;
  index_->tree.insert(*node);
}

void SortedSetValue::remove(std::span<const std::string_view> members) {
  if (!index_) {
    packed_count_ -= packed_scores::remove(packed_, members);
    return;
  }
  for (const std::string_view member : members) {
    const std::uint64_t hash = traits_.hash_of(member);
    ScoredNode* node = find_node(member, hash);
    if (node == nullptr) continue;
    index_->tree.erase(*node);
    index_->table.erase(*node, hash);
    free_node(node);
  }
}

ScoredNode* SortedSetValue::find_node(std::string_view member, std::uint64_t hash) const {
  return index_->table.find(hash, [&](const ScoredNode& node) { return node.member() == member; });
}

void SortedSetValue::add_node(const ScoredMember& item, std::uint64_t hash) {
  const std::size_t bytes = bytes_with(item.member.size());
  auto* node = new (allocator_.allocate(bytes)) ScoredNode;
  node->next = nullptr;
  node->score = item.score;
  node->member_bytes = static_cast<std::uint32_t>(item.member.size());
  std::memcpy(reinterpret_cast<char*>(node + 1), item.member.data(), item.member.size());
  node_bytes_ += EntryAllocator::rounded(bytes);
  index_->table.insert(*node, hash);
  index_->tree.insert(*node);
}

void SortedSetValue::free_node(ScoredNode* node) {
  const std::size_t bytes = bytes_with(node->member_bytes);
  node_bytes_ -= EntryAllocator::rounded(bytes);
  allocator_.free(node, bytes);
}

}  // namespace engine
