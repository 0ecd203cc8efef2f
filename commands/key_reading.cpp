#include "commands/key_reading.hpp"

namespace commands {
namespace {

Found of_type(const engine::Entry* entry, engine::Type type) {
  if (entry != nullptr && entry->type() != type) {
    return std::unexpected(engine::Error::wrong_type);
  }
  return entry;
}

}  // namespace

const engine::Entry* read_key(const CommandContext& c, std::string_view key) {
  const engine::Entry* entry = c.db().find(key);
  if (entry == nullptr) c.notify(notify_key_miss, "keymiss", key);
  return entry;
}

const engine::Entry* read_key_untouched(const CommandContext& c, std::string_view key) {
  c.keyspace.set_access_noted(false);
  const engine::Entry* entry = read_key(c, key);
  c.keyspace.set_access_noted(!c.client.no_touch);
  return entry;
}

Found read_typed(const CommandContext& c, std::string_view key, engine::Type type) {
  return of_type(read_key(c, key), type);
}

Found inspect_typed(const CommandContext& c, std::string_view key, engine::Type type) {
  return of_type(c.db().peek(key), type);
}

}  // namespace commands
