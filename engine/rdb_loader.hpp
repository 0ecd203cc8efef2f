// Puts what an RDB file holds into a Keyspace, in frames of some keys each. Expiry by the wall
// clock becomes lease time; what is overdue already is dropped. Counts what it did.
#pragma once

#include "engine/keyspace.hpp"
#include "engine/rdb_listener.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::rdb {

inline constexpr std::size_t type_count = 5;

struct LoadedDatabase {
  std::array<std::uint64_t, type_count> keys{};  // by Type
  std::uint64_t with_deadline = 0;
  std::uint64_t overdue = 0;  // dropped
  std::uint64_t empty = 0;    // dropped: keys without items, which old versions could leave behind
  std::uint64_t streams = 0;  // skipped
  std::uint64_t modules = 0;  // skipped
};

struct Loaded {
  std::array<LoadedDatabase, database_count> databases{};
  std::vector<std::string> libraries;
  std::vector<std::string> scripts;
  std::string redis_version;
};

struct LoadTime {
  std::int64_t now_ms = 0;         // lease time
  std::int64_t wall_ahead_ms = 0;  // wall clock minus lease time
};

class Loader final : public Listener {
 public:
  // `keyspace` is between frames. A key that is there already is refused.
  Loader(Keyspace& keyspace, const LoadTime& time) : keyspace_(keyspace), time_(time) {}
  ~Loader() override;
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // Closes the last frame.
  void finish();
  [[nodiscard]] const Loaded& loaded() const { return loaded_; }

  Verdict begin_key(const Key& key) override;
  Verdict add_text(std::string_view text) override;
  Verdict add_names(std::span<const std::string_view> names) override;
  Verdict add_fields(std::span<const FieldValue> fields) override;
  Verdict add_scored(std::span<const ScoredMember> scored) override;
  Verdict end_key() override;
  Verdict foreign_key(std::uint64_t database, std::string_view name, Foreign what) override;
  Verdict function_library(std::string_view code) override;
  Verdict script(std::string_view body) override;
  void made_by(std::string_view redis_version) override;

 private:
  [[nodiscard]] Database& database() { return keyspace_.database(index_); }
  [[nodiscard]] LoadedDatabase& counts() {
    return loaded_.databases[static_cast<std::size_t>(index_)];
  }
  [[nodiscard]] Verdict check_length(std::string_view text) const;

  Keyspace& keyspace_;
  LoadTime time_;
  Loaded loaded_;
  std::size_t frame_keys_ = 0;
  // The key at hand.
  std::string name_;
  int index_ = 0;
  Type type_ = Type::string;
  std::int64_t deadline_ms_ = no_deadline;
  bool is_overdue_ = false;
  bool has_items_ = false;
};

}  // namespace engine::rdb
