// Told each name whose value or deadline changes, while a keyspace has one: CLIENT TRACKING. Called
// inside a frame; for whole databases (flush, swap) not at all.
#pragma once

#include <cstdint>
#include <string_view>

namespace engine {

enum class ChangeCause : std::uint8_t { requested, expiry };

class ChangeListener {
 public:
  virtual ~ChangeListener() = default;
  virtual void key_changed(std::string_view key, ChangeCause cause) = 0;
};

}  // namespace engine
