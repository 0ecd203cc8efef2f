#include "commands/sorted_set_blocking_commands.hpp"

#include "base/assert.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_wait.hpp"
#include "commands/sorted_set_pop.hpp"

#include <memory>

namespace commands::sorted_set {
namespace {

// [key, member, score] from the first key that holds a sorted set. False, and nothing is answered,
// when there is none; true after an error reply, too.
[[nodiscard]] bool pop_one_of(CommandContext& c, std::span<const std::string_view> keys,
                              PopEnd end) {
  for (const std::string_view key : keys) {
    const FoundSortedSet found = inspect_sorted_set(c, key);
    if (!found) {
      reply_error(c.reply, found.error());
      return true;
    }
    if (*found == nullptr) continue;
    c.reply.array(3);
    c.reply.bulk(key);
    pop_members(c, **found, {key, end, 1}, Pairs::flat);
    return true;
  }
  return false;
}

class OneWait final : public KeyWait {
 public:
  OneWait(const CommandContext& c, PopEnd end) : KeyWait(c), end_(end) {}
  void serve(CommandContext& c, std::string_view key) override {
    const bool is_served = pop_one_of(c, std::span(&key, 1), end_);
    ASSERT(is_served);
  }

 private:
  PopEnd end_;
};

class SomeWait final : public KeyWait {
 public:
  SomeWait(const CommandContext& c, const KeyedPop& pop)
      : KeyWait(c), end_(pop.end), count_(pop.count) {}
  void serve(CommandContext& c, std::string_view key) override {
    const bool is_served = pop_first_of(c, {std::span(&key, 1), end_, count_});
    ASSERT(is_served);
  }

 private:
  PopEnd end_;
  std::size_t count_;
};

void pop_or_wait(CommandContext& c, PopEnd end) {
  const auto keys = c.args.subspan(1, c.args.size() - 2);
  ArgumentReader args(c.args, c.args.size() - 1);
  const std::int64_t timeout_ms = read_wait_ms(args);
  if (!args.done()) return args.reply_error(c.reply);
  if (pop_one_of(c, keys, end)) return;
  if (c.denies_blocking()) return c.reply.null_array();
  wait_for_keys(c, {engine::Type::sorted_set, keys, timeout_ms}, std::make_unique<OneWait>(c, end));
}

}  // namespace

void bzpopmin(CommandContext& c) {
  pop_or_wait(c, PopEnd::lowest);
}
void bzpopmax(CommandContext& c) {
  pop_or_wait(c, PopEnd::highest);
}

void bzmpop(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const KeyedPop pop = read_keyed_pop(args);
  if (!args.done()) return args.reply_error(c.reply);
  ArgumentReader timeout(c.args, 1);
  const std::int64_t timeout_ms = read_wait_ms(timeout);
  if (timeout.failed()) return timeout.reply_error(c.reply);
  if (pop_first_of(c, pop)) return;
  if (c.denies_blocking()) return c.reply.null_array();
  wait_for_keys(c, {engine::Type::sorted_set, pop.keys, timeout_ms},
                std::make_unique<SomeWait>(c, pop));
}

}  // namespace commands::sorted_set
