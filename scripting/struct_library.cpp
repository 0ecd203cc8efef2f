// struct.*: bytes to and from numbers and text by a format: < > ! x b B h H l lua T i I c s f d.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <string>

namespace scripting {
namespace {

constexpr std::size_t integer_bytes_max = 32;

class Format {
 public:
  Format(lua_State* lua, std::string_view text)
      : lua_(lua), text_(text.substr(0, text.find('\0'))) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool is_big_endian() const { return is_big_endian_; }

  struct Item {
    char kind;
    std::size_t size;
    std::size_t padding;
  };
  // The item at a place that is `position` bytes from the start.
  Item next(std::size_t position) {
    Item item{text_[at_++], 0, 0};
    item.size = size_of(item.kind);
    if (item.size == 0 || item.kind == 'c') return item;
    const std::size_t align = std::min(item.size, align_);
    item.padding = (align - (position & (align - 1))) & (align - 1);
    return item;
  }

  // For a kind that stands for no data.
  void control(char kind) {
    switch (kind) {
      case ' ':
        return;
      case '>':
        is_big_endian_ = true;
        return;
      case '<':
        is_big_endian_ = false;
        return;
      case '!': {
        const std::size_t align = number_or(8);
        if (!std::has_single_bit(align))
          raise_at_caller(lua_, "alignment " + std::to_string(align) + " is not a power of 2");
        align_ = align;
        return;
      }
      default:
        raise_argument(lua_, 1, std::string("invalid format option '") + kind + "'");
    }
  }

 private:
  std::size_t number_or(std::size_t otherwise) {
    const auto is_digit = [this] { return !at_end() && text_[at_] >= '0' && text_[at_] <= '9'; };
    if (!is_digit()) return otherwise;
    std::size_t number = 0;
    while (is_digit()) {
      if (number > INT32_MAX / 10) raise_at_caller(lua_, "integral size overflow");
      number = number * 10 + static_cast<std::size_t>(text_[at_++] - '0');
    }
    return number;
  }

  std::size_t size_of(char kind) {
    switch (kind) {
      case 'b':
      case 'B':
      case 'x':
        return 1;
      case 'h':
      case 'H':
        return 2;
      case 'f':
        return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return number_or(1);
      case 'i':
      case 'I': {
        const std::size_t size = number_or(4);
        if (size > integer_bytes_max)
          raise_at_caller(lua_, "integral size " + std::to_string(size) +
                                    " is larger than limit of " +
                                    std::to_string(integer_bytes_max));
        return size;
      }
      default:
        return 0;
    }
  }

  lua_State* lua_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t align_ = 1;
  bool is_big_endian_ = false;
};

void put_integer(std::string& to, double number, std::size_t size, bool is_big_endian) {
  constexpr double half = 9223372036854775808.0;
  std::uint64_t bits = static_cast<std::uint64_t>(truncated(number));
  if (number >= half) bits = number < 2 * half ? static_cast<std::uint64_t>(number) : 0;
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    bytes[is_big_endian ? size - 1 - i : i] = static_cast<char>(bits & 255u);
    bits >>= 8u;
  }
  to += bytes;
}

double get_integer(std::string_view bytes, bool is_big_endian, bool is_signed) {
  const std::size_t size = bytes.size();
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const char byte = bytes[is_big_endian ? i : size - 1 - i];
    bits = bits << 8u | static_cast<unsigned char>(byte);
  }
  if (!is_signed) return static_cast<double>(bits);
  if (size < 8 && size > 0) {
    const std::uint64_t sign = std::uint64_t{1} << (size * 8 - 1);
    if ((bits & sign) != 0) bits |= ~(sign - 1);
  }
  return static_cast<double>(static_cast<std::int64_t>(bits));
}

template <typename Real>
void put_real(std::string& to, double number, bool is_big_endian) {
  const auto value = static_cast<Real>(number);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  if (is_big_endian) std::reverse(bytes, bytes + sizeof value);
  to.append(bytes, sizeof value);
}

template <typename Real>
double get_real(std::string_view from, bool is_big_endian) {
  char bytes[sizeof(Real)];
  from.copy(bytes, sizeof bytes);
  if (is_big_endian) std::reverse(bytes, bytes + sizeof bytes);
  Real value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

bool is_integer(char kind) {
  return std::strchr("bBhHlLTiI", kind) != nullptr;
}

void put_text(lua_State* lua, std::string& to, const Format::Item& item, int argument) {
  const std::string_view text = check_text(lua, argument);
  const std::size_t size = item.size == 0 ? text.size() : item.size;
  if (text.size() < size) raise_argument(lua, argument + 1, "string too short");
  to += text.substr(0, size);
  if (item.kind == 's') to += '\0';
}

int struct_pack(lua_State* lua) {
  Format format(lua, check_text(lua, 1));
  lua_pushnil(lua);  // a missing argument reads as nil
  std::string bytes;
  int argument = 2;
  while (!format.at_end()) {
    const Format::Item item = format.next(bytes.size());
    bytes.append(item.padding, '\0');
    if (is_integer(item.kind)) {
      put_integer(bytes, check_number(lua, argument++), item.size, format.is_big_endian());
    } else if (item.kind == 'x') {
      bytes += '\0';
    } else if (item.kind == 'f') {
      put_real<float>(bytes, check_number(lua, argument++), format.is_big_endian());
    } else if (item.kind == 'd') {
      put_real<double>(bytes, check_number(lua, argument++), format.is_big_endian());
    } else if (item.kind == 'c' || item.kind == 's') {
      put_text(lua, bytes, item, argument++);
    } else {
      format.control(item.kind);
    }
  }
  push_text(lua, bytes);
  return 1;
}

class Unpacker {
 public:
  Unpacker(lua_State* lua, std::string_view data, std::size_t position)
      : lua_(lua), data_(data), position_(position) {}

  int run(Format& format) {
    while (!format.at_end()) {
      Format::Item item = format.next(position_);
      position_ += item.padding;
      check_room(item.size);
      luaL_checkstack(lua_, 2, "too many results");
      read(format, item);
      position_ += item.size;
    }
    push_count(lua_, position_ + 1);
    return results_ + 1;
  }

 private:
  void check_room(std::size_t size) const {
    if (size > data_.size() || position_ > data_.size() - size)
      raise_argument(lua_, 2, "data string too short");
  }

  void read(Format& format, Format::Item& item) {
    const bool is_big = format.is_big_endian();
    if (is_integer(item.kind)) {
      const bool is_signed = std::islower(static_cast<unsigned char>(item.kind)) != 0;
      push_number(get_integer(data_.substr(position_, item.size), is_big, is_signed));
    } else if (item.kind == 'f') {
      push_number(get_real<float>(data_.substr(position_, item.size), is_big));
    } else if (item.kind == 'd') {
      push_number(get_real<double>(data_.substr(position_, item.size), is_big));
    } else if (item.kind == 'c') {
      if (item.size == 0) item.size = size_just_read();
      push_bytes(item.size);
    } else if (item.kind == 's') {
      const std::size_t end = data_.find('\0', position_);
      if (end == std::string_view::npos) raise_at_caller(lua_, "unfinished string in data");
      push_bytes(end - position_);
      item.size = end - position_ + 1;
    } else if (item.kind != 'x') {
      format.control(item.kind);
    }
  }

  // "c0": the number just read is the size, and no result.
  std::size_t size_just_read() {
    const auto size = results_ == 0 ? std::nullopt : number_at(lua_, -1);
    if (!size) raise_at_caller(lua_, "format 'c0' needs a previous size");
    lua_pop(lua_, 1);
    --results_;
    const auto bytes = static_cast<std::size_t>(truncated(*size));
    check_room(bytes);
    return bytes;
  }

  void push_number(double value) {
    lua_pushnumber(lua_, value);
    ++results_;
  }
  void push_bytes(std::size_t size) {
    push_text(lua_, data_.substr(position_, size));
    ++results_;
  }

  lua_State* lua_;
  std::string_view data_;
  std::size_t position_;
  int results_ = 0;
};

int struct_unpack(lua_State* lua) {
  Format format(lua, check_text(lua, 1));
  const std::string_view data = check_text(lua, 2);
  const std::int64_t position = integer_or(lua, 3, 1);
  if (position == 0) raise_argument(lua, 3, "offset must be 1 or greater");
  lua_settop(lua, 2);
  return Unpacker(lua, data, static_cast<std::size_t>(position - 1)).run(format);
}

int struct_size(lua_State* lua) {
  Format format(lua, check_text(lua, 1));
  std::size_t position = 0;
  while (!format.at_end()) {
    const Format::Item item = format.next(position);
    if (item.kind == 's') raise_argument(lua, 1, "option 's' has no fixed size");
    if (item.kind == 'c' && item.size == 0) raise_argument(lua, 1, "option 'c0' has no fixed size");
    if (std::isalnum(static_cast<unsigned char>(item.kind)) == 0) format.control(item.kind);
    position += item.padding + item.size;
  }
  push_count(lua, position);
  return 1;
}

}  // namespace

void open_struct(lua_State* lua) {
  constexpr luaL_Reg functions[] = {
      {"pack", struct_pack}, {"unpack", struct_unpack}, {"size", struct_size}, {nullptr, nullptr}};
  lua_createtable(lua, 0, 3);
  add_functions(lua, functions);
}

}  // namespace scripting
