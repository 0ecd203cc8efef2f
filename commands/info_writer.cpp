#include "commands/info_writer.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace commands {
namespace {

std::string decimals(const char* format, double value) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string human_bytes(std::size_t bytes) {
  static constexpr std::string_view units = "BKMGTPE";
  if (bytes < 1024) return std::to_string(bytes) + "B";
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  return decimals("%.2f", amount) + units[unit];
}

}  // namespace

void InfoWriter::begin_section(std::string_view title) {
  if (!out_.empty()) out_ += "\r\n";
  out_.append("# ").append(title).append("\r\n");
}

void InfoWriter::text(std::string_view field, std::string_view value) {
  out_.append(field).append(":");
  for (const char letter : value) {
    out_ += letter == ':' || letter == '\r' || letter == '\n' ? '_' : letter;
  }
  out_ += "\r\n";
}

void InfoWriter::number(std::string_view field, std::int64_t value) {
  text(field, std::to_string(value));
}

void InfoWriter::count(std::string_view field, std::uint64_t value) {
  text(field, std::to_string(value));
}

void InfoWriter::bytes(std::string_view field, std::size_t value) {
  count(field, value);
  text(std::string(field) + "_human", human_bytes(value));
}

void InfoWriter::ratio(std::string_view field, std::size_t part, std::size_t whole) {
  const double value = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  text(field, decimals("%.2f", value));
}

void InfoWriter::percent(std::string_view field, std::size_t part, std::size_t whole) {
  const double value = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  text(field, decimals("%.2f%%", value * 100));
}

void InfoWriter::difference(std::string_view field, std::size_t larger, std::size_t smaller) {
  number(field, static_cast<std::int64_t>(larger) - static_cast<std::int64_t>(smaller));
}

void InfoWriter::call_row(std::string_view field, const CallRow& row) {
  const double us = static_cast<double>(row.ns) / 1000;
  const double us_per_call = row.calls == 0 ? 0 : us / static_cast<double>(row.calls);
  text(field, "calls=" + std::to_string(row.calls) + ",usec=" + std::to_string(row.ns / 1000) +
                  ",usec_per_call=" + decimals("%.2f", us_per_call) + ",rejected_calls=" +
                  std::to_string(row.rejected) + ",failed_calls=" + std::to_string(row.failed));
}

void InfoWriter::percentiles(std::string_view field, const LatencyHistogram& latencies,
                             std::span<const std::string> wanted) {
  std::string line;
  for (const std::string& percentile : wanted) {
    const std::uint64_t ns = latencies.ns_at_percentile(std::strtod(percentile.c_str(), nullptr));
    if (!line.empty()) line += ',';
    line += "p" + percentile + "=" + decimals("%.3f", static_cast<double>(ns) / 1000);
  }
  text(field, line);
}

void InfoWriter::seconds(std::string_view field, std::int64_t us) {
  text(field, decimals("%.6f", static_cast<double>(us) / 1e6));
}

}  // namespace commands
