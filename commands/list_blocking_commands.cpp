#include "commands/list_blocking_commands.hpp"

#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/key_wait.hpp"
#include "commands/list_ends.hpp"

#include <memory>
#include <string>

namespace commands::list {
namespace {

void answer_with_key(CommandContext& c, std::string_view key, Side side) {
  c.reply.array(2);
  c.reply.bulk(key);
  pop_one(c, key, side);
}

void answer_with_some(CommandContext& c, std::string_view key, Side side, std::size_t count) {
  c.reply.array(2);
  c.reply.bulk(key);
  pop_some(c, key, side, count);
}

class PopWait final : public KeyWait {
 public:
  PopWait(const CommandContext& c, Side side) : KeyWait(c), side_(side) {}
  void serve(CommandContext& c, std::string_view key) override { answer_with_key(c, key, side_); }

 private:
  Side side_;
};

class PopSomeWait final : public KeyWait {
 public:
  PopSomeWait(const CommandContext& c, Side side, std::size_t count)
      : KeyWait(c), side_(side), count_(count) {}
  void serve(CommandContext& c, std::string_view key) override {
    answer_with_some(c, key, side_, count_);
  }

 private:
  Side side_;
  std::size_t count_;
};

class MoveWait final : public KeyWait {
 public:
  MoveWait(const CommandContext& c, const Move& move)
      : KeyWait(c), from_side_(move.from_side), to_(move.to), to_side_(move.to_side) {}
  // The memory was granted when the call came: what moves was there before.
  void serve(CommandContext& c, std::string_view key) override {
    move_one(c, {key, from_side_, to_, to_side_});
  }

 private:
  Side from_side_;
  std::string to_;
  Side to_side_;
};

void pop_or_wait(CommandContext& c, Side side) {
  const auto keys = c.args.subspan(1, c.args.size() - 2);
  ArgumentReader args(c.args, c.args.size() - 1);
  const std::int64_t timeout_ms = read_wait_ms(args);
  if (!args.done()) return args.reply_error(c.reply);
  std::string_view key;
  const FirstList list = first_list(c, keys, key);
  if (!list) return reply_error(c.reply, list.error());
  if (*list != nullptr) return answer_with_key(c, key, side);
  if (c.denies_blocking()) return c.reply.null_array();
  wait_for_keys(c, {engine::Type::list, keys, timeout_ms}, std::make_unique<PopWait>(c, side));
}

void move_or_wait(CommandContext& c, const Move& move, std::int64_t timeout_ms) {
  const Found found = inspect_typed(c, move.from, engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found != nullptr || c.denies_blocking()) return move_now(c, move);
  wait_for_keys(c, {engine::Type::list, std::span(&move.from, 1), timeout_ms},
                std::make_unique<MoveWait>(c, move));
}

}  // namespace

void blpop(CommandContext& c) {
  pop_or_wait(c, Side::left);
}
void brpop(CommandContext& c) {
  pop_or_wait(c, Side::right);
}

void blmpop(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const ManyKeysPop pop = read_many_keys_pop(args);
  if (!args.done()) return args.reply_error(c.reply);
  ArgumentReader timeout(c.args, 1);
  const std::int64_t timeout_ms = read_wait_ms(timeout);
  if (timeout.failed()) return timeout.reply_error(c.reply);
  std::string_view key;
  const FirstList list = first_list(c, pop.keys, key);
  if (!list) return reply_error(c.reply, list.error());
  if (*list != nullptr) return answer_with_some(c, key, pop.side, pop.count);
  if (c.denies_blocking()) return c.reply.null_array();
  wait_for_keys(c, {engine::Type::list, pop.keys, timeout_ms},
                std::make_unique<PopSomeWait>(c, pop.side, pop.count));
}

void blmove(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const Side from_side = read_side(args);
  const Side to_side = read_side(args);
  const std::int64_t timeout_ms = read_wait_ms(args);
  if (!args.done()) return args.reply_error(c.reply);
  move_or_wait(c, {c.args[1], from_side, c.args[2], to_side}, timeout_ms);
}

void brpoplpush(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const std::int64_t timeout_ms = read_wait_ms(args);
  if (!args.done()) return args.reply_error(c.reply);
  move_or_wait(c, {c.args[1], Side::right, c.args[2], Side::left}, timeout_ms);
}

}  // namespace commands::list
