#include "tests/simulation/watched_log.hpp"

#include "engine/frame_reader.hpp"
#include "engine/mutation.hpp"

#include <optional>
#include <string_view>

namespace simulation {
namespace {

// The first mutation of the first frame that has several, and the rest; nullopt: none has.
std::optional<std::pair<std::string, std::string>> split(std::string_view frames) {
  std::string before;
  while (!frames.empty()) {
    engine::FrameReader reader(frames);
    engine::Mutation mutation(engine::MutationKind::flush);
    std::string first;
    std::string others;
    while (reader.next(mutation)) engine::encode(mutation, first.empty() ? first : others);
    if (!others.empty()) {
      std::string behind;
      engine::encode_frame(reader.lease_ms(), first, before);
      engine::encode_frame(reader.lease_ms(), others, behind);
      behind += reader.rest();
      return std::pair(std::move(before), std::move(behind));
    }
    before += frames.substr(0, frames.size() - reader.rest().size());
    frames = reader.rest();
  }
  return std::nullopt;
}

}  // namespace

engine::Position WatchedLog::append(engine::Batch&& batch) {
  note_expired(batch.bytes);
  if (lie_ == Lie::split) {
    if (auto halves = split(batch.bytes)) {
      engine::Batch first = batch;
      first.bytes = std::move(halves->first);
      batch.bytes = std::move(halves->second);
      truth_.append(std::move(first));
    }
  }
  return appended_ = truth_.append(std::move(batch));
}

void WatchedLog::note_expired(std::string_view frames) {
  while (!frames.empty()) {
    engine::FrameReader reader(frames);
    engine::Mutation mutation(engine::MutationKind::flush);
    while (reader.next(mutation)) {
      const bool is_removal = mutation.kind == engine::MutationKind::remove;
      if (is_removal && mutation.reason == engine::Removal::expired) {
        expired_.emplace_back(mutation.key);
      }
    }
    frames = reader.rest();
  }
}

}  // namespace simulation
