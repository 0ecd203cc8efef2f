// Images of all entries as they stood at one moment, while they go on changing. Walks the tables in
// steps; whoever changes an entry that the walk has not reached shows it first (before()), and its
// image is written then. Entries that came to be later are never shown.
//
// Every entry carries an epoch bit (KeyTable): equal to its table's, it has been seen or was made
// later. Invariant: while no walk runs, all entries have been seen. So a walk that is given up goes
// on to the end, without images, before another can begin.
//
// Buckets are looked into from the first to the last: that is how they lie in memory. A shrinking
// table moves entries to buckets that were looked into already; as all that is unseen is counted,
// the walk then begins once more at the first.
//
// Tables are walked, not databases: SWAPDB concerns nobody, and a flushed table, which changes no
// more, is kept until it has been walked. Owned by the Keyspace.
#pragma once

#include "engine/graveyard.hpp"
#include "engine/image_writer.hpp"
#include "engine/key_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engine {

class KeyspaceWalk {
 public:
  // The graveyard outlives it.
  explicit KeyspaceWalk(Graveyard& graveyard) : graveyard_(graveyard) {}

  // Images of all entries of `tables`, whose places are the numbers of their databases, go to
  // `images`, which outlives the walk or its discard(). The tables are in a new epoch.
  void begin(std::span<KeyTable* const> tables, ImageWriter& images);
  // Looks into about `buckets` more. True: some entries are left.
  bool step(std::size_t buckets);
  // From now on without images.
  void discard();
  [[nodiscard]] bool is_running() const { return running_; }

  // --- for the keyspace, while it runs
  // `mutation` is about to be applied to `table`.
  void before(const Mutation& mutation, KeyTable& table);
  // A table leaves service. Goes to the graveyard when it has been walked.
  void keep(std::unique_ptr<KeyTable> table);

  // --- figures
  [[nodiscard]] std::size_t keys_total() const { return keys_total_; }
  [[nodiscard]] std::size_t keys_seen() const { return keys_seen_; }
  // Of tables that left service.
  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  struct Part {
    KeyTable* table = nullptr;  // null: done
    std::uint8_t database = 0;
    std::size_t bucket = 0;          // to look into next
    std::size_t unseen = 0;          // entries
    std::unique_ptr<KeyTable> kept;  // the table, when it has left service
  };

  void look_into(Part& part, std::size_t count);
  void see(Part& part, Entry& entry);
  void show(const KeyTable& table, Entry& entry);
  void finish(Part& part);

  Graveyard& graveyard_;
  ImageWriter* images_ = nullptr;  // null: discarded
  std::vector<Part> parts_;
  std::size_t at_ = 0;  // the part that is walked
  std::size_t keys_total_ = 0;
  std::size_t keys_seen_ = 0;
  bool running_ = false;
};

}  // namespace engine
