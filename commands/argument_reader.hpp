// Reads a command's arguments in order. The first error is latched and later reads become harmless,
// so a handler reads everything and asks once: `if (!args.done()) return
// args.reply_error(c.reply);`
#pragma once

#include "protocol/reply_sink.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace commands {

// Letter case is ignored. `upper` is upper case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view upper);
[[nodiscard]] std::string lower_case(std::string_view text);

class ArgumentReader {
 public:
  // `first`: index of the first argument to read (1 skips the name).
  ArgumentReader(std::span<const std::string_view> args, std::size_t first)
      : args_(args), next_(first) {}

  [[nodiscard]] bool has_more() const { return !failed() && next_ < args_.size(); }
  [[nodiscard]] std::size_t left() const { return failed() ? 0 : args_.size() - next_; }
  // Empty, and a syntax error is latched, when there is none left.
  std::string_view next();
  // The next `count`; fewer are a syntax error.
  std::span<const std::string_view> take(std::size_t count);
  // "value is not an integer or out of range" when it is not one.
  std::int64_t next_integer();
  std::int64_t next_integer_between(std::int64_t low, std::int64_t high, std::string_view error);
  // Consumes the next argument if it is this word.
  bool take_word(std::string_view upper);

  void fail(std::string_view error);  // keeps the first
  [[nodiscard]] bool failed() const { return !error_.empty(); }
  // False, with a syntax error latched, when arguments are left over; false after any error.
  [[nodiscard]] bool done();
  void reply_error(protocol::ReplySink& reply) const { reply.error(error_); }

 private:
  std::span<const std::string_view> args_;
  std::size_t next_;
  std::string error_;
};

}  // namespace commands
