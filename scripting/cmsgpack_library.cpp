// cmsgpack.*: packing by msgpack-c's packer. Unpacking is ours: msgpack-c's parser nests 32 deep at
// most and knows types that Redis refuses (bin, ext).
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"

#include <msgpack/pack.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace scripting {
namespace {

constexpr int nesting_max = 16;                  // deeper tables become nil
constexpr std::size_t reading_depth_max = 3999;  // where Redis' Lua runs out of stack

int append_bytes(void* to, const char* bytes, std::size_t size) {
  static_cast<std::string*>(to)->append(bytes, size);
  return 0;
}

class Packer {
 public:
  explicit Packer(lua_State* lua) : lua_(lua) {
    msgpack_packer_init(&packer_, &bytes_, append_bytes);
  }

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

  // The value on top.
  void pack(int nesting) {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING: {
        const std::string_view text = text_at(lua_, -1);
        ScriptContext::of(lua_).memory.check_fits(lua_, bytes_.size() + text.size());
        msgpack_pack_str(&packer_, text.size());
        msgpack_pack_str_body(&packer_, text.data(), text.size());
        break;
      }
      case LUA_TBOOLEAN:
        if (lua_toboolean(lua_, -1) != 0)
          msgpack_pack_true(&packer_);
        else
          msgpack_pack_false(&packer_);
        break;
      case LUA_TNUMBER:
        number(lua_tonumber(lua_, -1));
        break;
      case LUA_TTABLE:
        if (nesting < nesting_max) {
          table(nesting);
          break;
        }
        [[fallthrough]];
      default:
        msgpack_pack_nil(&packer_);
    }
  }

 private:
  void number(double value) {
    const std::int64_t whole = truncated(value);
    if (static_cast<double>(whole) == value && whole != INT64_MAX)
      msgpack_pack_int64(&packer_, whole);
    else if (static_cast<double>(static_cast<float>(value)) == value)
      msgpack_pack_float(&packer_, static_cast<float>(value));
    else
      msgpack_pack_double(&packer_, value);
  }

  struct Shape {
    std::size_t entries = 0;
    bool is_list = true;
  };
  Shape shape_of_table() {
    Shape shape;
    double greatest = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      lua_pop(lua_, 1);
      ++shape.entries;
      const double key = lua_type(lua_, -1) == LUA_TNUMBER ? lua_tonumber(lua_, -1) : 0;
      if (key <= 0 || key != std::floor(key)) shape.is_list = false;
      greatest = std::max(greatest, key);
    }
    shape.is_list = shape.is_list && greatest == static_cast<double>(shape.entries);
    return shape;
  }

  void table(int nesting) {
    luaL_checkstack(lua_, 6, "in function mp_encode");
    const Shape shape = shape_of_table();
    if (shape.is_list) {
      msgpack_pack_array(&packer_, shape.entries);
      for (std::size_t i = 1; i <= shape.entries; ++i) {
        lua_rawgeti(lua_, -1, static_cast<lua_Integer>(i));
        pack(nesting + 1);
        lua_pop(lua_, 1);
      }
      return;
    }
    msgpack_pack_map(&packer_, shape.entries);
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      lua_pushvalue(lua_, -2);
      pack(nesting + 1);
      lua_pop(lua_, 1);
      pack(nesting + 1);
      lua_pop(lua_, 1);
    }
  }

  lua_State* lua_;
  std::string bytes_;
  msgpack_packer packer_;
};

int cmsgpack_pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count == 0) raise_argument(lua, 0, "MessagePack pack needs input.");
  Packer packer(lua);
  luaL_checkstack(lua, 1, "Too many arguments for MessagePack pack.");
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(lua, i);
    packer.pack(0);
    lua_pop(lua, 1);
  }
  charge(lua, packer.bytes().size());
  push_text(lua, packer.bytes());
  return 1;
}

constexpr const char* too_many_values =
    "too many return values at once; use unpack_one or unpack_limit instead.";

class Reader {
 public:
  Reader(lua_State* lua, std::string_view bytes) : lua_(lua), bytes_(bytes) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

  // Pushes one value. Without recursion: the input may be nested deeper than the C stack goes.
  void read() {
    item();
    while (!open_.empty()) {
      if (open_.back().left > 0) {
        const std::size_t depth = open_.size();
        item();
        if (open_.size() > depth) continue;
      } else {
        open_.pop_back();
        if (open_.empty()) return;
      }
      store();
    }
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) raise_at_caller(lua_, "Missing bytes in input.");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t take_unsigned(std::size_t size) {
    std::uint64_t value = 0;
    for (const char byte : take(size)) value = value << 8u | static_cast<unsigned char>(byte);
    return value;
  }
  void number(double value) { lua_pushnumber(lua_, value); }
  void text(std::uint64_t size) { push_text(lua_, take(size)); }

  // A table that still waits for entries; it is on the stack, a map's key above it.
  struct Container {
    std::uint64_t left;
    lua_Integer index;
    bool is_map;
    bool has_key;
  };

  // Pushes a scalar or a new table.
  void item() {
    luaL_checkstack(lua_, 4, too_many_values);
    const auto tag = static_cast<unsigned char>(take(1)[0]);
    if (tag <= 0x7f) return number(tag);
    if (tag >= 0xe0) return number(static_cast<signed char>(tag));
    if (tag <= 0x8f) return map(tag & 0x0fu);
    if (tag <= 0x9f) return array(tag & 0x0fu);
    if (tag <= 0xbf) return text(tag & 0x1fu);
    tagged(tag);
  }
  // The value on top goes into the innermost open container.
  void store() {
    Container& to = open_.back();
    if (!to.is_map) {
      lua_rawseti(lua_, -2, ++to.index);
      --to.left;
    } else if (to.has_key) {
      lua_rawset(lua_, -3);
      to.has_key = false;
      --to.left;
    } else {
      if (lua_isnil(lua_, -1)) raise_plain(lua_, "table index is nil");
      to.has_key = true;
    }
  }
  void open(std::uint64_t size, bool is_map, std::string_view too_deep) {
    if (open_.size() >= reading_depth_max)
      raise_at_caller(lua_, "stack overflow (" + std::string(too_deep) + ")");
    const auto slots = static_cast<int>(std::min<std::uint64_t>(size, left()));
    lua_createtable(lua_, is_map ? 0 : slots, is_map ? slots : 0);
    if (size > 0) open_.push_back({size, 0, is_map, false});
  }
  void array(std::uint64_t size) { open(size, false, "in function mp_decode_to_lua_array"); }
  void map(std::uint64_t size) { open(size, true, too_many_values); }

  void real(bool is_double) {
    if (is_double) return number(std::bit_cast<double>(take_unsigned(8)));
    number(std::bit_cast<float>(static_cast<std::uint32_t>(take_unsigned(4))));
  }

  void tagged(unsigned char tag) {
    switch (tag) {
      case 0xc0:
        return lua_pushnil(lua_);
      case 0xc2:
      case 0xc3:
        return lua_pushboolean(lua_, tag == 0xc3 ? 1 : 0);
      case 0xca:
      case 0xcb:
        return real(tag == 0xcb);
      case 0xcc:
      case 0xcd:
      case 0xce:
        return number(static_cast<double>(take_unsigned(std::size_t{1} << (tag - 0xccu))));
      case 0xcf:
      case 0xd3:
        // Redis reads both as signed.
        return number(static_cast<double>(static_cast<std::int64_t>(take_unsigned(8))));
      case 0xd0:
        return number(static_cast<std::int8_t>(take_unsigned(1)));
      case 0xd1:
        return number(static_cast<std::int16_t>(take_unsigned(2)));
      case 0xd2:
        return number(static_cast<std::int32_t>(take_unsigned(4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text(take_unsigned(std::size_t{1} << (tag - 0xd9u)));
      case 0xdc:
      case 0xdd:
        return array(take_unsigned(tag == 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return map(take_unsigned(tag == 0xde ? 2 : 4));
      default:
        raise_at_caller(lua_, "Bad data format in input.");
    }
  }

  lua_State* lua_;
  std::string_view bytes_;
  std::vector<Container> open_;
};

int unpack(lua_State* lua, std::int64_t limit, std::int64_t offset) {
  const std::string_view bytes = check_text(lua, 1);
  if (offset < 0 || limit < 0) {
    raise_at_caller(lua, "Invalid request to unpack with offset of " + std::to_string(offset) +
                             " and limit of " + std::to_string(bytes.size()) + ".");
  }
  if (static_cast<std::size_t>(offset) > bytes.size()) {
    raise_at_caller(lua, "Start offset " + std::to_string(offset) + " greater than input length " +
                             std::to_string(bytes.size()) + ".");
  }
  charge(lua, bytes.size());
  const bool is_everything = limit == 0 && offset == 0;
  lua_settop(lua, 1);
  Reader reader(lua, bytes.substr(static_cast<std::size_t>(offset)));
  int count = 0;
  while (reader.left() > 0 && (is_everything || count < limit)) {
    reader.read();
    ++count;
  }
  if (is_everything) return count;
  const auto next = static_cast<double>(bytes.size() - reader.left());
  lua_pushnumber(lua, reader.left() == 0 ? -1 : next);
  lua_insert(lua, 2);
  return count + 1;
}

int cmsgpack_unpack(lua_State* lua) {
  return unpack(lua, 0, 0);
}

int cmsgpack_unpack_one(lua_State* lua) {
  return unpack(lua, 1, static_cast<int>(integer_or(lua, 2, 0)));
}

int cmsgpack_unpack_limit(lua_State* lua) {
  const auto limit = static_cast<int>(check_integer(lua, 2));
  return unpack(lua, limit, static_cast<int>(integer_or(lua, 3, 0)));
}

void set_text(lua_State* lua, const char* name, std::string_view text) {
  push_text(lua, text);
  lua_setfield(lua, -2, name);
}

}  // namespace

void open_cmsgpack(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"pack", cmsgpack_pack},
                                    {"unpack", cmsgpack_unpack},
                                    {"unpack_one", cmsgpack_unpack_one},
                                    {"unpack_limit", cmsgpack_unpack_limit},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 8);
  add_functions(lua, functions);
  set_text(lua, "_NAME", "cmsgpack");
  set_text(lua, "_VERSION", "lua-cmsgpack 0.4.0");
  set_text(lua, "_DESCRIPTION", "MessagePack implementation for Lua");
  set_text(lua, "_COPYRIGHT", "Mortise, Apache-2.0");
}

}  // namespace scripting
