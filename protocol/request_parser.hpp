// Bytes of a client → requests. Incremental and zero-copy: the same bytes in any split give the
// same requests, and arguments are views into the caller's buffer.
//
//   request   = multibulk | inline
//   multibulk = "*" count CRLF { "$" length CRLF bytes CRLF }
//   inline    = words separated by blanks, quoted as in redis-cli, ended by LF (a CR before it is
//   dropped)
//
// The caller keeps unconsumed input contiguous; its address may change between calls, its content
// and start may not (progress is kept as offsets from the first unconsumed byte).
#pragma once

#include "protocol/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

class RequestParser {
 public:
  enum class Outcome : std::uint8_t { request, incomplete, broken };

  // `input` starts at the first byte not consumed by an earlier request. After `request`: args() is
  // set (empty for an empty line or "*0": to be skipped without an answer) and consumed() bytes are
  // done with. After `broken` the connection must be closed once complaint() was sent.
  Outcome next(std::string_view input);

  // Valid until next() is called again or the input moves.
  [[nodiscard]] std::span<const std::string_view> args() const { return arguments_; }
  [[nodiscard]] std::size_t consumed() const { return consumed_; }
  // How many bytes more are surely needed; a hint for the size of the next read.
  [[nodiscard]] std::size_t missing_bytes() const { return missing_; }
  // Redis' text: "ERR Protocol error: invalid bulk length" …
  [[nodiscard]] std::string_view complaint() const { return complaint_; }
  // Storage beyond the object itself.
  [[nodiscard]] std::size_t memory_bytes() const;

  void set_limits(const RequestLimits& limits) { limits_ = limits; }
  void set_authenticated(bool authenticated) { authenticated_ = authenticated; }

 private:
  struct Piece {
    std::size_t offset;
    std::size_t size;
  };
  // What a header line ("*3", "$5") says: its number, or why there is none yet.
  enum class Header : std::uint8_t { read, incomplete, too_long };

  Outcome next_multibulk(std::string_view input);
  Outcome next_inline(std::string_view input);
  Outcome read_count(std::string_view input);
  Outcome read_bulk_header(std::string_view input);
  Header read_header(std::string_view input);
  Outcome break_with(std::string_view what);
  Outcome wait_for(std::size_t bytes);
  void finish(std::string_view input);
  void start();

  RequestLimits limits_;
  std::vector<std::string_view> arguments_;
  std::vector<Piece> pieces_;          // arguments complete so far
  std::vector<std::string> unquoted_;  // storage of inline words
  std::int64_t arguments_left_ = -1;   // -1: at the start of a request
  std::size_t position_ = 0;           // of the next byte to look at
  std::size_t searched_ = 0;      // bytes already searched for the end of the line at position_
  std::int64_t bulk_bytes_ = -1;  // of the argument whose header was read; -1: none
  std::optional<std::int64_t> number_;  // of the last header; nullopt: not a number
  std::size_t consumed_ = 0;
  std::size_t missing_ = 0;
  std::string complaint_;
  bool authenticated_ = true;
};

}  // namespace protocol
