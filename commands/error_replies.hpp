// Texts of errors that several commands answer with, so that one meaning has one wording,
// Redis 7.0's where Redis has words. What a single command alone can say stands beside its handler.
#pragma once

#include "engine/error.hpp"
#include "protocol/reply_sink.hpp"

#include <string>
#include <string_view>

namespace commands {

namespace error_text {
inline constexpr std::string_view syntax = "ERR syntax error";
inline constexpr std::string_view wrong_type =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view not_an_integer = "ERR value is not an integer or out of range";
inline constexpr std::string_view out_of_range_positive =
    "ERR value is out of range, must be positive";
inline constexpr std::string_view not_a_real = "ERR value is not a valid float";
inline constexpr std::string_view increment_overflow = "ERR increment or decrement would overflow";
inline constexpr std::string_view no_such_key = "ERR no such key";
inline constexpr std::string_view loading = "LOADING Redis is loading the dataset in memory";
inline constexpr std::string_view busy =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
inline constexpr std::string_view busy_function =
    "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";
inline constexpr std::string_view timeout_not_an_integer =
    "ERR timeout is not an integer or out of range";
inline constexpr std::string_view timeout_negative = "ERR timeout is negative";
inline constexpr std::string_view out_of_memory =
    "OOM command not allowed when used memory > 'maxmemory'.";
}  // namespace error_text

void reply_error(protocol::ReplySink& reply, engine::Error error);
// "ERR wrong number of arguments for 'set' command"; `name` as COMMAND prints it ("client|list").
[[nodiscard]] std::string wrong_arity(std::string_view name);
// Redis prints what clients sent as C strings: errors repeat an argument up to its first NUL.
[[nodiscard]] std::string_view up_to_nul(std::string_view argument);
// "ERR invalid expire time in 'set' command"
[[nodiscard]] std::string invalid_expire(std::string_view name);

}  // namespace commands
