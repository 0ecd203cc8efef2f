// Names of keys: KEYS, SCAN, RANDOMKEY. Keys that are overdue but not removed yet are left out.
#include "base/glob.hpp"
#include "commands/command_context.hpp"
#include "commands/keyspace_commands.hpp"
#include "commands/scan_options.hpp"

#include <vector>

namespace commands::keyspace {
namespace {

using Names = std::vector<std::string_view>;

void reply_names(protocol::ReplySink& reply, const Names& names) {
  reply.array(names.size());
  for (const std::string_view name : names) reply.bulk(name);
}

// Draws until a key is not overdue; when almost all are, takes the first that is not.
const engine::Entry* random_visible(CommandContext& c) {
  constexpr int draws_max = 100;
  for (int draw = 0; draw < draws_max; ++draw) {
    const engine::Entry* entry = c.db().random();
    if (entry == nullptr || !entry->is_expired(c.now_ms())) return entry;
  }
  const engine::Entry* visible = nullptr;
  c.db().for_each([&](const engine::Entry& entry) {
    if (visible == nullptr && !entry.is_expired(c.now_ms())) visible = &entry;
  });
  return visible;
}

}  // namespace

void keys(CommandContext& c) {
  Names names;
  const std::string_view pattern = c.args[1];
  const bool all = pattern == "*";
  c.db().for_each([&](const engine::Entry& entry) {
    if (entry.is_expired(c.now_ms())) return;
    if (all || base::glob_matches(pattern, entry.key())) names.push_back(entry.key());
  });
  reply_names(c.reply, names);
}

void scan(CommandContext& c) {
  const auto cursor = parse_cursor(c.args[1]);
  if (!cursor) return c.reply.error(invalid_cursor);
  ArgumentReader args(c.args, 2);
  const ScanOptions options = read_scan_options(args, ScanSubject::keys);
  if (!args.done()) return args.reply_error(c.reply);
  Names names;
  const std::uint64_t next = c.db().scan(*cursor, options.count, [&](const engine::Entry& entry) {
    if (entry.is_expired(c.now_ms()) || !options.matches(entry.type())) return;
    if (options.matches(entry.key())) names.push_back(entry.key());
  });
  reply_cursor(c.reply, next);
  reply_names(c.reply, names);
}

void randomkey(CommandContext& c) {
  const engine::Entry* entry = random_visible(c);
  if (entry == nullptr) return c.reply.null();
  c.reply.bulk(entry->key());
}

}  // namespace commands::keyspace
