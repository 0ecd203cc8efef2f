#include "check/dry_file_system.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace check {
namespace {

constexpr std::uint64_t uncut = std::numeric_limits<std::uint64_t>::max();

std::unexpected<std::error_code> read_only() {
  return std::unexpected(std::make_error_code(std::errc::read_only_file_system));
}

class DryFile final : public engine::File {
 public:
  DryFile(std::unique_ptr<engine::File> file, std::shared_ptr<std::uint64_t> cut)
      : file_(std::move(file)), cut_(std::move(cut)) {}

  // A start of the server writes into old files only what it has read from them.
  engine::IoResult write_at(std::uint64_t /*offset*/, std::string_view /*bytes*/) override {
    return {};
  }
  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    if (offset >= *cut_) return 0;
    return file_->read_at(offset,
                          bytes.first(std::min<std::uint64_t>(bytes.size(), *cut_ - offset)));
  }
  engine::IoResult sync() override { return {}; }
  engine::IoResult resize(std::uint64_t bytes) override {
    const auto now = size();
    if (!now) return std::unexpected(now.error());
    if (bytes > *now) return read_only();
    *cut_ = bytes;
    return {};
  }
  std::expected<std::uint64_t, std::error_code> size() override {
    const auto below = file_->size();
    if (!below) return below;
    return std::min(*below, *cut_);
  }

 private:
  std::unique_ptr<engine::File> file_;
  std::shared_ptr<std::uint64_t> cut_;
};

}  // namespace

std::expected<std::unique_ptr<engine::File>, std::error_code> DryFileSystem::open(
    const std::string& name, engine::OpenMode mode) {
  if (mode == engine::OpenMode::create) return read_only();
  if (removed_.contains(name)) {
    return std::unexpected(std::make_error_code(std::errc::no_such_file_or_directory));
  }
  auto file = files_.open(name, engine::OpenMode::read);
  if (!file) return file;
  auto& cut = cuts_[name];
  if (!cut) cut = std::make_shared<std::uint64_t>(uncut);
  return std::make_unique<DryFile>(std::move(*file), cut);
}

engine::IoResult DryFileSystem::rename(const std::string& /*from*/, const std::string& /*to*/) {
  return read_only();
}

engine::IoResult DryFileSystem::remove(const std::string& name) {
  removed_.insert(name);
  return {};
}

std::expected<std::vector<std::string>, std::error_code> DryFileSystem::list() {
  auto names = files_.list();
  if (names) {
    std::erase_if(*names, [&](const std::string& name) { return removed_.contains(name); });
  }
  return names;
}

}  // namespace check
