// math.* of 5.1. Every argument may be text that reads as a number.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"

#include <cmath>
#include <limits>

namespace scripting {
namespace {

constexpr double pi = 3.14159265358979323846;

template <double (*function)(double)>
int unary(lua_State* lua) {
  lua_pushnumber(lua, function(check_number(lua, 1)));
  return 1;
}

template <double (*function)(double, double)>
int binary(lua_State* lua) {
  const double a = check_number(lua, 1);
  lua_pushnumber(lua, function(a, check_number(lua, 2)));
  return 1;
}

double to_degrees(double value) {
  return value / (pi / 180.0);
}
double to_radians(double value) {
  return value * (pi / 180.0);
}

int math_frexp(lua_State* lua) {
  int exponent = 0;
  lua_pushnumber(lua, std::frexp(check_number(lua, 1), &exponent));
  lua_pushnumber(lua, exponent);
  return 2;
}

int math_ldexp(lua_State* lua) {
  const double fraction = check_number(lua, 1);
  lua_pushnumber(lua, std::ldexp(fraction, static_cast<int>(check_integer(lua, 2))));
  return 1;
}

int math_modf(lua_State* lua) {
  double whole = 0;
  const double fraction = std::modf(check_number(lua, 1), &whole);
  lua_pushnumber(lua, whole);
  lua_pushnumber(lua, fraction);
  return 2;
}

int math_max(lua_State* lua) {
  double greatest = check_number(lua, 1);
  for (int i = 2; i <= lua_gettop(lua); ++i) {
    const double value = check_number(lua, i);
    if (value > greatest) greatest = value;
  }
  lua_pushnumber(lua, greatest);
  return 1;
}

int math_min(lua_State* lua) {
  double least = check_number(lua, 1);
  for (int i = 2; i <= lua_gettop(lua); ++i) {
    const double value = check_number(lua, i);
    if (value < least) least = value;
  }
  lua_pushnumber(lua, least);
  return 1;
}

int math_random(lua_State* lua) {
  const double r = ScriptContext::of(lua).random.next();
  switch (lua_gettop(lua)) {
    case 0:
      lua_pushnumber(lua, r);
      return 1;
    case 1: {
      const auto upper = static_cast<int>(check_integer(lua, 1));
      if (upper < 1) raise_argument(lua, 1, "interval is empty");
      lua_pushnumber(lua, std::floor(r * upper) + 1);
      return 1;
    }
    case 2: {
      const auto lower = static_cast<int>(check_integer(lua, 1));
      const auto upper = static_cast<int>(check_integer(lua, 2));
      if (lower > upper) raise_argument(lua, 2, "interval is empty");
      const double width = static_cast<double>(upper) - static_cast<double>(lower) + 1;
      lua_pushnumber(lua, std::floor(r * width) + lower);
      return 1;
    }
    default:
      raise_at_caller(lua, "wrong number of arguments");
  }
}

int math_randomseed(lua_State* lua) {
  ScriptContext::of(lua).random.seed(static_cast<std::int32_t>(check_integer(lua, 1)));
  return 0;
}

}  // namespace

void open_math(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"abs", unary<std::fabs>},
                                    {"acos", unary<std::acos>},
                                    {"asin", unary<std::asin>},
                                    {"atan", unary<std::atan>},
                                    {"atan2", binary<std::atan2>},
                                    {"ceil", unary<std::ceil>},
                                    {"cos", unary<std::cos>},
                                    {"cosh", unary<std::cosh>},
                                    {"deg", unary<to_degrees>},
                                    {"exp", unary<std::exp>},
                                    {"floor", unary<std::floor>},
                                    {"fmod", binary<std::fmod>},
                                    {"frexp", math_frexp},
                                    {"ldexp", math_ldexp},
                                    {"log", unary<std::log>},
                                    {"log10", unary<std::log10>},
                                    {"max", math_max},
                                    {"min", math_min},
                                    {"mod", binary<std::fmod>},
                                    {"modf", math_modf},
                                    {"pow", binary<std::pow>},
                                    {"rad", unary<to_radians>},
                                    {"random", math_random},
                                    {"randomseed", math_randomseed},
                                    {"sin", unary<std::sin>},
                                    {"sinh", unary<std::sinh>},
                                    {"sqrt", unary<std::sqrt>},
                                    {"tan", unary<std::tan>},
                                    {"tanh", unary<std::tanh>},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 32);
  add_functions(lua, functions);
  lua_pushnumber(lua, pi);
  lua_setfield(lua, -2, "pi");
  lua_pushnumber(lua, std::numeric_limits<double>::infinity());
  lua_setfield(lua, -2, "huge");
}

}  // namespace scripting
