#include "scripting/string_format.hpp"

#include "scripting/lua_arguments.hpp"

#include <cstdio>
#include <cstring>
#include <string>

// The directives are checked before they reach snprintf.
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

namespace scripting {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::uint64_t unsigned_at(lua_State* lua, int index) {
  const double value = check_number(lua, index);
  constexpr double half = 9223372036854775808.0;
  if (value >= half) return value < 2 * half ? static_cast<std::uint64_t>(value) : 0;
  return static_cast<std::uint64_t>(truncated(value));
}

class Formatter {
 public:
  Formatter(lua_State* lua, std::string_view form) : lua_(lua), form_(form) {
    luaL_buffinit(lua, &buffer_);
  }

  int run() {
    while (at_ < form_.size()) {
      const char c = form_[at_++];
      if (c != '%')
        luaL_addchar(&buffer_, c);
      else if (peek() == '%')
        luaL_addchar(&buffer_, form_[at_++]);
      else
        directive();
    }
    luaL_pushresult(&buffer_);
    return 1;
  }

 private:
  static constexpr std::size_t item_bytes_max = 512;

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < form_.size() ? form_[at_ + ahead] : '\0';
  }

  // "%-05.3" into spec_.
  void read_spec() {
    constexpr std::string_view flags = "-+ #0";
    std::size_t size = 0;
    while (peek(size) != '\0' && flags.find(peek(size)) != std::string_view::npos) ++size;
    if (size > flags.size()) raise_at_caller(lua_, "invalid format (repeated flags)");
    for (int i = 0; i < 2 && is_digit(peek(size)); ++i) ++size;
    if (peek(size) == '.') {
      ++size;
      for (int i = 0; i < 2 && is_digit(peek(size)); ++i) ++size;
    }
    if (is_digit(peek(size))) raise_at_caller(lua_, "invalid format (width or precision too long)");
    spec_ = "%" + std::string(form_.substr(at_, size));
    at_ += size;
  }

  template <typename Value>
  void add(const std::string& spec, Value value) {
    char item[item_bytes_max];
    std::snprintf(item, sizeof item, spec.c_str(), value);
    luaL_addlstring(&buffer_, item, std::strlen(item));
  }

  void directive() {
    if (++argument_ > lua_gettop_at_start_) raise_argument(lua_, argument_, "no value");
    read_spec();
    const char kind = peek();
    ++at_;
    switch (kind) {
      case 'c':
        add(spec_ + 'c', static_cast<int>(check_integer(lua_, argument_)));
        break;
      case 'd':
      case 'i':
        add(spec_ + "l" + kind, check_integer(lua_, argument_));
        break;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        add(spec_ + "l" + kind, unsigned_at(lua_, argument_));
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'g':
      case 'G':
        add(spec_ + kind, check_number(lua_, argument_));
        break;
      case 'q':
        add_quoted(check_text(lua_, argument_));
        break;
      case 's':
        add_text();
        break;
      default:
        raise_at_caller(lua_, "invalid option '%" +
                                  (kind == '\0' ? std::string() : std::string(1, kind)) +
                                  "' to 'format'");
    }
  }

  void add_text() {
    const std::string_view text = check_text(lua_, argument_);
    if (spec_.find('.') == std::string::npos && text.size() >= 100)
      luaL_addlstring(&buffer_, text.data(), text.size());
    else
      add(spec_ + 's', lua_tostring(lua_, argument_));  // to its first NUL, as in 5.1
  }

  void add_quoted(std::string_view text) {
    luaL_addchar(&buffer_, '"');
    for (const char c : text) {
      switch (c) {
        case '"':
        case '\\':
        case '\n':
          luaL_addchar(&buffer_, '\\');
          luaL_addchar(&buffer_, c);
          break;
        case '\r':
          luaL_addlstring(&buffer_, "\\r", 2);
          break;
        case '\0':
          luaL_addlstring(&buffer_, "\\000", 4);
          break;
        default:
          luaL_addchar(&buffer_, c);
      }
    }
    luaL_addchar(&buffer_, '"');
  }

  lua_State* lua_;
  std::string_view form_;
  std::size_t at_ = 0;
  int argument_ = 1;
  int lua_gettop_at_start_ = lua_gettop(lua_);
  std::string spec_;
  luaL_Buffer buffer_;
};

}  // namespace

int string_format(lua_State* lua) {
  const std::string_view form = check_text(lua, 1);
  return Formatter(lua, form).run();
}

}  // namespace scripting
