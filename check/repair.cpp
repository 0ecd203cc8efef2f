#include "check/repair.hpp"

#include "check/directory_check.hpp"
#include "check/snapshot_salvage.hpp"
#include "engine/journal_format.hpp"
#include "engine/journal_reader.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace check {
namespace {

namespace journal = engine::journal;

struct Contents {
  std::vector<engine::Position> segments;  // rising
  std::vector<engine::Position> snapshots;
};

std::expected<Contents, std::error_code> contents_of(engine::FileSystem& files) {
  const auto names = files.list();
  if (!names) return std::unexpected(names.error());
  Contents contents;
  for (const std::string& name : *names) {
    const auto file = journal::parse_file_name(name);
    if (!file) continue;
    const bool is_segment = file->kind == journal::FileKind::segment;
    (is_segment ? contents.segments : contents.snapshots).push_back(file->position);
  }
  std::ranges::sort(contents.segments);
  std::ranges::sort(contents.snapshots);
  return contents;
}

// Of the first segment whose head can be read.
std::optional<journal::Stamp> stamp_of_segments(engine::FileSystem& files,
                                                const std::vector<engine::Position>& segments) {
  for (const engine::Position position : segments) {
    const auto file = files.open(journal::file_name(journal::FileKind::segment, position),
                                 engine::OpenMode::read);
    if (!file) continue;
    journal::Reader reader(**file);
    if (const auto head = reader.read_head()) return head->stamp;
  }
  return std::nullopt;
}

// Whether it is a good file of another name: those behind it may do without it.
bool is_misnamed(engine::FileSystem& files, const std::string& name,
                 const journal::NamedFile& named) {
  const auto file = files.open(name, engine::OpenMode::read);
  if (!file) return false;
  journal::Reader reader(**file);
  const auto head = reader.read_head();
  return head && (head->kind != named.kind || head->position != named.position);
}

engine::IoResult copy_file(engine::FileSystem& files, const std::string& from,
                           const std::string& to) {
  const auto source = files.open(from, engine::OpenMode::read);
  if (!source) return std::unexpected(source.error());
  const auto target = files.open(to, engine::OpenMode::create);
  if (!target) return std::unexpected(target.error());
  constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
  std::string piece(piece_bytes, '\0');
  for (std::uint64_t offset = 0;;) {
    const auto read = (*source)->read_at(offset, piece);
    if (!read) return std::unexpected(read.error());
    if (*read == 0) break;
    const auto written = (*target)->write_at(offset, std::string_view(piece).substr(0, *read));
    if (!written) return written;
    offset += *read;
  }
  if (const auto synced = (*target)->sync(); !synced) return synced;
  return files.sync_directory();
}

bool is_to_repair(const Finding& finding) {
  return finding.verdict == Verdict::torn || finding.verdict == Verdict::damaged;
}

}  // namespace

Finding Repair::run() {
  Finding finding = check_directory(files_, Replay::full);
  if (is_to_repair(finding)) refuse_newer_version(finding);
  while (is_to_repair(finding)) {
    if (const auto done = step(finding); !done) {
      finding.verdict = Verdict::unreadable;
      finding.reason = "the repair failed: " + done.error().message();
      finding.error = done.error();
      return finding;
    }
    Finding next = check_directory(files_, Replay::full);
    const bool is_stuck = is_to_repair(next) && next.file == finding.file &&
                          next.offset == finding.offset && next.reason == finding.reason;
    finding = std::move(next);
    if (is_stuck) break;
  }
  return finding;
}

// What is damaged may make sense to the program that wrote it.
void Repair::refuse_newer_version(Finding& finding) {
  const auto newer = file_of_newer_version(files_);
  if (newer && newer->empty()) return;
  finding.verdict = Verdict::unreadable;
  finding.error = newer ? std::make_error_code(std::errc::not_supported) : newer.error();
  finding.reason = newer ? "a newer version of this program wrote the file; nothing was changed"
                         : finding.error.message() + "; nothing was changed";
  if (newer) finding.file = *newer;
}

engine::IoResult Repair::step(const Finding& finding) {
  if (finding.is_of_snapshot()) return repair_snapshot(finding);
  const auto file = journal::parse_file_name(finding.file);
  if (!file) return std::unexpected(std::make_error_code(std::errc::not_supported));
  if (is_misnamed(files_, finding.file, *file)) return set_aside(finding.file);
  if (finding.offset == 0) return set_aside_from(file->position);
  if (const auto done = set_aside_from(file->position + 1); !done) return done;
  return cut(finding.file, finding.offset);
}

engine::IoResult Repair::repair_snapshot(const Finding& finding) {
  const auto file = journal::parse_file_name(finding.file);
  if (!file) return std::unexpected(std::make_error_code(std::errc::not_supported));
  if (const auto done = set_aside(finding.file); !done) return done;
  const auto contents = contents_of(files_);
  if (!contents) return std::unexpected(contents.error());
  // A journal from the beginning, or from an older snapshot, has it all.
  const bool has_start = !contents->segments.empty() && contents->segments.front() == 0;
  if (has_start || !contents->snapshots.empty()) return {};
  const auto salvaged = salvage_snapshot(files_, set_aside_name_, file->position,
                                         stamp_of_segments(files_, contents->segments));
  if (!salvaged) return std::unexpected(salvaged.error());
  if (salvaged->images == 0) {
    say_("nothing of it can be read");
  } else {
    say_(finding.file + ": written again from " + std::to_string(salvaged->images) +
         " images that are whole: " + std::to_string(salvaged->keys) + " keys, " +
         std::to_string(salvaged->image_bytes) + " of " + std::to_string(salvaged->file_bytes) +
         " bytes");
  }
  return {};
}

engine::IoResult Repair::set_aside_from(engine::Position start) {
  const auto contents = contents_of(files_);
  if (!contents) return std::unexpected(contents.error());
  const std::vector<engine::Position>& segments = contents->segments;
  for (auto at = segments.rbegin(); at != segments.rend() && *at >= start; ++at) {
    const auto done = set_aside(journal::file_name(journal::FileKind::segment, *at));
    if (!done) return done;
  }
  return {};
}

engine::IoResult Repair::set_aside(const std::string& name) {
  const auto aside = free_name(name);
  if (!aside) return std::unexpected(aside.error());
  if (const auto done = files_.rename(name, *aside); !done) return done;
  if (const auto done = files_.sync_directory(); !done) return done;
  set_aside_name_ = *aside;
  say_(name + ": set aside as " + *aside);
  return {};
}

engine::IoResult Repair::cut(const std::string& name, std::uint64_t offset) {
  const auto copy = free_name(name);
  if (!copy) return std::unexpected(copy.error());
  if (const auto done = copy_file(files_, name, *copy); !done) {
    static_cast<void>(files_.remove(*copy));  // half of a copy is none
    return done;
  }
  const auto file = files_.open(name, engine::OpenMode::change);
  if (!file) return std::unexpected(file.error());
  if (const auto done = (*file)->resize(offset); !done) return done;
  if (const auto done = (*file)->sync(); !done) return done;
  say_(name + ": cut at offset " + std::to_string(offset) + "; as it was: " + *copy);
  return {};
}

std::expected<std::string, std::error_code> Repair::free_name(const std::string& name) {
  const auto names = files_.list();
  if (!names) return std::unexpected(names.error());
  for (int number = 1;; ++number) {
    std::string free = name + ".broken-" + std::to_string(number);
    if (std::ranges::find(*names, free) == names->end()) return free;
  }
}

}  // namespace check
