// The front end that lets Lua 5.4 run Lua 5.1 scripts: parses a script by 5.1's grammar and writes
// Lua 5.4 source with the same line numbers.
//
// Numbers are doubles throughout, as in 5.1: literals are written as floats, library functions and
// replies give floats, so + - * / ^ < == run as plain 5.4 operators. What remains is corrected
// where the two differ:
//   a .. b      L51_concat(names, a, b): "%.14g" instead of "2.0"; `names` is for the error text
//   a % b       a - a // b * b, which is 5.1's formula, or L51_mod(names, a, b)
//   #x          (#x + 0.0), plain where an integer cannot be noticed (index, comparison, ..)
//   for         plain with literal start and step and a literal or # limit; otherwise L51_for_range
//   for-in      L51_three(...) unless the list is pairs/ipairs/next: 5.4 gives a 4th value a
//   meaning global = v  L51_globals.global = v: always an error tonumber, redis.call, …  a local of
//   the chunk: globals are read-only, so they are constants
// Loops and functions begin with a countdown (L51_ticks) that asks L51_slow for the time now and
// then: no instruction hook is needed, and straight-line scripts pay nothing.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace scripting {

struct TransparentHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// "tonumber", "redis.call": what a script may name and never change.
using BuiltinNames = std::unordered_set<std::string, TransparentHash, std::equal_to<>>;

enum class ChunkKind : std::uint8_t {
  script,  // KEYS and ARGV are the function's first parameters
  nested,  // by loadstring or load: they are globals
};

// An arithmetic operator of the script, for messages: 5.4 does not name text operands, 5.1 does.
struct ArithmeticSite {
  static constexpr const char* never_wrong = "number";
  int line;
  char symbol;       // + - * / % ^, or 'u' for the unary minus
  std::string left;  // "local 'x'", or empty
  std::string right;
};

struct Translation {
  std::string source;  // evaluates to the function when called with the values of `prelude`
  std::vector<std::string> prelude;  // "L51_concat" (runtime support) or a builtin's name
  std::vector<ArithmeticSite> arithmetic;
  bool uses_global_table = false;  // _G, load, loadstring: KEYS and ARGV must be globals too
  bool shares_parameters = false;  // KEYS or ARGV used otherwise than KEYS[i] and #KEYS
};

// On failure the text of 5.1's compiler: "user_script:1: '=' expected near '<eof>'".
std::expected<Translation, std::string> translate(std::string_view script,
                                                  std::string_view chunk_name, ChunkKind kind,
                                                  const BuiltinNames& builtins);

// Undoes the names of this front end in a message and words a 5.4 run-time error as 5.1 does:
// "attempt to index a nil value (local 'x')" → "attempt to index local 'x' (a nil value)".
std::string message_of_5_1(std::string_view message);
// "L51_f1_call" → "call".
std::string_view original_name(std::string_view name);

}  // namespace scripting
