#include "tests/simulation/calls.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace simulation::calls {
namespace {

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void put_text(Model& model, const std::string& key, const std::string& value,
              std::int64_t deadline_ms) {
  const Key* const found = model.find(key);
  const bool is_same = found != nullptr && std::get<std::string>(found->contents) == value;
  Key& put = is_same ? model.change(key) : model.create(key);
  put.contents = value;
  put.deadline_ms = deadline_ms;
}

std::int64_t deadline_in(const Model& model, std::int64_t ttl_ms) {
  return ttl_ms == 0 ? engine::no_deadline : model.now_ms() + ttl_ms;
}

// What is there as `T`, or a new one.
template <typename T>
T& grown(Model& model, const std::string& key) {
  if (model.find(key) != nullptr) return std::get<T>(model.change(key).contents);
  return model.create(key).contents.template emplace<T>();
}

template <typename T>
const T* found(const Model& model, const std::string& key) {
  const Key* const there = model.find(key);
  return there == nullptr ? nullptr : &std::get<T>(there->contents);
}

// Without `item`; the key goes with its last.
template <typename T>
std::string erase_item(Model& model, const std::string& key, const std::string& item) {
  const T* const there = found<T>(model, key);
  if (there == nullptr || !there->contains(item)) return integer(0);
  if (there->size() == 1) {
    model.remove(key);
  } else {
    std::get<T>(model.change(key).contents).erase(item);
  }
  return integer(1);
}

std::string bulk_or_null(const std::string* text, Resp version) {
  return text == nullptr ? null(version) : bulk(*text);
}

bool is_owned_by(const Key& key, const std::string& owner) {
  if (const auto* text = std::get_if<std::string>(&key.contents)) return *text == owner;
  const auto* fields = std::get_if<Fields>(&key.contents);
  return fields != nullptr && fields->contains(owner);
}

}  // namespace

// --- locks

Call set_nx_px(const std::string& key, const std::string& owner, std::int64_t ttl_ms) {
  return {{"SET", key, owner, "NX", "PX", std::to_string(ttl_ms)}, [=](Model& model, Resp version) {
            if (model.find(key) != nullptr) return null(version);
            put_text(model, key, owner, deadline_in(model, ttl_ms));
            return simple("OK");
          }};
}

Call fence_token(const std::string& key, const std::string& owner) {
  return {{"FENCE.TOKEN", key, "OWNER", owner}, [=](Model& model, Resp version) {
            const Key* const there = model.find(key);
            if (there == nullptr || !is_owned_by(*there, owner)) return null(version);
            return integer(static_cast<std::int64_t>(there->token));
          }};
}

Call fence_check(const std::string& resource, std::uint64_t token) {
  return {{"FENCE.CHECK", resource, std::to_string(token)}, [=](Model& model, Resp) {
            const auto* const newest = found<std::string>(model, resource);
            const std::string text = std::to_string(token);
            if (newest == nullptr) {
              model.create(resource).contents = text;
              return simple("OK");
            }
            if (number(*newest) > static_cast<std::int64_t>(token)) {
              return "-STALE token " + text + " is older than " + *newest + "\r\n";
            }
            if (*newest != text) model.change(resource).contents = text;
            return simple("OK");
          }};
}

// --- strings and keys

Call set(const std::string& key, const std::string& value, std::int64_t ttl_ms) {
  Words words{"SET", key, value};
  if (ttl_ms != 0) words.insert(words.end(), {"PX", std::to_string(ttl_ms)});
  return {std::move(words), [=](Model& model, Resp) {
            put_text(model, key, value, deadline_in(model, ttl_ms));
            return simple("OK");
          }};
}

Call get(const std::string& key) {
  return {{"GET", key}, [=](Model& model, Resp version) {
            return bulk_or_null(found<std::string>(model, key), version);
          }};
}

Call increment(const std::string& key, std::int64_t by) {
  return {{"INCRBY", key, std::to_string(by)}, [=](Model& model, Resp) {
            const auto* const there = found<std::string>(model, key);
            const std::int64_t sum = by + (there == nullptr ? 0 : number(*there));
            grown<std::string>(model, key) = std::to_string(sum);
            return integer(sum);
          }};
}

Call del(const std::string& key) {
  return {{"DEL", key}, [=](Model& model, Resp) {
            if (model.find(key) == nullptr) return integer(0);
            model.remove(key);
            return integer(1);
          }};
}

Call exists(const std::string& key) {
  return {{"EXISTS", key},
          [=](Model& model, Resp) { return integer(model.find(key) == nullptr ? 0 : 1); }};
}

Call pttl(const std::string& key) {
  return {{"PTTL", key}, [=](Model& model, Resp) {
            const Key* const there = model.find(key);
            if (there == nullptr) return integer(-2);
            if (there->deadline_ms == engine::no_deadline) return integer(-1);
            return integer(there->deadline_ms - model.now_ms());
          }};
}

Call pexpire(const std::string& key, std::int64_t ttl_ms) {
  return {{"PEXPIRE", key, std::to_string(ttl_ms)}, [=](Model& model, Resp) {
            if (model.find(key) == nullptr) return integer(0);
            model.change(key).deadline_ms = model.now_ms() + ttl_ms;
            return integer(1);
          }};
}

Call persist(const std::string& key) {
  return {{"PERSIST", key}, [=](Model& model, Resp) {
            const Key* const there = model.find(key);
            if (there == nullptr || there->deadline_ms == engine::no_deadline) return integer(0);
            model.change(key).deadline_ms = engine::no_deadline;
            return integer(1);
          }};
}

Call rename(const std::string& from, const std::string& to) {
  return {{"RENAME", from, to}, [=](Model& model, Resp) -> std::string {
            const Key* const there = model.find(from);
            if (there == nullptr) return "-ERR no such key\r\n";
            Key moved = *there;
            moved.token = 0;
            model.remove(from);
            model.create(to) = std::move(moved);
            return simple("OK");
          }};
}

Call copy(const std::string& from, const std::string& to) {
  return {{"COPY", from, to, "REPLACE"}, [=](Model& model, Resp) {
            const Key* const there = model.find(from);
            if (there == nullptr) return integer(0);
            Key copied = *there;
            copied.token = 0;
            model.create(to) = std::move(copied);
            return integer(1);
          }};
}

Call flush_all() {
  return {{"FLUSHALL"}, [](Model& model, Resp) {
            for (const std::string& name : model.names()) {
              if (!is_hidden(name)) model.remove(name);
            }
            return simple("OK");
          }};
}

// --- collections

Call push_right(const std::string& key, const std::string& element) {
  return {{"RPUSH", key, element}, [=](Model& model, Resp) {
            List& list = grown<List>(model, key);
            list.push_back(element);
            return integer(static_cast<std::int64_t>(list.size()));
          }};
}

Call pop_left(const std::string& key) {
  return {{"LPOP", key}, [=](Model& model, Resp version) {
            const List* const list = found<List>(model, key);
            if (list == nullptr) return null(version);
            const std::string popped = list->front();
            if (list->size() == 1) {
              model.remove(key);
            } else {
              List& shorter = std::get<List>(model.change(key).contents);
              shorter.erase(shorter.begin());
            }
            return bulk(popped);
          }};
}

Call list_range(const std::string& key) {
  return {{"LRANGE", key, "0", "-1"}, [=](Model& model, Resp) {
            std::vector<std::string> items;
            if (const List* const list = found<List>(model, key)) {
              for (const std::string& element : *list) items.push_back(bulk(element));
            }
            return array(items);
          }};
}

Call hash_set(const std::string& key, const std::string& field, const std::string& value) {
  return {{"HSET", key, field, value}, [=](Model& model, Resp) {
            Fields& fields = grown<Fields>(model, key);
            return integer(fields.insert_or_assign(field, value).second ? 1 : 0);
          }};
}

Call hash_delete(const std::string& key, const std::string& field) {
  return {{"HDEL", key, field},
          [=](Model& model, Resp) { return erase_item<Fields>(model, key, field); }};
}

Call hash_get(const std::string& key, const std::string& field) {
  return {{"HGET", key, field}, [=](Model& model, Resp version) {
            const Fields* const fields = found<Fields>(model, key);
            if (fields == nullptr) return null(version);
            const auto there = fields->find(field);
            return bulk_or_null(there == fields->end() ? nullptr : &there->second, version);
          }};
}

Call set_add(const std::string& key, const std::string& member) {
  return {{"SADD", key, member}, [=](Model& model, Resp) {
            const Members* const there = found<Members>(model, key);
            if (there != nullptr && there->contains(member)) return integer(0);
            grown<Members>(model, key).insert(member);
            return integer(1);
          }};
}

Call set_remove(const std::string& key, const std::string& member) {
  return {{"SREM", key, member},
          [=](Model& model, Resp) { return erase_item<Members>(model, key, member); }};
}

Call set_count(const std::string& key) {
  return {{"SCARD", key}, [=](Model& model, Resp) {
            const Members* const members = found<Members>(model, key);
            return integer(members == nullptr ? 0 : static_cast<std::int64_t>(members->size()));
          }};
}

Call add_score(const std::string& key, const std::string& member, std::int64_t score) {
  return {{"ZADD", key, std::to_string(score), member}, [=](Model& model, Resp) {
            Scores& scores = grown<Scores>(model, key);
            return integer(scores.insert_or_assign(member, score).second ? 1 : 0);
          }};
}

Call sorted_range(const std::string& key) {
  return {{"ZRANGE", key, "0", "-1"}, [=](Model& model, Resp) {
            std::vector<std::pair<std::int64_t, std::string>> ordered;
            if (const Scores* const scores = found<Scores>(model, key)) {
              for (const auto& [member, score] : *scores) ordered.emplace_back(score, member);
            }
            std::ranges::sort(ordered);
            std::vector<std::string> items;
            items.reserve(ordered.size());
            for (const auto& [score, member] : ordered) items.push_back(bulk(member));
            return array(items);
          }};
}

// --- several at once

std::vector<Call> transaction(std::vector<Call> queued) {
  std::vector<Call> calls;
  calls.reserve(queued.size() + 2);
  calls.push_back({{"MULTI"}, [](Model&, Resp) { return simple("OK"); }});
  for (const Call& call : queued) {
    calls.push_back({call.words, [](Model&, Resp) { return simple("QUEUED"); }});
  }
  const auto kept = std::make_shared<std::vector<Call>>(std::move(queued));
  calls.push_back({{"EXEC"}, [kept](Model& model, Resp version) {
                     std::vector<std::string> replies;
                     replies.reserve(kept->size());
                     for (const Call& call : *kept) replies.push_back(call.effect(model, version));
                     return array(replies);
                   }});
  return calls;
}

}  // namespace simulation::calls
