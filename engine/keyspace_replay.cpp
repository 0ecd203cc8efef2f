// Keyspace::replay: frames as recorded, applied again. A start replays millions of mutations whose
// keys lie anywhere in memory: decoding runs some of them ahead of applying, and what applying will
// look at is asked for in between.
#include "base/assert.hpp"
#include "engine/frame_reader.hpp"
#include "engine/keyspace_state.hpp"

#include <array>
#include <optional>

namespace engine {
namespace {

// A ring of mutations that are decoded but not applied yet.
class DecodedAhead {
 public:
  struct Slot {
    Mutation mutation{MutationKind::flush};
    FrameReader::Items items;
    std::int64_t lease_ms = 0;  // of its frame
    [[nodiscard]] bool names_key() const { return mutation.kind < MutationKind::flush; }
  };

  explicit DecodedAhead(std::string_view frames) : rest_(frames) {}

  // One more; null at the end, and when the bytes are damaged. Not when it is full.
  Slot* decode() {
    Slot& slot = slots_[decoded_ % slots_.size()];
    while (!reader_ || !reader_->next(slot.mutation, slot.items)) {
      if (is_damaged() || rest_.empty()) return nullptr;
      reader_.emplace(rest_);
      rest_ = reader_->rest();
    }
    if (slot.mutation.database >= database_count) {
      names_no_database_ = true;
      rest_ = {};
      reader_.reset();
      return nullptr;
    }
    slot.lease_ms = reader_->lease_ms();
    ++decoded_;
    return &slot;
  }
  [[nodiscard]] bool is_damaged() const {
    return names_no_database_ || (reader_ && reader_->damaged());
  }
  [[nodiscard]] bool is_full() const { return decoded_ - applied_ == slots_.size(); }
  // Of those that are not applied yet; null: there are fewer.
  [[nodiscard]] Slot* nth(std::size_t skip) {
    return skip < decoded_ - applied_ ? &slots_[(applied_ + skip) % slots_.size()] : nullptr;
  }
  void drop_first() { ++applied_; }

 private:
  std::array<Slot, 16> slots_;
  std::string_view rest_;
  std::optional<FrameReader> reader_;
  std::size_t decoded_ = 0;
  std::size_t applied_ = 0;
  bool names_no_database_ = false;
};

}  // namespace

bool Keyspace::replay(std::string_view frames) {
  constexpr std::size_t halfway = 8;
  State& state = *state_;
  ASSERT(!state.in_frame && !state.walk.is_running());
  const auto table_of = [&](const Mutation& mutation) -> KeyTable& {
    return *state.databases[mutation.database]->table_;
  };
  const auto ask_for_head = [&](Mutation& mutation) {
    mutation.hash = table_of(mutation).hash_of(mutation.key);
    table_of(mutation).table().buckets().prefetch_head(mutation.hash);
  };
  const auto ask_for_entry = [&](const Mutation& mutation) {
    table_of(mutation).table().buckets().prefetch_node(mutation.hash, sizeof(Entry));
  };
  const auto find = [&](Mutation& mutation) {
    mutation.located = true;
    mutation.entry = table_of(mutation).find(mutation.key, mutation.hash);
  };
  DecodedAhead ahead(frames);
  while (true) {
    DecodedAhead::Slot* decoded = ahead.is_full() ? nullptr : ahead.decode();
    if (decoded != nullptr && decoded->names_key()) ask_for_head(decoded->mutation);
    if (decoded != nullptr && !ahead.is_full()) continue;
    const DecodedAhead::Slot* later = ahead.nth(halfway);
    if (later != nullptr && later->names_key()) ask_for_entry(later->mutation);
    DecodedAhead::Slot* next = ahead.nth(0);
    if (next == nullptr) return !ahead.is_damaged();
    state.now_ms = next->lease_ms;
    if (next->names_key()) find(next->mutation);
    if (!apply(next->mutation)) return false;
    ahead.drop_first();
  }
}

}  // namespace engine
