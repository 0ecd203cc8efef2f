#include "check/directory_check.hpp"

#include "check/damage_survey.hpp"
#include "check/dry_file_system.hpp"
#include "engine/frame_reader.hpp"
#include "engine/journal_format.hpp"
#include "engine/journal_reader.hpp"
#include "engine/journal_recovery.hpp"
#include "engine/keyspace.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace check {
namespace {

namespace journal = engine::journal;

// The store of the server that would start.
class ReplayedState final : public engine::CommittedState {
 public:
  explicit ReplayedState(Replay replay) {
    if (replay == Replay::full) keyspace_.emplace(0, 0);
  }

  bool apply(engine::Position /*position*/, std::string_view frames) override {
    if (keyspace_) return keyspace_->replay(frames);
    while (!frames.empty()) {
      engine::FrameReader reader(frames);
      engine::Mutation mutation(engine::MutationKind::flush);
      while (reader.next(mutation)) {
        if (mutation.database >= engine::database_count) return false;
      }
      if (reader.damaged()) return false;
      frames = reader.rest();
    }
    return true;
  }

  [[nodiscard]] std::optional<std::uint64_t> keys() {
    if (!keyspace_) return std::nullopt;
    std::uint64_t keys = 0;
    for (int index = 0; index < engine::database_count; ++index) {
      keys += keyspace_->database(index).size();
    }
    return keys;
  }

 private:
  std::optional<engine::Keyspace> keyspace_;
};

void add_recovered(Finding& finding, const journal::Recovered& found) {
  finding.position = found.position;
  finding.snapshot_position = found.snapshot_position;
  finding.batches = found.batches;
  finding.wall_us = found.wall_us;
  if (found.dropped_from.empty()) return;
  finding.verdict = Verdict::torn;
  finding.reason = "the end is torn";
  finding.file = found.dropped_from;
  finding.offset = found.dropped_offset;
}

void add_failure(Finding& finding, const journal::RecoveryFailure& failure) {
  finding.verdict = failure.error ? Verdict::unreadable : Verdict::damaged;
  finding.reason = failure.reason;
  finding.file = failure.file;
  finding.offset = failure.offset;
  finding.error = failure.error;
  finding.position = failure.position;
}

bool is_gone(const Finding& finding) {
  return finding.error == std::errc::no_such_file_or_directory;
}

}  // namespace

Finding check_directory(engine::FileSystem& files, Replay replay) {
  Finding finding;
  DryFileSystem dry(files);
  ReplayedState state(replay);
  journal::Recovery recovery(dry, state);
  if (const auto found = recovery.run(); found) {
    add_recovered(finding, *found);
  } else {
    add_failure(finding, found.error());
  }
  finding.keys = state.keys();
  const bool has_damage = finding.verdict == Verdict::torn || finding.verdict == Verdict::damaged;
  for (const std::string& name : dry.removed()) {
    const auto file = journal::parse_file_name(name);
    // Segments behind a torn one belong to the loss.
    const bool is_lost =
        has_damage && file && file->kind == journal::FileKind::segment && name >= finding.file;
    if (!is_lost) finding.left_over.push_back(name);
  }
  if (!has_damage || finding.is_of_snapshot()) return finding;
  const auto loss = survey(files, finding.file, finding.offset, finding.position);
  if (loss) {
    finding.loss = *loss;
  } else {
    finding.verdict = Verdict::unreadable;
    finding.reason = loss.error().message();
    finding.error = loss.error();
  }
  return finding;
}

Finding check_live_directory(engine::FileSystem& files, Replay replay) {
  constexpr int attempts_max = 5;
  Finding finding = check_directory(files, replay);
  for (int attempt = 1; attempt < attempts_max; ++attempt) {
    if (finding.verdict == Verdict::whole || finding.verdict == Verdict::torn) break;
    if (finding.verdict == Verdict::unreadable && !is_gone(finding)) break;
    Finding again = check_directory(files, replay);
    const bool is_same = again.verdict == Verdict::damaged && again.file == finding.file &&
                         again.offset == finding.offset;
    finding = std::move(again);
    if (is_same) break;
  }
  return finding;
}

std::expected<bool, std::error_code> has_journal(engine::FileSystem& files) {
  const auto names = files.list();
  if (!names) return std::unexpected(names.error());
  return std::ranges::any_of(
      *names, [](const std::string& name) { return journal::parse_file_name(name).has_value(); });
}

std::expected<std::string, std::error_code> file_of_newer_version(engine::FileSystem& files) {
  const auto names = files.list();
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    if (!journal::parse_file_name(name)) continue;
    const auto file = files.open(name, engine::OpenMode::read);
    if (!file) return std::unexpected(file.error());
    journal::Reader reader(**file);
    static_cast<void>(reader.read_head());
    if (reader.end() == journal::Reader::End::failed) return std::unexpected(reader.error());
    if (reader.end() == journal::Reader::End::unknown_version) return name;
  }
  return std::string();
}

}  // namespace check
