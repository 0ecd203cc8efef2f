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
[[noreturn]] void raise_at_line(lua_State* L, std::string_view line, std::string_view message) {
  lua_Debug call;
  lua_getstack(L, 1, &call);
  lua_getinfo(L, "S", &call);
  std::string text = std::string(call.short_src) + ":" + std::string(line) + ": ";
  text += message;
  ScriptContext& context = ScriptContext::of(L);
  context.moved_error = text;
  context.moved_error_line = line;
  raise_plain(L, text);
}

[[noreturn]] void raise_operand(lua_State* L, const char* attempt, int index) {
  const std::string_view names = lua_type(L, 1) == LUA_TSTRING ? text_at(L, 1) : std::string_view();
  const std::string_view name = operand_name(names, index - 2);
  std::string text = "attempt to " + std::string(attempt);
  const std::string type = std::string("a ") + luaL_typename(L, index) + " value";
  if (name.empty())
    text += " " + type;
  else
    text += " " + std::string(name) + " (" + type + ")";
  const std::size_t line = names.rfind("|@");
  if (line != std::string_view::npos) raise_at_line(L, names.substr(line + 2), text);
  raise_at_caller(L, text);
}

bool is_textual(lua_State* L, int index) {
  const int type = lua_type(L, index);
  return type == LUA_TSTRING || type == LUA_TNUMBER;
}

// Pairs from the right, as 5.1 does: runs of text are joined, a table's __concat gets two values.
int concat_with_metamethods(lua_State* L) {
  while (lua_gettop(L) > 2) {
    const int top = lua_gettop(L);
    if (is_textual(L, top) && is_textual(L, top - 1)) {
      make_text(L, top);
      make_text(L, top - 1);
      lua_concat(L, 2);
      continue;
    }
    if (luaL_getmetafield(L, top - 1, "__concat") == LUA_TNIL &&
        luaL_getmetafield(L, top, "__concat") == LUA_TNIL)
      raise_operand(L, "concatenate", is_textual(L, top - 1) ? top : top - 1);
    lua_insert(L, top - 1);
    lua_call(L, 2, 1);
  }
  return 1;
}

// (names, a, b, …) → a .. b .. …
int concat(lua_State* L) {
  const int top = lua_gettop(L);
  for (int i = 2; i <= top; ++i)
    if (!is_textual(L, i)) return concat_with_metamethods(L);
  for (int i = 2; i <= top; ++i) make_text(L, i);
  lua_concat(L, top - 1);
  return 1;
}

double modulo_of(double a, double b) {
  return a - std::floor(a / b) * b;
}

bool call_metamethod(lua_State* L, int first, const char* event) {
  if (luaL_getmetafield(L, first, event) == LUA_TNIL &&
      luaL_getmetafield(L, first + 1, event) == LUA_TNIL)
    return false;
  lua_insert(L, first);
  lua_settop(L, first + 2);
  lua_call(L, 2, 1);
  return true;
}

// (names, a, b) → a % b
int modulo(lua_State* L) {
  const auto a = number_at(L, 2);
  const auto b = number_at(L, 3);
  if (a && b) {
    lua_pushnumber(L, modulo_of(*a, *b));
    return 1;
  }
  const bool has_table = lua_istable(L, 2) || lua_istable(L, 3);
  if (has_table && call_metamethod(L, 2, "__mod")) return 1;
  raise_operand(L, "perform arithmetic on", a ? 3 : 2);
}

// (x, names) → #x, without __len of tables
int length(lua_State* L) {
  if (!lua_istable(L, 1) && lua_type(L, 1) != LUA_TSTRING) {
    lua_insert(L, 1);
    raise_operand(L, "get length of", 2);
  }
  push_count(L, lua_rawlen(L, 1));
  return 1;
}

// (start, limit, step) → the same as numbers that 5.4's loop treats as 5.1's does
int for_range(lua_State* L) {
  constexpr const char* names[] = {"initial value", "limit", "step"};
  double values[3];
  for (int i = 0; i < 3; ++i) {
    const auto number = number_at(L, i + 1);
    if (!number) raise_at_caller(L, std::string("'for' ") + names[i] + " must be a number");
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
  for (const double value : values) lua_pushnumber(L, value);
  return 3;
}

int three(lua_State* L) {
  lua_settop(L, 3);
  return 3;
}

int count(lua_State* L) {
  push_count(L, static_cast<std::size_t>(lua_gettop(L)));
  return 1;
}

int call_goto(lua_State* L) {
  lua_getfield(L, 1, "goto");
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

int slow(lua_State* L) {
  lua_pushinteger(L, check_time(L));
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
bool may_be(lua_State* L, lua_Debug& call, std::string_view variable, int index) {
  const auto is_called = [variable](const char* name, std::string_view kind) {
    return variable == std::string(kind) + " '" + std::string(original_name(name)) + "'";
  };
  const auto has_value = [L, index] {
    const bool equal = lua_rawequal(L, -1, index) != 0;
    lua_pop(L, 1);
    return equal;
  };
  if (variable.starts_with("local ")) {
    bool is_equal = false;
    for (int i = 1; const char* name = lua_getlocal(L, &call, i); ++i) {
      const bool equal = has_value();
      if (is_called(name, "local")) is_equal = equal;  // the innermost of that name
    }
    return is_equal;
  }
  if (!variable.starts_with("upvalue ")) return true;
  lua_getinfo(L, "f", &call);
  bool is_equal = false;
  for (int i = 1; const char* name = lua_getupvalue(L, -1, i); ++i) {
    const bool equal = has_value();
    if (is_called(name, "upvalue")) is_equal = equal;
  }
  lua_pop(L, 1);
  return is_equal;
}

// How the script calls an operand of the arithmetic under way: known when all operators of that
// kind in the line that fit the value say the same.
std::string arithmetic_operand(lua_State* L, char symbol, int index) {
  lua_Debug call;
  if (lua_getstack(L, 1, &call) == 0 || lua_getinfo(L, "Sl", &call) == 0) return {};
  const ScriptContext& context = ScriptContext::of(L);
  const std::vector<ArithmeticSite>* sites = context.script_arithmetic;
  if (const auto chunk = context.chunks.find(call.source); chunk != context.chunks.end())
    sites = &chunk->second.arithmetic;
  if (sites == nullptr) return {};
  const std::string* name = nullptr;
  for (const ArithmeticSite& site : *sites) {
    if (site.line != call.currentline || site.symbol != symbol) continue;
    const std::string& operand = index == 1 ? site.left : site.right;
    if (operand == ArithmeticSite::never_wrong || !may_be(L, call, operand, index)) continue;
    if (name != nullptr && *name != operand) return {};
    name = &operand;
  }
  return name == nullptr ? std::string() : *name;
}

// At least one operand is text. A table's own metamethod goes first, as 5.1 finds no number there.
template <Operation operation>
int text_arithmetic(lua_State* L) {
  constexpr const char* events[] = {"__add", "__sub", "__mul", "__div",
                                    "__mod", "__pow", "__unm", "__mod"};
  const auto a = number_at(L, 1);
  const auto b = number_at(L, 2);
  if (a && b) {
    lua_pushnumber(L, result_of(operation, *a, *b));
    return 1;
  }
  for (int i = 1; i <= 2; ++i) {
    if (lua_type(L, i) != LUA_TTABLE) continue;
    if (luaL_getmetafield(L, i, events[static_cast<int>(operation)]) == LUA_TNIL) continue;
    lua_insert(L, 1);
    lua_settop(L, 3);
    lua_call(L, 2, 1);
    return 1;
  }
  constexpr const char symbols[] = "+-*/%^u%";
  const int wrong = a ? 2 : 1;
  const std::string name = arithmetic_operand(L, symbols[static_cast<int>(operation)], wrong);
  const std::string type = std::string("a ") + luaL_typename(L, wrong) + " value";
  raise_at_caller(
      L, "attempt to perform arithmetic on " + (name.empty() ? type : name + " (" + type + ")"));
}

}  // namespace

void add_dialect_functions(lua_State* L) {
  constexpr luaL_Reg functions[] = {
      {"L51_concat", concat},       {"L51_mod", modulo},  {"L51_length", length},
      {"L51_for_range", for_range}, {"L51_three", three}, {"L51_count", count},
      {"L51_call_goto", call_goto}, {"L51_slow", slow},   {nullptr, nullptr}};
  add_functions(L, functions);
}

void add_text_arithmetic(lua_State* L) {
  constexpr luaL_Reg functions[] = {{"__add", text_arithmetic<Operation::add>},
                                    {"__sub", text_arithmetic<Operation::subtract>},
                                    {"__mul", text_arithmetic<Operation::multiply>},
                                    {"__div", text_arithmetic<Operation::divide>},
                                    {"__mod", text_arithmetic<Operation::modulo>},
                                    {"__pow", text_arithmetic<Operation::power>},
                                    {"__unm", text_arithmetic<Operation::negate>},
                                    {"__idiv", text_arithmetic<Operation::floor_divide>},
                                    {nullptr, nullptr}};
  add_functions(L, functions);
}

}  // namespace scripting
