// Bytes as redis-server 7.0.15 sends them (DEBUG PROTOCOL and EVAL).
#include "base/function_ref.hpp"
#include "protocol/resp_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace protocol {
namespace {

std::string written(RespVersion version, base::FunctionRef<void(ReplySink&)> speak) {
  std::string out;
  RespWriter writer(out, version);
  speak(writer);
  return out;
}

void expect_bytes(base::FunctionRef<void(ReplySink&)> speak, const std::string& resp2,
                  const std::string& resp3) {
  EXPECT_EQ(written(RespVersion::resp2, speak), resp2);
  EXPECT_EQ(written(RespVersion::resp3, speak), resp3);
}

TEST(Replies, SimpleAndErrorStayOnOneLine) {
  expect_bytes([](ReplySink& out) { out.simple("OK"); }, "+OK\r\n", "+OK\r\n");
  expect_bytes([](ReplySink& out) { out.simple("a\r\nb"); }, "+a  b\r\n", "+a  b\r\n");
  expect_bytes([](ReplySink& out) { out.error("ERR a\r\nb\r\n"); }, "-ERR a  b\r\n",
               "-ERR a  b\r\n");
}

TEST(Replies, Integers) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{9}, std::int64_t{10}, std::int64_t{-1},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const std::string bytes = ":" + std::to_string(value) + "\r\n";
    expect_bytes([&](ReplySink& out) { out.integer(value); }, bytes, bytes);
  }
}

TEST(Replies, BulksAndNulls) {
  expect_bytes([](ReplySink& out) { out.bulk("a\r\nb"); }, "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n");
  expect_bytes([](ReplySink& out) { out.bulk(""); }, "$0\r\n\r\n", "$0\r\n\r\n");
  expect_bytes([](ReplySink& out) { out.null(); }, "$-1\r\n", "_\r\n");
  expect_bytes([](ReplySink& out) { out.null_array(); }, "*-1\r\n", "_\r\n");
}

TEST(Replies, Aggregates) {
  expect_bytes([](ReplySink& out) { out.array(3); }, "*3\r\n", "*3\r\n");
  expect_bytes([](ReplySink& out) { out.map(12); }, "*24\r\n", "%12\r\n");
  expect_bytes([](ReplySink& out) { out.set(2); }, "*2\r\n", "~2\r\n");
  expect_bytes([](ReplySink& out) { out.push(3); }, "*3\r\n", ">3\r\n");
}

TEST(Replies, RealsHaveSeventeenDigits) {
  const auto expect_real = [](double value, const std::string& digits) {
    const std::string resp2 = "$" + std::to_string(digits.size()) + "\r\n" + digits + "\r\n";
    expect_bytes([&](ReplySink& out) { out.real(value); }, resp2, "," + digits + "\r\n");
  };
  expect_real(3.1, "3.1000000000000001");
  expect_real(10, "10");
  expect_real(-0.0, "-0");
  expect_real(1e300, "1.0000000000000001e+300");
  expect_real(1e-7, "9.9999999999999995e-08");
  expect_real(std::numeric_limits<double>::infinity(), "inf");
  expect_real(-std::numeric_limits<double>::infinity(), "-inf");
}

TEST(Replies, TypesThatOnlyRespThreeHas) {
  expect_bytes([](ReplySink& out) { out.boolean(true); }, ":1\r\n", "#t\r\n");
  expect_bytes([](ReplySink& out) { out.boolean(false); }, ":0\r\n", "#f\r\n");
  expect_bytes([](ReplySink& out) { out.big_number("123"); }, "$3\r\n123\r\n", "(123\r\n");
  expect_bytes([](ReplySink& out) { out.verbatim("txt", "hi"); }, "$2\r\nhi\r\n",
               "=6\r\ntxt:hi\r\n");
}

}  // namespace
}  // namespace protocol
