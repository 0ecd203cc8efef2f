// string.* of 5.1; formatting is in string_format.cpp.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"
#include "scripting/string_format.hpp"
#include "scripting/text_pattern.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>

namespace scripting {
namespace {

// A negative position counts from the end.
std::int64_t position_in(std::int64_t position, std::size_t size) {
  if (position >= 0) return position;
  position += static_cast<std::int64_t>(size) + 1;
  return std::max<std::int64_t>(position, 0);
}

int string_len(lua_State* lua) {
  push_count(lua, check_text(lua, 1).size());
  return 1;
}

int string_sub(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t from =
      std::max<std::int64_t>(position_in(check_integer(lua, 2), text.size()), 1);
  const std::int64_t to = std::min(position_in(integer_or(lua, 3, -1), text.size()), size);
  if (from > to)
    lua_pushliteral(lua, "");
  else
    push_text(lua, text.substr(static_cast<std::size_t>(from - 1),
                               static_cast<std::size_t>(to - from + 1)));
  return 1;
}

template <int (*convert)(int)>
int each_byte(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  charge(lua, text.size());
  luaL_Buffer buffer;
  char* to = luaL_buffinitsize(lua, &buffer, text.size());
  std::transform(text.begin(), text.end(), to,
                 [](char c) { return static_cast<char>(convert(static_cast<unsigned char>(c))); });
  luaL_pushresultsize(&buffer, text.size());
  return 1;
}

int string_reverse(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  charge(lua, text.size());
  luaL_Buffer buffer;
  char* to = luaL_buffinitsize(lua, &buffer, text.size());
  std::reverse_copy(text.begin(), text.end(), to);
  luaL_pushresultsize(&buffer, text.size());
  return 1;
}

int string_rep(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::int64_t count = std::max<std::int64_t>(static_cast<int>(check_integer(lua, 2)), 0);
  const std::size_t size = text.size() * static_cast<std::size_t>(count);
  charge(lua, size);
  luaL_Buffer buffer;
  char* to = luaL_buffinitsize(lua, &buffer, size);
  for (std::int64_t i = 0; i < count && size > 0; ++i) to = std::copy(text.begin(), text.end(), to);
  luaL_pushresultsize(&buffer, size);
  return 1;
}

int string_byte(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::int64_t first = position_in(integer_or(lua, 2, 1), text.size());
  const std::int64_t from = std::max<std::int64_t>(first, 1);
  const std::int64_t to = std::min(position_in(integer_or(lua, 3, first), text.size()),
                                   static_cast<std::int64_t>(text.size()));
  if (from > to) return 0;
  const auto count = static_cast<int>(std::min<std::int64_t>(to - from + 1, 1'000'000));
  luaL_checkstack(lua, count, "string slice too long");
  for (std::int64_t i = from; i <= to; ++i)
    lua_pushnumber(lua, static_cast<unsigned char>(text[static_cast<std::size_t>(i - 1)]));
  return count;
}

int string_char(lua_State* lua) {
  const int count = lua_gettop(lua);
  luaL_Buffer buffer;
  char* to = luaL_buffinitsize(lua, &buffer, static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    const auto code = static_cast<int>(check_integer(lua, i));
    if (code < 0 || code > 255) raise_argument(lua, i, "invalid value");
    to[i - 1] = static_cast<char>(code);
  }
  luaL_pushresultsize(&buffer, static_cast<std::size_t>(count));
  return 1;
}

// Bytecode can break the interpreter: there is none to be had.
int string_dump(lua_State* lua) {
  check_type(lua, 1, LUA_TFUNCTION);
  raise_at_caller(lua, "unable to dump given function");
}

bool has_specials(std::string_view pattern) {
  return pattern.substr(0, pattern.find('\0')).find_first_of("^$*+?.([%-") !=
         std::string_view::npos;
}

// std::string_view::find takes quadratic time for some patterns, memmem does not.
std::size_t find_plain(std::string_view text, std::string_view wanted, std::size_t start) {
  const void* found =
      memmem(text.data() + start, text.size() - start, wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

enum class Search : unsigned char { find, match };

int search(lua_State* lua, Search kind) {
  const std::string_view text = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  const std::int64_t wanted = position_in(integer_or(lua, 3, 1), text.size()) - 1;
  std::size_t start =
      std::min(static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0)), text.size());
  if (kind == Search::find && (lua_toboolean(lua, 4) != 0 || !has_specials(pattern))) {
    charge(lua, text.size() - start);
    const std::size_t found = find_plain(text, pattern, start);
    if (found == std::string_view::npos) {
      lua_pushnil(lua);
      return 1;
    }
    push_count(lua, found + 1);
    push_count(lua, found + pattern.size());
    return 2;
  }
  const bool is_anchored = pattern.starts_with('^');
  if (is_anchored) pattern.remove_prefix(1);
  TextPattern matcher(lua, text, pattern);
  do {
    const auto end = matcher.match_at(start);
    if (!end) continue;
    if (kind == Search::match)
      return matcher.push_captures(start, *end, TextPattern::Whole::when_no_capture);
    push_count(lua, start + 1);
    push_count(lua, *end);
    return 2 + matcher.push_captures(start, *end, TextPattern::Whole::never);
  } while (start++ < text.size() && !is_anchored);
  lua_pushnil(lua);
  return 1;
}

int string_find(lua_State* lua) {
  return search(lua, Search::find);
}
int string_match(lua_State* lua) {
  return search(lua, Search::match);
}

int gmatch_step(lua_State* lua) {
  const std::string_view text = text_at(lua, lua_upvalueindex(1));
  TextPattern matcher(lua, text, text_at(lua, lua_upvalueindex(2)));
  auto start = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3)));
  for (; start <= text.size(); ++start) {
    const auto end = matcher.match_at(start);
    if (!end) continue;
    lua_pushinteger(lua, static_cast<lua_Integer>(*end == start ? *end + 1 : *end));
    lua_replace(lua, lua_upvalueindex(3));
    return matcher.push_captures(start, *end, TextPattern::Whole::when_no_capture);
  }
  return 0;
}

int string_gmatch(lua_State* lua) {
  check_text(lua, 1);
  check_text(lua, 2);
  lua_settop(lua, 2);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, gmatch_step, 3);
  return 1;
}

class Substitution {
 public:
  Substitution(lua_State* lua, std::string_view text, std::string_view pattern)
      : lua_(lua), text_(text), matcher_(lua, text, pattern), type_(lua_type(lua, 3)) {
    luaL_buffinit(lua, &buffer_);
  }

  int run(std::int64_t count_max, bool is_anchored) {
    charge(lua_, text_.size());
    std::size_t at = 0;
    std::int64_t count = 0;
    while (count < count_max) {
      const auto end = matcher_.match_at(at);
      if (end) {
        ++count;
        add_replacement(at, *end);
      }
      if (end && *end > at)
        at = *end;
      else if (at < text_.size())
        luaL_addchar(&buffer_, text_[at++]);
      else
        break;
      if (is_anchored) break;
    }
    const std::string_view rest = text_.substr(at);
    luaL_addlstring(&buffer_, rest.data(), rest.size());
    luaL_pushresult(&buffer_);
    lua_pushnumber(lua_, static_cast<double>(count));
    return 2;
  }

 private:
  void add_template(std::size_t start, std::size_t end) {
    const std::string_view form = text_at(lua_, 3);
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '%') {
        luaL_addchar(&buffer_, form[i]);
        continue;
      }
      const char next = ++i < form.size() ? form[i] : '\0';
      if (std::isdigit(static_cast<unsigned char>(next)) == 0) {
        luaL_addchar(&buffer_, next);
      } else if (next == '0') {
        luaL_addlstring(&buffer_, text_.data() + start, end - start);
      } else {
        matcher_.push_capture(static_cast<std::size_t>(next - '1'), start, end);
        make_text(lua_, -1);
        luaL_addvalue(&buffer_);
      }
    }
  }

  void add_replacement(std::size_t start, std::size_t end) {
    if (type_ == LUA_TSTRING) return add_template(start, end);
    if (type_ == LUA_TTABLE) {
      matcher_.push_capture(0, start, end);
      lua_gettable(lua_, 3);
    } else {
      lua_pushvalue(lua_, 3);
      const int count = matcher_.push_captures(start, end, TextPattern::Whole::when_no_capture);
      lua_call(lua_, count, 1);
    }
    if (lua_toboolean(lua_, -1) == 0) {
      lua_pop(lua_, 1);
      push_text(lua_, text_.substr(start, end - start));
    } else if (!make_text(lua_, -1)) {
      raise_at_caller(lua_,
                      std::string("invalid replacement value (a ") + luaL_typename(lua_, -1) + ")");
    }
    luaL_addvalue(&buffer_);
  }

  lua_State* lua_;
  std::string_view text_;
  TextPattern matcher_;
  int type_;
  luaL_Buffer buffer_;
};

int string_gsub(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  if (lua_type(lua, 3) != LUA_TFUNCTION && lua_type(lua, 3) != LUA_TTABLE && !make_text(lua, 3))
    raise_argument(lua, 3, "string/function/table expected");
  const std::int64_t count_max =
      static_cast<int>(integer_or(lua, 4, static_cast<std::int64_t>(text.size()) + 1));
  const bool is_anchored = pattern.starts_with('^');
  if (is_anchored) pattern.remove_prefix(1);
  return Substitution(lua, text, pattern).run(count_max, is_anchored);
}

}  // namespace

void open_string(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"byte", string_byte},
                                    {"char", string_char},
                                    {"dump", string_dump},
                                    {"find", string_find},
                                    {"format", string_format},
                                    {"gfind", string_gmatch},
                                    {"gmatch", string_gmatch},
                                    {"gsub", string_gsub},
                                    {"len", string_len},
                                    {"lower", each_byte<std::tolower>},
                                    {"match", string_match},
                                    {"rep", string_rep},
                                    {"reverse", string_reverse},
                                    {"sub", string_sub},
                                    {"upper", each_byte<std::toupper>},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 15);
  add_functions(lua, functions);
}

}  // namespace scripting
