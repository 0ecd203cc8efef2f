// What a client asked for by CLIENT TRACKING ON. A client without tracking has none of this.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace commands {

struct CommandSpec;

// Which reads of a client are remembered: all, those after CACHING YES, all but those after CACHING
// NO.
enum class TrackingMode : std::uint8_t { all, opt_in, opt_out };

struct ClientTracking {
  TrackingMode mode = TrackingMode::all;
  bool is_broadcast = false;
  bool skips_own_changes = false;        // NOLOOP
  bool redirect_is_broken = false;       // the client that messages go to is gone
  std::int64_t redirect = 0;             // id of that client; 0: the client itself
  std::set<std::string> prefixes;        // BCAST; "" stands for all keys
  const CommandSpec* caching = nullptr;  // CLIENT CACHING's row until the next call is done
};

}  // namespace commands
