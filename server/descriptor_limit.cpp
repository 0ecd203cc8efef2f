#include "server/descriptor_limit.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace server {
namespace {

// Listeners, log, epoll, timers, journal; as many as Redis keeps.
constexpr rlim_t own_files = 32;

}  // namespace

std::size_t raise_descriptor_limit(std::size_t clients) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return clients;
  const rlim_t wanted = rlim_t{clients} + own_files;
  if (limit.rlim_cur < wanted) {
    rlimit raised{wanted, std::max(limit.rlim_max, wanted)};
    // A privileged process may raise the hard limit, others go as far as it.
    if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) {
      raised = {std::min(limit.rlim_max, wanted), limit.rlim_max};
      (void)::setrlimit(RLIMIT_NOFILE, &raised);
    }
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return clients;
  }
  if (limit.rlim_cur <= own_files) return 1;
  return std::min(clients, std::size_t{limit.rlim_cur - own_files});
}

}  // namespace server
