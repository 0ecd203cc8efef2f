// Wakes the loop when the next key is due: one timerfd on CLOCK_BOOTTIME, which goes on while the
// machine is suspended, as leases do. Armed only while a deadline exists, so an idle server sleeps.
#pragma once

#include "base/clock.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace server {

class ExpiryTimer {
 public:
  // `clock` must outlive the timer.
  ExpiryTimer(boost::asio::io_context& io, const base::SystemClock& clock,
              std::function<void()> on_due);

  // `deadline_ms`: a lower bound of the next deadline, lease time. A later one than is armed
  // changes nothing: waking too early costs less than arming for every key.
  void arm(std::optional<std::int64_t> deadline_ms) {
    if (deadline_ms && (!armed_ms_ || *deadline_ms < *armed_ms_)) set(*deadline_ms);
  }

 private:
  void set(std::int64_t deadline_ms);
  void wait();

  const base::SystemClock& clock_;
  boost::asio::posix::stream_descriptor descriptor_;
  std::function<void()> on_due_;
  std::optional<std::int64_t> armed_ms_;
};

}  // namespace server
