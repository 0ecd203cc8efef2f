#include "engine/keyspace_walk.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace engine {

void KeyspaceWalk::begin(std::span<KeyTable* const> tables, ImageWriter& images) {
  ASSERT(!running_);
  running_ = true;
  images_ = &images;
  parts_.clear();
  at_ = keys_total_ = keys_seen_ = 0;
  for (KeyTable* table : tables) {
    Part& part = parts_.emplace_back();
    part.table = table;
    part.database = static_cast<std::uint8_t>(parts_.size() - 1);
    keys_total_ += table->table().size();
  }
}

bool KeyspaceWalk::step(std::size_t entries) {
  if (!running_) return false;
  while (at_ < parts_.size() && parts_[at_].table == nullptr) ++at_;
  if (at_ == parts_.size()) {
    running_ = false;
    images_ = nullptr;
    return false;
  }
  Part& part = parts_[at_];
  part.cursor = part.table->table().scan(part.cursor, entries, [&](Entry& entry) {
    if (!part.table->is_seen(entry)) see(part, entry);
  });
  if (part.cursor == 0) finish(part);
  return true;
}

void KeyspaceWalk::finish(Part& part) {
  part.table = nullptr;
  if (part.kept) graveyard_.bury(std::move(part.kept));
}

void KeyspaceWalk::discard() {
  images_ = nullptr;
  // What left service needs no more bits.
  for (Part& part : parts_) {
    if (part.kept) finish(part);
  }
}

void KeyspaceWalk::see(const Part& part, Entry& entry) {
  part.table->set_seen(entry);
  ++keys_seen_;
  if (images_ == nullptr) return;
  Mutation put(put_of(entry.type()));
  put.database = part.database;
  put.key = entry.key();
  put.encoding = entry.encoding();
  put.deadline_ms = entry.deadline_ms();
  put.token = entry.token();
  put.source_use = SourceUse::clone;
  put.source = &entry;
  images_->add(put);
}

void KeyspaceWalk::see(const KeyTable& table, Entry& entry) {
  if (table.is_seen(entry)) return;
  const auto part =
      std::ranges::find_if(parts_, [&](const Part& other) { return other.table == &table; });
  ASSERT(part != parts_.end());
  see(*part, entry);
}

void KeyspaceWalk::before(const Mutation& mutation, KeyTable& table) {
  if (images_ == nullptr || mutation.kind >= MutationKind::flush) return;
  Entry* entry =
      mutation.located ? mutation.entry : table.find(mutation.key, table.hash_of(mutation.key));
  if (entry != nullptr) see(table, *entry);
  if (mutation.source_use == SourceUse::steal) see(*mutation.source_table, *mutation.source);
}

void KeyspaceWalk::keep(std::unique_ptr<KeyTable> table) {
  const auto part =
      std::ranges::find_if(parts_, [&](const Part& other) { return other.table == table.get(); });
  if (part == parts_.end()) return graveyard_.bury(std::move(table));
  part->kept = std::move(table);
  if (images_ == nullptr) finish(*part);
}

std::size_t KeyspaceWalk::kept_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    if (part.kept) bytes += part.kept->allocated_bytes();
  }
  return bytes;
}

}  // namespace engine
