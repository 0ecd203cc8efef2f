#include "server/rdb_import.hpp"

#include "engine/image_writer.hpp"
#include "engine/keyspace_walk.hpp"
#include "engine/rdb_reader.hpp"
#include "engine/snapshot_file.hpp"
#include "protocol/quoting.hpp"
#include "scripting/function_libraries.hpp"
#include "server/core.hpp"
#include "server/journal_directory.hpp"

#include <string_view>
#include <utility>

namespace server {
namespace {

constexpr std::int64_t report_interval_us = 2'000'000;
constexpr std::size_t image_bytes = std::size_t{64} << 10U;
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr std::uint64_t sync_bytes = std::uint64_t{64} << 20U;
constexpr std::size_t entries_per_step = 128;
// The first that is not that of an empty directory.
constexpr engine::Position snapshot_position = 1;

// Tells how far the reading has come.
class WatchedFile final : public engine::File {
 public:
  WatchedFile(engine::File& file, const base::Clock& clock, Log& log)
      : file_(file), clock_(clock), log_(log), reported_us_(clock.monotonic_us()) {}

  engine::IoResult write_at(std::uint64_t offset, std::string_view bytes) override {
    return file_.write_at(offset, bytes);
  }
  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    report(offset);
    return file_.read_at(offset, bytes);
  }
  engine::IoResult sync() override { return file_.sync(); }
  engine::IoResult resize(std::uint64_t bytes) override { return file_.resize(bytes); }
  std::expected<std::uint64_t, std::error_code> size() override { return file_.size(); }

 private:
  void report(std::uint64_t offset) {
    const std::int64_t now_us = clock_.monotonic_us();
    if (now_us - reported_us_ < report_interval_us) return;
    reported_us_ = now_us;
    const std::uint64_t all = file_.size().value_or(0);
    if (all == 0) return;
    log_.notice("Reading the dump: " + std::to_string(100 * offset / all) + "% of " +
                std::to_string(all >> 20U) + " MB");
  }

  engine::File& file_;
  const base::Clock& clock_;
  Log& log_;
  std::int64_t reported_us_;
};

std::unexpected<StartError> unreadable(const std::string& name,
                                       const engine::rdb::Failure& failure) {
  constexpr std::size_t key_bytes_shown = 200;
  std::string reason = "cannot read " + name + ": " + failure.reason + ", at offset " +
                       std::to_string(failure.offset);
  if (!failure.key.empty()) {
    reason +=
        ", key " + protocol::quote_word(std::string_view(failure.key).substr(0, key_bytes_shown));
  }
  return std::unexpected(StartError{std::move(reason), "nothing was imported"});
}

std::unexpected<StartError> unwritable(const std::string& directory, std::error_code error) {
  return std::unexpected(
      StartError{"cannot write the snapshot in " + directory + ": " + error.message(),
                 "is there room, and may the server write there?"});
}

}  // namespace

RdbImport::RdbImport(Config& config, Log& log, Machine& machine)
    : config_(config), log_(log), machine_(machine) {}

std::expected<Imported, StartError> RdbImport::run(engine::File& dump, const std::string& name) {
  const base::Clock& clock = machine_.clock();
  const std::int64_t started_us = clock.monotonic_us();
  engine::NoneCommitLog none;
  constexpr std::uint64_t hash_seed = 0;  // its tables end with the import
  if (const auto opened = open_directory(); !opened) return std::unexpected(opened.error());
  Core core(config_, log_, clock, none, hash_seed);
  if (const auto done = read(dump, name, core); !done) return std::unexpected(done.error());
  if (const auto done = load_scripts(imported_.loaded, core); !done) {
    return std::unexpected(done.error());
  }
  if (const auto done = write_snapshot(core); !done) return std::unexpected(done.error());
  imported_.took_us = clock.monotonic_us() - started_us;
  return std::move(imported_);
}

RdbImport::Done RdbImport::open_directory() {
  const ServerSettings& settings = config_.server();
  if (!settings.journal_is_on) {
    return std::unexpected(
        StartError{"appendonly is no: a server with these settings keeps nothing",
                   "set appendonly to yes, here and for the server to come"});
  }
  auto opened = open_journal_directory(machine_, settings.journal_directory);
  if (!opened) return std::unexpected(opened.error());
  directory_ = std::move(*opened);
  const auto names = directory_->list();
  if (!names) return unwritable(settings.journal_directory, names.error());
  for (const std::string& name : *names) {
    if (!engine::journal::parse_file_name(name)) continue;
    return std::unexpected(
        StartError{"the journal directory " + settings.journal_directory + " holds a state already",
                   "an import makes the first one; remove the directory, or name another one by "
                   "dir or appenddirname"});
  }
  return {};
}

RdbImport::Done RdbImport::read(engine::File& dump, const std::string& name, Core& core) {
  const base::Clock& clock = machine_.clock();
  constexpr std::int64_t us_per_ms = 1000;
  engine::Keyspace& keyspace = core.keyspace();
  keyspace.set_active_expiry(false);
  keyspace.start_tokens(static_cast<std::uint64_t>(clock.wall_us()), clock.lease_ms());
  const engine::rdb::LoadTime time{
      .now_ms = clock.lease_ms(),
      .wall_ahead_ms = clock.wall_us() / us_per_ms - clock.lease_ms(),
  };
  WatchedFile watched(dump, clock, log_);
  engine::rdb::Loader loader(keyspace, time);
  const auto outcome = engine::rdb::Reader(watched, loader).run();
  loader.finish();
  static_cast<void>(keyspace.take_batch());
  if (!outcome) return unreadable(name, outcome.error());
  imported_.loaded = loader.loaded();
  imported_.dump_bytes = dump.size().value_or(0);
  return {};
}

RdbImport::Done RdbImport::load_scripts(const engine::rdb::Loaded& loaded, Core& core) {
  scripting::ScriptEngine& scripts = core.dispatcher().scripts();
  for (const std::string& code : loaded.libraries) {
    if (const auto library = scripts.functions().load(code, false); !library) {
      return std::unexpected(
          StartError{"a function library of the dump does not load: " + library.error(),
                     "FUNCTION DELETE it in Redis and dump again"});
    }
  }
  for (const std::string& body : loaded.scripts) {
    std::string error;
    // Redis keeps no script that does not compile; EVAL would say the same when it is sent again.
    static_cast<void>(scripts.load(body, error));
  }
  return {};
}

RdbImport::Done RdbImport::write_snapshot(Core& core) {
  const std::string snapshot_name =
      engine::journal::file_name(engine::journal::FileKind::snapshot, snapshot_position);
  engine::Keyspace& keyspace = core.keyspace();
  engine::ImageWriter images(image_bytes);
  engine::SnapshotFile file(*directory_, snapshot_position, sync_bytes);
  const auto write = [&]() -> engine::IoResult {
    imported_.snapshot_bytes += images.records().size();
    const auto written = file.write(images.records());
    images.records().clear();
    return written;
  };
  images.begin({engine::journal::FileKind::snapshot, snapshot_position,
                engine::journal::stamp_of(machine_.clock())});
  keyspace.begin_walk(images);
  engine::IoResult done;
  while (keyspace.walk().step(entries_per_step)) {
    if (done && images.records().size() >= piece_bytes) done = write();
  }
  images.end();
  if (images.has_overflown())
    done = std::unexpected(std::make_error_code(std::errc::value_too_large));
  if (done) done = write();
  if (done) done = file.sync();
  if (done) done = file.publish();
  if (done) return {};
  // It may have got its name, but not durably.
  static_cast<void>(file.drop());
  static_cast<void>(directory_->remove(snapshot_name));
  return unwritable(config_.server().journal_directory, done.error());
}

}  // namespace server
