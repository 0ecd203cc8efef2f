#include "engine/journal_reserve.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20U;

IoResult write_zeros(File& file, std::uint64_t bytes) {
  const std::string zeros(std::min(bytes, piece_bytes), '\0');
  for (std::uint64_t at = 0; at < bytes; at += zeros.size()) {
    const std::uint64_t count = std::min<std::uint64_t>(zeros.size(), bytes - at);
    const auto written = file.write_at(at, std::string_view(zeros).substr(0, count));
    if (!written) return written;
  }
  return file.sync();
}

}  // namespace

IoResult JournalReserve::fill(FileSystem& files, std::uint64_t bytes) {
  // One of a former life may hold anything.
  static_cast<void>(files.remove(name));
  auto file = files.open(name, OpenMode::create);
  if (!file) return std::unexpected(file.error());
  const auto written = write_zeros(**file, bytes);
  if (!written) static_cast<void>(files.remove(name));
  return written;
}

std::expected<std::shared_ptr<File>, std::error_code> JournalReserve::take(
    FileSystem& files, const std::string& segment) {
  if (!ready_) return std::unexpected(std::make_error_code(std::errc::no_space_on_device));
  ready_ = false;
  auto file = files.open(name, OpenMode::change);
  if (!file) return std::unexpected(file.error());
  if (const auto renamed = files.rename(name, segment); !renamed) {
    return std::unexpected(renamed.error());
  }
  return std::shared_ptr<File>(std::move(*file));
}

}  // namespace engine
