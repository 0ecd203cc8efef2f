// The one format of segments and snapshots (docs/journal-format.md).
//
// file    "MORTISE", u8 version, record*, then nothing or zeros (segments are zeroed ahead)
// record  u32 bytes of what follows the checksum (never 0), u32 CRC-32C of those four bytes and of
//         what follows, u8 kind, payload
//   head   u8 file kind, v position, z lease ms, z boottime us, z wall us, s boot id
//          the first record of a file; a segment's position is that of the batch before its first
//          one, a snapshot's that of the last batch whose effects it holds
//   batch  v position, v durable, z lease ms, z wall us, frame*     (segments)
//          durable: greatest position known to be durable when this record was written
//   image  frame*      puts that rebuild a part of the state        (snapshots)
//   end    v images    a snapshot without it is none                (snapshots)
// Integers of fixed width are little-endian; v varint, z zigzag varint, s varint length and bytes;
// frames: mutation.hpp.
#pragma once

#include "base/clock.hpp"
#include "engine/commit_log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine::journal {

inline constexpr std::string_view magic = "MORTISE";
inline constexpr std::uint8_t version = 1;
inline constexpr std::size_t preamble_bytes = magic.size() + 1;
inline constexpr std::size_t record_header_bytes = 8;

enum class FileKind : std::uint8_t { segment = 1, snapshot = 2 };
enum class RecordKind : std::uint8_t { head = 1, batch, image, end };

// When something was written, on every clock that a later start may need.
struct Stamp {
  std::int64_t lease_ms = 0;
  std::int64_t boottime_us = 0;
  std::int64_t wall_us = 0;
  std::string boot_id;
};

[[nodiscard]] Stamp stamp_of(const base::Clock& clock);  // now

struct Head {
  FileKind kind = FileKind::segment;
  Position position = 0;
  Stamp stamp;
};

struct BatchRecord {
  Position position = 0;
  Position durable = 0;
  std::int64_t lease_ms = 0;
  std::int64_t wall_us = 0;
  std::string_view frames;
};

void write_preamble(std::string& out);
void write_head(std::string& out, const Head& head);
void write_batch(std::string& out, const BatchRecord& batch);
void write_image(std::string& out, std::string_view frames);
void write_end(std::string& out, std::uint64_t images);

// Of a payload whose checksum holds; nullopt: it is not of this form.
[[nodiscard]] std::optional<Head> read_head(std::string_view payload);
[[nodiscard]] std::optional<BatchRecord> read_batch(std::string_view payload);
[[nodiscard]] std::optional<std::uint64_t> read_end(std::string_view payload);

// Header of a record at the front of `bytes` (at least record_header_bytes of them).
struct RecordHeader {
  std::uint32_t bytes = 0;
  std::uint32_t checksum = 0;
};
[[nodiscard]] RecordHeader read_record_header(std::string_view bytes);
// `body`: kind and payload.
[[nodiscard]] bool checksum_holds(const RecordHeader& header, std::string_view body);

// Names of files: "journal-" or "snapshot-", then the position of their head in 20 digits.
[[nodiscard]] std::string file_name(FileKind kind, Position position);
// A snapshot before it is complete.
[[nodiscard]] std::string draft_name(Position position);
struct NamedFile {
  FileKind kind;
  Position position;
};
[[nodiscard]] std::optional<NamedFile> parse_file_name(std::string_view name);
[[nodiscard]] bool is_draft_name(std::string_view name);

}  // namespace engine::journal
