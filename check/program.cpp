#include "check/program.hpp"

#include "check/directory_check.hpp"
#include "check/file_check.hpp"
#include "check/journal_listing.hpp"
#include "check/journal_statistics.hpp"
#include "check/journal_walk.hpp"
#include "check/repair.hpp"
#include "check/report.hpp"
#include "engine/journal_format.hpp"
#include "engine/posix_file_system.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace check {
namespace {

namespace journal = engine::journal;

constexpr int cannot_tell = 2;

// Snapshots first, then segments, by position.
std::vector<std::string> files_of_journal(engine::FileSystem& files) {
  std::vector<std::pair<journal::FileKind, engine::Position>> found;
  for (const std::string& name : files.list().value_or(std::vector<std::string>{})) {
    const auto file = journal::parse_file_name(name);
    if (file) found.emplace_back(file->kind, file->position);
  }
  std::ranges::sort(found, [](const auto& left, const auto& right) {
    if (left.first != right.first) return left.first > right.first;
    return left.second < right.second;
  });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const auto& [kind, position] : found) names.push_back(journal::file_name(kind, position));
  return names;
}

class Run {
 public:
  Run(const Options& options, std::ostream& out, std::ostream& errors)
      : options_(options), out_(out), errors_(errors), path_(options.path) {}

  int run() {
    std::error_code error;
    const auto status = std::filesystem::status(path_, error);
    if (!std::filesystem::exists(status)) return complain(options_.path + ": no such file");
    const bool is_directory = std::filesystem::is_directory(status);
    if (is_directory) return look_at_directory();
    if (options_.fix) return complain("--fix takes the directory, not one file of it");
    return check_file();
  }

 private:
  int complain(const std::string& text) {
    errors_ << "mortise-check: " << text << '\n';
    return cannot_tell;
  }

  int look_at_directory() {
    const auto files = engine::PosixFileSystem::look_into(options_.path);
    if (!files) return complain(options_.path + ": " + files.error().message());
    const auto found = has_journal(**files);
    if (!found) return complain(options_.path + ": " + found.error().message());
    if (!*found) {
      return complain(options_.path +
                      " holds no journal; it is in the directory that appenddirname names, "
                      "below dir");
    }
    return options_.fix ? fix() : check_directory(**files);
  }

  int check_directory(engine::PosixFileSystem& files) {
    const auto in_use = files.is_in_use();
    if (!in_use) return complain(options_.path + "/lock: " + in_use.error().message());
    show(files, files_of_journal(files));
    const Replay replay = options_.replay ? Replay::full : Replay::none;
    const Finding finding =
        *in_use ? check_live_directory(files, replay) : check::check_directory(files, replay);
    const InUse use = *in_use ? InUse::yes : InUse::no;
    write_finding(out_, finding, Subject::directory, use);
    return exit_code_of(finding, use);
  }

  int check_file() {
    const std::string parent = path_.has_parent_path() ? path_.parent_path().string() : ".";
    const auto files = engine::PosixFileSystem::look_into(parent);
    if (!files) return complain(parent + ": " + files.error().message());
    const std::string name = path_.filename().string();
    show(**files, {name});
    const Finding finding = check::check_file(**files, name);
    const InUse use = (*files)->is_in_use().value_or(false) ? InUse::yes : InUse::no;
    write_finding(out_, finding, Subject::file, use);
    return exit_code_of(finding, use);
  }

  void show(engine::FileSystem& files, const std::vector<std::string>& names) {
    if (options_.list) {
      JournalListing listing(out_, options_.whole_values ? Values::whole : Values::abbreviated,
                             options_.key_glob);
      walk(files, names, listing);
      out_ << '\n';
    }
    if (options_.statistics) {
      JournalStatistics statistics;
      walk(files, names, statistics);
      statistics.print(out_);
      out_ << '\n';
    }
  }

  // What cannot be opened is told by the check, if it matters.
  static void walk(engine::FileSystem& files, const std::vector<std::string>& names,
                   JournalVisitor& visitor) {
    for (const std::string& name : names) {
      const auto file = files.open(name, engine::OpenMode::read);
      if (file) static_cast<void>(walk_file(**file, name, visitor));
    }
  }

  // What root writes, the server may not be allowed to read.
  [[nodiscard]] bool is_owner() const {
    struct stat status = {};
    return ::stat(options_.path.c_str(), &status) != 0 || status.st_uid == ::geteuid();
  }

  int fix() {
    if (!is_owner()) {
      return complain("--fix makes files that the server must read: run it as the user that owns " +
                      options_.path);
    }
    auto files = engine::PosixFileSystem::open_directory(options_.path);
    if (!files && files.error() == std::errc::operation_would_block) {
      return complain("a server has " + options_.path + "; stop it first");
    }
    if (!files) return complain(options_.path + ": " + files.error().message());
    const Finding before = check::check_directory(**files, Replay::full);
    if (before.verdict == Verdict::whole || before.verdict == Verdict::unreadable) {
      write_finding(out_, before, Subject::directory, InUse::no);
      return exit_code_of(before, InUse::no);
    }
    out_ << "damaged: " << before.file << " at offset " << before.offset << ": " << before.reason
         << '\n';
    const auto say = [&](std::string_view line) { out_ << "fixed:   " << line << '\n'; };
    const Finding after = Repair(**files, say).run();
    write_loss(out_, before, after);
    write_finding(out_, after, Subject::directory, InUse::no);
    return exit_code_of(after, InUse::no);
  }

  const Options& options_;
  std::ostream& out_;
  std::ostream& errors_;
  std::filesystem::path path_;
};

}  // namespace

int run(const Options& options, std::ostream& out, std::ostream& errors) {
  return Run(options, out, errors).run();
}

}  // namespace check
