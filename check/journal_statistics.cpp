#include "check/journal_statistics.hpp"

#include "check/mutation_text.hpp"

#include <algorithm>
#include <functional>
#include <iomanip>

namespace check {
namespace {

// With one decimal.
std::string per(std::uint64_t bytes, std::uint64_t count) {
  const std::uint64_t tenths = count == 0 ? 0 : (bytes * 10 + count / 2) / count;
  return grouped(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

void JournalStatistics::file(const std::string& /*name*/, const engine::journal::Head& head) {
  const bool is_segment = head.kind == engine::journal::FileKind::segment;
  ++(is_segment ? segments_ : snapshots_);
  note_moment(head.stamp.wall_us);
}

void JournalStatistics::batch(const engine::journal::BatchRecord& batch, const RecordPlace& place) {
  note_moment(batch.wall_us);
  add(batches_, batch.frames, place);
}

void JournalStatistics::image(std::string_view frames, const RecordPlace& place) {
  add(images_, frames, place);
}

void JournalStatistics::note_moment(std::int64_t wall_us) {
  first_wall_us_ = std::min(first_wall_us_, wall_us);
  last_wall_us_ = std::max(last_wall_us_, wall_us);
}

void JournalStatistics::add(Sums& sums, std::string_view frames, const RecordPlace& place) {
  const std::uint64_t bytes = place.bytes == 0 ? frames.size() : place.bytes;
  sums.records.add(bytes);
  sums.largest = std::max(sums.largest, bytes);
  std::uint64_t in_record = 0;
  for_each_mutation(frames, [&](const VisitedMutation& visited) {
    const engine::Mutation& mutation = visited.mutation;
    in_record = visited.frame + 1;
    sums.by_kind.at(static_cast<std::size_t>(mutation.kind)).add(visited.bytes);
    if (mutation.kind >= engine::MutationKind::flush) return;
    const std::size_t hash = std::hash<std::string_view>{}(mutation.key);
    keys_.insert(hash + mutation.database);
  });
  sums.frames += in_record;
}

void JournalStatistics::print(std::ostream& out) const {
  out << "files         " << segments_ << (segments_ == 1 ? " segment, " : " segments, ")
      << snapshots_ << (snapshots_ == 1 ? " snapshot\n" : " snapshots\n");
  if (segments_ + snapshots_ > 0) {
    out << "time          " << moment_text(first_wall_us_) << " to " << moment_text(last_wall_us_)
        << '\n';
  }
  out << "keys named    " << grouped(keys_.size()) << '\n';
  if (damages_ > 0) out << "damages       " << damages_ << '\n';
  print(out, batches_, "batches");
  print(out, images_, "images");
}

void JournalStatistics::print(std::ostream& out, const Sums& sums, std::string_view record) {
  if (sums.records.count == 0) return;
  out << '\n'
      << std::left << std::setw(14) << record << grouped(sums.records.count) << " of "
      << grouped(sums.records.bytes) << " bytes; " << per(sums.records.bytes, sums.records.count)
      << " bytes each, the largest " << grouped(sums.largest) << '\n'
      << "frames        " << grouped(sums.frames) << "; " << per(sums.frames, sums.records.count)
      << " in each, " << per(sums.records.bytes, sums.frames) << " bytes each\n"
      << std::left << std::setw(16) << "mutation" << std::right << std::setw(14) << "count"
      << std::setw(16) << "bytes" << std::setw(14) << "bytes each" << '\n';
  for (std::size_t kind = 1; kind < kinds; ++kind) {
    const Sum& sum = sums.by_kind.at(kind);
    if (sum.count == 0) continue;
    out << std::left << std::setw(16) << name_of(static_cast<engine::MutationKind>(kind))
        << std::right << std::setw(14) << grouped(sum.count) << std::setw(16) << grouped(sum.bytes)
        << std::setw(14) << per(sum.bytes, sum.count) << '\n';
  }
}

}  // namespace check
