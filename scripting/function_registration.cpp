// redis.register_function('name', callback) and redis.register_function{function_name = …,
// callback = …, description = …, flags = {…}}.
#include "scripting/function_libraries.hpp"
#include "scripting/library_environment.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/script.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"
#include "scripting/script_header.hpp"

#include <algorithm>
#include <string>

namespace scripting {
namespace {

struct Registration {
  std::optional<std::string> name;
  std::optional<std::string> description;
  ScriptFlags flags{.compat = false};
  bool has_callback = false;  // it lies at callback_index
};

constexpr int callback_index = 2;

bool is_key(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::string check_string(lua_State* lua, int index, const char* complaint) {
  lua_pushvalue(lua, index);
  if (!make_text(lua, -1)) raise_redis_error(lua, complaint);
  std::string text(text_at(lua, -1));
  lua_pop(lua, 1);
  return text;
}

// The list on top of the stack.
ScriptFlags check_flags(lua_State* lua) {
  if (!lua_istable(lua, -1)) {
    raise_redis_error(lua,
                      "flags argument to redis.register_function must be a table representing "
                      "function flags");
  }
  ScriptFlags flags{.compat = false};
  for (lua_Integer i = 1;; ++i) {
    const int type = lua_rawgeti(lua, -1, i);
    if (type == LUA_TNIL) break;
    std::string name = type == LUA_TSTRING ? std::string(text_at(lua, -1)) : std::string();
    for (char& letter : name) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    if (!set_script_flag(flags, name)) raise_redis_error(lua, "unknown flag given");
    lua_pop(lua, 1);
  }
  lua_pop(lua, 2);  // the nil behind the last flag, and the list
  return flags;
}

// The pair on top of the stack; leaves the key.
void take_named(lua_State* lua, Registration& registration) {
  const std::string key =
      check_string(lua, -2, "named argument key given to redis.register_function is not a string");
  if (is_key(key, "function_name")) {
    registration.name = check_string(
        lua, -1, "function_name argument given to redis.register_function must be a string");
  } else if (is_key(key, "description")) {
    registration.description = check_string(
        lua, -1, "description argument given to redis.register_function must be a string");
  } else if (is_key(key, "callback")) {
    if (!lua_isfunction(lua, -1)) {
      raise_redis_error(lua,
                        "callback argument given to redis.register_function must be a function");
    }
    lua_pushvalue(lua, -1);
    lua_replace(lua, callback_index);
    registration.has_callback = true;
  } else if (is_key(key, "flags")) {
    lua_pushvalue(lua, -1);
    registration.flags = check_flags(lua);
  } else {
    raise_redis_error(lua, "unknown argument given to redis.register_function");
  }
  lua_pop(lua, 1);
}

Registration read_named(lua_State* lua) {
  if (!lua_istable(lua, 1)) {
    raise_redis_error(lua,
                      "calling redis.register_function with a single argument is only applicable "
                      "to Lua table (representing named arguments).");
  }
  Registration registration;
  lua_pushnil(lua);  // the callback's place
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) take_named(lua, registration);
  if (!registration.name) {
    raise_redis_error(lua, "redis.register_function must get a function name argument");
  }
  if (!registration.has_callback) {
    raise_redis_error(lua, "redis.register_function must get a callback argument");
  }
  return registration;
}

Registration read_positional(lua_State* lua) {
  Registration registration;
  registration.name =
      check_string(lua, 1, "first argument to redis.register_function must be a string");
  if (!lua_isfunction(lua, callback_index)) {
    raise_redis_error(lua, "second argument to redis.register_function must be a function");
  }
  return registration;
}

}  // namespace

int register_function(lua_State* lua) {
  FunctionLibrary* library = ScriptContext::of(lua).loading;
  if (library == nullptr) {
    raise_redis_error(lua, "redis.register_function can only be called on FUNCTION LOAD command");
  }
  const int count = lua_gettop(lua);
  if (count < 1 || count > 2) {
    raise_redis_error(lua, "wrong number of arguments to redis.register_function");
  }
  Registration registration = count == 1 ? read_named(lua) : read_positional(lua);
  // Both readers raise when there is none.
  std::string name = std::move(registration.name).value_or("");
  if (!is_library_name(name)) raise_redis_error(lua, library_name_rule);
  for (const LibraryFunction& known : library->functions) {
    if (known.name == name) {
      raise_redis_error(lua, "Function already exists in the library");
    }
  }
  auto script = std::make_shared<Script>();
  script->name = name;
  script->flags = registration.flags;
  script->is_function = true;
  script->shares_parameters = true;
  lua_pushvalue(lua, callback_index);
  script->function = luaL_ref(lua, LUA_REGISTRYINDEX);
  library->functions.push_back(
      {std::move(name), std::move(registration.description), std::move(script)});
  return 0;
}

}  // namespace scripting
