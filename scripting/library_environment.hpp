// The globals that the code of a function library sees.
#pragma once

#include <lua.hpp>

namespace scripting {

// While it is loaded: `redis` with register_function, log and the version, and nothing else.
void push_loading_environment(lua_State* lua);
// From then on: what scripts see, less redis.replicate_commands, .breakpoint and .debug.
void push_function_environment(lua_State* lua);

// redis.register_function. Adds to the library that is being loaded.
int register_function(lua_State* lua);

}  // namespace scripting
