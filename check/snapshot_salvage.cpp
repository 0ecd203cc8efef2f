#include "check/snapshot_salvage.hpp"

#include "engine/frame_reader.hpp"
#include "engine/journal_reader.hpp"
#include "engine/keyspace.hpp"

#include <memory>

namespace check {
namespace {

namespace journal = engine::journal;

std::optional<journal::Head> head_of(engine::File& file) {
  journal::Reader reader(file);
  return reader.read_head();
}

std::uint64_t keys_in(engine::Keyspace& keyspace) {
  std::uint64_t keys = 0;
  for (int index = 0; index < engine::database_count; ++index) {
    keys += keyspace.database(index).size();
  }
  return keys;
}

journal::Stamp stamp_of(const Salvaged& salvaged, const std::optional<journal::Stamp>& fallback) {
  constexpr std::int64_t us_per_ms = 1000;
  if (salvaged.head) return salvaged.head->stamp;
  if (fallback) return *fallback;
  // Lease time stays near the wall clock; another boot, so that the wall clock counts.
  return {.lease_ms = salvaged.lease_ms,
          .boottime_us = 0,
          .wall_us = salvaged.lease_ms * us_per_ms,
          .boot_id = {}};
}

class SnapshotWriter {
 public:
  explicit SnapshotWriter(std::unique_ptr<engine::File> file) : file_(std::move(file)) {}

  void write(std::string_view bytes) {
    if (written_) written_ = file_->write_at(end_, bytes);
    end_ += bytes.size();
  }
  engine::IoResult finish() {
    if (written_) written_ = file_->sync();
    return written_;
  }

 private:
  std::unique_ptr<engine::File> file_;
  std::uint64_t end_ = 0;
  engine::IoResult written_;
};

}  // namespace

std::expected<Salvaged, std::error_code> salvage_images(
    engine::File& file, base::FunctionRef<void(std::string_view frames)> take) {
  Salvaged salvaged;
  salvaged.head = head_of(file);
  journal::Reader reader(file);
  salvaged.file_bytes = reader.file_bytes();
  engine::Keyspace keyspace(0, 0);
  while (const auto image = reader.find_image()) {
    if (!keyspace.replay(image->payload)) continue;
    ++salvaged.images;
    salvaged.image_bytes += image->payload.size();
    salvaged.lease_ms = keyspace.now_ms();
    take(image->payload);
  }
  if (reader.end() == journal::Reader::End::failed) return std::unexpected(reader.error());
  salvaged.keys = keys_in(keyspace);
  return salvaged;
}

std::expected<Salvaged, std::error_code> salvage_snapshot(
    engine::FileSystem& files, const std::string& damaged, engine::Position position,
    const std::optional<journal::Stamp>& fallback) {
  const auto from = files.open(damaged, engine::OpenMode::read);
  if (!from) return std::unexpected(from.error());
  const auto looked = salvage_images(**from, [](std::string_view) {});
  if (!looked || looked->images == 0) return looked;
  const std::string draft = journal::draft_name(position);
  static_cast<void>(files.remove(draft));
  auto to = files.open(draft, engine::OpenMode::create);
  if (!to) return std::unexpected(to.error());
  SnapshotWriter writer(std::move(*to));
  std::string bytes;
  journal::write_preamble(bytes);
  journal::write_head(bytes, {journal::FileKind::snapshot, position, stamp_of(*looked, fallback)});
  writer.write(bytes);
  const auto salvaged = salvage_images(**from, [&](std::string_view frames) {
    bytes.clear();
    journal::write_image(bytes, frames);
    writer.write(bytes);
  });
  if (!salvaged) return salvaged;
  bytes.clear();
  journal::write_end(bytes, salvaged->images);
  writer.write(bytes);
  if (const auto done = writer.finish(); !done) return std::unexpected(done.error());
  const std::string name = journal::file_name(journal::FileKind::snapshot, position);
  if (const auto done = files.rename(draft, name); !done) return std::unexpected(done.error());
  if (const auto done = files.sync_directory(); !done) return std::unexpected(done.error());
  return salvaged;
}

}  // namespace check
