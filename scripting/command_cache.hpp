// Command name → id, remembered by the address of Lua's interned string and checked by its bytes,
// so that redis.call('get', …) costs a few comparisons and no hashing.
#pragma once

#include "scripting/command_invoker.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace scripting {

class CommandCache {
 public:
  CommandId find(std::string_view name, CommandInvoker& invoker) {
    if (name.size() > name_bytes_max) return invoker.resolve(name);
    Entry& entry = entries_[(reinterpret_cast<std::uintptr_t>(name.data()) / 16) % entries_.size()];
    if (entry.address == name.data() && entry.size == name.size() &&
        std::memcmp(entry.name, name.data(), name.size()) == 0)
      return entry.command;
    const CommandId command = invoker.resolve(name);
    if (command == no_command) return command;
    entry.address = name.data();
    entry.size = static_cast<std::uint8_t>(name.size());
    std::memcpy(entry.name, name.data(), name.size());
    entry.command = command;
    return command;
  }

 private:
  static constexpr std::size_t name_bytes_max = 27;
  struct Entry {
    const char* address = nullptr;
    CommandId command = no_command;
    std::uint8_t size = 0;
    char name[name_bytes_max] = {};
  };
  std::array<Entry, 128> entries_;
};

}  // namespace scripting
