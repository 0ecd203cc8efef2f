// MONITOR: every call as a line to the clients that asked for it. A client's own calls are shown to
// it after their replies. Owned by the dispatcher.
#pragma once

#include "commands/client_state.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace commands {

struct MonitoredCall {
  std::span<const std::string_view> args;
  std::int64_t wall_us = 0;
  const ClientState* client = nullptr;  // whose call it is; its database is shown
  bool is_from_script = false;
};

class MonitorFeed {
 public:
  [[nodiscard]] bool is_heard() const { return !listeners_.empty(); }
  // A client is added once; both are harmless otherwise.
  void add(ClientState& client);
  void remove(ClientState& client);
  void feed(const MonitoredCall& call);
  // The reply of `client` is complete: what waited for that goes out.
  void reply_is_complete(ClientState& client);

 private:
  std::vector<ClientState*> listeners_;
  std::vector<std::pair<const ClientState*, std::string>> waiting_;
};

}  // namespace commands
