// Reads the records of a segment or snapshot, one by one, until its end or the first that is
// damaged. Holds a window of the file, not the whole.
#pragma once

#include "engine/file_system.hpp"
#include "engine/journal_format.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace engine::journal {

// Views live until the next call.
struct Record {
  RecordKind kind = RecordKind::head;
  std::string_view payload;
  std::uint64_t offset = 0;  // of its header in the file
};

class Reader {
 public:
  enum class End : std::uint8_t {
    none,             // not there yet
    clean,            // end of the file, or zeros behind the last record
    damaged,          // bytes at offset() are no record
    failed,           // the disk failed: error()
    unknown_version,  // greater than ours
  };

  // `file` outlives the reader. `offset`: where to go on, behind the head.
  explicit Reader(File& file, std::uint64_t offset = 0);
  // Checks the preamble and the head. nullopt: see end().
  [[nodiscard]] std::optional<Head> read_head();
  // nullopt: see end().
  [[nodiscard]] std::optional<Record> next();
  // After damage: the next intact batch record with a position above `position`, wherever it
  // starts. It tells how much of the file was durable.
  [[nodiscard]] std::optional<BatchRecord> find_batch_above(Position position);
  // After damage: the next intact image record.
  [[nodiscard]] std::optional<Record> find_image();

  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] std::error_code error() const { return error_; }
  // Where the next record starts, or where the damage does.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

 private:
  // The bytes from offset_ on, at least `count` unless the file ends before.
  [[nodiscard]] std::string_view window(std::size_t count);
  [[nodiscard]] std::optional<Record> record_at_offset();
  [[nodiscard]] bool is_zero_to_end();
  // To the next place whose record, if it is one, would be of that kind.
  [[nodiscard]] bool skip_to(RecordKind kind);
  void fail(End end) { end_ = end; }

  File& file_;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t offset_ = 0;
  std::string buffer_;
  std::uint64_t buffer_offset_ = 0;
  End end_ = End::none;
  std::error_code error_;
};

}  // namespace engine::journal
