// cjson.* is the lua-cjson package itself, the library that Redis carries too.
#include "scripting/sandbox.hpp"

extern "C" int luaopen_cjson(lua_State* lua);

namespace scripting {

void open_cjson(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_cjson);
  lua_call(lua, 0, 1);
}

}  // namespace scripting
