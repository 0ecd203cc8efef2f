// What an import tells: import_summary() of rdb_import.hpp.
#include "server/amounts.hpp"
#include "server/rdb_import.hpp"

#include <array>
#include <numeric>
#include <string_view>

namespace server {
namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

void add_to_list(std::string& list, std::string_view text) {
  if (!list.empty()) list += ", ";
  list += text;
}

std::string types_of(const engine::rdb::LoadedDatabase& database) {
  struct Noun {
    std::string_view one;
    std::string_view many;
  };
  // In the order of engine::Type.
  static constexpr std::array<Noun, engine::rdb::type_count> nouns{{{"string", "strings"},
                                                                    {"hash", "hashes"},
                                                                    {"list", "lists"},
                                                                    {"set", "sets"},
                                                                    {"sorted set", "sorted sets"}}};
  std::string list;
  for (std::size_t type = 0; type < nouns.size(); ++type) {
    const std::uint64_t count = database.keys.at(type);
    if (count > 0) add_to_list(list, counted(count, nouns.at(type).one, nouns.at(type).many));
  }
  return list;
}

std::string left_out_of(const engine::rdb::LoadedDatabase& database) {
  std::string list;
  if (database.overdue > 0) add_to_list(list, std::to_string(database.overdue) + " overdue");
  if (database.empty > 0) add_to_list(list, std::to_string(database.empty) + " empty");
  if (database.streams > 0) add_to_list(list, counted(database.streams, "stream", "streams"));
  if (database.modules > 0) {
    add_to_list(list, counted(database.modules, "value of a module", "values of modules"));
  }
  return list;
}

std::string line_of(const engine::rdb::LoadedDatabase& database) {
  const std::uint64_t keys =
      std::accumulate(database.keys.begin(), database.keys.end(), std::uint64_t{0});
  std::string line;
  if (keys > 0) {
    line = counted(keys, "key", "keys") + " (" + types_of(database) + "), " +
           std::to_string(database.with_deadline) + " with a time to live";
  }
  const std::string left_out = left_out_of(database);
  if (left_out.empty()) return line;
  return line.append(line.empty() ? "left out: " : "; left out: ").append(left_out);
}

}  // namespace

std::string import_summary(const Imported& imported) {
  const engine::rdb::Loaded& loaded = imported.loaded;
  std::string text = "Imported a dump of " + counted(imported.dump_bytes, "byte", "bytes");
  if (!loaded.redis_version.empty()) text += " by Redis " + loaded.redis_version;
  text += " in " + seconds(imported.took_us) + "; the snapshot has " +
          counted(imported.snapshot_bytes, "byte", "bytes") + "\n";
  for (std::size_t index = 0; index < loaded.databases.size(); ++index) {
    const std::string line = line_of(loaded.databases.at(index));
    if (!line.empty()) text += "db" + std::to_string(index) + ": " + line + "\n";
  }
  const std::size_t libraries = loaded.libraries.size();
  if (libraries > 0) text += counted(libraries, "function library", "function libraries") + "\n";
  if (!loaded.scripts.empty()) text += counted(loaded.scripts.size(), "script", "scripts") + "\n";
  return text;
}

}  // namespace server
