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
    part.unseen = table->table().size();
    keys_total_ += part.unseen;
  }
}

bool KeyspaceWalk::step(std::size_t buckets) {
  if (!running_) return false;
  while (at_ < parts_.size() && parts_[at_].table == nullptr) ++at_;
  if (at_ == parts_.size()) {
    running_ = false;
    images_ = nullptr;
    return false;
  }
  Part& part = parts_[at_];
  look_into(part, buckets);
  if (part.unseen == 0) finish(part);
  return true;
}

void KeyspaceWalk::look_into(Part& part, std::size_t count) {
  constexpr std::size_t ahead = 8;  // heads lie side by side, entries anywhere
  const BucketArray& buckets = part.table->table().buckets();
  const std::size_t end = std::min(buckets.size(), part.bucket + count);
  for (; part.bucket < end; ++part.bucket) {
    if (part.bucket + ahead < buckets.size()) __builtin_prefetch(buckets.at(part.bucket + ahead));
    Chain<EntryTraits>(buckets.at(part.bucket)).visit([&](Entry& entry) {
      if (!part.table->is_seen(entry)) see(part, entry);
    });
  }
  if (end == buckets.size()) part.bucket = 0;
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

void KeyspaceWalk::see(Part& part, Entry& entry) {
  part.table->set_seen(entry);
  --part.unseen;
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

void KeyspaceWalk::show(const KeyTable& table, Entry& entry) {
  if (table.is_seen(entry)) return;
  const auto part =
      std::ranges::find_if(parts_, [&](const Part& other) { return other.table == &table; });
  ASSERT(part != parts_.end());
  see(*part, entry);
}

void KeyspaceWalk::before(const Mutation& mutation, KeyTable& table) {
  if (mutation.kind >= MutationKind::flush) return;
  Entry* entry =
      mutation.located ? mutation.entry : table.find(mutation.key, table.hash_of(mutation.key));
  if (entry != nullptr) show(table, *entry);
  if (mutation.source_use == SourceUse::steal) show(*mutation.source_table, *mutation.source);
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
