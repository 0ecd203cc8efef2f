#include "engine/rdb_loader.hpp"

#include "engine/list_keys.hpp"

#include <algorithm>
#include <limits>

namespace engine::rdb {
namespace {

constexpr std::size_t frame_keys_max = 128;

template <typename Value>
Verdict verdict_on(const Result<Value>& result) {
  if (result) return {};
  if (result.error() == Error::out_of_memory) {
    return std::unexpected("maxmemory is reached; raise it, or set it to 0");
  }
  return std::unexpected("the key cannot be stored");
}

// Saturates: a file may say anything.
std::int64_t lease_time(std::int64_t wall_ms, std::int64_t wall_ahead_ms) {
  std::int64_t lease_ms = 0;
  if (!__builtin_sub_overflow(wall_ms, wall_ahead_ms, &lease_ms)) {
    return std::min(lease_ms, no_deadline - 1);
  }
  return wall_ms < 0 ? std::numeric_limits<std::int64_t>::min() : no_deadline - 1;
}

Verdict no_database(std::uint64_t number) {
  return std::unexpected("database " + std::to_string(number) + "; there are " +
                         std::to_string(database_count));
}

}  // namespace

Loader::~Loader() {
  finish();
}

void Loader::finish() {
  if (keyspace_.in_frame()) keyspace_.end_frame();
  frame_keys_ = 0;
}

Verdict Loader::check_length(std::string_view text) const {
  if (text.size() <= keyspace_.limits().string_bytes_max) return {};
  return std::unexpected("a string of " + std::to_string(text.size()) +
                         " bytes: longer than proto-max-bulk-len");
}

Verdict Loader::begin_key(const Key& key) {
  if (key.database >= database_count) return no_database(key.database);
  if (auto fits = check_length(key.name); !fits) return fits;
  index_ = static_cast<int>(key.database);
  name_ = key.name;
  type_ = key.type;
  has_items_ = false;
  deadline_ms_ = no_deadline;
  if (key.expires_wall_ms) deadline_ms_ = lease_time(*key.expires_wall_ms, time_.wall_ahead_ms);
  is_overdue_ = deadline_ms_ <= time_.now_ms;
  if (is_overdue_) return {};
  if (frame_keys_ == frame_keys_max) finish();
  if (!keyspace_.in_frame()) keyspace_.begin_frame(time_.now_ms);
  ++frame_keys_;
  if (database().holds(name_)) return std::unexpected("the key stands in the file twice");
  return {};
}

Verdict Loader::add_text(std::string_view text) {
  if (auto fits = check_length(text); !fits) return fits;
  has_items_ = true;
  if (is_overdue_) return {};
  return verdict_on(database().set_string(name_, text, deadline_ms_));
}

Verdict Loader::add_names(std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (auto fits = check_length(name); !fits) return fits;
  }
  has_items_ = true;
  if (is_overdue_) return {};
  if (type_ == Type::set) return verdict_on(database().set_add(name_, names));
  return verdict_on(ListKeys(database()).push(name_, Side::right, names));
}

Verdict Loader::add_fields(std::span<const FieldValue> fields) {
  for (const auto& [field, value] : fields) {
    if (auto fits = check_length(field); !fits) return fits;
    if (auto fits = check_length(value); !fits) return fits;
  }
  has_items_ = true;
  if (is_overdue_) return {};
  return verdict_on(database().hash_set(name_, fields));
}

Verdict Loader::add_scored(std::span<const ScoredMember> scored) {
  for (const ScoredMember& item : scored) {
    if (auto fits = check_length(item.member); !fits) return fits;
  }
  const bool is_first = !has_items_;
  has_items_ = true;
  if (is_overdue_) return {};
  if (is_first) return verdict_on(database().put_sorted_set(name_, scored));
  return verdict_on(database().set_scores(name_, scored, {}));
}

Verdict Loader::end_key() {
  if (is_overdue_) {
    ++counts().overdue;
    return {};
  }
  if (!has_items_) {
    ++counts().empty;
    return {};
  }
  ++counts().keys[static_cast<std::size_t>(type_)];
  if (deadline_ms_ == no_deadline) return {};
  ++counts().with_deadline;
  if (type_ == Type::string) return {};
  return verdict_on(database().set_deadline(name_, deadline_ms_));
}

Verdict Loader::foreign_key(std::uint64_t database, std::string_view /*name*/, Foreign what) {
  if (database >= database_count) return no_database(database);
  LoadedDatabase& counts = loaded_.databases[database];
  ++(what == Foreign::stream ? counts.streams : counts.modules);
  return {};
}

Verdict Loader::function_library(std::string_view code) {
  loaded_.libraries.emplace_back(code);
  return {};
}

Verdict Loader::script(std::string_view body) {
  loaded_.scripts.emplace_back(body);
  return {};
}

void Loader::made_by(std::string_view redis_version) {
  loaded_.redis_version = redis_version;
}

}  // namespace engine::rdb
