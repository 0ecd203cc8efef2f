// Replies as Lua values, and Lua values as replies; no RESP text between.
#pragma once

#include "protocol/reply_sink.hpp"

#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scripting {

// Pushes one reply on the stack of `lua` as redis.call shows it: integer → number, bulk → string,
// status → {ok=}, error → {err=}, null → false (nil in RESP3), arrays and RESP3's types as tables.
// Errors it raises none for: the caller sees has_error().
class LuaReply final : public protocol::ReplySink {
 public:
  LuaReply(lua_State* lua, protocol::RespVersion version) : lua_(lua), version_(version) {}

  void simple(std::string_view text) override;
  void error(std::string_view text) override;
  void integer(std::int64_t value) override;
  void bulk(std::string_view bytes) override;
  void null() override;
  void null_array() override { null(); }
  void array(std::size_t elements) override { open(Shape::list, elements); }
  void map(std::size_t pairs) override;
  void set(std::size_t elements) override;
  void push(std::size_t elements) override { open(Shape::list, elements); }
  void real(double value) override;
  void boolean(bool value) override;
  void big_number(std::string_view digits) override;
  void verbatim(std::string_view format, std::string_view text) override;
  [[nodiscard]] protocol::RespVersion version() const override { return version_; }

  [[nodiscard]] std::uint64_t errors_written() const override { return errors_; }
  [[nodiscard]] std::string_view last_error_code() const override { return error_code_; }

  // The whole reply was an error: its table is on the stack.
  [[nodiscard]] bool has_error() const { return has_error_; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  enum class Shape : unsigned char { list, map, set };
  struct Open {
    Shape shape;
    std::size_t missing;
    lua_Integer next = 1;
  };
  [[nodiscard]] bool is_resp2() const { return version_ == protocol::RespVersion::resp2; }
  void open(Shape shape, std::size_t elements);
  void close_complete();
  void place_value();
  void wrap(const char* name);
  void push_bytes(std::string_view bytes);

  lua_State* lua_;
  protocol::RespVersion version_;
  bool has_error_ = false;
  bool is_complete_ = false;
  std::uint64_t errors_ = 0;
  std::string error_code_;
  std::vector<Open> open_;
};

// Writes the value on top as exactly one reply, by Redis' conversion; pops nothing. A boolean is 1
// or null unless the script asked for RESP3 by setresp, whatever the client speaks.
void reply_with_value(lua_State* lua, protocol::ReplySink& reply);

}  // namespace scripting
