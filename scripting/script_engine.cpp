#include "scripting/script_engine.hpp"

#include "base/assert.hpp"
#include "scripting/chunks.hpp"
#include "scripting/function_libraries.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/lua_reply.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"
#include "scripting/script_header.hpp"
#include "scripting/sha1.hpp"

#include <lua.hpp>

#include <algorithm>

namespace scripting {

namespace {

constexpr std::size_t sha_digits = 40;
constexpr int countdown_start = 1000;
constexpr std::int64_t serve_interval_us = 2000;
constexpr std::int64_t load_time_limit_us = 500'000;  // Redis' limit for FUNCTION LOAD
constexpr const char* killed_text = "Script killed by user with SCRIPT KILL...";

[[noreturn]] void raise_killed(lua_State* lua) {
  raise_redis_error(lua, killed_text);
}

}  // namespace

void rethrow_if_killed(lua_State* lua) {
  if (ScriptContext::of(lua).is_killed) raise_killed(lua);
}

int check_time(lua_State* lua) {
  ScriptContext& context = ScriptContext::of(lua);
  if (context.is_killed) raise_killed(lua);
  const std::int64_t now_us = context.monotonic_us();
  if (context.started_us == 0) context.started_us = now_us;
  if (context.loading != nullptr) {
    if (!context.reloads && now_us - context.started_us >= load_time_limit_us) {
      raise_redis_error(lua, "FUNCTION LOAD timeout");
    }
    return countdown_start;
  }
  const std::int64_t limit_us = context.limits.time_limit_ms * 1000;
  if (!context.is_running || limit_us <= 0 || now_us - context.started_us < limit_us)
    return countdown_start;
  context.is_over_time = true;
  if (now_us - context.served_us < serve_interval_us) return countdown_start;
  if (context.invoker.slow_script()) context.is_killed = true;
  if (context.is_killed) raise_killed(lua);
  context.served_us = context.monotonic_us();
  return countdown_start;
}

// A KEYS or ARGV table that is filled anew for each script which cannot keep or change it.
class ParameterTable {
 public:
  void create(lua_State* lua) {
    lua_createtable(lua, 4, 0);
    reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  }
  void push(lua_State* lua, std::span<const std::string_view> values) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
    fill(lua, values);
    for (std::size_t i = values.size(); i < filled_; ++i) {
      lua_pushnil(lua);
      lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
    }
    filled_ = values.size();
  }
  static void push_fresh(lua_State* lua, std::span<const std::string_view> values) {
    lua_createtable(lua, static_cast<int>(values.size()), 0);
    fill(lua, values);
  }

 private:
  static void fill(lua_State* lua, std::span<const std::string_view> values) {
    lua_Integer index = 0;
    for (const std::string_view value : values) {
      lua_pushlstring(lua, value.data(), value.size());
      lua_rawseti(lua, -2, ++index);
    }
  }
  int reference_ = LUA_NOREF;
  std::size_t filled_ = 0;
};

struct ScriptEngine::State {
  State(CommandInvoker& invoker, ScriptLog& log, std::int64_t (*monotonic_us)())
      : context(invoker, log, monotonic_us) {
    lua = lua_newstate(ScriptMemory::allocate, &context.memory);
    ASSERT(lua != nullptr);
    *static_cast<ScriptContext**>(lua_getextraspace(lua)) = &context;
    context.builtins = build_sandbox(lua);
    keys.create(lua);
    arguments.create(lua);
    lua_pushcfunction(lua, handle_error);  // stays at stack index 1
    tune_collector();
    functions.emplace(lua, context);
  }
  ~State() { lua_close(lua); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static int handle_error(lua_State* lua) {
    describe_error(lua);
    return 1;
  }

  // A state of some hundred kilobytes makes a kilobyte of garbage per script: waiting for a few
  // megabytes of it keeps the cost of marking small, and steps stay short.
  void tune_collector() const {
    constexpr std::size_t garbage_bytes = 4u << 20u;
    const std::size_t live = std::max<std::size_t>(context.memory.used(), 1);
    const std::size_t pause = std::clamp<std::size_t>(100 + 100 * garbage_bytes / live, 150, 1000);
    lua_gc(lua, LUA_GCINC, static_cast<int>(pause), 200, 14);
  }

  void push_parameters(const Script& script, const ScriptCall& call) {
    if (script.shares_parameters || script.uses_global_table) {
      ParameterTable::push_fresh(lua, call.keys);
      ParameterTable::push_fresh(lua, call.arguments);
    } else {
      keys.push(lua, call.keys);
      arguments.push(lua, call.arguments);
    }
    if (!script.uses_global_table) return;
    set_global_parameter("KEYS", -2);
    set_global_parameter("ARGV", -1);
  }
  void set_global_parameter(const char* name, int index) const {
    lua_pushvalue(lua, index);
    lua_pushglobaltable(lua);
    lua_insert(lua, -2);
    lua_pushstring(lua, name);
    lua_insert(lua, -2);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
  }

  void begin(const Script& script, ScriptAccess call_access) {
    context.is_running = true;
    running = &script;
    access = script.flags.no_writes ? ScriptAccess::read_only : call_access;
    context.script_arithmetic = script.arithmetic.get();
    context.is_over_time = false;
    context.is_killed = false;
    context.started_us = 0;
    context.served_us = 0;
    context.resp = protocol::RespVersion::resp2;
  }
  void end(const Script& script) {
    lua_settop(lua, 1);
    context.is_running = false;
    running = nullptr;
    context.is_over_time = false;
    context.is_killed = false;
    if (!context.chunks.empty()) context.chunks.clear();
    context.moved_error.clear();
    if (script.uses_global_table) {
      lua_pushnil(lua);
      lua_pushnil(lua);
      set_global_parameter("KEYS", -2);
      set_global_parameter("ARGV", -1);
      lua_settop(lua, 1);
    }
  }

  // The error on top came from a command, which counted it.
  [[nodiscard]] bool error_was_counted() const {
    if (!lua_istable(lua, -1)) return false;
    lua_pushliteral(lua, "ignore_error_stats_update");
    const bool is_counted = lua_rawget(lua, -2) == LUA_TBOOLEAN;
    lua_pop(lua, 1);
    return is_counted;
  }
  [[nodiscard]] std::string error_text(const Script& script) const {
    const auto field = [this](const char* name) {
      if (!lua_istable(lua, -1)) return std::string();
      lua_pushstring(lua, name);
      lua_rawget(lua, -2);
      std::string text = make_text(lua, -1) ? std::string(text_at(lua, -1)) : std::string();
      lua_pop(lua, 1);
      return text;
    };
    std::string text = field("err");
    if (lua_type(lua, -1) == LUA_TSTRING) text = "ERR " + std::string(text_at(lua, -1));
    if (text.empty()) text = "ERR unknown error";
    text += " script: " + script.name;
    const std::string line = field("line");
    if (!line.empty()) text += ", on " + field("source") + ":" + line + ".";
    return text;
  }

  ScriptAccess access = ScriptAccess::read_write;  // of the running script
  const Script* running = nullptr;
  std::span<const std::string_view> running_request;
  ScriptContext context;
  lua_State* lua = nullptr;
  ParameterTable keys;
  ParameterTable arguments;
  std::optional<FunctionLibraries> functions;  // set once there is a state
  std::unordered_map<std::string, std::unique_ptr<Script>, TransparentHash, std::equal_to<>>
      scripts;
  // Clients that send EVAL each time: hashing the text so is far cheaper than SHA1. Views of
  // Script::text.
  std::unordered_map<std::string_view, const Script*> by_text;
};

ScriptEngine::ScriptEngine(CommandInvoker& invoker, ScriptLog& log, std::int64_t (*monotonic_us)())
    : state_(std::make_unique<State>(invoker, log, monotonic_us)) {
  set_limits(ScriptLimits{});
}

ScriptEngine::~ScriptEngine() = default;

const Script* ScriptEngine::load(std::string_view text, std::string& error) {
  if (const auto known = state_->by_text.find(text); known != state_->by_text.end())
    return known->second;
  std::string sha = sha1_hex(text);
  const auto header = read_script_header(text);
  if (!header) {
    error = header.error();
    return nullptr;
  }
  const std::string refused = "ERR Error compiling script (new function): ";
  auto translation =
      translate(header->body, "user_script", ChunkKind::script, state_->context.builtins);
  if (!translation) {
    error = refused + translation.error();
    return nullptr;
  }
  lua_State* lua = state_->lua;
  if (!push_function(lua, *translation, "@user_script")) {
    error = refused + message_of_5_1(text_at(lua, -1));
    lua_settop(lua, 1);
    return nullptr;
  }
  auto script = std::make_unique<Script>();
  script->text = text;
  script->name = sha;
  script->flags = header->flags;
  script->function = luaL_ref(lua, LUA_REGISTRYINDEX);
  script->arithmetic =
      std::make_shared<const std::vector<ArithmeticSite>>(std::move(translation->arithmetic));
  script->shares_parameters = translation->shares_parameters;
  script->uses_global_table = translation->uses_global_table;
  state_->tune_collector();
  state_->by_text.emplace(script->text, script.get());
  return state_->scripts.emplace(std::move(sha), std::move(script)).first->second.get();
}

const Script* ScriptEngine::find(std::string_view sha) const {
  if (sha.size() != sha_digits) return nullptr;
  char lower[sha_digits];
  std::transform(sha.begin(), sha.end(), lower, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto known = state_->scripts.find(std::string_view(lower, sha_digits));
  return known == state_->scripts.end() ? nullptr : known->second.get();
}

std::string_view ScriptEngine::sha_of(const Script& script) {
  return script.name;
}
const ScriptFlags& ScriptEngine::flags_of(const Script& script) {
  return script.flags;
}
std::size_t ScriptEngine::cached_scripts() const {
  return state_->scripts.size();
}
void ScriptEngine::for_each_text(base::FunctionRef<void(std::string_view text)> visit) const {
  for (const auto& [sha, script] : state_->scripts) visit(script->text);
}
std::size_t ScriptEngine::memory_bytes() const {
  return state_->context.memory.used();
}
bool ScriptEngine::is_running() const {
  return state_->context.is_running;
}
ScriptAccess ScriptEngine::running_access() const {
  return state_->access;
}
bool ScriptEngine::is_over_time_limit() const {
  return state_->context.is_over_time;
}
std::optional<RunningFunction> ScriptEngine::running_function() const {
  const State& state = *state_;
  if (state.running == nullptr || !state.running->is_function) return std::nullopt;
  constexpr std::int64_t us_per_ms = 1000;
  const std::int64_t started_us = state.context.started_us;
  const std::int64_t run_us = started_us == 0 ? 0 : state.context.monotonic_us() - started_us;
  return RunningFunction{state.running->name, state.running_request, run_us / us_per_ms};
}
FunctionLibraries& ScriptEngine::functions() {
  auto& functions = state_->functions;
  ASSERT(functions.has_value());
  return *functions;
}
void ScriptEngine::kill() {
  state_->context.is_killed = state_->context.is_running;
}

void ScriptEngine::flush() {
  ASSERT(!is_running());
  for (const auto& [sha, script] : state_->scripts)
    luaL_unref(state_->lua, LUA_REGISTRYINDEX, script->function);
  state_->by_text.clear();
  state_->scripts.clear();
  lua_gc(state_->lua, LUA_GCCOLLECT);
  state_->tune_collector();
}

void ScriptEngine::set_limits(const ScriptLimits& limits) {
  state_->context.limits = limits;
  state_->context.memory.set_limit(limits.memory_bytes_max);
}

void ScriptEngine::run(const Script& script, const ScriptCall& call, protocol::ReplySink& reply) {
  State& state = *state_;
  ASSERT(!state.context.is_running);
  lua_State* lua = state.lua;
  state.begin(script, call.access);
  state.running_request = call.request;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script.function);
  state.push_parameters(script, call);
  state.context.memory.enforce(true);
  const int status = lua_pcall(lua, 2, 1, 1);
  state.context.memory.enforce(false);
  if (status == LUA_OK)
    reply_with_value(lua, reply);
  else if (state.error_was_counted())
    reply.error_counted_before(state.error_text(script));
  else
    reply.error(state.error_text(script));
  state.end(script);
  if (status == LUA_ERRMEM) lua_gc(lua, LUA_GCCOLLECT);
}

}  // namespace scripting
