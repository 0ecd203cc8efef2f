// OBJECT: what Redis would tell of the inside of a value.
#include "base/integers.hpp"
#include "commands/command_context.hpp"
#include "commands/encoding_name.hpp"
#include "commands/help_reply.hpp"
#include "commands/keyspace_commands.hpp"

#include <limits>
#include <optional>

namespace commands::keyspace {
namespace {

// Redis shares the objects of small integers, and says so by this count.
bool is_shared_integer(const engine::Entry& entry) {
  constexpr std::int64_t shared_integers = 10000;
  if (entry.encoding() != engine::Encoding::integer) return false;
  const auto value = base::parse_int64(entry.string());
  return value && *value >= 0 && *value < shared_integers;
}

// The entry named by the subcommand's argument; when absent null is replied.
const engine::Entry* inspected(CommandContext& c) {
  const engine::Entry* entry = c.db().peek(c.args[2]);
  if (entry == nullptr) c.reply.null();
  return entry;
}

}  // namespace

void object_encoding(CommandContext& c) {
  if (const engine::Entry* entry = inspected(c)) c.reply.bulk(encoding_name(entry->encoding()));
}

void object_idletime(CommandContext& c) {
  if (const engine::Entry* entry = inspected(c)) {
    c.reply.integer(entry->idle_seconds(c.now_ms()));
  }
}

void object_refcount(CommandContext& c) {
  if (const engine::Entry* entry = inspected(c)) {
    c.reply.integer(is_shared_integer(*entry) ? std::numeric_limits<std::int32_t>::max() : 1);
  }
}

void object_freq(CommandContext& c) {
  if (inspected(c) == nullptr) return;
  c.reply.error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note "
      "that when switching between policies at runtime LRU and LFU data will take some time to "
      "adjust.");
}

void object_help(CommandContext& c) {
  reply_help(c.reply, "OBJECT",
             {"ENCODING <key>", "    The internal form of the value.", "FREQ <key>",
              "    Needs an LFU policy, which this server does not have.", "IDLETIME <key>",
              "    Seconds since the key was last accessed.", "REFCOUNT <key>",
              "    The reference count Redis would have."});
}

}  // namespace commands::keyspace
