// The functions that the dialect's output calls (dialect.hpp), and arithmetic on text.
#include "scripting/lua_arguments.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"

#include <cmath>
#include <string>

namespace scripting {
namespace {

// The `wanted`-th of "local 'a'||field 'b'|".
std::string_view operand_name(std::string_view names, int wanted) {
  for (; wanted > 0; --wanted) {
    const auto bar = names.find('|');
    if (bar == std::string_view::npos) return {};
    names.remove_prefix(bar + 1);
  }
  return names.substr(0, names.find('|'));
}

// Where the operands end on a later line than they begin, 5.1 reports the later.
[[noreturn]] void raise_at_line(lua_State* lua, std::string_view line, std::string_view message) {
  lua_Debug call;
  lua_getstack(lua, 1, &call);
  lua_getinfo(lua, "S", &call);
  std::string text = std::string(call.short_src) + ":" + std::string(line) + ": ";
  text += message;
  ScriptContext& context = ScriptContext::of(lua);
  context.moved_error = text;
  context.moved_error_line = line;
  raise_plain(lua, text);
}

[[noreturn]] void raise_operand(lua_State* lua, const char* attempt, int index) {
  const std::string_view names =
      lua_type(lua, 1) == LUA_TSTRING ? text_at(lua, 1) : std::string_view();
  const std::string_view name = operand_name(names, index - 2);
  std::string text = "attempt to " + std::string(attempt);
  const std::string type = std::string("a ") + luaL_typename(lua, index) + " value";
  if (name.empty())
    text += " " + type;
  else
    text += " " + std::string(name) + " (" + type + ")";
  const std::size_t line = names.rfind("|@");
  if (line != std::string_view::npos) raise_at_line(lua, names.substr(line + 2), text);
  raise_at_caller(lua, text);
}

bool is_textual(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  return type == LUA_TSTRING || type == LUA_TNUMBER;
}

// Pairs from the right, as 5.1 does: runs of text are joined, a table's __concat gets two values.
int concat_with_metamethods(lua_State* lua) {
  while (lua_gettop(lua) > 2) {
    const int top = lua_gettop(lua);
    if (is_textual(lua, top) && is_textual(lua, top - 1)) {
      make_text(lua, top);
      make_text(lua, top - 1);
      lua_concat(lua, 2);
      continue;
    }
    if (luaL_getmetafield(lua, top - 1, "__concat") == LUA_TNIL &&
        luaL_getmetafield(lua, top, "__concat") == LUA_TNIL)
      raise_operand(lua, "concatenate", is_textual(lua, top - 1) ? top : top - 1);
    lua_insert(lua, top - 1);
    lua_call(lua, 2, 1);
  }
  return 1;
}

// (names, a, b, …) → a .. b .. …
int concat(lua_State* lua) {
  const int top = lua_gettop(lua);
  for (int i = 2; i <= top; ++i)
    if (!is_textual(lua, i)) return concat_with_metamethods(lua);
  for (int i = 2; i <= top; ++i) make_text(lua, i);
  lua_concat(lua, top - 1);
  return 1;
}

double modulo_of(double a, double b) {
  return a - std::floor(a / b) * b;
}

bool call_metamethod(lua_State* lua, int first, const char* event) {
  if (luaL_getmetafield(lua, first, event) == LUA_TNIL &&
      luaL_getmetafield(lua, first + 1, event) == LUA_TNIL)
    return false;
  lua_insert(lua, first);
  lua_settop(lua, first + 2);
  lua_call(lua, 2, 1);
  return true;
}

// (names, a, b) → a % b
int modulo(lua_State* lua) {
  const auto a = number_at(lua, 2);
  const auto b = number_at(lua, 3);
  if (a && b) {
    lua_pushnumber(lua, modulo_of(*a, *b));
    return 1;
  }
  const bool has_table = lua_istable(lua, 2) || lua_istable(lua, 3);
  if (has_table && call_metamethod(lua, 2, "__mod")) return 1;
  raise_operand(lua, "perform arithmetic on", a ? 3 : 2);
}

// (x, names) → #x, without __len of tables
int length(lua_State* lua) {
  if (!lua_istable(lua, 1) && lua_type(lua, 1) != LUA_TSTRING) {
    lua_insert(lua, 1);
    raise_operand(lua, "get length of", 2);
  }
  push_count(lua, lua_rawlen(lua, 1));
  return 1;
}

// (start, limit, step) → the same as numbers that 5.4's loop treats as 5.1's does
int for_range(lua_State* lua) {
  constexpr const char* names[] = {"initial value", "limit", "step"};
  double values[3];
  for (int i = 0; i < 3; ++i) {
    const auto number = number_at(lua, i + 1);
    if (!number) raise_at_caller(lua, std::string("'for' ") + names[i] + " must be a number");
    values[i] = *number;
  }
  const auto [start, limit, step] = values;
  if (std::isnan(start) || std::isnan(limit) || std::isnan(step)) {
    values[0] = 1;
    values[1] = 0;
    values[2] = 1;
  } else if (step == 0) {
    values[2] = -5e-324;  // 5.1 goes on for ever, or not at all
  } else {
    values[0] = (start - step) + step;  // 5.1 steps back first; visible in the last bits
  }
  for (const double value : values) lua_pushnumber(lua, value);
  return 3;
}

int three(lua_State* lua) {
  lua_settop(lua, 3);
  return 3;
}

int count(lua_State* lua) {
  push_count(lua, static_cast<std::size_t>(lua_gettop(lua)));
  return 1;
}

int call_goto(lua_State* lua) {
  lua_getfield(lua, 1, "goto");
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

int slow(lua_State* lua) {
  lua_pushinteger(lua, check_time(lua));
  return 1;
}

enum class Operation { add, subtract, multiply, divide, modulo, power, negate, floor_divide };

double result_of(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::modulo:
      return modulo_of(a, b);
    case Operation::power:
      return std::pow(a, b);
    case Operation::negate:
      return -a;
    case Operation::floor_divide:
      return std::floor(a / b);
  }
  return 0;
}

// Whether the variable "local 'x'" or "upvalue 'x'" of the function `call` has the value at
// `index`. True for what cannot be looked up.
bool may_be(lua_State* lua, lua_Debug& call, std::string_view variable, int index) {
  const auto is_called = [variable](const char* name, std::string_view kind) {
    return variable == std::string(kind) + " '" + std::string(original_name(name)) + "'";
  };
  const auto has_value = [lua, index] {
    const bool equal = lua_rawequal(lua, -1, index) != 0;
    lua_pop(lua, 1);
    return equal;
  };
  if (variable.starts_with("local ")) {
    bool is_equal = false;
    for (int i = 1; const char* name = lua_getlocal(lua, &call, i); ++i) {
      const bool equal = has_value();
      if (is_called(name, "local")) is_equal = equal;  // the innermost of that name
    }
    return is_equal;
  }
  if (!variable.starts_with("upvalue ")) return true;
  lua_getinfo(lua, "f", &call);
  bool is_equal = false;
  for (int i = 1; const char* name = lua_getupvalue(lua, -1, i); ++i) {
    const bool equal = has_value();
    if (is_called(name, "upvalue")) is_equal = equal;
  }
  lua_pop(lua, 1);
  return is_equal;
}

// How the script calls an operand of the arithmetic under way: known when all operators of that
// kind in the line that fit the value say the same.
std::string arithmetic_operand(lua_State* lua, char symbol, int index) {
  lua_Debug call;
  if (lua_getstack(lua, 1, &call) == 0 || lua_getinfo(lua, "Sl", &call) == 0) return {};
  const ScriptContext& context = ScriptContext::of(lua);
  const std::vector<ArithmeticSite>* sites = context.script_arithmetic;
  if (const auto chunk = context.chunks.find(call.source); chunk != context.chunks.end())
    sites = &chunk->second.arithmetic;
  if (sites == nullptr) return {};
  const std::string* name = nullptr;
  for (const ArithmeticSite& site : *sites) {
    if (site.line != call.currentline || site.symbol != symbol) continue;
    const std::string& operand = index == 1 ? site.left : site.right;
    if (operand == ArithmeticSite::never_wrong || !may_be(lua, call, operand, index)) continue;
    if (name != nullptr && *name != operand) return {};
    name = &operand;
  }
  return name == nullptr ? std::string() : *name;
}

// At least one operand is text. A table's own metamethod goes first, as 5.1 finds no number there.
template <Operation operation>
int text_arithmetic(lua_State* lua) {
  constexpr const char* events[] = {"__add", "__sub", "__mul", "__div",
                                    "__mod", "__pow", "__unm", "__mod"};
  const auto a = number_at(lua, 1);
  const auto b = number_at(lua, 2);
  if (a && b) {
    lua_pushnumber(lua, result_of(operation, *a, *b));
    return 1;
  }
  for (int i = 1; i <= 2; ++i) {
    if (lua_type(lua, i) != LUA_TTABLE) continue;
    if (luaL_getmetafield(lua, i, events[static_cast<int>(operation)]) == LUA_TNIL) continue;
    lua_insert(lua, 1);
    lua_settop(lua, 3);
    lua_call(lua, 2, 1);
    return 1;
  }
  constexpr const char symbols[] = "+-*/%^u%";
  const int wrong = a ? 2 : 1;
  const std::string name = arithmetic_operand(lua, symbols[static_cast<int>(operation)], wrong);
  const std::string type = std::string("a ") + luaL_typename(lua, wrong) + " value";
  raise_at_caller(
      lua, "attempt to perform arithmetic on " + (name.empty() ? type : name + " (" + type + ")"));
}

}  // namespace

void add_dialect_functions(lua_State* lua) {
  constexpr luaL_Reg functions[] = {
      {"L51_concat", concat},       {"L51_mod", modulo},  {"L51_length", length},
      {"L51_for_range", for_range}, {"L51_three", three}, {"L51_count", count},
      {"L51_call_goto", call_goto}, {"L51_slow", slow},   {nullptr, nullptr}};
  add_functions(lua, functions);
}

void add_text_arithmetic(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"__add", text_arithmetic<Operation::add>},
                                    {"__sub", text_arithmetic<Operation::subtract>},
                                    {"__mul", text_arithmetic<Operation::multiply>},
                                    {"__div", text_arithmetic<Operation::divide>},
                                    {"__mod", text_arithmetic<Operation::modulo>},
                                    {"__pow", text_arithmetic<Operation::power>},
                                    {"__unm", text_arithmetic<Operation::negate>},
                                    {"__idiv", text_arithmetic<Operation::floor_divide>},
                                    {nullptr, nullptr}};
  add_functions(lua, functions);
}

}  // namespace scripting
