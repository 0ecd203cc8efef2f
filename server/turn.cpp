#include "server/turn.hpp"

#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <chrono>

namespace server {
namespace {

// Handlers served per round of a slow script, so that eager clients cannot stop it.
constexpr int handlers_per_round_max = 128;
// Longest wait of the timer for coarse checks: a far deadline must not overflow the clock.
constexpr std::int64_t check_wait_us_max = std::int64_t{3600} * 1'000'000;

}  // namespace

Turn::Turn(boost::asio::io_context& io, Core& core, const base::SystemClock& clock, bool gathers)
    : io_(io),
      core_(core),
      expiry_timer_(io, clock, [this] { continue_now(); }),
      check_timer_(io),
      buffer_(std::make_unique<std::array<char, read_bytes_max>>()),
      gathers_(gathers) {}

void Turn::finish_now() {
  core_.end_turn();
  if (core_.has_work()) continue_later();
  expiry_timer_.arm(core_.keyspace().next_deadline_ms());
  arm_check();
}

void Turn::finish_later() {
  if (finish_pending_) return;
  finish_pending_ = true;
  boost::asio::post(io_, [this] {
    finish_pending_ = false;
    finish_now();
  });
}

void Turn::continue_later() {
  if (continue_pending_) return;
  continue_pending_ = true;
  boost::asio::post(io_, [this] {
    continue_pending_ = false;
    continue_now();
  });
}

void Turn::continue_now() {
  core_.run_ready();
  if (core_.expire_slice()) continue_later();
  finish_now();
}

void Turn::arm_check() {
  const auto next_us = core_.next_check_us();
  if (!next_us || (check_armed_us_ && *check_armed_us_ <= *next_us)) return;
  check_armed_us_ = next_us;
  const std::int64_t wait_us =
      std::clamp<std::int64_t>(*next_us - core_.clock().monotonic_us(), 0, check_wait_us_max);
  check_timer_.expires_after(std::chrono::microseconds(wait_us));
  check_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    check_armed_us_.reset();
    core_.check_time();
    finish_now();
  });
}

void Turn::serve_others() {
  ++depth_;
  for (int i = 0; i < handlers_per_round_max; ++i) {
    if (io_.poll_one() == 0) break;
  }
  --depth_;
}

std::span<char> Turn::read_buffer() {
  if (depth_ == 0) return *buffer_;
  if (!nested_buffer_) nested_buffer_ = std::make_unique<std::array<char, read_bytes_max>>();
  return *nested_buffer_;
}

}  // namespace server
