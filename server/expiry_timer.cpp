#include "server/expiry_timer.hpp"

#include "base/assert.hpp"

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstdint>
#include <sys/timerfd.h>
#include <unistd.h>
#include <utility>

namespace server {

ExpiryTimer::ExpiryTimer(boost::asio::io_context& io, const base::SystemClock& clock,
                         std::function<void()> on_due)
    : clock_(clock),
      descriptor_(io, ::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC)),
      on_due_(std::move(on_due)) {
  wait();
}

void ExpiryTimer::set(std::int64_t deadline_ms) {
  // Zero would disarm it; a deadline in the past fires at once all the same.
  const std::int64_t at_us = std::max<std::int64_t>(clock_.boottime_us_at(deadline_ms), 1);
  itimerspec when{};
  when.it_value.tv_sec = at_us / 1'000'000;
  when.it_value.tv_nsec = at_us % 1'000'000 * 1000;
  ASSERT(::timerfd_settime(descriptor_.native_handle(), TFD_TIMER_ABSTIME, &when, nullptr) == 0);
  armed_ms_ = deadline_ms;
}

void ExpiryTimer::wait() {
  descriptor_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                         [this](const boost::system::error_code& error) {
                           if (error) return;
                           std::uint64_t fired = 0;
                           const ssize_t size =
                               ::read(descriptor_.native_handle(), &fired, sizeof fired);
                           wait();
                           if (size != sizeof fired) return;
                           armed_ms_.reset();
                           on_due_();
                         });
}

}  // namespace server
