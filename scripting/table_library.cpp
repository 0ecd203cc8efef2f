// table.* of 5.1: raw access, numbers as doubles.
#include "scripting/lua_arguments.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"

#include <algorithm>
#include <string>

namespace scripting {
namespace {

lua_Integer checked_length(lua_State* lua) {
  check_table(lua, 1);
  return static_cast<lua_Integer>(lua_rawlen(lua, 1));
}

int table_concat(lua_State* lua) {
  const std::string_view separator = text_or(lua, 2, "");
  check_table(lua, 1);
  lua_Integer i = static_cast<std::int32_t>(integer_or(lua, 3, 1));
  const lua_Integer last = lua_isnoneornil(lua, 4)
                               ? checked_length(lua)
                               : static_cast<std::int32_t>(check_integer(lua, 4));
  luaL_Buffer buffer;
  luaL_buffinit(lua, &buffer);
  for (; i <= last; ++i) {
    const int type = lua_rawgeti(lua, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
      raise_at_caller(lua, std::string("invalid value (") + luaL_typename(lua, -1) + ") at index " +
                               std::to_string(i) + " in table for 'concat'");
    }
    make_text(lua, -1);
    charge(lua, text_at(lua, -1).size());
    luaL_addvalue(&buffer);
    if (i != last) luaL_addlstring(&buffer, separator.data(), separator.size());
  }
  luaL_pushresult(&buffer);
  return 1;
}

int table_insert(lua_State* lua) {
  lua_Integer end = checked_length(lua) + 1;
  const int top = lua_gettop(lua);
  lua_Integer place = end;
  if (top == 3) {
    place = static_cast<std::int32_t>(check_integer(lua, 2));
    end = std::max(end, place);
    check_not_frozen(lua, 1);
    for (lua_Integer i = end; i > place; --i) {
      charge(lua, 1);
      lua_rawgeti(lua, 1, i - 1);
      lua_rawseti(lua, 1, i);
    }
  } else if (top != 2) {
    raise_at_caller(lua, "wrong number of arguments to 'insert'");
  }
  check_not_frozen(lua, 1);
  lua_rawseti(lua, 1, place);
  return 0;
}

int table_remove(lua_State* lua) {
  const lua_Integer end = checked_length(lua);
  lua_Integer place =
      lua_isnoneornil(lua, 2) ? end : static_cast<std::int32_t>(check_integer(lua, 2));
  if (place < 1 || place > end) return 0;
  check_not_frozen(lua, 1);
  lua_rawgeti(lua, 1, place);
  for (; place < end; ++place) {
    charge(lua, 1);
    lua_rawgeti(lua, 1, place + 1);
    lua_rawseti(lua, 1, place);
  }
  lua_pushnil(lua);
  lua_rawseti(lua, 1, end);
  return 1;
}

int table_getn(lua_State* lua) {
  lua_pushnumber(lua, static_cast<double>(checked_length(lua)));
  return 1;
}

int table_setn(lua_State* lua) {
  check_table(lua, 1);
  raise_at_caller(lua, "'setn' is obsolete");
}

int table_maxn(lua_State* lua) {
  check_table(lua, 1);
  lua_settop(lua, 1);
  look_through_frozen(lua, 1);
  double greatest = 0;
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pop(lua, 1);
    if (lua_type(lua, -1) == LUA_TNUMBER) greatest = std::max(greatest, lua_tonumber(lua, -1));
  }
  lua_pushnumber(lua, greatest);
  return 1;
}

int table_foreach(lua_State* lua) {
  check_table(lua, 1);
  check_type(lua, 2, LUA_TFUNCTION);
  look_through_frozen(lua, 1);
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pushvalue(lua, 2);
    if (lua_isinteger(lua, -3) != 0)
      lua_pushnumber(lua, lua_tonumber(lua, -3));
    else
      lua_pushvalue(lua, -3);
    lua_pushvalue(lua, -3);
    lua_call(lua, 2, 1);
    if (!lua_isnil(lua, -1)) return 1;
    lua_pop(lua, 2);
  }
  return 0;
}

int table_foreachi(lua_State* lua) {
  const lua_Integer end = checked_length(lua);
  check_type(lua, 2, LUA_TFUNCTION);
  for (lua_Integer i = 1; i <= end; ++i) {
    lua_pushvalue(lua, 2);
    lua_pushnumber(lua, static_cast<double>(i));
    lua_rawgeti(lua, 1, i);
    lua_call(lua, 2, 1);
    if (!lua_isnil(lua, -1)) return 1;
    lua_pop(lua, 1);
  }
  return 0;
}

// Quicksort with the middle element of three as pivot. An order function that contradicts itself
// must not lead out of the range: then it is "invalid order function for sorting".
class TableSort {
 public:
  explicit TableSort(lua_State* lua) : lua_(lua), has_order_(!lua_isnil(lua, 2)) {}

  void sort(lua_Integer low, lua_Integer high) {
    luaL_checkstack(lua_, 40, "");
    while (low < high) {
      charge(lua_, static_cast<std::size_t>(high - low));
      load_two(low, high);
      if (is_less(-1, -2))
        store_two(low, high);
      else
        lua_pop(lua_, 2);
      if (high - low == 1) return;
      const lua_Integer middle = (low + high) / 2;
      order_middle(low, middle, high);
      if (high - low == 2) return;
      const lua_Integer split = partition(low, middle, high);
      if (split - low < high - split) {
        sort(low, split - 1);
        low = split + 1;
      } else {
        sort(split + 1, high);
        high = split - 1;
      }
    }
  }

 private:
  void load_two(lua_Integer i, lua_Integer j) {
    lua_rawgeti(lua_, 1, i);
    lua_rawgeti(lua_, 1, j);
  }
  // The two values on top: the upper goes to i, the lower to j.
  void store_two(lua_Integer i, lua_Integer j) {
    lua_rawseti(lua_, 1, i);
    lua_rawseti(lua_, 1, j);
  }
  bool is_less(int a, int b) {
    if (!has_order_) return lua_compare(lua_, a, b, LUA_OPLT) != 0;
    lua_pushvalue(lua_, 2);
    lua_pushvalue(lua_, a - 1);
    lua_pushvalue(lua_, b - 2);
    lua_call(lua_, 2, 1);
    const bool result = lua_toboolean(lua_, -1) != 0;
    lua_pop(lua_, 1);
    return result;
  }
  void order_middle(lua_Integer low, lua_Integer middle, lua_Integer high) {
    load_two(middle, low);
    if (is_less(-2, -1)) {
      store_two(middle, low);
      return;
    }
    lua_pop(lua_, 1);
    lua_rawgeti(lua_, 1, high);
    if (is_less(-1, -2))
      store_two(middle, high);
    else
      lua_pop(lua_, 2);
  }
  lua_Integer partition(lua_Integer low, lua_Integer middle, lua_Integer high) {
    lua_rawgeti(lua_, 1, middle);  // the pivot stays on the stack
    lua_pushvalue(lua_, -1);
    lua_rawgeti(lua_, 1, high - 1);
    store_two(middle, high - 1);
    lua_Integer i = low;
    lua_Integer j = high - 1;
    for (;;) {
      while (lua_rawgeti(lua_, 1, ++i), is_less(-1, -2)) {
        if (i > high) raise_at_caller(lua_, "invalid order function for sorting");
        lua_pop(lua_, 1);
      }
      while (lua_rawgeti(lua_, 1, --j), is_less(-3, -1)) {
        if (j < low) raise_at_caller(lua_, "invalid order function for sorting");
        lua_pop(lua_, 1);
      }
      if (j < i) break;
      store_two(i, j);
    }
    lua_pop(lua_, 3);
    load_two(high - 1, i);
    store_two(high - 1, i);
    return i;
  }

  lua_State* lua_;
  bool has_order_;
};

int table_sort(lua_State* lua) {
  const lua_Integer end = checked_length(lua);
  if (!lua_isnoneornil(lua, 2)) check_type(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  TableSort(lua).sort(1, end);
  return 0;
}

}  // namespace

void open_table(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"concat", table_concat},     {"foreach", table_foreach},
                                    {"foreachi", table_foreachi}, {"getn", table_getn},
                                    {"insert", table_insert},     {"maxn", table_maxn},
                                    {"remove", table_remove},     {"setn", table_setn},
                                    {"sort", table_sort},         {nullptr, nullptr}};
  lua_createtable(lua, 0, 9);
  add_functions(lua, functions);
}

}  // namespace scripting
