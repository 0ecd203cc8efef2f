#include "server/journal.hpp"

#include "engine/journal_recovery.hpp"
#include "server/amounts.hpp"
#include "server/journal_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace server {
namespace {

constexpr std::int64_t serve_interval_us = 20'000;
constexpr std::int64_t report_interval_us = 2'000'000;

engine::FileCommitLog::Options options_of(const ServerSettings& settings) {
  engine::FileCommitLog::Options options{.segment_bytes_max = settings.journal_segment_bytes_max,
                                         .reserve_bytes = settings.journal_reserve_bytes};
  options.zeros_bytes = std::min(options.zeros_bytes, options.segment_bytes_max);
  return options;
}

std::size_t keys_in(engine::Keyspace& keyspace) {
  std::size_t keys = 0;
  for (int index = 0; index < engine::database_count; ++index) {
    keys += keyspace.database(index).size();
  }
  return keys;
}

// Wherever the reader stands: dir may be another directory than that of the shell.
StartError start_error(const std::string& directory,
                       const engine::journal::RecoveryFailure& failure) {
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(directory, ignored).string();
  std::string hint = "mortise-check " + path +
                     " says what is lost; with --fix it keeps the rest. A copy of the directory "
                     "may have more";
  if (failure.error == std::errc::not_supported) {
    hint = "start the version that wrote it";
  } else if (failure.error) {
    hint = "see to the disk, or to the permissions of the directory, and start again";
  }
  return {"cannot load the journal: " + path + "/" + failure.file + " at offset " +
              std::to_string(failure.offset) + ": " + failure.reason,
          std::move(hint)};
}

}  // namespace

// Applies what recovery reads, and lets the loop serve in between.
class Journal::Loader final : public engine::CommittedState {
 public:
  Loader(Journal& journal, engine::Keyspace& keyspace, base::FunctionRef<bool()> serve)
      : journal_(journal), keyspace_(keyspace), serve_(serve) {
    started_us_ = served_us_ = reported_us_ = journal.clock_.monotonic_us();
  }

  bool apply(engine::Position /*position*/, std::string_view frames) override {
    if (!keyspace_.replay(frames)) return false;
    journal_.figures_.loaded_bytes += frames.size();
    const std::int64_t now_us = journal_.clock_.monotonic_us();
    if (now_us - served_us_ < serve_interval_us) return true;
    gave_up_ = gave_up_ || !serve_();
    served_us_ = journal_.clock_.monotonic_us();
    report(now_us);
    return !gave_up_;
  }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  [[nodiscard]] std::int64_t took_us() const {
    return journal_.clock_.monotonic_us() - started_us_;
  }

 private:
  void report(std::int64_t now_us) {
    if (now_us - reported_us_ < report_interval_us) return;
    reported_us_ = now_us;
    const commands::JournalFigures& figures = journal_.figures_;
    const std::uint64_t total = std::max<std::uint64_t>(figures.load_bytes, 1);
    journal_.log_.notice("Loading the journal: " + std::to_string(keys_in(keyspace_)) + " keys, " +
                         std::to_string(100 * figures.loaded_bytes / total) + "% of " +
                         megabytes(total));
  }

  Journal& journal_;
  engine::Keyspace& keyspace_;
  base::FunctionRef<bool()> serve_;
  std::int64_t started_us_ = 0;
  std::int64_t served_us_ = 0;
  std::int64_t reported_us_ = 0;
  bool gave_up_ = false;
};

Journal::Journal(const ServerSettings& settings, Log& log, Machine& machine)
    : settings_(settings), log_(log), machine_(machine), clock_(machine.clock()) {
  if (!settings.journal_is_on) return;
  worker_ = machine.new_worker();
  file_ = std::make_unique<engine::FileCommitLog>(*worker_, clock_, options_of(settings));
  figures_.is_on = true;
}

Journal::~Journal() = default;

engine::CommitLog& Journal::commit_log() {
  if (file_) return *file_;
  return none_;
}

void Journal::set_progress(engine::CommitProgress* progress) {
  if (file_) file_->set_progress(progress);
}

std::expected<void, StartError> Journal::open(engine::Keyspace& keyspace,
                                              base::FunctionRef<bool()> serve) {
  if (!file_) {
    keyspace.start_tokens(static_cast<std::uint64_t>(clock_.wall_us()), clock_.lease_ms());
    return {};
  }
  auto opened = open_journal_directory(machine_, settings_.journal_directory);
  if (!opened) return std::unexpected(opened.error());
  directory_ = std::move(*opened);
  figures_.is_loading = true;
  figures_.load_started_us = clock_.wall_us();
  Loader loader(*this, keyspace, serve);
  engine::journal::Recovery recovery(*directory_, loader);
  figures_.load_bytes = recovery.bytes_to_read();
  const auto found = recovery.run();
  figures_.is_loading = false;
  if (loader.gave_up()) return {};
  if (!found) {
    return std::unexpected(start_error(settings_.journal_directory, found.error()));
  }
  if (const std::optional<engine::journal::Stamp> started = found->started) {
    clock_.go_on({.lease_ms = started->lease_ms,
                  .boottime_us = started->boottime_us,
                  .boot_id = started->boot_id},
                 found->lease_ms, found->wall_us);
  }
  figures_.recovered_position = found->position;
  figures_.recovered_batches = found->batches;
  figures_.dropped_bytes = found->dropped_bytes;
  if (found->dropped_bytes != 0) {
    log_.warning("The end of the journal was torn: " + std::to_string(found->dropped_bytes) +
                 " bytes dropped from " + found->dropped_from + " at offset " +
                 std::to_string(found->dropped_offset) +
                 "; nothing of them was known to be durable");
  }
  report(loader, keyspace);
  if (auto started = start_log(keyspace, found->position); !started) return started;
  snapshots_ = std::make_unique<Snapshots>(settings_, log_, machine_, keyspace, *file_);
  snapshots_->set_found({snapshot_bytes(found->snapshot_position), found->batch_bytes});
  snapshots_->set_ended([this](const engine::Snapshot::Report& ended) {
    if (saved_) saved_(ended);
  });
  return {};
}

std::uint64_t Journal::snapshot_bytes(engine::Position position) {
  if (position == 0) return 0;
  const std::string name =
      engine::journal::file_name(engine::journal::FileKind::snapshot, position);
  const auto file = directory_->open(name, engine::OpenMode::read);
  return file ? (*file)->size().value_or(0) : 0;
}

void Journal::report(const Loader& loader, engine::Keyspace& keyspace) {
  log_.notice("Loaded " + std::to_string(keys_in(keyspace)) + " keys from " +
              settings_.journal_directory + " in " + seconds(loader.took_us()) + " (" +
              megabytes(figures_.loaded_bytes) + ", " + std::to_string(figures_.recovered_batches) +
              " batches behind the snapshot)");
}

std::expected<void, StartError> Journal::start_log(engine::Keyspace& keyspace,
                                                   engine::Position position) {
  const auto failed = [&](std::error_code error) {
    return std::unexpected(StartError{
        "cannot write the journal in " + settings_.journal_directory + ": " + error.message(),
        "is there room, and may the server write there?"});
  };
  if (const auto started = file_->start(*directory_, position); !started) {
    return failed(started.error());
  }
  // The first numbers are handed out when their reservation is on the disk.
  keyspace.start_tokens(static_cast<std::uint64_t>(clock_.wall_us()), clock_.lease_ms());
  file_->append(keyspace.take_batch());
  if (const auto flushed = file_->flush(); !flushed) return failed(flushed.error());
  return {};
}

void Journal::close() {
  snapshots_.reset();
  if (!file_ || !directory_) return;
  if (const auto flushed = file_->flush(); !flushed) {
    log_.warning("The journal could not be synced at the end: " + flushed.error().message());
  }
}

void Journal::on_wake() {
  if (file_) file_->collect();
  if (snapshots_) snapshots_->on_wake();
}

bool Journal::has_work() {
  return snapshots_ && snapshots_->has_work();
}

void Journal::run_slice(std::int64_t budget_us) {
  snapshots_->run_slice(budget_us);
}

std::optional<std::int64_t> Journal::next_check_us() const {
  return snapshots_ ? snapshots_->next_check_us() : std::nullopt;
}

commands::JournalFigures Journal::figures() {
  commands::JournalFigures figures = figures_;
  if (!file_) return figures;
  figures.health = file_->health();
  figures.trouble = file_->trouble();
  figures.position = file_->position();
  figures.synced_position = file_->synced_position();
  figures.written_bytes = file_->written_bytes();
  figures.syncs = file_->syncs();
  if (!snapshots_) return figures;
  const engine::Snapshot::Figures snapshot = snapshots_->figures();
  figures.bytes = snapshots_->journal_bytes();
  figures.snapshot_bytes = snapshots_->snapshot_bytes();
  figures.is_saving = snapshot.is_running;
  figures.last_save_failed = snapshot.taken + snapshot.failed != 0 && !snapshot.last.taken;
  figures.save_started_us = clock_.wall_us() - (clock_.monotonic_us() - snapshot.started_us);
  figures.last_saved_us = snapshot.last_taken.ended_wall_us;
  if (snapshot.taken + snapshot.failed != 0) figures.last_save_took_us = snapshot.last.duration_us;
  figures.keys_saved = snapshot.is_running ? snapshot.keys_done : 0;
  figures.keys_to_save = snapshot.is_running ? snapshot.keys : 0;
  figures.saves = snapshot.taken;
  figures.changes_at_save = snapshots_->changes_at_last();
  return figures;
}

std::expected<void, std::string> Journal::begin_save() {
  if (!snapshots_) return commands::NoJournal::instance().begin_save();
  snapshots_->request();
  return {};
}

}  // namespace server
