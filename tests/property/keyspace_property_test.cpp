// Random operations on a Keyspace and on the naive model; every answer and, from time to time, the
// whole state are compared, and the recorded frames must rebuild the same state. A failing list of
// operations is made smaller by leaving out halves, quarters, …; the seed is printed.
#include "base/integers.hpp"
#include "engine/keyspace.hpp"
#include "tests/property/naive_keyspace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using engine::Database;
using engine::Keyspace;
using property::NaiveEntry;
using property::NaiveKeyspace;

enum class Kind : int {
  set,
  append,
  set_range,
  increment,
  replace,
  hash_set,
  hash_remove,
  hash_increment,
  remove,
  set_deadline,
  rename,
  copy,
  move,
  flush,
  swap,
  advance,
  expire,
  count
};

struct Operation {
  Kind kind;
  int database;
  int other;
  std::string key;
  std::string to;
  std::string text;
  std::string field;
  std::int64_t number;
};

std::string dump(Keyspace& keyspace) {
  std::vector<std::string> lines;
  for (int index = 0; index < engine::database_count; ++index) {
    keyspace.database(index).for_each([&](const engine::Entry& entry) {
      std::ostringstream line;
      line << index << ' ' << entry.key() << ' ' << entry.token() << ' ' << entry.deadline_ms();
      if (entry.type() == engine::Type::string) {
        line << " s " << entry.string();
      } else {
        std::vector<std::string> fields;
        engine::HashView(entry).for_each([&](std::string_view field, std::string_view value) {
          fields.push_back(std::string(field) + "=" + std::string(value));
        });
        std::ranges::sort(fields);
        line << " h";
        for (const auto& field : fields) line << ' ' << field;
      }
      lines.push_back(line.str());
    });
  }
  std::ranges::sort(lines);
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

// With what the model does not know: encodings.
std::string full_dump(Keyspace& keyspace) {
  std::string text = dump(keyspace);
  std::vector<std::string> encodings;
  for (int index = 0; index < engine::database_count; ++index) {
    keyspace.database(index).for_each([&](const engine::Entry& entry) {
      encodings.push_back(std::string(entry.key()) + ":" +
                          std::to_string(static_cast<int>(entry.encoding())));
    });
  }
  std::ranges::sort(encodings);
  for (const auto& encoding : encodings) text += encoding + "\n";
  return text + std::to_string(keyspace.last_token());
}

std::string dump(NaiveKeyspace& model) {
  std::vector<std::string> lines;
  for (int index = 0; index < engine::database_count; ++index) {
    for (const auto& [key, entry] : model.databases[static_cast<std::size_t>(index)]) {
      if (entry.deadline_ms <= model.now_ms) continue;
      std::ostringstream line;
      line << index << ' ' << key << ' ' << entry.token << ' ' << entry.deadline_ms;
      if (const auto* text = std::get_if<std::string>(&entry.value)) {
        line << " s " << *text;
      } else {
        line << " h";
        std::vector<std::string> fields;
        for (const auto& [field, value] : std::get<1>(entry.value)) {
          fields.push_back(field + "=" + value);
        }
        std::ranges::sort(fields);
        for (const auto& field : fields) line << ' ' << field;
      }
      lines.push_back(line.str());
    }
  }
  std::ranges::sort(lines);
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Operation next() {
    Operation operation{};
    operation.kind = static_cast<Kind>(below(static_cast<int>(Kind::count)));
    // Flushing as often as anything else would leave nothing to test.
    if (operation.kind == Kind::flush && below(30) != 0) operation.kind = Kind::hash_set;
    operation.database = below(10) == 0 ? below(3) : 0;
    operation.other = below(3);
    operation.key = "key" + std::to_string(below(40));
    operation.to = "key" + std::to_string(below(40));
    operation.field = "field" + std::to_string(below(below(20) == 0 ? 400 : 12));
    operation.text = text();
    operation.number = below(3) == 0 ? below(100'000) - 50'000 : below(300) - 20;
    return operation;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  std::string text() {
    switch (below(6)) {
      case 0:
        return std::string(static_cast<std::size_t>(below(600)), static_cast<char>('a' + below(3)));
      case 1:
        return std::string(static_cast<std::size_t>(below(66)), 'y');
      case 2:
        return "";
      default:
        return std::to_string(below(200) - 50);
    }
  }
  std::mt19937_64 random_;
};

// Runs one operation on both; what it answers, as text.
class Pair {
 public:
  Pair() { keyspace_.set_frames_wanted(true); }

  // The first difference, or nothing.
  std::optional<std::string> run(const Operation& operation) {
    model_.now_ms = now_ms_;
    if (operation.kind == Kind::advance) {
      now_ms_ += std::abs(operation.number) % (operation.number % 7 == 0 ? 100'000 : 50);
      return std::nullopt;
    }
    if (operation.kind == Kind::expire) {
      keyspace_.expire_due(now_ms_, operation.number % 2 == 0 ? 0 : 1'000'000);
      return compare_all();
    }
    keyspace_.begin_frame(now_ms_);
    const std::string real = on_keyspace(operation);
    keyspace_.end_frame();
    const std::string expected = on_model(operation);
    if (real != expected) return "answers " + real + " instead of " + expected;
    frames_ += keyspace_.take_batch().bytes;
    return std::nullopt;
  }

  std::optional<std::string> compare_all() {
    keyspace_.validate();
    frames_ += keyspace_.take_batch().bytes;
    keyspace_.begin_frame(now_ms_);
    const std::string real = dump(keyspace_);
    keyspace_.end_frame();
    model_.now_ms = now_ms_;
    const std::string expected = dump(model_);
    if (real != expected) return "state\n" + real + "instead of\n" + expected;
    return std::nullopt;
  }

  std::optional<std::string> compare_replay() {
    Keyspace replica(0, 99);
    if (!replica.replay(frames_)) return "replay is refused";
    replica.validate();
    // Long before any deadline: overdue keys that are not yet removed are part of the state.
    for (Keyspace* keyspace : {&keyspace_, &replica}) keyspace->begin_frame(-1'000'000'000);
    const std::string original = full_dump(keyspace_);
    const std::string replayed = full_dump(replica);
    for (Keyspace* keyspace : {&keyspace_, &replica}) keyspace->end_frame();
    if (original != replayed) return "replay gives\n" + replayed + "instead of\n" + original;
    return std::nullopt;
  }

 private:
  static std::string text_of(const auto& result) {
    if (!result) return "error " + std::to_string(static_cast<int>(result.error()));
    if constexpr (requires { std::to_string(*result); }) {
      return std::to_string(*result);
    } else {
      return "done";
    }
  }

  std::int64_t deadline(const Operation& operation) const {
    return operation.number % 3 == 0 ? engine::no_deadline : now_ms_ + operation.number;
  }

  std::string on_keyspace(const Operation& op) {
    Database& db = keyspace_.database(op.database);
    const engine::FieldValue fields[] = {{op.field, op.text}, {op.to, op.key}, {op.field, op.to}};
    const std::string_view names[] = {op.field, op.to, op.field};
    const std::size_t count = static_cast<std::size_t>(op.number & 1) * 2 + 1;
    switch (op.kind) {
      case Kind::set:
        return text_of(db.set_string(op.key, op.text, deadline(op)));
      case Kind::append:
        return text_of(db.append(op.key, op.text));
      case Kind::set_range:
        return text_of(db.set_range(op.key, offset(op), op.text));
      case Kind::increment:
        return text_of(db.increment(op.key, op.number));
      case Kind::replace:
        return text_of(db.replace_value(op.key, op.text));
      case Kind::hash_set:
        return text_of(db.hash_set(op.key, {fields, count}));
      case Kind::hash_remove:
        return text_of(db.hash_remove(op.key, {names, count}));
      case Kind::hash_increment:
        return text_of(db.hash_increment(op.key, op.field, op.number));
      case Kind::remove:
        return db.remove(op.key) ? "1" : "0";
      case Kind::set_deadline:
        return db.set_deadline(op.key, deadline(op)).value() ? "1" : "0";
      case Kind::rename:
        return db.peek(op.key) == nullptr ? "absent" : text_of(db.rename(op.key, op.to));
      case Kind::copy:
        if (db.peek(op.key) == nullptr) return "absent";
        return text_of(db.copy(op.key, keyspace_.database(op.other), op.to));
      case Kind::move:
        if (db.peek(op.key) == nullptr) return "absent";
        if (keyspace_.database(op.other).peek(op.key) != nullptr) return "taken";
        return text_of(db.move(op.key, keyspace_.database(op.other)));
      case Kind::flush:
        keyspace_.flush(op.database);
        return "done";
      case Kind::swap:
        keyspace_.swap(op.database, op.other);
        return "done";
      default:
        return "";
    }
  }

  static std::size_t offset(const Operation& operation) {
    return static_cast<std::size_t>(std::abs(operation.number) % 500);
  }

  std::string on_model(const Operation& op) {
    NaiveEntry* entry = model_.find(op.database, op.key);
    switch (op.kind) {
      case Kind::set:
      case Kind::append:
      case Kind::set_range:
      case Kind::increment:
      case Kind::replace:
        return model_string(op, entry);
      case Kind::hash_set:
      case Kind::hash_remove:
      case Kind::hash_increment:
        return model_hash(op, entry);
      default:
        return model_key(op, entry);
    }
  }

  std::string model_string(const Operation& op, NaiveEntry* entry) {
    auto* text = entry ? std::get_if<std::string>(&entry->value) : nullptr;
    if (op.kind == Kind::set) {
      if (text == nullptr || *text != op.text) entry = &model_.create(op.database, op.key);
      entry->value = op.text;
      entry->deadline_ms = deadline(op);
      return "done";
    }
    if (entry != nullptr && text == nullptr) return wrong_type;
    std::string value = text ? *text : "";
    std::string answer = "done";
    if (op.kind == Kind::append) {
      value += op.text;
      answer = std::to_string(value.size());
    } else if (op.kind == Kind::set_range) {
      if (op.text.empty()) return std::to_string(value.size());
      value.resize(std::max(value.size(), offset(op) + op.text.size()));
      value.replace(offset(op), op.text.size(), op.text);
      answer = std::to_string(value.size());
    } else if (op.kind == Kind::increment) {
      const auto old = entry ? base::parse_int64(value) : 0;
      if (!old) return "error " + std::to_string(static_cast<int>(engine::Error::not_an_integer));
      value = answer = std::to_string(*old + op.number);
    } else {
      value = op.text;
    }
    if (entry == nullptr) entry = &model_.create(op.database, op.key);
    entry->value = value;
    return answer;
  }

  std::string model_hash(const Operation& op, NaiveEntry* entry) {
    using Fields = std::map<std::string, std::string>;
    auto* fields = entry ? std::get_if<Fields>(&entry->value) : nullptr;
    if (entry != nullptr && fields == nullptr) return wrong_type;
    const bool several = (op.number & 1) != 0;
    if (op.kind == Kind::hash_remove) {
      if (fields == nullptr) return "0";
      std::size_t removed = fields->erase(op.field);
      if (several) removed += fields->erase(op.to);
      if (fields->empty()) model_.erase(op.database, op.key);
      return std::to_string(removed);
    }
    Fields changed = fields ? *fields : Fields();
    const std::size_t before = changed.size();
    std::string answer;
    if (op.kind == Kind::hash_set) {
      changed[op.field] = op.text;
      if (several) {
        changed[op.to] = op.key;
        changed[op.field] = op.to;
      }
      answer = std::to_string(changed.size() - before);
    } else {
      const auto old = changed.contains(op.field) ? base::parse_int64(changed[op.field]) : 0;
      if (!old) {
        return "error " +
               std::to_string(static_cast<int>(engine::Error::hash_value_not_an_integer));
      }
      changed[op.field] = answer = std::to_string(*old + op.number);
    }
    if (entry == nullptr) entry = &model_.create(op.database, op.key);
    entry->value = changed;
    return answer;
  }

  std::string model_key(const Operation& op, NaiveEntry* entry) {
    switch (op.kind) {
      case Kind::remove:
        model_.erase(op.database, op.key);
        return entry ? "1" : "0";
      case Kind::set_deadline:
        if (entry) entry->deadline_ms = deadline(op);
        return entry ? "1" : "0";
      case Kind::flush:
        model_.databases[static_cast<std::size_t>(op.database)].clear();
        return "done";
      case Kind::swap:
        std::swap(model_.databases[static_cast<std::size_t>(op.database)],
                  model_.databases[static_cast<std::size_t>(op.other)]);
        return "done";
      default:
        return model_transfer(op, entry);
    }
  }

  std::string model_transfer(const Operation& op, NaiveEntry* entry) {
    if (entry == nullptr) return "absent";
    const int to_database = op.kind == Kind::rename ? op.database : op.other;
    const std::string& to = op.kind == Kind::move ? op.key : op.to;
    if (op.kind == Kind::move && model_.find(op.other, op.key) != nullptr) return "taken";
    if (to_database == op.database && to == op.key) return "done";
    const NaiveEntry source = *entry;
    if (op.kind != Kind::copy) model_.erase(op.database, op.key);
    NaiveEntry& created = model_.create(to_database, to);
    created.value = source.value;
    created.deadline_ms = source.deadline_ms;
    return "done";
  }

  inline static const std::string wrong_type =
      "error " + std::to_string(static_cast<int>(engine::Error::wrong_type));

  Keyspace keyspace_{0, 42};
  NaiveKeyspace model_;
  std::int64_t now_ms_ = 1'700'000'000'000;
  std::string frames_;
};

// Why these operations fail; nothing when they do not.
std::optional<std::string> failure_of(const std::vector<Operation>& operations) {
  Pair pair;
  for (std::size_t step = 0; step < operations.size(); ++step) {
    if (auto failure = pair.run(operations[step])) return failure;
    if (step % 500 != 499) continue;
    if (auto failure = pair.compare_all()) return failure;
  }
  if (auto failure = pair.compare_all()) return failure;
  return pair.compare_replay();
}

std::vector<Operation> shrunk(std::vector<Operation> operations) {
  for (std::size_t piece = operations.size() / 2; piece > 0; piece /= 2) {
    for (std::size_t start = 0; start + piece <= operations.size();) {
      std::vector<Operation> fewer = operations;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(start);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(piece));
      if (failure_of(fewer)) {
        operations = std::move(fewer);
      } else {
        start += piece;
      }
    }
  }
  return operations;
}

std::string listed(const std::vector<Operation>& operations) {
  std::ostringstream text;
  for (const Operation& op : operations) {
    text << "  kind " << static_cast<int>(op.kind) << " db " << op.database << "," << op.other
         << " key " << op.key << " to " << op.to << " field " << op.field << " number " << op.number
         << " text '" << op.text << "'\n";
  }
  return text.str();
}

std::uint64_t first_seed() {
  if (const char* given = std::getenv("PROPERTY_SEED")) return std::strtoull(given, nullptr, 10);
  return std::random_device{}();
}

TEST(KeyspaceProperty, behaves_as_the_naive_model_and_replays_to_the_same_state) {
  const std::uint64_t first = first_seed();
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 30; ++seed) {
    Generator generator(seed);
    std::vector<Operation> operations(3000);
    std::ranges::generate(operations, [&] { return generator.next(); });
    if (failure_of(operations)) {
      const auto fewest = shrunk(operations);
      FAIL() << "PROPERTY_SEED=" << seed << "\n" << listed(fewest) << *failure_of(fewest);
    }
  }
}

}  // namespace
