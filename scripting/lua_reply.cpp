#include "scripting/lua_reply.hpp"

#include "scripting/lua_arguments.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/script_context.hpp"

#include <algorithm>
#include <string>

namespace scripting {

void LuaReply::push_bytes(std::string_view bytes) {
  push_text(lua_, bytes);
}

// {name = value on top}
void LuaReply::wrap(const char* name) {
  lua_createtable(lua_, 0, 1);
  lua_insert(lua_, -2);
  lua_setfield(lua_, -2, name);
}

void LuaReply::open(Shape shape, std::size_t elements) {
  luaL_checkstack(lua_, 8, "in a reply");
  if (shape != Shape::list) lua_createtable(lua_, 0, 1);
  const int size = static_cast<int>(elements);
  lua_createtable(lua_, shape == Shape::list ? size : 0, shape == Shape::list ? 0 : size);
  open_.push_back({shape, shape == Shape::map ? 2 * elements : elements, 1});
  if (elements == 0) close_complete();
}

void LuaReply::map(std::size_t pairs) {
  if (is_resp2())
    open(Shape::list, 2 * pairs);
  else
    open(Shape::map, pairs);
}

void LuaReply::set(std::size_t elements) {
  open(is_resp2() ? Shape::list : Shape::set, elements);
}

void LuaReply::close_complete() {
  while (!open_.empty() && open_.back().missing == 0) {
    const Shape shape = open_.back().shape;
    open_.pop_back();
    if (shape != Shape::list) lua_setfield(lua_, -2, shape == Shape::map ? "map" : "set");
    if (open_.empty()) {
      is_complete_ = true;
      return;
    }
    place_value();
  }
}

// Puts the value on top into the innermost open table.
void LuaReply::place_value() {
  if (open_.empty()) {
    is_complete_ = true;
    return;
  }
  Open& in = open_.back();
  --in.missing;
  switch (in.shape) {
    case Shape::list:
      lua_rawseti(lua_, -2, in.next++);
      break;
    case Shape::set:
      lua_pushboolean(lua_, 1);
      if (lua_isnil(lua_, -2))
        lua_pop(lua_, 2);
      else
        lua_rawset(lua_, -3);
      break;
    case Shape::map:
      // A key waits on the stack for its value.
      if (in.missing % 2 == 1) return;
      if (lua_isnil(lua_, -2))
        lua_pop(lua_, 2);
      else
        lua_rawset(lua_, -3);
      break;
  }
  if (in.missing == 0) close_complete();
}

void LuaReply::simple(std::string_view text) {
  push_bytes(text);
  wrap("ok");
  place_value();
}

void LuaReply::error(std::string_view text) {
  has_error_ = open_.empty();
  ++errors_;
  constexpr std::size_t code_bytes_max = 32;
  error_code_ = text.substr(0, std::min(text.find(' '), code_bytes_max));
  push_bytes(text);
  wrap("err");
  place_value();
}

void LuaReply::integer(std::int64_t value) {
  lua_pushnumber(lua_, static_cast<double>(value));
  place_value();
}

void LuaReply::bulk(std::string_view bytes) {
  push_bytes(bytes);
  place_value();
}

void LuaReply::null() {
  if (is_resp2())
    lua_pushboolean(lua_, 0);
  else
    lua_pushnil(lua_);
  place_value();
}

void LuaReply::real(double value) {
  if (is_resp2()) {
    push_bytes(NumberText::exact(value).view());
  } else {
    lua_pushnumber(lua_, value);
    wrap("double");
  }
  place_value();
}

void LuaReply::boolean(bool value) {
  if (is_resp2())
    lua_pushnumber(lua_, value ? 1 : 0);
  else
    lua_pushboolean(lua_, value ? 1 : 0);
  place_value();
}

void LuaReply::big_number(std::string_view digits) {
  push_bytes(digits);
  if (!is_resp2()) wrap("big_number");
  place_value();
}

void LuaReply::verbatim(std::string_view format, std::string_view text) {
  push_bytes(text);
  if (!is_resp2()) {
    lua_createtable(lua_, 0, 2);
    lua_insert(lua_, -2);
    lua_setfield(lua_, -2, "string");
    push_bytes(format);
    lua_setfield(lua_, -2, "format");
    wrap("verbatim_string");
  }
  place_value();
}

namespace {

class ValueReply {
 public:
  ValueReply(lua_State* lua, protocol::ReplySink& reply) : lua_(lua), reply_(reply) {}

  void write() {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        reply_.bulk(text_at(lua_, -1));
        break;
      case LUA_TNUMBER:
        reply_.integer(truncated(lua_tonumber(lua_, -1)));
        break;
      case LUA_TBOOLEAN:
        boolean(lua_toboolean(lua_, -1) != 0);
        break;
      case LUA_TTABLE:
        table();
        break;
      default:
        reply_.null();
    }
  }

 private:
  // Redis: what the script chose with redis.setresp() decides, not the client's protocol.
  void boolean(bool value) {
    if (ScriptContext::of(lua_).resp == protocol::RespVersion::resp3)
      reply_.boolean(value);
    else if (value)
      reply_.integer(1);
    else
      reply_.null();
  }

  int field(const char* name) {
    lua_pushstring(lua_, name);
    return lua_rawget(lua_, -2);
  }

  // In Redis errors and statuses of scripts end at a NUL.
  static std::string_view c_string(std::string_view text) {
    return text.substr(0, text.find('\0'));
  }

  static std::string on_one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
      if (c == '\r' || c == '\n') c = ' ';
    return line;
  }

  void table() {
    // 7.0's limit is that of the C stack of 5.1.
    if (lua_checkstack(lua_, 6) == 0 || ++depth_ > depth_max) {
      --depth_;
      reply_.error("ERR reached lua stack limit");
      return;
    }
    const int top = lua_gettop(lua_);
    if (!typed_table()) list();
    lua_settop(lua_, top);
    --depth_;
  }

  bool typed_table() {
    const int top = lua_gettop(lua_);
    if (field("err") == LUA_TSTRING) {
      const std::string text = on_one_line(c_string(text_at(lua_, -1)));
      lua_settop(lua_, top);
      const bool is_counted = field("ignore_error_stats_update") == LUA_TBOOLEAN;
      is_counted ? reply_.error_counted_before(text) : reply_.error(text);
      return true;
    }
    lua_settop(lua_, top);
    if (field("ok") == LUA_TSTRING) {
      reply_.simple(on_one_line(c_string(text_at(lua_, -1))));
      return true;
    }
    lua_settop(lua_, top);
    if (field("double") == LUA_TNUMBER) {
      reply_.real(lua_tonumber(lua_, -1));
      return true;
    }
    lua_settop(lua_, top);
    if (field("map") == LUA_TTABLE) {
      reply_.map(entries());
      each_entry(true);
      return true;
    }
    lua_settop(lua_, top);
    if (field("set") == LUA_TTABLE) {
      reply_.set(entries());
      each_entry(false);
      return true;
    }
    lua_settop(lua_, top);
    if (field("big_number") == LUA_TSTRING) {
      reply_.big_number(on_one_line(text_at(lua_, -1)));
      return true;
    }
    lua_settop(lua_, top);
    return verbatim(top);
  }

  bool verbatim(int top) {
    if (field("verbatim_string") == LUA_TTABLE && field("format") == LUA_TSTRING) {
      const std::string_view format = text_at(lua_, -1);
      lua_pushliteral(lua_, "string");
      if (lua_rawget(lua_, -3) == LUA_TSTRING) {
        reply_.verbatim(format, text_at(lua_, -1));
        return true;
      }
    }
    lua_settop(lua_, top);
    return false;
  }

  std::size_t entries() {
    std::size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      lua_pop(lua_, 1);
      ++count;
    }
    return count;
  }

  void each_entry(bool with_values) {
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      lua_pushvalue(lua_, -2);
      write();
      lua_pop(lua_, 1);
      if (with_values) write();
      lua_pop(lua_, 1);
    }
  }

  void list() {
    lua_Integer count = 0;
    while (lua_rawgeti(lua_, -1, count + 1) != LUA_TNIL) {
      lua_pop(lua_, 1);
      ++count;
    }
    lua_pop(lua_, 1);
    reply_.array(static_cast<std::size_t>(count));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(lua_, -1, i);
      write();
      lua_pop(lua_, 1);
    }
  }

  static constexpr int depth_max = 7995;
  lua_State* lua_;
  protocol::ReplySink& reply_;
  int depth_ = 0;
};

}  // namespace

void reply_with_value(lua_State* lua, protocol::ReplySink& reply) {
  ValueReply(lua, reply).write();
}

}  // namespace scripting
