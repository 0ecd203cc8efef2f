#include "tests/support/disk/memory_file_system.hpp"

#include <algorithm>

namespace test {
namespace {

std::unexpected<std::error_code> failure(std::errc error) {
  return std::unexpected(std::make_error_code(error));
}

void put(std::string& content, std::uint64_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  content.replace(offset, bytes.size(), bytes);
}

class MemoryFile final : public engine::File {
 public:
  MemoryFile(MemoryFileSystem& disk, std::shared_ptr<MemoryFileSystem::Node> node)
      : disk_(disk), node_(std::move(node)) {}

  engine::IoResult write_at(std::uint64_t offset, std::string_view bytes) override {
    const auto failed = disk_.next_failure();
    if (failed) bytes = bytes.substr(0, bytes.size() / 2);
    put(node_->content, offset, bytes);
    node_->unsynced.push_back({offset, std::string(bytes)});
    if (failed) return std::unexpected(*failed);
    return {};
  }

  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    if (offset >= node_->content.size()) return 0;
    return node_->content.copy(bytes.data(), bytes.size(), offset);
  }

  engine::IoResult sync() override {
    if (const auto failed = disk_.next_failure()) return std::unexpected(*failed);
    node_->synced = node_->content;
    node_->unsynced.clear();
    return {};
  }

  engine::IoResult resize(std::uint64_t bytes) override {
    if (const auto failed = disk_.next_failure()) return std::unexpected(*failed);
    node_->content.resize(bytes);
    return {};
  }

  std::expected<std::uint64_t, std::error_code> size() override { return node_->content.size(); }

 private:
  MemoryFileSystem& disk_;
  std::shared_ptr<MemoryFileSystem::Node> node_;
};

}  // namespace

std::optional<std::error_code> MemoryFileSystem::next_failure() {
  if (!fail_at_) return std::nullopt;
  if (*fail_at_ > 0) {
    --*fail_at_;
    return std::nullopt;
  }
  if (!fails_on_) fail_at_.reset();
  ++failures_;
  return std::make_error_code(fail_with_);
}

void MemoryFileSystem::crash(std::mt19937_64& random) {
  heal();
  if (!unsynced_.empty()) {
    unsynced_.push_back(names_);
    names_ = unsynced_[random() % unsynced_.size()];
    unsynced_.clear();
  }
  Directory survived;
  for (const auto& [name, node] : names_) {
    auto after = std::make_shared<Node>();
    after->content = node->synced;
    for (const Node::Write& write : node->unsynced) {
      constexpr std::uint64_t fates = 3;  // lost, kept, torn
      const std::uint64_t fate = random() % fates;
      if (fate == 0) continue;
      const std::size_t kept = fate == 1 ? write.bytes.size() : random() % (write.bytes.size() + 1);
      put(after->content, write.offset, std::string_view(write.bytes).substr(0, kept));
    }
    after->synced = after->content;
    survived[name] = std::move(after);
  }
  names_ = std::move(survived);
}

std::string MemoryFileSystem::content(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::string() : found->second->content;
}

void MemoryFileSystem::set_content(const std::string& name, std::string content) {
  auto node = std::make_shared<Node>();
  node->content = node->synced = std::move(content);
  names_[name] = std::move(node);
}

std::vector<std::string> MemoryFileSystem::names() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : names_) names.push_back(name);
  return names;
}

std::expected<std::unique_ptr<engine::File>, std::error_code> MemoryFileSystem::open(
    const std::string& name, engine::OpenMode mode) {
  const bool exists = names_.contains(name);
  if (mode == engine::OpenMode::create) {
    if (const auto failed = next_failure()) return std::unexpected(*failed);
    if (exists) return failure(std::errc::file_exists);
    unsynced_.push_back(names_);
    names_[name] = std::make_shared<Node>();
  } else if (!exists) {
    return failure(std::errc::no_such_file_or_directory);
  }
  return std::make_unique<MemoryFile>(*this, names_[name]);
}

engine::IoResult MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  if (const auto failed = next_failure()) return std::unexpected(*failed);
  if (!names_.contains(from)) return failure(std::errc::no_such_file_or_directory);
  unsynced_.push_back(names_);
  names_[to] = names_[from];
  names_.erase(from);
  return {};
}

engine::IoResult MemoryFileSystem::remove(const std::string& name) {
  if (const auto failed = next_failure()) return std::unexpected(*failed);
  if (!names_.contains(name)) return failure(std::errc::no_such_file_or_directory);
  unsynced_.push_back(names_);
  names_.erase(name);
  return {};
}

engine::IoResult MemoryFileSystem::sync_directory() {
  if (const auto failed = next_failure()) return std::unexpected(*failed);
  unsynced_.clear();
  return {};
}

}  // namespace test
