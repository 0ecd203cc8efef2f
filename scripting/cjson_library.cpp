// cjson.* is the lua-cjson package itself, the library that Redis carries too.
#include "scripting/sandbox.hpp"

extern "C" int luaopen_cjson(lua_State* L);

namespace scripting {

void open_cjson(lua_State* L) {
  lua_pushcfunction(L, luaopen_cjson);
  lua_call(L, 0, 1);
}

}  // namespace scripting
