// How long the disk may be behind what was answered (appendfsync, durability).
#pragma once

#include <cstdint>

namespace engine {

// From the laxest to the strictest.
enum class SyncPolicy : std::uint8_t {
  no,        // the kernel writes when it likes
  everysec,  // once a second
  always,    // before the reply
};

}  // namespace engine
