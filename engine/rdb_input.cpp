#include "engine/rdb_input.hpp"

#include "base/integers.hpp"
#include "engine/rdb_encodings.hpp"

#include <boost/crc.hpp>
#include <liblzf/lzf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace engine::rdb {
namespace {

constexpr std::size_t window_bytes = std::size_t{256} << 10U;
constexpr unsigned bits_per_byte = 8;

constexpr unsigned length_32_bits = 0x80;
constexpr unsigned length_64_bits = 0x81;
enum SpecialString : std::uint8_t { int8, int16, int32, lzf };

// Three bytes of LZF are the most compact form of a repetition, which is of 264 bytes at most.
constexpr std::uint64_t lzf_ratio_max = 264 / 3;

// CRC-64/Jones: reflected, starts at 0, is not inverted at the end.
constexpr std::size_t checksum_bits = 64;
constexpr std::uint64_t checksum_polynomial = 0xAD93D23594C935A9U;

using Crc64 = boost::crc_optimal<checksum_bits, checksum_polynomial, 0, 0, true, true>;

}  // namespace

Input::Input(File& file) : file_(file) {
  const auto bytes = file.size();
  if (bytes) {
    file_bytes_ = *bytes;
  } else {
    fail(bytes.error().message(), 0);
  }
}

void Input::fail(std::string reason, std::uint64_t offset) {
  if (failed_) return;
  failed_ = true;
  failure_ = Failure{.reason = std::move(reason), .offset = offset, .key = {}};
}

bool Input::has(std::uint64_t count) {
  if (failed()) return false;
  if (count <= left()) return true;
  fail("the file ends " + std::to_string(count - left()) + " bytes too early", offset());
  return false;
}

void Input::checksum_window() {
  Crc64 crc(remainder_);
  crc.process_bytes(window_.data() + checksummed_, at_ - checksummed_);
  remainder_ = crc.get_interim_remainder();
  checksummed_ = at_;
}

std::uint64_t Input::checksum() {
  checksum_window();
  return Crc64(remainder_).checksum();
}

// Afterwards the window holds the next `count` bytes. They are in the file, and not too many.
bool Input::refill(std::size_t count) {
  if (window_.size() - at_ >= count) return true;
  checksum_window();
  const std::uint64_t start = offset();
  window_.erase(0, at_);
  window_offset_ = start;
  at_ = 0;
  checksummed_ = 0;
  const std::size_t kept = window_.size();
  const std::uint64_t more = std::min<std::uint64_t>(window_bytes - kept, left() - kept);
  window_.resize(kept + more);
  const auto read = file_.read_at(start + kept, std::span(window_).subspan(kept));
  if (!read) {
    fail(read.error().message(), start);
    return false;
  }
  window_.resize(kept + *read);
  if (window_.size() >= count) return true;
  fail("the file became shorter while it was read", start);
  return false;
}

std::string_view Input::take(std::size_t count) {
  if (!has(count) || !refill(count)) return {};
  const std::string_view taken = std::string_view(window_).substr(at_, count);
  at_ += count;
  return taken;
}

std::uint8_t Input::read_byte() {
  return static_cast<std::uint8_t>(read_little(1));
}

std::uint64_t Input::read_little(std::size_t bytes) {
  return little_endian(take(bytes));
}

Input::Length Input::read_any_length() {
  constexpr unsigned kind_shift = 6;
  constexpr unsigned low_bits = 0x3F;
  const std::uint64_t start = offset();
  const unsigned first = read_byte();
  const std::uint64_t low = first & low_bits;
  switch (first >> kind_shift) {
    case 0:
      return {.number = low};
    case 1:
      return {.number = low << bits_per_byte | read_byte()};
    case 3:
      return {.number = low, .is_special = true};
    default:
      break;
  }
  if (first == length_32_bits) return {.number = big_endian(take(sizeof(std::uint32_t)))};
  if (first == length_64_bits) return {.number = big_endian(take(sizeof(std::uint64_t)))};
  fail("not the start of a length", start);
  return {};
}

std::uint64_t Input::read_length() {
  const std::uint64_t start = offset();
  const Length length = read_any_length();
  if (!length.is_special) return length.number;
  fail("a string where a length should be", start);
  return 0;
}

void Input::read_string(std::string& text) {
  const Length length = read_any_length();
  if (length.is_special) return read_special_string(length.number, text);
  read_bytes(length.number, text);
}

void Input::read_bytes(std::uint64_t count, std::string& bytes) {
  bytes.clear();
  if (!has(count)) return;
  bytes.reserve(count);
  while (bytes.size() < count && !failed()) {
    bytes.append(take(std::min<std::uint64_t>(count - bytes.size(), window_bytes)));
  }
}

void Input::read_special_string(std::uint64_t kind, std::string& text) {
  text.clear();
  if (kind == lzf) return read_compressed(text);
  if (kind > int32) return fail("not a kind of string", offset() - 1);
  const auto bytes = std::size_t{1} << kind;
  const std::int64_t number = sign_extended(read_little(bytes), static_cast<unsigned>(bytes) * 8);
  text = base::IntegerText(number).view();
}

void Input::read_compressed(std::string& text) {
  const std::uint64_t start = offset() - 1;
  const std::uint64_t packed_bytes = read_length();
  const std::uint64_t bytes = read_length();
  if (!has(packed_bytes)) return;
  constexpr std::uint64_t lzf_bytes_max = std::numeric_limits<unsigned>::max();
  const bool is_possible = packed_bytes <= lzf_bytes_max && bytes <= lzf_bytes_max && bytes > 0 &&
                           bytes / lzf_ratio_max <= packed_bytes;
  if (!is_possible) return fail("a compressed string of impossible length", start);
  read_bytes(packed_bytes, compressed_);
  if (failed()) return;
  text.resize(bytes);
  const unsigned got = lzf_decompress(compressed_.data(), static_cast<unsigned>(packed_bytes),
                                      text.data(), static_cast<unsigned>(bytes));
  if (got != bytes) fail("a compressed string is damaged", start);
}

double Input::read_double() {
  const std::uint64_t start = offset();
  const auto number = std::bit_cast<double>(read_little(sizeof(double)));
  if (!std::isnan(number)) return number;
  fail("a score that is not a number", start);
  return 0;
}

double Input::read_text_double() {
  enum Special : std::uint8_t { not_a_number = 253, infinity, minus_infinity };
  const std::uint64_t start = offset();
  const std::uint8_t bytes = read_byte();
  if (bytes == infinity) return std::numeric_limits<double>::infinity();
  if (bytes == minus_infinity) return -std::numeric_limits<double>::infinity();
  const std::string_view text = bytes == not_a_number ? std::string_view() : take(bytes);
  const auto score = parse_score(text);
  if (!score) fail("a score that is not a number", start);
  return score.value_or(0);
}

void Input::skip(std::uint64_t count) {
  if (!has(count)) return;
  while (count > 0 && !failed()) {
    const auto some = std::min<std::uint64_t>(count, window_bytes);
    (void)take(some);
    count -= some;
  }
}

void Input::skip_string() {
  const Length length = read_any_length();
  if (!length.is_special) return skip(length.number);
  if (length.number <= int32) return skip(std::uint64_t{1} << length.number);
  if (length.number != lzf) return fail("not a kind of string", offset() - 1);
  const std::uint64_t packed_bytes = read_length();
  (void)read_length();
  skip(packed_bytes);
}

}  // namespace engine::rdb
