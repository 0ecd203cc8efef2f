#include "check/damage_survey.hpp"

#include "engine/journal_format.hpp"
#include "engine/journal_reader.hpp"

#include <algorithm>
#include <vector>

namespace check {
namespace {

namespace journal = engine::journal;

std::expected<void, std::error_code> add_segment(Loss& loss, engine::File& file,
                                                 std::uint64_t offset, engine::Position position) {
  const auto end = bytes_before_zeros(file);
  if (!end) return std::unexpected(end.error());
  loss.bytes += *end > offset ? *end - offset : 0;
  // The search begins behind the offset it is given; at it there may be a record, too.
  journal::Reader reader(file, offset == 0 ? 0 : offset - 1);
  while (const auto batch = reader.find_batch_above(position)) {
    ++loss.intact_batches;
    loss.last = std::max(loss.last, batch->position);
    loss.durable = std::max(loss.durable, batch->durable);
  }
  if (reader.end() == journal::Reader::End::failed) return std::unexpected(reader.error());
  return {};
}

std::vector<engine::Position> segments_from(const std::vector<std::string>& names,
                                            engine::Position start) {
  std::vector<engine::Position> segments;
  for (const std::string& name : names) {
    const auto file = journal::parse_file_name(name);
    if (file && file->kind == journal::FileKind::segment && file->position >= start) {
      segments.push_back(file->position);
    }
  }
  std::ranges::sort(segments);
  return segments;
}

}  // namespace

std::expected<std::uint64_t, std::error_code> bytes_before_zeros(engine::File& file) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{64} << 10U;
  auto end = file.size();
  std::string piece;
  while (end && *end > 0) {
    const std::uint64_t start = *end > piece_bytes ? *end - piece_bytes : 0;
    piece.resize(*end - start);
    const auto read = file.read_at(start, piece);
    if (!read) return std::unexpected(read.error());
    piece.resize(*read);
    const std::size_t last = piece.find_last_not_of('\0');
    if (last != std::string::npos) return start + last + 1;
    end = start;
  }
  return end;
}

std::expected<Loss, std::error_code> survey(engine::FileSystem& files, const std::string& segment,
                                            std::uint64_t offset, engine::Position position) {
  Loss loss;
  const auto names = files.list();
  if (!names) return std::unexpected(names.error());
  const auto damaged = journal::parse_file_name(segment);
  if (!damaged) return loss;
  for (const engine::Position start : segments_from(*names, damaged->position)) {
    const auto file =
        files.open(journal::file_name(journal::FileKind::segment, start), engine::OpenMode::read);
    if (!file) return std::unexpected(file.error());
    const std::uint64_t from = start == damaged->position ? offset : 0;
    if (const auto added = add_segment(loss, **file, from, position); !added) {
      return std::unexpected(added.error());
    }
  }
  return loss;
}

}  // namespace check
