// redis.*: bindings only. Arguments go from the Lua stack to the invoker without a copy, the reply
// comes back through LuaReply.
#include "base/assert.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/lua_reply.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"
#include "scripting/sha1.hpp"

#include <optional>
#include <string>

namespace scripting {
namespace {

constexpr std::string_view version = "7.0.15";
constexpr int version_number = 0x0007000F;
constexpr std::string_view no_arguments =
    "ERR Please specify at least one argument for this redis lib call";
constexpr std::string_view wrong_arguments =
    "ERR Lua redis lib command arguments must be strings or integers";

// The arguments of the call as views; an error text when they are none.
std::string_view read_arguments(lua_State* lua, ScriptContext& context) {
  const int count = lua_gettop(lua);
  context.arguments.clear();
  context.numbers.clear();
  if (count == 0) return no_arguments;
  context.numbers.reserve(static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    switch (lua_type(lua, i)) {
      case LUA_TSTRING:
        context.arguments.push_back(text_at(lua, i));
        break;
      case LUA_TNUMBER:
        context.numbers.push_back(NumberText::exact(lua_tonumber(lua, i)));
        context.arguments.push_back(context.numbers.back().view());
        break;
      default:
        return wrong_arguments;
    }
  }
  return {};
}

// Pushes the reply or the error table; true for an error.
bool invoke(lua_State* lua, ScriptContext& context) {
  constexpr std::uint32_t calls_per_check = 64;
  if (context.is_killed || ++context.calls_since_check >= calls_per_check) {
    context.calls_since_check = 0;
    check_time(lua);
  }
  const std::string_view complaint = read_arguments(lua, context);
  if (!complaint.empty()) {
    push_error_table(lua, complaint, ErrorStats::counted);
    return true;
  }
  const CommandId command = context.commands.find(context.arguments.front(), context.invoker);
  luaL_checkstack(lua, 20, "in redis.call");
  const int top = lua_gettop(lua);
  LuaReply reply(lua, context.resp);
  {
    const UnlimitedMemory unlimited(context.memory);
    context.invoker.invoke(command, context.arguments, reply);
  }
  ASSERT(reply.is_complete() && lua_gettop(lua) == top + 1);
  if (context.memory.is_over_limit()) context.memory.make_room(lua);
  if (!reply.has_error()) return false;
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "ignore_error_stats_update");
  return true;
}

int redis_call(lua_State* lua) {
  if (invoke(lua, ScriptContext::of(lua))) return lua_error(lua);
  return 1;
}

int redis_pcall(lua_State* lua) {
  invoke(lua, ScriptContext::of(lua));
  return 1;
}

int redis_acl_check_cmd(lua_State* lua) {
  ScriptContext& context = ScriptContext::of(lua);
  const std::string_view complaint = read_arguments(lua, context);
  if (!complaint.empty()) {
    push_error_table(lua, complaint, ErrorStats::counted);
    return lua_error(lua);
  }
  const std::optional<bool> may_call = context.invoker.may_call(context.arguments);
  if (!may_call) raise_redis_error(lua, "Invalid command passed to redis.acl_check_cmd()");
  lua_pushboolean(lua, *may_call ? 1 : 0);
  return 1;
}

int one_field_reply(lua_State* lua, const char* name) {
  if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
    push_error_table(lua, "ERR wrong number or type of arguments", ErrorStats::counted);
    return 1;
  }
  lua_createtable(lua, 0, 1);
  lua_insert(lua, 1);
  lua_setfield(lua, 1, name);
  return 1;
}

// "-FOO bar" and "FOO bar" are an error FOO; a single word is an ERR.
int redis_error_reply(lua_State* lua) {
  if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING) {
    std::string text(text_at(lua, 1));
    if (text.starts_with('-')) text.erase(0, 1);
    if (text.find(' ') == std::string::npos) text.insert(0, "ERR ");
    lua_settop(lua, 0);
    push_text(lua, text);
  }
  return one_field_reply(lua, "err");
}

int redis_status_reply(lua_State* lua) {
  return one_field_reply(lua, "ok");
}

int redis_sha1hex(lua_State* lua) {
  if (lua_gettop(lua) != 1) raise_redis_error(lua, "wrong number of arguments");
  const std::string_view bytes = make_text(lua, 1) ? text_at(lua, 1) : std::string_view();
  charge(lua, bytes.size());
  push_text(lua, sha1_hex(bytes));
  return 1;
}

int redis_log(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count < 2) raise_redis_error(lua, "redis.log() requires two arguments or more.");
  const auto level = number_at(lua, 1);
  if (!level) raise_redis_error(lua, "First argument must be a number (log level).");
  if (*level < 0 || *level >= 4) raise_redis_error(lua, "Invalid debug level.");
  std::string text;
  for (int i = 2; i <= count; ++i) {
    if (!make_text(lua, i)) continue;
    if (i > 2) text += ' ';
    text += text_at(lua, i);
  }
  ScriptContext::of(lua).log.script_message(static_cast<int>(*level), text);
  return 0;
}

int redis_setresp(lua_State* lua) {
  if (lua_gettop(lua) != 1) raise_redis_error(lua, "redis.setresp() requires one argument.");
  const auto wanted = static_cast<int>(truncated(number_at(lua, 1).value_or(0)));
  if (wanted != 2 && wanted != 3) raise_redis_error(lua, "RESP version must be 2 or 3.");
  ScriptContext::of(lua).resp =
      wanted == 3 ? protocol::RespVersion::resp3 : protocol::RespVersion::resp2;
  return 0;
}

// Effects are journalled, never scripts: there is nothing to choose here.
int redis_set_repl(lua_State* lua) {
  if (lua_gettop(lua) != 1) raise_redis_error(lua, "redis.set_repl() requires two arguments.");
  const auto flags = static_cast<int>(truncated(number_at(lua, 1).value_or(0)));
  if ((flags & ~3) != 0) {
    raise_redis_error(
        lua, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

int redis_replicate_commands(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

int redis_breakpoint(lua_State* lua) {
  lua_pushboolean(lua, 0);
  return 1;
}

int redis_debug(lua_State*) {
  return 0;
}

void set_number(lua_State* lua, const char* name, int value) {
  lua_pushnumber(lua, value);
  lua_setfield(lua, -2, name);
}

}  // namespace

void add_log_functions(lua_State* lua) {
  lua_pushcfunction(lua, redis_log);
  lua_setfield(lua, -2, "log");
  set_number(lua, "LOG_DEBUG", 0);
  set_number(lua, "LOG_VERBOSE", 1);
  set_number(lua, "LOG_NOTICE", 2);
  set_number(lua, "LOG_WARNING", 3);
  push_text(lua, version);
  lua_setfield(lua, -2, "REDIS_VERSION");
  set_number(lua, "REDIS_VERSION_NUM", version_number);
}

void open_redis(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"call", redis_call},
                                    {"pcall", redis_pcall},
                                    {"acl_check_cmd", redis_acl_check_cmd},
                                    {"error_reply", redis_error_reply},
                                    {"status_reply", redis_status_reply},
                                    {"sha1hex", redis_sha1hex},
                                    {"setresp", redis_setresp},
                                    {"set_repl", redis_set_repl},
                                    {"replicate_commands", redis_replicate_commands},
                                    {"breakpoint", redis_breakpoint},
                                    {"debug", redis_debug},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 24);
  add_functions(lua, functions);
  add_log_functions(lua);
  set_number(lua, "REPL_NONE", 0);
  set_number(lua, "REPL_AOF", 1);
  set_number(lua, "REPL_SLAVE", 2);
  set_number(lua, "REPL_REPLICA", 2);
  set_number(lua, "REPL_ALL", 3);
}

}  // namespace scripting
