// A disk in memory that behaves as badly as a real one may: what was not synced is lost in any part
// and order when the machine crashes, any call fails on demand, and what a failed sync should have
// written no later sync writes.
#pragma once

#include "engine/file_system.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace test {

class MemoryFileSystem final : public engine::FileSystem {
 public:
  // The content of one file, named or not.
  struct Node {
    struct Change {
      std::uint64_t offset;  // of what was written; the new size when it was resized
      std::string bytes;
      bool is_resize = false;
    };
    std::string content;           // what readers see
    std::string synced;            // what survives a crash
    std::vector<Change> unsynced;  // since then, in order
  };

  // --- faults. Calls are those that change or sync something, and those that read when that is
  // wanted.
  // The call number `call` from now on (0: the next) fails with `error`; a failing write leaves a
  // part of its bytes.
  void fail_at(std::size_t call, std::errc error) {
    fail_at_ = call;
    fail_with_ = error;
    fails_on_ = false;
  }
  // That call and every one after it.
  void fail_from(std::size_t call, std::errc error) {
    fail_at(call, error);
    fails_on_ = true;
  }
  void heal() {
    fail_at_.reset();
    fails_on_ = false;
  }
  void count_reads(bool wanted) { reads_count_ = wanted; }
  [[nodiscard]] bool has_failed() const { return failures_ > 0; }
  [[nodiscard]] std::size_t failures() const { return failures_; }
  [[nodiscard]] std::size_t calls() const { return calls_; }
  // The process ends in the middle of the call number `call` from now on (0: the next): of a write
  // a part is done; nothing that it does later changes anything, though it is told so. Until
  // revive().
  void end_process_at(std::size_t call) { end_at_ = call; }
  void end_process() { is_dead_ = true; }
  [[nodiscard]] bool is_process_dead() const { return is_dead_; }
  void revive();
  // Syncs answer well and do nothing.
  void lie_about_syncs(bool wanted) { lies_ = wanted; }
  // The machine goes down and comes up: of what was not synced some survives, as `random` says.
  // Open files are dead.
  void crash(std::mt19937_64& random);

  // --- looking and spoiling
  [[nodiscard]] std::string content(const std::string& name) const;
  void set_content(const std::string& name, std::string content);
  [[nodiscard]] std::vector<std::string> names() const;

  // --- FileSystem
  std::expected<std::unique_ptr<engine::File>, std::error_code> open(
      const std::string& name, engine::OpenMode mode) override;
  engine::IoResult rename(const std::string& from, const std::string& to) override;
  engine::IoResult remove(const std::string& name) override;
  std::expected<std::vector<std::string>, std::error_code> list() override;
  engine::IoResult sync_directory() override;

  // --- for its files
  engine::IoResult write(Node& node, std::uint64_t offset, std::string_view bytes);
  engine::IoResult resize(Node& node, std::uint64_t bytes);
  engine::IoResult sync(Node& node);
  [[nodiscard]] engine::IoResult before_read();

 private:
  using Directory = std::map<std::string, std::shared_ptr<Node>>;

  // What becomes of the call that is made now.
  struct Fate {
    std::optional<std::error_code> error;
    bool is_ignored = false;  // the process is dead
    bool dies_now = false;
  };
  [[nodiscard]] Fate next_call();
  [[nodiscard]] std::size_t some_of(std::size_t bytes) { return random_() % (bytes + 1); }
  static void change(Node& node, Node::Change change);
  static void apply(std::string& content, const Node::Change& change);
  // Of each unsynced change all, a part or nothing reaches the disk.
  static void gamble(Node& node, std::mt19937_64& random);

  Directory names_;
  std::vector<Directory> unsynced_;  // what the directory was before each change since the sync
  std::optional<std::size_t> fail_at_;
  std::errc fail_with_ = std::errc::io_error;
  bool fails_on_ = false;
  bool reads_count_ = false;
  bool lies_ = false;
  std::optional<std::size_t> end_at_;
  bool is_dead_ = false;
  std::size_t calls_ = 0;
  std::size_t failures_ = 0;
  std::mt19937_64 random_{1};  // for parts of failed calls
};

}  // namespace test
