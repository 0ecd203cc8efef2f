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

// A key named twice counts twice.
void exists(CommandContext& c) {
  std::int64_t count = 0;
  for (const std::string_view key : c.args.subspan(1)) {
    if (read_key_untouched(c, key) != nullptr) ++count;
  }
  c.reply.integer(count);
}

// An access even for a client that said CLIENT NO-TOUCH.
void touch(CommandContext& c) {
  c.keyspace.set_access_noted(true);
  std::int64_t count = 0;
  for (const std::string_view key : c.args.subspan(1)) {
    if (read_key(c, key) != nullptr) ++count;
  }
  c.keyspace.set_access_noted(!c.client.no_touch);
  c.reply.integer(count);
}

void type(CommandContext& c) {
  const engine::Entry* entry = read_key_untouched(c, c.args[1]);
  c.reply.simple(entry == nullptr ? "none" : type_name(entry->type()));
}

}  // namespace commands::keyspace
