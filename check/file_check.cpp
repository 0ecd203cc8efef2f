#include "check/file_check.hpp"

#include "check/damage_survey.hpp"
#include "check/journal_walk.hpp"
#include "engine/journal_format.hpp"

#include <algorithm>
#include <expected>
#include <system_error>
#include <utility>

namespace check {
namespace {

namespace journal = engine::journal;

// Watches what a damage leaves behind.
class Survivors final : public JournalVisitor {
 public:
  void file(const std::string& /*name*/, const journal::Head& /*head*/) override {}
  void batch(const journal::BatchRecord& batch, const RecordPlace& /*place*/) override {
    if (!is_damaged_) return;
    ++loss.intact_batches;
    loss.last = std::max(loss.last, batch.position);
    loss.durable = std::max(loss.durable, batch.durable);
  }
  void image(std::string_view /*frames*/, const RecordPlace& /*place*/) override {}
  void damage(std::uint64_t /*offset*/, std::string_view /*reason*/) override {
    is_damaged_ = true;
  }
  Loss loss;

 private:
  bool is_damaged_ = false;
};

Finding unreadable(const std::string& name, std::error_code error, std::string reason = {}) {
  Finding finding;
  finding.verdict = Verdict::unreadable;
  finding.reason = reason.empty() ? error.message() : std::move(reason);
  finding.file = name;
  finding.error = error;
  return finding;
}

// By its name, or by its first bytes when it has another name.
std::expected<bool, std::error_code> is_of_journal(engine::File& file, const std::string& name) {
  if (journal::parse_file_name(name)) return true;
  std::string start(journal::magic.size(), '\0');
  const auto read = file.read_at(0, start);
  if (!read) return std::unexpected(read.error());
  return *read == start.size() && start == journal::magic;
}

}  // namespace

Finding check_file(engine::FileSystem& files, const std::string& name) {
  const auto file = files.open(name, engine::OpenMode::read);
  if (!file) return unreadable(name, file.error());
  const auto is_ours = is_of_journal(**file, name);
  if (!is_ours) return unreadable(name, is_ours.error());
  if (!*is_ours) {
    return unreadable(name, std::make_error_code(std::errc::not_supported),
                      "it is no file of a journal");
  }
  Survivors survivors;
  const WalkedFile walked = walk_file(**file, name, survivors);
  const auto end = bytes_before_zeros(**file);
  if (!end) return unreadable(name, end.error());
  Finding finding;
  finding.file = name;
  finding.position = walked.position;
  finding.batches = walked.batches;
  finding.images = walked.images;
  finding.wall_us = walked.wall_us;
  if (walked.end == WalkedFile::End::whole) return finding;
  finding.reason = walked.reason;
  finding.offset = walked.offset;
  finding.error = walked.error;
  if (walked.end == WalkedFile::End::unreadable) {
    finding.verdict = Verdict::unreadable;
    return finding;
  }
  finding.loss = survivors.loss;
  finding.loss.bytes = *end > walked.offset ? *end - walked.offset : 0;
  const bool is_segment = walked.head.kind == journal::FileKind::segment;
  const bool may_be_torn =
      is_segment && walked.is_broken_off && finding.loss.durable <= walked.position;
  finding.verdict = may_be_torn ? Verdict::torn : Verdict::damaged;
  return finding;
}

}  // namespace check
