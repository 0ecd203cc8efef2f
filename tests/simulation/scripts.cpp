#include "tests/simulation/scripts.hpp"

#include "scripting/sha1.hpp"

#include <map>
#include <optional>
#include <utility>

namespace simulation::scripts {
namespace {

constexpr std::string_view release_text = R"(
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1]))";

constexpr std::string_view renew_text = R"(
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2]))";

constexpr std::string_view enter_text = R"(
  local mine = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
  if not mine and redis.call('EXISTS', KEYS[1]) == 1 then return -redis.call('PTTL', KEYS[1]) end
  local holds = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return holds)";

constexpr std::string_view leave_text = R"(
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
  local holds = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if holds == 0 then redis.call('DEL', KEYS[1]) end
  return holds)";

constexpr std::string_view leave_and_tell_text = R"(
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
  local holds = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if holds > 0 then return holds end
  redis.call('DEL', KEYS[1])
  return -redis.call('PUBLISH', KEYS[2], ARGV[1]))";

constexpr std::string_view transfer_text = R"(
  redis.call('INCRBY', KEYS[1], -ARGV[1])
  redis.call('INCRBY', KEYS[2], ARGV[1])
  redis.call('RPUSH', KEYS[3], ARGV[2])
  if redis.call('LLEN', KEYS[3]) > 4 then redis.call('LPOP', KEYS[3]) end
  return redis.call('GET', KEYS[2]))";

const std::string& sha1_of(std::string_view text) {
  static std::map<std::string_view, std::string> known;
  std::string& sha1 = known[text];
  if (sha1.empty()) sha1 = scripting::sha1_hex(text);
  return sha1;
}

bool holds_text(const Model& model, const std::string& key, const std::string& text) {
  const Key* const there = model.find(key);
  return there != nullptr && std::get<std::string>(there->contents) == text;
}

const Fields* holders(const Model& model, const std::string& key) {
  const Key* const there = model.find(key);
  return there == nullptr ? nullptr : &std::get<Fields>(there->contents);
}

// The hold count left; nullopt: not the owner.
std::optional<std::int64_t> leave_once(Model& model, const std::string& key,
                                       const std::string& owner) {
  const Fields* const there = holders(model, key);
  if (there == nullptr || !there->contains(owner)) return std::nullopt;
  const std::int64_t left = std::stoll(there->at(owner)) - 1;
  if (left == 0) {
    model.remove(key);
  } else {
    std::get<Fields>(model.change(key).contents)[owner] = std::to_string(left);
  }
  return left;
}

using Effect = std::function<std::string(Model&, Resp)>;

Call call(Named named, std::string_view text, const Words& keys, const Words& arguments,
          Effect effect) {
  const std::string& sha1 = sha1_of(text);
  const bool by_sha1 = named == Named::by_sha1;
  Words words{by_sha1 ? "EVALSHA" : "EVAL", by_sha1 ? sha1 : std::string(text),
              std::to_string(keys.size())};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {std::move(words),
          [by_sha1, &sha1, effect = std::move(effect)](Model& model, Resp version) {
            const std::string cached = hidden_prefix + sha1;
            const bool is_cached = model.find(cached) != nullptr;
            if (by_sha1 && !is_cached) {
              return std::string("-NOSCRIPT No matching script. Please use EVAL.\r\n");
            }
            if (!is_cached) model.create(cached);
            return effect(model, version);
          }};
}

}  // namespace

Call flush() {
  return {{"SCRIPT", "FLUSH"}, [](Model& model, Resp) {
            for (const std::string& name : model.names()) {
              if (is_hidden(name)) model.remove(name);
            }
            return simple("OK");
          }};
}

Call release(Named named, const std::string& key, const std::string& owner) {
  return call(named, release_text, {key}, {owner}, [=](Model& model, Resp) {
    if (!holds_text(model, key, owner)) return integer(0);
    model.remove(key);
    return integer(1);
  });
}

Call renew(Named named, const std::string& key, const std::string& owner, std::int64_t ttl_ms) {
  return call(named, renew_text, {key}, {owner, std::to_string(ttl_ms)}, [=](Model& model, Resp) {
    if (!holds_text(model, key, owner)) return integer(0);
    model.change(key).deadline_ms = model.now_ms() + ttl_ms;
    return integer(1);
  });
}

Call enter(Named named, const std::string& key, const std::string& owner, std::int64_t ttl_ms) {
  return call(named, enter_text, {key}, {owner, std::to_string(ttl_ms)}, [=](Model& model, Resp) {
    const Fields* const there = holders(model, key);
    if (there != nullptr && !there->contains(owner)) {
      return integer(model.now_ms() - model.find(key)->deadline_ms);
    }
    if (there == nullptr) model.create(key).contents = Fields{{owner, "0"}};
    Key& lock = model.change(key);
    std::string& holds = std::get<Fields>(lock.contents)[owner];
    holds = std::to_string(std::stoll(holds) + 1);
    lock.deadline_ms = model.now_ms() + ttl_ms;
    return integer(std::stoll(holds));
  });
}

Call leave(Named named, const std::string& key, const std::string& owner) {
  return call(named, leave_text, {key}, {owner}, [=](Model& model, Resp version) {
    const std::optional<std::int64_t> left = leave_once(model, key, owner);
    return left ? integer(*left) : null(version);
  });
}

Call leave_and_tell(Named named, const std::string& key, const std::string& owner,
                    const std::string& channel, std::function<int(const std::string&)> tell) {
  return call(named, leave_and_tell_text, {key, channel}, {owner},
              [=, tell = std::move(tell)](Model& model, Resp version) {
                const std::optional<std::int64_t> left = leave_once(model, key, owner);
                if (!left) return null(version);
                return integer(*left > 0 ? *left : -tell(owner));
              });
}

Call transfer(Named named, const std::string& prefix, std::int64_t amount,
              const std::string& note) {
  const Words keys{prefix + "from", prefix + "to", prefix + "notes"};
  return call(named, transfer_text, keys, {std::to_string(amount), note},
              [=](Model& model, Resp version) {
                calls::increment(keys[0], -amount).effect(model, version);
                calls::increment(keys[1], amount).effect(model, version);
                calls::push_right(keys[2], note).effect(model, version);
                constexpr std::size_t notes_max = 4;
                if (std::get<List>(model.find(keys[2])->contents).size() > notes_max) {
                  calls::pop_left(keys[2]).effect(model, version);
                }
                return calls::get(keys[1]).effect(model, version);
              });
}

}  // namespace simulation::scripts
