#include "tests/support/disk/random_changes.hpp"

#include "engine/collection.hpp"
#include "engine/list_keys.hpp"

#include <string_view>
#include <vector>

namespace test {
namespace {

constexpr std::uint64_t databases = 3;

std::size_t items_in(engine::Database& database, const std::string& key, engine::Type type) {
  const engine::Entry* entry = database.peek(key);
  if (entry == nullptr || entry->type() != type) return 0;
  return entry->collection().size();
}

}  // namespace

std::string RandomChanges::key() {
  std::string key = "key" + std::to_string(below(30));
  if (below(30) == 0) key += std::string(300, 'k');
  return key;
}

std::string RandomChanges::text() {
  if (below(8) == 0) return std::string(below(400), static_cast<char>('a' + below(26)));
  return std::to_string(below(1000));
}

std::int64_t RandomChanges::deadline(const engine::Keyspace& keyspace) {
  constexpr std::uint64_t span_ms = 2000;
  if (below(2) == 0) return engine::no_deadline;
  return keyspace.now_ms() + static_cast<std::int64_t>(below(span_ms));
}

void RandomChanges::one(engine::Keyspace& keyspace) {
  engine::Database& database = keyspace.database(static_cast<int>(below(databases)));
  const std::string name = key();
  switch (below(8)) {
    case 0:
    case 1:
      return string(database, name, deadline(keyspace));
    case 2:
      return hash(database, name);
    case 3:
      return list(database, name);
    case 4:
      return set(database, name);
    case 5:
      return sorted_set(database, name);
    default:
      return whole_key(keyspace, database, name);
  }
}

void RandomChanges::string(engine::Database& database, const std::string& key,
                           std::int64_t deadline_ms) {
  switch (below(6)) {
    case 0:
      return static_cast<void>(database.append(key, text()));
    case 1:
      return static_cast<void>(database.set_range(key, below(50), text()));
    case 2:
      return static_cast<void>(database.increment(key, 7));
    case 3:
      return static_cast<void>(database.replace_value(key, text()));
    default:
      return static_cast<void>(database.set_string(key, text(), deadline_ms));
  }
}

void RandomChanges::hash(engine::Database& database, const std::string& key) {
  const std::string field = "field" + std::to_string(below(12));
  const std::string value = text();
  const std::vector<engine::FieldValue> fields{{field, value}, {"mode", "write"}};
  const std::vector<std::string_view> names{field};
  switch (below(4)) {
    case 0:
      return static_cast<void>(database.hash_remove(key, names));
    case 1:
      return static_cast<void>(database.hash_increment(key, field, 1));
    default:
      return static_cast<void>(database.hash_set(key, fields));
  }
}

void RandomChanges::list(engine::Database& database, const std::string& key) {
  engine::ListKeys lists(database);
  const std::string first = text();
  const std::vector<std::string_view> elements{first, "second"};
  const auto side = below(2) == 0 ? engine::Side::left : engine::Side::right;
  const std::size_t size = items_in(database, key, engine::Type::list);
  if (size == 0 || below(3) == 0) return static_cast<void>(lists.push(key, side, elements));
  switch (below(6)) {
    case 0:
      return lists.pop(key, side, 1 + below(size));
    case 1:
      return lists.erase(key, below(size), 1);
    case 2:
      return static_cast<void>(lists.remove(key, "second", 0));
    case 3:
      return static_cast<void>(lists.set(key, below(size), first));
    case 4:
      return static_cast<void>(lists.insert(key, below(size + 1), first));
    default:
      return static_cast<void>(lists.move(key, side, this->key(), engine::Side::left));
  }
}

void RandomChanges::set(engine::Database& database, const std::string& key) {
  const std::string member = text();
  const std::vector<std::string_view> members{member, "7"};
  switch (below(4)) {
    case 0:
      return static_cast<void>(database.set_remove(key, members));
    case 1:
      return static_cast<void>(database.set_put(key, members, engine::Encoding::hashtable));
    default:
      return static_cast<void>(database.set_add(key, members));
  }
}

void RandomChanges::sorted_set(engine::Database& database, const std::string& key) {
  const std::string member = text();
  const double score = static_cast<double>(below(100)) / 4;
  const std::vector<engine::ScoredMember> scores{{member, score}, {"m", 1.5}};
  const std::vector<std::string_view> members{member};
  const std::size_t size = items_in(database, key, engine::Type::sorted_set);
  switch (below(5)) {
    case 0:
      return static_cast<void>(database.remove_scored(key, members));
    case 1:
      return static_cast<void>(database.increment_score(key, {"m", score}, {}));
    case 2:
      if (size > 0) database.remove_ranks(key, below(size), 1);
      return;
    default:
      return static_cast<void>(database.set_scores(key, scores, {}));
  }
}

void RandomChanges::whole_key(engine::Keyspace& keyspace, engine::Database& database,
                              const std::string& key) {
  engine::Database& other = keyspace.database(static_cast<int>(below(databases)));
  const std::string to = this->key();
  switch (below(60)) {
    case 0:
      return keyspace.flush(database.index());
    case 1:
      return keyspace.flush_all();
    case 2:
    case 3:
      return keyspace.swap(database.index(), other.index());
    default:
      break;
  }
  if (database.peek(key) == nullptr) return;
  switch (below(5)) {
    case 0:
      return static_cast<void>(database.set_deadline(key, deadline(keyspace)));
    case 1:
      return static_cast<void>(database.rename(key, to));
    case 2:
      return static_cast<void>(database.copy(key, other, to));
    case 3:
      if (other.peek(key) == nullptr) static_cast<void>(database.move(key, other));
      return;
    default:
      return static_cast<void>(database.remove(key));
  }
}

}  // namespace test
