#include "tests/support/disk/memory_file_system.hpp"

#include <utility>

namespace test {
namespace {

std::unexpected<std::error_code> failure(std::errc error) {
  return std::unexpected(std::make_error_code(error));
}

class MemoryFile final : public engine::File {
 public:
  MemoryFile(MemoryFileSystem& disk, std::shared_ptr<MemoryFileSystem::Node> node)
      : disk_(disk), node_(std::move(node)) {}

  engine::IoResult write_at(std::uint64_t offset, std::string_view bytes) override {
    return disk_.write(*node_, offset, bytes);
  }
  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    if (const auto may = disk_.before_read(); !may) return std::unexpected(may.error());
    if (offset >= node_->content.size()) return 0;
    return node_->content.copy(bytes.data(), bytes.size(), offset);
  }
  engine::IoResult sync() override { return disk_.sync(*node_); }
  engine::IoResult resize(std::uint64_t bytes) override { return disk_.resize(*node_, bytes); }
  std::expected<std::uint64_t, std::error_code> size() override {
    if (const auto may = disk_.before_read(); !may) return std::unexpected(may.error());
    return node_->content.size();
  }

 private:
  MemoryFileSystem& disk_;
  std::shared_ptr<MemoryFileSystem::Node> node_;
};

}  // namespace

// --- fates

MemoryFileSystem::Fate MemoryFileSystem::next_call() {
  if (is_dead_) return {.error = std::nullopt, .is_ignored = true};
  ++calls_;
  if (end_at_ && (*end_at_)-- == 0) {
    end_at_.reset();
    is_dead_ = true;
    return {.error = std::nullopt, .is_ignored = true, .dies_now = true};
  }
  if (!fail_at_) return {};
  if (*fail_at_ > 0) {
    --*fail_at_;
    return {};
  }
  if (!fails_on_) fail_at_.reset();
  ++failures_;
  return {.error = std::make_error_code(fail_with_)};
}

void MemoryFileSystem::revive() {
  is_dead_ = false;
  end_at_.reset();
}

void MemoryFileSystem::apply(std::string& content, const Node::Change& change) {
  if (change.is_resize) return content.resize(change.offset);
  const std::size_t end = change.offset + change.bytes.size();
  if (content.size() < end) content.resize(end);
  content.replace(change.offset, change.bytes.size(), change.bytes);
}

void MemoryFileSystem::change(Node& node, Node::Change change) {
  apply(node.content, change);
  node.unsynced.push_back(std::move(change));
}

void MemoryFileSystem::gamble(Node& node, std::mt19937_64& random) {
  constexpr std::uint64_t fates = 3;  // lost, kept, torn
  for (Node::Change& change : std::exchange(node.unsynced, {})) {
    const std::uint64_t fate = random() % fates;
    if (fate == 0) continue;
    if (fate == 2 && !change.is_resize) {
      change.bytes.resize(random() % (change.bytes.size() + 1));
    }
    if (!change.is_resize && change.bytes.empty()) continue;
    apply(node.synced, change);
  }
}

void MemoryFileSystem::crash(std::mt19937_64& random) {
  heal();
  revive();
  if (!unsynced_.empty()) {
    unsynced_.push_back(names_);
    names_ = unsynced_[random() % unsynced_.size()];
    unsynced_.clear();
  }
  Directory survived;
  for (const auto& [name, node] : names_) {
    gamble(*node, random);
    auto after = std::make_shared<Node>();
    after->content = node->synced;
    after->synced = std::move(node->synced);
    survived[name] = std::move(after);
  }
  names_ = std::move(survived);
}

// --- looking and spoiling

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

// --- files

engine::IoResult MemoryFileSystem::before_read() {
  if (!reads_count_) return {};
  const Fate fate = next_call();
  if (fate.error) return std::unexpected(*fate.error);
  return {};
}

engine::IoResult MemoryFileSystem::write(Node& node, std::uint64_t offset, std::string_view bytes) {
  const Fate fate = next_call();
  if (fate.error || fate.dies_now) bytes = bytes.substr(0, some_of(bytes.size()));
  if ((!fate.is_ignored || fate.dies_now) && !bytes.empty()) {
    change(node, {.offset = offset, .bytes = std::string(bytes)});
  }
  if (fate.error) return std::unexpected(*fate.error);
  return {};
}

engine::IoResult MemoryFileSystem::resize(Node& node, std::uint64_t bytes) {
  const Fate fate = next_call();
  if (fate.error) return std::unexpected(*fate.error);
  if (!fate.is_ignored) change(node, {.offset = bytes, .bytes = {}, .is_resize = true});
  return {};
}

engine::IoResult MemoryFileSystem::sync(Node& node) {
  const Fate fate = next_call();
  if (fate.error) {
    gamble(node, random_);
    return std::unexpected(*fate.error);
  }
  if (fate.is_ignored || lies_) return {};
  for (const Node::Change& change : std::exchange(node.unsynced, {})) apply(node.synced, change);
  return {};
}

// --- names

std::expected<std::unique_ptr<engine::File>, std::error_code> MemoryFileSystem::open(
    const std::string& name, engine::OpenMode mode) {
  const bool exists = names_.contains(name);
  if (mode == engine::OpenMode::create) {
    const Fate fate = next_call();
    if (fate.error) return std::unexpected(*fate.error);
    if (exists) return failure(std::errc::file_exists);
    auto node = std::make_shared<Node>();
    if (!fate.is_ignored) {
      unsynced_.push_back(names_);
      names_[name] = node;
    }
    return std::make_unique<MemoryFile>(*this, std::move(node));
  }
  if (const auto may = before_read(); !may) return std::unexpected(may.error());
  if (!exists) return failure(std::errc::no_such_file_or_directory);
  return std::make_unique<MemoryFile>(*this, names_[name]);
}

engine::IoResult MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  const Fate fate = next_call();
  if (fate.error) return std::unexpected(*fate.error);
  if (fate.is_ignored) return {};
  if (!names_.contains(from)) return failure(std::errc::no_such_file_or_directory);
  unsynced_.push_back(names_);
  names_[to] = names_[from];
  names_.erase(from);
  return {};
}

engine::IoResult MemoryFileSystem::remove(const std::string& name) {
  const Fate fate = next_call();
  if (fate.error) return std::unexpected(*fate.error);
  if (fate.is_ignored) return {};
  if (!names_.contains(name)) return failure(std::errc::no_such_file_or_directory);
  unsynced_.push_back(names_);
  names_.erase(name);
  return {};
}

std::expected<std::vector<std::string>, std::error_code> MemoryFileSystem::list() {
  if (const auto may = before_read(); !may) return std::unexpected(may.error());
  return names();
}

engine::IoResult MemoryFileSystem::sync_directory() {
  const Fate fate = next_call();
  if (fate.error) return std::unexpected(*fate.error);
  if (!fate.is_ignored && !lies_) unsynced_.clear();
  return {};
}

}  // namespace test
