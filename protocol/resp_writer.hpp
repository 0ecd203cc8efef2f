// ReplySink as RESP2 or RESP3 bytes, appended to a string that the caller owns.
#pragma once

#include "protocol/reply_sink.hpp"

#include <string>

namespace protocol {

class RespWriter final : public ReplySink {
 public:
  // `out` must outlive the writer.
  explicit RespWriter(std::string& out, RespVersion version = RespVersion::resp2)
      : out_(out), version_(version) {}

  void simple(std::string_view text) override;
  void error(std::string_view text) override;
  void error_counted_before(std::string_view text) override;
  void integer(std::int64_t value) override;
  void bulk(std::string_view bytes) override;
  void null() override;
  void null_array() override;
  void array(std::size_t elements) override;
  void map(std::size_t pairs) override;
  void set(std::size_t elements) override;
  void push(std::size_t elements) override;
  void real(double value) override;
  void boolean(bool value) override;
  void big_number(std::string_view digits) override;
  void verbatim(std::string_view format, std::string_view text) override;
  [[nodiscard]] RespVersion version() const override { return version_; }

  void set_version(RespVersion version) override { version_ = version; }
  [[nodiscard]] std::uint64_t errors_written() const override { return errors_written_; }
  [[nodiscard]] std::uint64_t errors_counted_before() const override { return errors_counted_; }
  [[nodiscard]] std::string_view last_error_code() const override { return last_error_code_; }

 private:
  void header(char kind, std::int64_t value);

  std::string& out_;
  RespVersion version_;
  std::uint64_t errors_written_ = 0;
  std::uint64_t errors_counted_ = 0;
  std::string last_error_code_;
};

}  // namespace protocol
