#include "engine/value_dump.hpp"

#include "base/assert.hpp"
#include "engine/collection.hpp"
#include "engine/frame_reader.hpp"
#include "engine/keyspace_state.hpp"
#include "engine/text_encoding.hpp"

#include <algorithm>

namespace engine {

std::string ValueDump::take(std::string_view key) {
  Entry* entry = database_.visible_entry(key);
  ASSERT(entry != nullptr);
  Mutation mutation(put_of(entry->type()));
  mutation.source_use = SourceUse::clone;
  mutation.source = entry;
  std::string put;
  encode(mutation, put);
  std::string frame;
  encode_frame(0, put, frame);
  return frame;
}

// The bytes come from a client, who may have made them: everything that apply() would find wrong
// is found here.
bool ValueDump::can_be_put(const Mutation& mutation) const {
  if (!is_put(mutation.kind) || !mutation.key.empty()) return false;
  if (mutation.kind == MutationKind::put_string) {
    return mutation.value.size() <= database_.keyspace_.limits().string_bytes_max;
  }
  if (mutation.kind == MutationKind::put_hash) return !mutation.fields.empty();
  const auto& state = *database_.keyspace_.state_;
  const auto trial =
      new_collection(*type_of(mutation.kind), state.seed, database_.keyspace_.state_->allocator);
  return trial->apply(mutation, state.limits) && trial->size() > 0;
}

Result<void> ValueDump::restore(std::string_view key, std::string_view dumped,
                                const RestoredKey& restored) {
  FrameReader reader(dumped);
  Mutation read(MutationKind::put_string);
  Mutation more(MutationKind::put_string);
  const bool is_whole = reader.next(read) && can_be_put(read);
  Mutation put = read;
  // next() reuses what the spans of a mutation point to: at the end it leaves them alone.
  if (!is_whole || reader.next(more) || reader.damaged() || !reader.rest().empty()) {
    return std::unexpected(Error::bad_data_format);
  }
  if (const auto refused = database_.growth_refusal()) return std::unexpected(*refused);
  database_.remove(key, Removal::overwritten);
  const Database::Place place = database_.place(key);
  put.database = static_cast<std::uint8_t>(database_.index_);
  put.key = key;
  put.located = true;
  put.hash = place.hash;
  put.entry = nullptr;
  put.encoding = put.kind == MutationKind::put_string ? value_encoding(put.value) : Encoding::raw;
  put.deadline_ms = restored.deadline_ms;
  put.token = database_.keyspace_.state_->tokens.next();
  database_.keyspace_.change(put);
  constexpr std::int64_t ms_per_s = 1000;
  constexpr std::int64_t idle_seconds_max = 1 << 24;  // an entry remembers no more
  Entry* entry = database_.visible_entry(key);
  if (entry != nullptr && restored.idle_seconds > 0) {
    const std::int64_t idle_seconds = std::min(restored.idle_seconds, idle_seconds_max);
    KeyTable::note_access(*entry, database_.keyspace_.now_ms() - idle_seconds * ms_per_s);
  }
  return {};
}

}  // namespace engine
