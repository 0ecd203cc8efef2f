#include "protocol/resp_writer.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace protocol {
namespace {

// Room for the letter, a 64-bit number and CRLF.
constexpr std::size_t header_bytes_max = 1 + base::int64_text_bytes_max + 2;
// How much of an error's first word is remembered as its code; scripts may answer anything.
constexpr std::size_t error_code_bytes_max = 32;

void append_line_safe(std::string& out, std::string_view text) {
  for (const char letter : text) out += letter == '\r' || letter == '\n' ? ' ' : letter;
}

}  // namespace

void RespWriter::header(char kind, std::int64_t value) {
  char text[header_bytes_max];
  text[0] = kind;
  char* end = text + 2;
  if (value >= 0 && value <= 9) {
    text[1] = static_cast<char>('0' + value);
  } else {
    end = std::to_chars(text + 1, text + 1 + base::int64_text_bytes_max, value).ptr;
  }
  *end++ = '\r';
  *end++ = '\n';
  out_.append(text, static_cast<std::size_t>(end - text));
}

void RespWriter::simple(std::string_view text) {
  if (text == "OK") {
    out_ += "+OK\r\n";
    return;
  }
  out_ += '+';
  append_line_safe(out_, text);
  out_ += "\r\n";
}

void RespWriter::error(std::string_view text) {
  // Redis 7.0 drops line ends at the end of an error and makes spaces of the others.
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  ++errors_written_;
  last_error_code_ = text.substr(0, std::min(text.find(' '), error_code_bytes_max));
  out_ += '-';
  append_line_safe(out_, text);
  out_ += "\r\n";
}

void RespWriter::error_counted_before(std::string_view text) {
  ++errors_counted_;
  error(text);
}

void RespWriter::integer(std::int64_t value) {
  header(':', value);
}

void RespWriter::bulk(std::string_view bytes) {
  header('$', static_cast<std::int64_t>(bytes.size()));
  out_ += bytes;
  out_ += "\r\n";
}

void RespWriter::null() {
  out_ += version_ == RespVersion::resp3 ? "_\r\n" : "$-1\r\n";
}

void RespWriter::null_array() {
  out_ += version_ == RespVersion::resp3 ? "_\r\n" : "*-1\r\n";
}

void RespWriter::array(std::size_t elements) {
  header('*', static_cast<std::int64_t>(elements));
}

void RespWriter::map(std::size_t pairs) {
  if (version_ == RespVersion::resp3) {
    header('%', static_cast<std::int64_t>(pairs));
  } else {
    header('*', static_cast<std::int64_t>(pairs * 2));
  }
}

void RespWriter::set(std::size_t elements) {
  header(version_ == RespVersion::resp3 ? '~' : '*', static_cast<std::int64_t>(elements));
}

void RespWriter::push(std::size_t elements) {
  header(version_ == RespVersion::resp3 ? '>' : '*', static_cast<std::int64_t>(elements));
}

void RespWriter::real(double value) {
  char text[40];
  std::string_view digits;
  if (std::isinf(value)) {
    digits = value > 0 ? "inf" : "-inf";
  } else {
    const int length = std::snprintf(text, sizeof text, "%.17g", value);
    digits = {text, static_cast<std::size_t>(length)};
  }
  if (version_ == RespVersion::resp2) {
    bulk(digits);
    return;
  }
  out_ += ',';
  out_ += digits;
  out_ += "\r\n";
}

void RespWriter::boolean(bool value) {
  if (version_ == RespVersion::resp3) {
    out_ += value ? "#t\r\n" : "#f\r\n";
  } else {
    integer(value ? 1 : 0);
  }
}

void RespWriter::big_number(std::string_view digits) {
  if (version_ == RespVersion::resp2) {
    bulk(digits);
    return;
  }
  out_ += '(';
  append_line_safe(out_, digits);
  out_ += "\r\n";
}

void RespWriter::verbatim(std::string_view format, std::string_view text) {
  if (version_ == RespVersion::resp2) {
    bulk(text);
    return;
  }
  header('=', static_cast<std::int64_t>(text.size() + format.size() + 1));
  out_ += format;
  out_ += ':';
  out_ += text;
  out_ += "\r\n";
}

}  // namespace protocol
