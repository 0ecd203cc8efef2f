// From a translated script to a Lua function.
#pragma once

#include "scripting/dialect.hpp"

#include <lua.hpp>

#include <string>
#include <string_view>

namespace scripting {

// How messages show a chunk's name: "@f" → "f", "=f" → "f", other → [string "…"]; cut to what fits
// 5.1's buffer of that size.
std::string chunk_display(std::string_view name, std::size_t buffer_bytes);

// Pushes the function, or 5.4's message and false: only for what its limits refuse and 5.1's do
// not.
bool push_function(lua_State* lua, const Translation& translation, const std::string& chunk_name);

}  // namespace scripting
