#include "commands/keyspace_commands.hpp"

#include "commands/key_reading.hpp"
#include "commands/scan_options.hpp"

namespace commands::keyspace {

void del(CommandContext& c) {
  std::int64_t count = 0;
  for (const std::string_view key : c.args.subspan(1)) {
    if (!c.db().remove(key)) continue;
    ++count;
    c.notify(notify_generic, "del", key);
  }
  c.reply.integer(count);
}

void exists(CommandContext& c) {
  reply_count_of_existing(c);
}

void touch(CommandContext& c) {
  reply_count_of_existing(c);
}

void type(CommandContext& c) {
  const engine::Entry* entry = read_key_untouched(c, c.args[1]);
  c.reply.simple(entry == nullptr ? "none" : type_name(entry->type()));
}

}  // namespace commands::keyspace
