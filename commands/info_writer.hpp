// Lines of INFO: "# Title" and "field:value", ended by CRLF, an empty line between sections.
#pragma once

#include "commands/call_statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace commands {

class InfoWriter {
 public:
  void begin_section(std::string_view title);
  // ':' and line ends in `value` become '_': a line splits in exactly two at its ':'.
  void text(std::string_view field, std::string_view value);
  void number(std::string_view field, std::int64_t value);
  void count(std::string_view field, std::uint64_t value);
  void size(std::string_view field, std::size_t value) { count(field, value); }
  // Two lines: bytes, and "<field>_human" ("1.50M").
  void bytes(std::string_view field, std::size_t value);
  // Two decimals; 0.00 when `whole` is 0.
  void ratio(std::string_view field, std::size_t part, std::size_t whole);
  // "12.34%"; 0.00% when `whole` is 0.
  void percent(std::string_view field, std::size_t part, std::size_t whole);
  // `larger` minus `smaller`, negative where it is not larger.
  void difference(std::string_view field, std::size_t larger, std::size_t smaller);
  // "calls=1,usec=2,usec_per_call=2.00,rejected_calls=0,failed_calls=0"
  void call_row(std::string_view field, const CallRow& row);
  // "p50=1.003,p99=2.007": microseconds.
  void percentiles(std::string_view field, const LatencyHistogram& latencies,
                   std::span<const std::string> wanted);
  // Microseconds as seconds with six decimals.
  void seconds(std::string_view field, std::int64_t us);
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace commands
