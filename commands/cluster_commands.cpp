#include "commands/cluster_commands.hpp"

#include "commands/command_context.hpp"

namespace commands::cluster {

// Clients look at this text: it tells them to go on without a cluster.
void refuse(CommandContext& c) {
  c.reply.error("ERR This instance has cluster support disabled");
}

}  // namespace commands::cluster
