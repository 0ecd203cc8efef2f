// Which watcher watches which key (WATCH). Watchers are told at once when a change touches the
// name.
#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

// Told when a watched key changes, comes into being, ends or expires. Must not call back.
class KeyWatcher {
 public:
  virtual ~KeyWatcher() = default;
  virtual void watched_key_changed() = 0;
};

// How the key stood when watching began.
enum class WatchedState : std::uint8_t { absent, present, overdue };

class WatchedKeys {
 public:
  // Watching a key again changes nothing.
  void add(KeyWatcher& watcher, int database, std::string_view key, WatchedState state);
  void remove(KeyWatcher& watcher);
  [[nodiscard]] bool is_empty() const { return by_key_.empty(); }

  void changed(int database, std::string_view key);
  // The key was removed because its time was over: no news to those who found it overdue.
  void expired(int database, std::string_view key);
  // Tells the watchers of keys of `database` for which `touched` says so.
  void changed_where(int database, base::FunctionRef<bool(std::string_view key)> touched);
  // Whether `test` holds for any key of `watcher`.
  [[nodiscard]] bool any_of(const KeyWatcher& watcher,
                            base::FunctionRef<bool(int database, std::string_view key)> test) const;

 private:
  struct Watch {
    KeyWatcher* watcher;
    WatchedState state;
  };
  [[nodiscard]] static std::string name_of(int database, std::string_view key);

  // Keyed by one byte of database number and the key.
  std::unordered_map<std::string, std::vector<Watch>> by_key_;
  std::unordered_map<const KeyWatcher*, std::vector<std::string>> by_watcher_;
};

}  // namespace engine
