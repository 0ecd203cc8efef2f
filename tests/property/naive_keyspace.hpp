// The model: what a keyspace must look like, written as plainly as possible. Keys live in std::map
// and nothing is removed by itself: overdue keys are filtered when looked at.
#pragma once

#include "engine/entry.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace property {

struct NaiveEntry {
  std::variant<std::string, std::map<std::string, std::string>> value;
  std::int64_t deadline_ms = engine::no_deadline;
  std::uint64_t token = 0;
};

class NaiveKeyspace {
 public:
  using Database = std::map<std::string, NaiveEntry>;

  std::vector<Database> databases{std::vector<Database>(16)};
  std::uint64_t last_token = 0;
  std::int64_t now_ms = 0;

  NaiveEntry* find(int index, const std::string& key) {
    auto& database = databases[static_cast<std::size_t>(index)];
    const auto entry = database.find(key);
    if (entry == database.end()) return nullptr;
    if (entry->second.deadline_ms <= now_ms) {
      database.erase(entry);
      return nullptr;
    }
    return &entry->second;
  }
  NaiveEntry& create(int index, const std::string& key) {
    auto& entry = databases[static_cast<std::size_t>(index)][key];
    entry = {};
    entry.token = ++last_token;
    return entry;
  }
  void erase(int index, const std::string& key) {
    databases[static_cast<std::size_t>(index)].erase(key);
  }
};

}  // namespace property
