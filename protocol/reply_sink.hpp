// The verbs in which a command answers. One reply is one element; array(), map(), set() and push()
// announce how many elements follow, which the caller must then produce. Two implementations:
// RespWriter (bytes for a connection) and scripting's LuaReply (values for a script).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace protocol {

enum class RespVersion : std::uint8_t { resp2 = 2, resp3 = 3 };

class ReplySink {
 public:
  virtual ~ReplySink() = default;

  // "+OK". `text` holds no CR or LF.
  virtual void simple(std::string_view text) = 0;
  // `text` starts with the error code ("ERR …", "WRONGTYPE …"), without '-'. CR and LF become
  // spaces.
  virtual void error(std::string_view text) = 0;
  // An error that was counted where it arose: a script hands it on.
  virtual void error_counted_before(std::string_view text) { error(text); }
  virtual void integer(std::int64_t value) = 0;
  virtual void bulk(std::string_view bytes) = 0;
  // RESP2 "$-1", RESP3 "_".
  virtual void null() = 0;
  // RESP2 "*-1", RESP3 "_".
  virtual void null_array() = 0;
  virtual void array(std::size_t elements) = 0;
  // `pairs` keys and values follow alternately. RESP2: an array of 2 × pairs.
  virtual void map(std::size_t pairs) = 0;
  // RESP2: an array.
  virtual void set(std::size_t elements) = 0;
  // Out of band in RESP3; RESP2: an array.
  virtual void push(std::size_t elements) = 0;
  // RESP2: a bulk of its text ("%.17g" as Redis prints it).
  virtual void real(double value) = 0;
  // RESP2: integer 1 or 0.
  virtual void boolean(bool value) = 0;
  // `digits` is decimal text. RESP2: a bulk.
  virtual void big_number(std::string_view digits) = 0;
  // `format` has three letters ("txt"). RESP2: a bulk of `text`.
  virtual void verbatim(std::string_view format, std::string_view text) = 0;

  [[nodiscard]] virtual RespVersion version() const = 0;
  // HELLO and RESET: later replies are of this version. Of no effect for a script's replies.
  virtual void set_version(RespVersion) {}
  // For statistics: how many errors were written so far, how many of them by
  // error_counted_before(), and the code of the last ("ERR", "WRONGTYPE").
  [[nodiscard]] virtual std::uint64_t errors_written() const { return 0; }
  [[nodiscard]] virtual std::uint64_t errors_counted_before() const { return 0; }
  [[nodiscard]] virtual std::string_view last_error_code() const { return {}; }
};

}  // namespace protocol
