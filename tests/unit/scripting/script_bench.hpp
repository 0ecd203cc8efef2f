// A bench for scripts: an engine over a small store of strings and hashes, replies as text.
#pragma once

#include "scripting/script_engine.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scripting_tests {

// Writes replies as one line of text: ":1", "$'a'", "*[:1, $-1]", "-ERR x", "+OK".
class TextReply final : public protocol::ReplySink {
 public:
  explicit TextReply(protocol::RespVersion version) : version_(version) {}
  void simple(std::string_view text) override { value("+" + std::string(text)); }
  void error(std::string_view text) override { value("-" + std::string(text)); }
  void integer(std::int64_t number) override { value(":" + std::to_string(number)); }
  void bulk(std::string_view bytes) override { value("$'" + std::string(bytes) + "'"); }
  void null() override { value(is_resp2() ? "$-1" : "_"); }
  void null_array() override { value(is_resp2() ? "*-1" : "_"); }
  void array(std::size_t elements) override { open("*", elements); }
  void map(std::size_t pairs) override { open(is_resp2() ? "*" : "%", 2 * pairs); }
  void set(std::size_t elements) override { open(is_resp2() ? "*" : "~", elements); }
  void push(std::size_t elements) override { open(is_resp2() ? "*" : ">", elements); }
  void real(double number) override;
  void boolean(bool flag) override {
    value(is_resp2() ? (flag ? ":1" : ":0") : (flag ? "#t" : "#f"));
  }
  void big_number(std::string_view digits) override {
    value(is_resp2() ? "$'" + std::string(digits) + "'" : "(" + std::string(digits));
  }
  void verbatim(std::string_view format, std::string_view text) override;
  [[nodiscard]] protocol::RespVersion version() const override { return version_; }

  // Empty unless exactly one complete reply was written.
  [[nodiscard]] std::string text() const {
    return open_.empty() && replies_ == 1 ? text_ : std::string();
  }

 private:
  [[nodiscard]] bool is_resp2() const { return version_ == protocol::RespVersion::resp2; }
  void value(const std::string& text);
  void open(const char* kind, std::size_t elements);
  void close_complete();

  protocol::RespVersion version_;
  std::string text_;
  std::vector<std::size_t> open_;
  int replies_ = 0;
};

class FakeInvoker final : public scripting::CommandInvoker {
 public:
  scripting::CommandId resolve(std::string_view name) override;
  void invoke(scripting::CommandId command, std::span<const std::string_view> args,
              protocol::ReplySink& reply) override;
  std::optional<bool> may_call(std::span<const std::string_view> args) override {
    return args[0] != "flushall";
  }
  bool slow_script() override {
    ++slow_calls;
    return kill_when_slow;
  }
  [[nodiscard]] bool script_has_written() const override { return writes > 0; }

  std::map<std::string, std::string> strings;
  std::map<std::string, std::map<std::string, std::string>> hashes;
  std::vector<std::vector<std::string>> calls;  // when record_calls
  bool record_calls = false;
  bool kill_when_slow = false;
  int slow_calls = 0;
  int resolves = 0;
  int writes = 0;

 private:
  void write_integer(const std::string& key, std::int64_t by, protocol::ReplySink& reply);
};

class RecordedLog final : public scripting::ScriptLog {
 public:
  void script_message(int level, std::string_view text) override {
    lines.push_back(std::to_string(level) + " " + std::string(text));
  }
  std::vector<std::string> lines;
};

class ScriptBench {
 public:
  ScriptBench();
  // Loads and runs; the reply, or the text of the compile error behind '-'.
  std::string run(std::string_view script, const std::vector<std::string>& keys = {},
                  const std::vector<std::string>& arguments = {});

  FakeInvoker invoker;
  RecordedLog log;
  protocol::RespVersion client_version = protocol::RespVersion::resp2;
  scripting::ScriptEngine engine;
};

// Advances by a fixed step at each look: time limits without waiting.
std::int64_t stepping_clock();
void set_clock_step_us(std::int64_t step);

}  // namespace scripting_tests
