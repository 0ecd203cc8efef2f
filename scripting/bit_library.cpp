// bit.*: operations on 32 bits, results as signed numbers.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"

#include <cmath>

namespace scripting {
namespace {

// Numbers wrap into 32 bits; fractions round to even.
std::uint32_t bits_at(lua_State* lua, int index) {
  constexpr double rounding = 6755399441055744.0;  // 2^52 + 2^51: leaves the low bits in place
  const double shifted = check_number(lua, index) + rounding;
  std::uint64_t raw = 0;
  static_assert(sizeof raw == sizeof shifted);
  __builtin_memcpy(&raw, &shifted, sizeof raw);
  return static_cast<std::uint32_t>(raw);
}

int push_bits(lua_State* lua, std::uint32_t bits) {
  lua_pushnumber(lua, static_cast<double>(static_cast<std::int32_t>(bits)));
  return 1;
}

int bit_tobit(lua_State* lua) {
  return push_bits(lua, bits_at(lua, 1));
}
int bit_bnot(lua_State* lua) {
  return push_bits(lua, ~bits_at(lua, 1));
}
int bit_bswap(lua_State* lua) {
  return push_bits(lua, __builtin_bswap32(bits_at(lua, 1)));
}

std::uint32_t both(std::uint32_t a, std::uint32_t b) {
  return a & b;
}
std::uint32_t either(std::uint32_t a, std::uint32_t b) {
  return a | b;
}
std::uint32_t differing(std::uint32_t a, std::uint32_t b) {
  return a ^ b;
}

template <std::uint32_t (*operation)(std::uint32_t, std::uint32_t)>
int fold(lua_State* lua) {
  std::uint32_t result = bits_at(lua, 1);
  for (int i = lua_gettop(lua); i > 1; --i) result = operation(result, bits_at(lua, i));
  return push_bits(lua, result);
}

std::uint32_t shift_left(std::uint32_t value, std::uint32_t n) {
  return value << n;
}
std::uint32_t shift_right(std::uint32_t value, std::uint32_t n) {
  return value >> n;
}
std::uint32_t shift_arithmetic(std::uint32_t value, std::uint32_t n) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> n);
}
std::uint32_t rotate_left(std::uint32_t value, std::uint32_t n) {
  return (value << n) | (value >> ((32 - n) & 31u));
}
std::uint32_t rotate_right(std::uint32_t value, std::uint32_t n) {
  return (value >> n) | (value << ((32 - n) & 31u));
}

template <std::uint32_t (*operation)(std::uint32_t, std::uint32_t)>
int shift(lua_State* lua) {
  const std::uint32_t value = bits_at(lua, 1);
  return push_bits(lua, operation(value, bits_at(lua, 2) & 31u));
}

int bit_tohex(lua_State* lua) {
  std::uint32_t value = bits_at(lua, 1);
  auto digits = lua_isnone(lua, 2) ? 8 : static_cast<std::int32_t>(bits_at(lua, 2));
  const char* letters = "0123456789abcdef";
  if (digits < 0) {
    digits = digits == INT32_MIN ? 8 : -digits;
    letters = "0123456789ABCDEF";
  }
  if (digits > 8) digits = 8;
  char text[8];
  for (int i = digits; --i >= 0;) {
    text[i] = letters[value & 15u];
    value >>= 4u;
  }
  push_text(lua, {text, static_cast<std::size_t>(digits)});
  return 1;
}

}  // namespace

void open_bit(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"tobit", bit_tobit},
                                    {"bnot", bit_bnot},
                                    {"band", fold<both>},
                                    {"bor", fold<either>},
                                    {"bxor", fold<differing>},
                                    {"lshift", shift<shift_left>},
                                    {"rshift", shift<shift_right>},
                                    {"arshift", shift<shift_arithmetic>},
                                    {"rol", shift<rotate_left>},
                                    {"ror", shift<rotate_right>},
                                    {"bswap", bit_bswap},
                                    {"tohex", bit_tohex},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 12);
  add_functions(lua, functions);
}

}  // namespace scripting
