#include "commands/error_replies.hpp"

#include "base/assert.hpp"

namespace commands {
namespace {

std::string_view text_of(engine::Error error) {
  switch (error) {
    case engine::Error::wrong_type:
      return error_text::wrong_type;
    case engine::Error::not_an_integer:
      return error_text::not_an_integer;
    case engine::Error::not_a_real:
      return error_text::not_a_real;
    case engine::Error::increment_overflow:
      return error_text::increment_overflow;
    case engine::Error::not_finite:
      return "ERR increment would produce NaN or Infinity";
    case engine::Error::score_not_a_number:
      return "ERR resulting score is not a number (NaN)";
    case engine::Error::hash_value_not_an_integer:
      return "ERR hash value is not an integer";
    case engine::Error::hash_value_not_a_real:
      return "ERR hash value is not a float";
    case engine::Error::string_too_long:
      return "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    case engine::Error::bad_data_format:
      return "ERR Bad data format";
    case engine::Error::out_of_memory:
      return error_text::out_of_memory;
    case engine::Error::journal_full:
      return "MISCONF the disk of the journal is full: no key is made or grown until there is room";
    case engine::Error::journal_failed:
      return "MISCONF the journal cannot be written: only releases are taken until it can";
  }
  ASSERT(false && "an error without a text");
}

}  // namespace

void reply_error(protocol::ReplySink& reply, engine::Error error) {
  reply.error(text_of(error));
}

std::string wrong_arity(std::string_view name) {
  return "ERR wrong number of arguments for '" + std::string(name) + "' command";
}

std::string_view up_to_nul(std::string_view argument) {
  return argument.substr(0, argument.find('\0'));
}

std::string invalid_expire(std::string_view name) {
  return "ERR invalid expire time in '" + std::string(name) + "' command";
}

}  // namespace commands
