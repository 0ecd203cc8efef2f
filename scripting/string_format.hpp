#pragma once

#include <lua.hpp>

namespace scripting {

// string.format of 5.1: %c %d %i %o %u %x %X %e %E %f %g %G %q %s %%.
int string_format(lua_State* lua);

}  // namespace scripting
