// Told of things that happen by themselves or that commands cannot see. Called inside a frame.
#pragma once

#include <string_view>

namespace engine {

class KeyEvents {
 public:
  virtual ~KeyEvents() = default;
  virtual void key_expired(int database, std::string_view key) = 0;
  virtual void key_created(int database, std::string_view key) = 0;
};

}  // namespace engine
