#include "engine/rdb_reader.hpp"

#include "engine/rdb_encodings.hpp"
#include "engine/rdb_foreign.hpp"

#include <charconv>
#include <system_error>
#include <utility>

namespace engine::rdb {
namespace {

constexpr std::string_view magic = "REDIS";
constexpr std::size_t version_digits = 4;

enum class Mark : std::uint8_t {
  library = 0xF5,
  module_data = 0xF7,
  idle,
  frequency,
  auxiliary,
  size_hint,
  expires_ms,
  expires_s,
  database,
  end,
};

// Of what a base file of an append-only directory, or one that begins an append-only file, says.
bool is_base_mark(std::string_view name, std::string_view value) {
  return (name == "aof-base" || name == "aof-preamble") && value == "1";
}

}  // namespace

Reader::Reader(File& file, Listener& listener)
    : input_(file), listener_(listener), values_(input_, listener) {}

void Reader::judge(const Verdict& verdict, std::uint64_t offset) {
  if (!verdict) input_.fail(verdict.error(), offset);
}

Outcome Reader::run() {
  read_head();
  while (!input_.failed() && read_part()) {
  }
  check_end();
  if (!input_.failed()) return {};
  Failure failure = input_.failure();
  failure.key = std::move(key_);
  return std::unexpected(std::move(failure));
}

void Reader::read_head() {
  input_.read_bytes(magic.size() + version_digits, text_);
  if (input_.failed() || !text_.starts_with(magic)) {
    return input_.fail("not an RDB file: it does not begin with REDIS", 0);
  }
  std::uint64_t version = 0;
  const char* end = text_.data() + text_.size();
  const auto [stopped, error] = std::from_chars(text_.data() + magic.size(), end, version);
  if (error != std::errc() || stopped != end) {
    return input_.fail("not an RDB file: its version is no number", magic.size());
  }
  if (version >= version_min && version <= version_max) return;
  input_.fail("RDB version " + std::to_string(version) + "; versions " +
                  std::to_string(version_min) + " to " + std::to_string(version_max) +
                  " can be read",
              magic.size());
}

bool Reader::read_part() {
  const std::uint8_t mark = input_.read_byte();
  if (input_.failed() || static_cast<Mark>(mark) == Mark::end) return false;
  if (!read_detail(mark)) read_key(mark);
  return true;
}

bool Reader::read_detail(std::uint8_t mark) {
  constexpr std::int64_t ms_per_s = 1000;
  const std::uint64_t start = input_.offset();
  switch (static_cast<Mark>(mark)) {
    case Mark::library:
      input_.read_string(text_);
      if (!input_.failed()) judge(listener_.function_library(text_), start);
      return true;
    case Mark::module_data:
      skip_module(input_);  // whose first part says when it was saved
      return true;
    case Mark::idle:
      (void)input_.read_length();
      return true;
    case Mark::frequency:
      (void)input_.read_byte();
      return true;
    case Mark::auxiliary:
      read_auxiliary();
      return true;
    case Mark::size_hint:
      (void)input_.read_length();
      (void)input_.read_length();
      return true;
    case Mark::expires_ms:
      expires_wall_ms_ = static_cast<std::int64_t>(input_.read_little(sizeof(std::int64_t)));
      return true;
    case Mark::expires_s: {
      constexpr unsigned bits = 32;
      expires_wall_ms_ = sign_extended(input_.read_little(sizeof(std::int32_t)), bits) * ms_per_s;
      return true;
    }
    case Mark::database:
      database_ = input_.read_length();
      return true;
    case Mark::end:
      break;
  }
  return false;
}

void Reader::read_auxiliary() {
  const std::uint64_t start = input_.offset();
  input_.read_string(text_);
  input_.read_string(value_);
  if (input_.failed()) return;
  if (text_ == "redis-ver") listener_.made_by(value_);
  if (text_ == "lua") judge(listener_.script(value_), start);
  if (!is_base_mark(text_, value_)) return;
  input_.fail("the base of an append-only file: what was written after it is missing here", start);
}

// Known, but nothing that could be read or passed over.
void Reader::refuse_type(std::uint8_t type_byte) {
  constexpr std::uint8_t early_module = 6;
  constexpr std::uint8_t expiring_fields_first = 22;
  constexpr std::uint8_t expiring_fields_last = 25;
  const std::uint64_t start = input_.offset() - 1;
  const bool has_expiring_fields =
      type_byte >= expiring_fields_first && type_byte <= expiring_fields_last;
  if (!has_expiring_fields && type_byte != early_module) {
    return input_.fail("unknown type or mark " + std::to_string(type_byte), start);
  }
  input_.read_string(key_);
  input_.fail(has_expiring_fields ? "a hash whose fields expire one by one"
                                  : "a value of a module, in a form that cannot be passed over",
              start);
}

void Reader::read_key(std::uint8_t type_byte) {
  const std::uint64_t start = input_.offset() - 1;
  const auto type = value_type(type_byte);
  const auto foreign = foreign_type(type_byte);
  if (!type && !foreign) return refuse_type(type_byte);
  input_.read_string(key_);
  if (input_.failed()) return key_.clear();
  if (foreign) {
    skip_foreign(input_, type_byte);
    if (!input_.failed()) judge(listener_.foreign_key(database_, key_, *foreign), start);
  } else {
    judge(listener_.begin_key({.database = database_,
                               .name = key_,
                               .type = *type,
                               .expires_wall_ms = expires_wall_ms_}),
          start);
    if (!input_.failed()) values_.read(type_byte);
    if (!input_.failed()) judge(listener_.end_key(), start);
  }
  expires_wall_ms_.reset();
  if (!input_.failed()) key_.clear();
}

void Reader::check_end() {
  if (input_.failed()) return;
  const std::uint64_t computed = input_.checksum();
  const std::uint64_t start = input_.offset();
  const std::uint64_t said = input_.read_little(sizeof(std::uint64_t));
  if (!input_.failed() && said != 0 && said != computed) {
    return input_.fail("the checksum does not match: the file is damaged somewhere", start);
  }
  if (!input_.failed() && input_.left() > 0) {
    input_.fail(std::to_string(input_.left()) + " bytes behind the end of the dump",
                input_.offset());
  }
}

}  // namespace engine::rdb
