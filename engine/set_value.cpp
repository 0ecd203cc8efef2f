#include "engine/set_value.hpp"

#include "base/assert.hpp"
#include "base/integers.hpp"
#include "engine/keyspace_limits.hpp"
#include "engine/mutation.hpp"
#include "engine/varint.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace engine {
namespace {

// Short members fill the padding at the end of a node.
constexpr std::size_t text_offset = sizeof(MemberNode*) + sizeof(std::uint32_t);

std::size_t bytes_with(std::size_t text_bytes) {
  return std::max(sizeof(MemberNode), text_offset + text_bytes);
}

void write_member(std::string& out, std::string_view member) {
  varint::write(out, member.size());
  out.append(member);
}

}  // namespace

std::string_view MemberNode::member() const {
  return {reinterpret_cast<const char*>(this) + text_offset, bytes};
}

std::uint64_t MemberTraits::hash_of(std::string_view member) const {
  return XXH3_64bits_withSeed(member.data(), member.size(), seed);
}

SetValue::SetValue(std::uint64_t seed, EntryAllocator& allocator)
    : traits_{seed}, allocator_(allocator) {}

SetValue::~SetValue() {
  while (free_some(~std::size_t{0})) {
  }
}

std::unique_ptr<LargeValue> SetValue::clone() const {
  auto copy = std::make_unique<SetValue>(traits_.seed, allocator_);
  copy->integers_ = integers_;
  if (table_ != nullptr) {
    copy->convert_to_table();
    for_each([&](std::string_view member) { copy->add_to_table(member); });
  }
  return copy;
}

// --- changing

bool SetValue::apply(const Mutation& mutation, const KeyspaceLimits& limits) {
  switch (mutation.kind) {
    case MutationKind::put_set:
      if (mutation.encoding == Encoding::hashtable) convert_to_table();
      [[fallthrough]];
    case MutationKind::add_members:
      for (const std::string_view member : mutation.names) add(member, limits.intset_members_max);
      return true;
    case MutationKind::remove_members:
      remove(mutation.names);
      return true;
    default:
      return false;
  }
}

void SetValue::add(std::string_view member, std::size_t integers_max) {
  if (table_ == nullptr) {
    const auto integer = base::parse_int64(member);
    if (integer) {
      integers_.insert(*integer);
      if (integers_.size() > integers_max) convert_to_table();
      return;
    }
    convert_to_table();
  }
  add_to_table(member);
}

void SetValue::convert_to_table() {
  if (table_ != nullptr) return;
  table_ = std::make_unique<Table>(traits_);
  for (std::size_t index = 0; index < integers_.size(); ++index) {
    add_to_table(base::IntegerText(integers_.at(index)).view());
  }
  integers_.clear();
}

void SetValue::add_to_table(std::string_view member) {
  const std::uint64_t hash = traits_.hash_of(member);
  if (find_node(member, hash) != nullptr) return;
  const std::size_t bytes = bytes_with(member.size());
  auto* node = new (allocator_.allocate(bytes)) MemberNode;
  node->next = nullptr;
  node->bytes = static_cast<std::uint32_t>(member.size());
  std::memcpy(reinterpret_cast<char*>(node) + text_offset, member.data(), member.size());
  node_bytes_ += EntryAllocator::rounded(bytes);
  table_->insert(*node, hash);
}

void SetValue::remove(std::span<const std::string_view> members) {
  // Freed at the end: later names may be views of members removed before.
  MemberNode* removed = nullptr;
  for (const std::string_view member : members) {
    if (table_ == nullptr) {
      if (const auto integer = base::parse_int64(member)) integers_.erase(*integer);
      continue;
    }
    const std::uint64_t hash = traits_.hash_of(member);
    MemberNode* node = find_node(member, hash);
    if (node == nullptr) continue;
    table_->erase(*node, hash);
    node->next = std::exchange(removed, node);
  }
  while (removed != nullptr) free_node(std::exchange(removed, removed->next));
}

void SetValue::free_node(MemberNode* node) {
  const std::size_t bytes = bytes_with(node->bytes);
  node_bytes_ -= EntryAllocator::rounded(bytes);
  allocator_.free(node, bytes);
}

bool SetValue::free_some(std::size_t members_max) {
  if (table_ == nullptr) return false;
  for (; members_max > 0; --members_max) {
    MemberNode* node = table_->take_any();
    if (node == nullptr) return false;
    free_node(node);
  }
  return true;
}

// --- reading

MemberNode* SetValue::find_node(std::string_view member, std::uint64_t hash) const {
  return table_->find(hash, [&](const MemberNode& node) { return node.member() == member; });
}

bool SetValue::contains(std::string_view member) const {
  if (table_ != nullptr) return find_node(member, traits_.hash_of(member)) != nullptr;
  const auto integer = base::parse_int64(member);
  return integer && integers_.contains(*integer);
}

void SetValue::for_each(Visit visit) const {
  if (table_ != nullptr) {
    return table_->for_each([&](const MemberNode& node) { visit(node.member()); });
  }
  for (std::size_t index = 0; index < integers_.size(); ++index) {
    visit(base::IntegerText(integers_.at(index)).view());
  }
}

std::uint64_t SetValue::scan(std::uint64_t cursor, std::size_t count, Visit visit) const {
  if (table_ != nullptr) {
    return table_->scan(cursor, count, [&](const MemberNode& node) { visit(node.member()); });
  }
  for_each(visit);
  return 0;
}

std::string SetValue::random_member(base::FunctionRef<std::uint64_t()> random) const {
  if (table_ != nullptr) return std::string(table_->random(random)->member());
  return std::string(base::IntegerText(integers_.at(random() % integers_.size())).view());
}

void SetValue::write_items(std::string& out) const {
  varint::write(out, size());
  for_each([&](std::string_view member) { write_member(out, member); });
}

std::size_t SetValue::allocated_bytes() const {
  const std::size_t table = table_ ? sizeof(Table) + table_->allocated_bytes() + node_bytes_ : 0;
  return sizeof(SetValue) + integers_.allocated_bytes() + table;
}

void SetValue::validate() const {
  if (table_ == nullptr) return integers_.validate();
  ASSERT(integers_.size() == 0);
  table_->validate();
  std::size_t bytes = 0;
  table_->for_each(
      [&](const MemberNode& node) { bytes += EntryAllocator::rounded(bytes_with(node.bytes)); });
  ASSERT(bytes == node_bytes_);
}

const SetValue& set_of(const Entry& entry) {
  ASSERT(entry.type() == Type::set);
  return static_cast<const SetValue&>(entry.collection());
}

}  // namespace engine
