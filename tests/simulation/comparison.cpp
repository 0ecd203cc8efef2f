#include "tests/simulation/comparison.hpp"

#include "engine/list_value.hpp"
#include "engine/set_value.hpp"
#include "engine/sorted_set_value.hpp"

#include <sstream>

namespace simulation {
namespace {

Fields fields_of(const engine::Entry& entry) {
  Fields fields;
  engine::HashView(entry).for_each(
      [&](std::string_view field, std::string_view value) { fields.emplace(field, value); });
  return fields;
}

List items_of(const engine::Entry& entry) {
  List list;
  engine::list_of(entry).visit_forward(0, [&](std::string_view element) {
    list.emplace_back(element);
    return true;
  });
  return list;
}

Members members_of(const engine::Entry& entry) {
  Members members;
  engine::set_of(entry).for_each([&](std::string_view member) { members.emplace(member); });
  return members;
}

Scores scores_of(const engine::Entry& entry) {
  Scores scores;
  const engine::SortedSetValue& value = engine::sorted_set_of(entry);
  value.visit(0, value.size(), engine::Order::ascending, [&](const engine::ScoredMember& item) {
    scores.emplace(item.member, static_cast<std::int64_t>(item.score));
  });
  return scores;
}

Key read(const engine::Entry& entry) {
  Key key{.contents = {}, .deadline_ms = entry.deadline_ms(), .token = entry.token()};
  switch (entry.type()) {
    case engine::Type::string:
      key.contents = std::string(entry.string());
      break;
    case engine::Type::hash:
      key.contents = fields_of(entry);
      break;
    case engine::Type::list:
      key.contents = items_of(entry);
      break;
    case engine::Type::set:
      key.contents = members_of(entry);
      break;
    case engine::Type::sorted_set:
      key.contents = scores_of(entry);
      break;
  }
  return key;
}

struct Show {
  std::ostringstream& out;
  void operator()(const std::string& text) const { out << '"' << text << '"'; }
  void operator()(const List& items) const {
    for (const std::string& item : items) out << ' ' << item;
  }
  void operator()(const Members& items) const {
    for (const std::string& item : items) out << ' ' << item;
  }
  template <typename Map>
  void operator()(const Map& items) const {
    for (const auto& [name, value] : items) out << ' ' << name << '=' << value;
  }
};

std::string text_of(const Key* key) {
  if (key == nullptr) return "absent";
  std::ostringstream out;
  std::visit(Show{out}, key->contents);
  out << " deadline ";
  if (key->deadline_ms == engine::no_deadline) {
    out << "none";
  } else {
    out << key->deadline_ms;
  }
  out << " token " << key->token;
  return out.str();
}

}  // namespace

std::optional<std::string> difference(engine::Keyspace& keyspace, const Model& model,
                                      std::int64_t now_ms) {
  std::map<std::string, Key> found;
  keyspace.database(0).for_each([&](const engine::Entry& entry) {
    if (!entry.is_expired(now_ms)) found.emplace(entry.key(), read(entry));
  });
  std::map<std::string, const Key*> names;
  for (const auto& [name, key] : found) names[name] = &key;
  for (const auto& [name, key] : model.keys()) {
    if (!is_hidden(name)) names.emplace(name, nullptr);
  }
  for (const auto& [name, there] : names) {
    const auto in_model = model.keys().find(name);
    const bool is_expected =
        in_model != model.keys().end() && in_model->second.deadline_ms > now_ms;
    const Key* const expected = is_expected ? &in_model->second : nullptr;
    if (there == nullptr && expected == nullptr) continue;
    if (there != nullptr && expected != nullptr) {
      Key known = *expected;
      if (known.token == 0) known.token = there->token;
      if (known == *there) continue;
    }
    return name + ": there is " + text_of(there) + ", there should be " + text_of(expected);
  }
  return std::nullopt;
}

std::optional<Key> key_in(engine::Keyspace& keyspace, const std::string& name,
                          std::int64_t now_ms) {
  const engine::Entry* const entry = keyspace.database(0).peek(name);
  if (entry == nullptr || entry->is_expired(now_ms)) return std::nullopt;
  return read(*entry);
}

}  // namespace simulation
