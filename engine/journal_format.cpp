#include "engine/journal_format.hpp"

#include "base/crc32c.hpp"
#include "engine/varint.hpp"

#include <charconv>

namespace engine::journal {
namespace {

constexpr std::size_t position_digits = 20;
constexpr std::string_view segment_prefix = "journal-";
constexpr std::string_view snapshot_prefix = "snapshot-";
constexpr std::string_view draft_suffix = ".draft";

void write_fixed32(std::string& out, std::size_t at, std::uint32_t number) {
  for (unsigned byte = 0; byte < sizeof number; ++byte) {
    out[at + byte] = static_cast<char>((number >> (8 * byte)) & 0xFFU);
  }
}

std::uint32_t read_fixed32(std::string_view bytes) {
  std::uint32_t number = 0;
  for (unsigned byte = 0; byte < sizeof number; ++byte) {
    number |= std::uint32_t{static_cast<unsigned char>(bytes[byte])} << (8 * byte);
  }
  return number;
}

// Leaves room for the header and fills it in when the payload stands.
class RecordWriter {
 public:
  RecordWriter(std::string& out, RecordKind kind) : out_(out), start_(out.size()) {
    out_.append(record_header_bytes, '\0');
    out_.push_back(static_cast<char>(kind));
  }
  ~RecordWriter() {
    const std::size_t body = start_ + record_header_bytes;
    write_fixed32(out_, start_, static_cast<std::uint32_t>(out_.size() - body));
    const std::string_view text = out_;
    const std::uint32_t of_length = base::crc32c(text.substr(start_, sizeof(std::uint32_t)));
    write_fixed32(out_, start_ + sizeof(std::uint32_t), base::crc32c(text.substr(body), of_length));
  }
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void number(std::uint64_t value) { varint::write(out_, value); }
  void signed_number(std::int64_t value) { varint::write(out_, varint::zigzag(value)); }
  void bytes(std::string_view text) { out_.append(text); }

 private:
  std::string& out_;
  std::size_t start_;
};

class PayloadReader {
 public:
  explicit PayloadReader(std::string_view payload) : rest_(payload) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    failed_ = !varint::read(rest_, value) || failed_;
    return value;
  }
  std::int64_t signed_number() { return varint::unzigzag(number()); }
  std::string_view bytes(std::size_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest() { return bytes(rest_.size()); }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

std::string_view prefix_of(FileKind kind) {
  return kind == FileKind::segment ? segment_prefix : snapshot_prefix;
}

}  // namespace

Stamp stamp_of(const base::Clock& clock) {
  return {clock.lease_ms(), clock.boottime_us(), clock.wall_us(), clock.boot_id()};
}

void write_preamble(std::string& out) {
  out.append(magic);
  out.push_back(static_cast<char>(version));
}

void write_head(std::string& out, const Head& head) {
  RecordWriter record(out, RecordKind::head);
  record.number(static_cast<std::uint64_t>(head.kind));
  record.number(head.position);
  record.signed_number(head.stamp.lease_ms);
  record.signed_number(head.stamp.boottime_us);
  record.signed_number(head.stamp.wall_us);
  record.number(head.stamp.boot_id.size());
  record.bytes(head.stamp.boot_id);
}

void write_batch(std::string& out, const BatchRecord& batch) {
  RecordWriter record(out, RecordKind::batch);
  record.number(batch.position);
  record.number(batch.durable);
  record.signed_number(batch.lease_ms);
  record.signed_number(batch.wall_us);
  record.bytes(batch.frames);
}

void write_image(std::string& out, std::string_view frames) {
  RecordWriter record(out, RecordKind::image);
  record.bytes(frames);
}

void write_end(std::string& out, std::uint64_t images) {
  RecordWriter record(out, RecordKind::end);
  record.number(images);
}

std::optional<Head> read_head(std::string_view payload) {
  PayloadReader reader(payload);
  Head head;
  const std::uint64_t kind = reader.number();
  head.kind = static_cast<FileKind>(kind);
  head.position = reader.number();
  head.stamp.lease_ms = reader.signed_number();
  head.stamp.boottime_us = reader.signed_number();
  head.stamp.wall_us = reader.signed_number();
  head.stamp.boot_id = reader.bytes(reader.number());
  const bool known = kind == static_cast<std::uint64_t>(FileKind::segment) ||
                     kind == static_cast<std::uint64_t>(FileKind::snapshot);
  if (!known || !reader.is_done()) return std::nullopt;
  return head;
}

std::optional<BatchRecord> read_batch(std::string_view payload) {
  PayloadReader reader(payload);
  BatchRecord batch;
  batch.position = reader.number();
  batch.durable = reader.number();
  batch.lease_ms = reader.signed_number();
  batch.wall_us = reader.signed_number();
  batch.frames = reader.rest();
  if (reader.failed() || batch.position == 0 || batch.durable >= batch.position) {
    return std::nullopt;
  }
  return batch;
}

std::optional<std::uint64_t> read_end(std::string_view payload) {
  PayloadReader reader(payload);
  const std::uint64_t images = reader.number();
  if (!reader.is_done()) return std::nullopt;
  return images;
}

RecordHeader read_record_header(std::string_view bytes) {
  return {read_fixed32(bytes), read_fixed32(bytes.substr(sizeof(std::uint32_t)))};
}

bool checksum_holds(const RecordHeader& header, std::string_view body) {
  std::string length(sizeof(std::uint32_t), '\0');
  write_fixed32(length, 0, header.bytes);
  return base::crc32c(body, base::crc32c(length)) == header.checksum;
}

std::string file_name(FileKind kind, Position position) {
  std::string digits = std::to_string(position);
  digits.insert(0, position_digits - digits.size(), '0');
  return std::string(prefix_of(kind)) + digits;
}

std::string draft_name(Position position) {
  return file_name(FileKind::snapshot, position) + std::string(draft_suffix);
}

std::optional<NamedFile> parse_file_name(std::string_view name) {
  for (const FileKind kind : {FileKind::segment, FileKind::snapshot}) {
    if (!name.starts_with(prefix_of(kind))) continue;
    const std::string_view digits = name.substr(prefix_of(kind).size());
    Position position = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), position);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
    if (whole && digits.size() == position_digits) return NamedFile{kind, position};
  }
  return std::nullopt;
}

bool is_draft_name(std::string_view name) {
  return name.starts_with(snapshot_prefix) && name.ends_with(draft_suffix);
}

}  // namespace engine::journal
