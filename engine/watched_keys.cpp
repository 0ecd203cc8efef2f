#include "engine/watched_keys.hpp"

#include <algorithm>

namespace engine {

std::string WatchedKeys::name_of(int database, std::string_view key) {
  std::string name(1, static_cast<char>(database));
  name.append(key);
  return name;
}

void WatchedKeys::add(KeyWatcher& watcher, int database, std::string_view key, WatchedState state) {
  std::string name = name_of(database, key);
  auto& watches = by_key_[name];
  const bool known =
      std::ranges::any_of(watches, [&](const Watch& watch) { return watch.watcher == &watcher; });
  if (known) return;
  watches.push_back({&watcher, state});
  by_watcher_[&watcher].push_back(std::move(name));
}

void WatchedKeys::remove(KeyWatcher& watcher) {
  const auto names = by_watcher_.find(&watcher);
  if (names == by_watcher_.end()) return;
  for (const std::string& name : names->second) {
    const auto watches = by_key_.find(name);
    std::erase_if(watches->second, [&](const Watch& watch) { return watch.watcher == &watcher; });
    if (watches->second.empty()) by_key_.erase(watches);
  }
  by_watcher_.erase(names);
}

void WatchedKeys::changed(int database, std::string_view key) {
  const auto watches = by_key_.find(name_of(database, key));
  if (watches == by_key_.end()) return;
  for (Watch& watch : watches->second) {
    watch.state = WatchedState::present;
    watch.watcher->watched_key_changed();
  }
}

void WatchedKeys::expired(int database, std::string_view key) {
  const auto watches = by_key_.find(name_of(database, key));
  if (watches == by_key_.end()) return;
  for (Watch& watch : watches->second) {
    if (watch.state != WatchedState::overdue) watch.watcher->watched_key_changed();
    watch.state = WatchedState::absent;
  }
}

void WatchedKeys::changed_where(int database,
                                base::FunctionRef<bool(std::string_view key)> touched) {
  for (auto& [name, watches] : by_key_) {
    if (name.front() != static_cast<char>(database)) continue;
    if (!touched(std::string_view(name).substr(1))) continue;
    for (const Watch& watch : watches) watch.watcher->watched_key_changed();
  }
}

bool WatchedKeys::any_of(const KeyWatcher& watcher,
                         base::FunctionRef<bool(int database, std::string_view key)> test) const {
  const auto names = by_watcher_.find(&watcher);
  if (names == by_watcher_.end()) return false;
  return std::ranges::any_of(names->second, [&](const std::string& name) {
    const auto& watches = by_key_.at(name);
    const auto watch = std::ranges::find(watches, &watcher, &Watch::watcher);
    return watch->state != WatchedState::overdue &&
           test(name.front(), std::string_view(name).substr(1));
  });
}

}  // namespace engine
