#include "check/journal_listing.hpp"

#include "base/glob.hpp"

namespace check {
namespace {

std::string place_text(const RecordPlace& place) {
  if (place.bytes == 0) return " behind the damage";
  return " at " + std::to_string(place.offset) + ", " + std::to_string(place.bytes) + " bytes";
}

}  // namespace

void JournalListing::file(const std::string& name, const engine::journal::Head& head) {
  const bool is_segment = head.kind == engine::journal::FileKind::segment;
  out_ << name << ": " << (is_segment ? "segment behind" : "snapshot at") << " position "
       << head.position << ", " << moment_text(head.stamp.wall_us) << ", lease "
       << head.stamp.lease_ms << " ms\n";
}

void JournalListing::batch(const engine::journal::BatchRecord& batch, const RecordPlace& place) {
  frames("batch " + std::to_string(batch.position) + place_text(place) + ", durable " +
             std::to_string(batch.durable) + ", lease " + std::to_string(batch.lease_ms) + " ms, " +
             moment_text(batch.wall_us),
         batch.frames);
}

void JournalListing::image(std::string_view frames_of_image, const RecordPlace& place) {
  frames("image" + place_text(place), frames_of_image);
}

void JournalListing::damage(std::uint64_t offset, std::string_view reason) {
  out_ << "DAMAGE at " << offset << ": " << reason << '\n';
}

bool JournalListing::is_wanted(const engine::Mutation& mutation) const {
  if (!key_glob_) return true;
  return mutation.kind < engine::MutationKind::flush &&
         base::glob_matches(*key_glob_, mutation.key);
}

void JournalListing::frames(const std::string& title, std::string_view frames) {
  bool has_title = false;
  std::optional<std::uint64_t> frame;
  const auto show = [&](const VisitedMutation& visited) {
    if (!is_wanted(visited.mutation)) return;
    if (!has_title) out_ << title << '\n';
    has_title = true;
    if (frame != visited.frame) {
      out_ << "  frame " << visited.frame + 1 << ", lease " << visited.lease_ms << " ms\n";
    }
    frame = visited.frame;
    out_ << "    " << text_of(visited.mutation, visited.lease_ms, values_) << '\n';
  };
  const bool is_whole = for_each_mutation(frames, show);
  if (!is_whole || (!has_title && !key_glob_)) {
    if (!has_title) out_ << title << '\n';
    out_ << (is_whole ? "  nothing\n" : "  DAMAGED\n");
  }
}

}  // namespace check
