#include "commands/error_replies.hpp"
#include "commands/list_commands.hpp"
#include "commands/list_ends.hpp"

namespace commands::list {
void lmove(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const Side from_side = read_side(args);
  const Side to_side = read_side(args);
  if (!args.done()) return args.reply_error(c.reply);
  move_now(c, {c.args[1], from_side, c.args[2], to_side});
}

void rpoplpush(CommandContext& c) {
  move_now(c, {c.args[1], Side::right, c.args[2], Side::left});
}

void lmpop(CommandContext& c) {
  ArgumentReader args(c.args, 1);
  const ManyKeysPop pop = read_many_keys_pop(args);
  if (!args.done()) return args.reply_error(c.reply);
  std::string_view key;
  const FirstList list = first_list(c, pop.keys, key);
  if (!list) return reply_error(c.reply, list.error());
  if (*list == nullptr) return c.reply.null_array();
  c.reply.array(2);
  c.reply.bulk(key);
  pop_some(c, key, pop.side, pop.count);
}

}  // namespace commands::list
