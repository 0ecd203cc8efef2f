#include "engine/journal_reader.hpp"

#include "engine/varint.hpp"

#include <algorithm>

namespace engine::journal {
namespace {

constexpr std::size_t window_bytes = std::size_t{1} << 20U;

bool is_known(std::uint8_t kind) {
  return kind >= static_cast<std::uint8_t>(RecordKind::head) &&
         kind <= static_cast<std::uint8_t>(RecordKind::end);
}

bool is_zero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

Reader::Reader(File& file, std::uint64_t offset) : file_(file), offset_(offset) {
  const auto bytes = file.size();
  if (bytes) {
    file_bytes_ = *bytes;
  } else {
    error_ = bytes.error();
    end_ = End::failed;
  }
}

std::string_view Reader::window(std::size_t count) {
  const std::uint64_t left = file_bytes_ - offset_;
  const std::size_t wanted = std::min<std::uint64_t>(count, left);
  const std::uint64_t held = buffer_offset_ + buffer_.size();
  if (offset_ < buffer_offset_ || offset_ + wanted > held) {
    const std::size_t load = std::min<std::uint64_t>(std::max(wanted, window_bytes), left);
    buffer_.resize(load);
    buffer_offset_ = offset_;
    const auto read = file_.read_at(offset_, buffer_);
    if (!read) {
      error_ = read.error();
      end_ = End::failed;
      buffer_.clear();
      return {};
    }
    buffer_.resize(*read);
  }
  return std::string_view(buffer_).substr(offset_ - buffer_offset_);
}

std::optional<Head> Reader::read_head() {
  if (end_ != End::none) return std::nullopt;
  const std::string_view preamble = window(preamble_bytes).substr(0, preamble_bytes);
  std::string expected;
  write_preamble(expected);
  if (preamble != expected) {
    const bool is_ours = preamble.size() == preamble_bytes && preamble.starts_with(magic);
    const bool is_newer = is_ours && static_cast<std::uint8_t>(preamble.back()) > version;
    if (end_ == End::none) end_ = is_newer ? End::unknown_version : End::damaged;
    return std::nullopt;
  }
  offset_ = preamble_bytes;
  const auto record = next();
  const auto head = record && record->kind == RecordKind::head ? journal::read_head(record->payload)
                                                               : std::nullopt;
  if (!head && end_ != End::failed) {
    end_ = End::damaged;
    offset_ = 0;
  }
  return head;
}

std::optional<Record> Reader::next() {
  if (end_ != End::none) return std::nullopt;
  if (offset_ >= file_bytes_) {
    end_ = End::clean;
    return std::nullopt;
  }
  auto record = record_at_offset();
  if (record) {
    offset_ += record_header_bytes + 1 + record->payload.size();
    return record;
  }
  if (end_ == End::none) end_ = is_zero_to_end() ? End::clean : End::damaged;
  return std::nullopt;
}

std::optional<Record> Reader::record_at_offset() {
  const std::string_view start = window(record_header_bytes + 1);
  if (start.size() < record_header_bytes + 1) return std::nullopt;
  const RecordHeader header = read_record_header(start);
  if (header.bytes == 0 || header.bytes > file_bytes_ - offset_ - record_header_bytes) {
    return std::nullopt;
  }
  const std::string_view whole = window(record_header_bytes + header.bytes);
  if (whole.size() < record_header_bytes + header.bytes) return std::nullopt;
  const std::string_view body = whole.substr(record_header_bytes, header.bytes);
  const auto kind = static_cast<std::uint8_t>(body.front());
  if (!is_known(kind) || !checksum_holds(header, body)) return std::nullopt;
  return Record{static_cast<RecordKind>(kind), body.substr(1), offset_};
}

bool Reader::is_zero_to_end() {
  const std::uint64_t start = offset_;
  bool zero = true;
  while (zero && offset_ < file_bytes_ && end_ == End::none) {
    const std::string_view bytes = window(1);
    if (bytes.empty()) break;  // the file is shorter now
    zero = is_zero(bytes);
    offset_ += bytes.size();
  }
  offset_ = start;
  return zero && end_ == End::none;
}

bool Reader::skip_to(RecordKind kind) {
  while (offset_ + record_header_bytes < file_bytes_) {
    const std::string_view bytes = window(record_header_bytes + 1);
    if (bytes.size() <= record_header_bytes) return false;
    const std::size_t found = bytes.find(static_cast<char>(kind), record_header_bytes);
    if (found != std::string_view::npos) {
      offset_ += found - record_header_bytes;
      return true;
    }
    offset_ += bytes.size() - record_header_bytes;
  }
  return false;
}

std::optional<BatchRecord> Reader::find_batch_above(Position position) {
  // A byte that could be a kind and a position that could follow come before the checksum: it is
  // computed for hardly any place that is not the start of a record.
  constexpr Position positions_ahead_max = Position{1} << 32U;
  constexpr std::size_t numbers_bytes_max = 40;
  end_ = End::none;
  for (++offset_; skip_to(RecordKind::batch); ++offset_) {
    const std::string_view start = window(record_header_bytes + 1 + numbers_bytes_max);
    if (start.size() <= record_header_bytes) break;
    const auto guess = read_batch(start.substr(record_header_bytes + 1, numbers_bytes_max));
    if (!guess || guess->position <= position) continue;
    if (guess->position - position > positions_ahead_max) continue;
    const auto record = record_at_offset();
    const auto batch = record ? read_batch(record->payload) : std::nullopt;
    if (!batch) continue;
    // The next search starts behind it.
    offset_ += record_header_bytes + record->payload.size();
    return batch;
  }
  if (end_ == End::none) end_ = End::damaged;
  return std::nullopt;
}

std::optional<Record> Reader::find_image() {
  constexpr std::size_t number_bytes_max = 10;
  end_ = End::none;
  for (++offset_; skip_to(RecordKind::image); ++offset_) {
    // An image is written as one frame: both lengths must agree before the checksum is computed.
    std::string_view start = window(record_header_bytes + 1 + number_bytes_max);
    if (start.size() <= record_header_bytes) break;
    const std::uint64_t bytes = read_record_header(start).bytes;
    start.remove_prefix(record_header_bytes + 1);
    const std::size_t before = start.size();
    std::uint64_t frame_bytes = 0;
    if (!varint::read(start, frame_bytes)) continue;
    if (bytes != 1 + (before - start.size()) + frame_bytes) continue;
    const auto record = record_at_offset();
    if (!record || record->kind != RecordKind::image) continue;
    offset_ += record_header_bytes + record->payload.size();
    return record;
  }
  if (end_ == End::none) end_ = End::damaged;
  return std::nullopt;
}

}  // namespace engine::journal
