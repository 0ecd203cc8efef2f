// SAVE and kin: each takes a snapshot of the journal. Without a journal they are refused: a client
// that asks for a save must not be told that there was one.
#pragma once

#include "commands/client_state.hpp"
#include "commands/command_spec.hpp"

namespace commands::persistence {

// SAVE waits until the snapshot it began has ended; others are served meanwhile.
class SaveCall final : public BlockedCall {
 public:
  void time_out(protocol::ReplySink& reply) override;
  void unblock_with_error(protocol::ReplySink& reply) override;
};

void save(CommandContext& c);
void bgsave(CommandContext& c);
void bgrewriteaof(CommandContext& c);

inline constexpr Flags saves = flag::admin | flag::noscript | flag::no_async_loading;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"BGREWRITEAOF", 1, saves, no_keys, bgrewriteaof, "1.0.0",
     "Begins a snapshot, which the journal goes on behind."},
    {"BGSAVE", -1, saves, no_keys, bgsave, "1.0.0", "Begins a snapshot of the journal."},
    {"SAVE", 1, saves | flag::no_multi, no_keys, save, "1.0.0",
     "Takes a snapshot of the journal and answers when it is written."},
};
static_assert(well_formed(specs));

}  // namespace commands::persistence
