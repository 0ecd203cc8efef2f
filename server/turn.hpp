// The turn of the loop as sockets see it: ends each run of requests, continues what is left over
// after a round of I/O, and keeps the timers armed. Also the loop's shared read buffers.
#pragma once

#include "base/clock.hpp"
#include "server/core.hpp"
#include "server/expiry_timer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace server {

class Turn {
 public:
  static constexpr std::size_t read_bytes_max = std::size_t{64} << 10u;

  // All must outlive the turn. `gathers`: the log wants one batch for all that ran in a round of
  // I/O; otherwise each connection's run ends its own turn, and is answered while its data is in
  // the cache.
  Turn(boost::asio::io_context& io, Core& core, const base::SystemClock& clock, bool gathers);

  // A session ran, or something happened to it.
  void finish() {
    if (gathers_) {
      finish_later();
    } else {
      finish_now();
    }
  }
  // One round for the others while a slow script runs.
  void serve_others();
  // For one read: bytes in it live until the session was fed. A nested round has its own.
  [[nodiscard]] std::span<char> read_buffer();
  [[nodiscard]] Core& core() { return core_; }
  [[nodiscard]] boost::asio::io_context& io() { return io_; }

 private:
  void finish_now();
  void finish_later();
  void continue_later();
  void continue_now();
  void arm_check();

  boost::asio::io_context& io_;
  Core& core_;
  ExpiryTimer expiry_timer_;
  boost::asio::steady_timer check_timer_;
  std::optional<std::int64_t> check_armed_us_;
  std::unique_ptr<std::array<char, read_bytes_max>> buffer_;
  std::unique_ptr<std::array<char, read_bytes_max>> nested_buffer_;
  int depth_ = 0;
  bool gathers_;
  bool finish_pending_ = false;
  bool continue_pending_ = false;
};

}  // namespace server
