// Rows of the command table as COMMAND INFO, COMMAND DOCS and COMMAND GETKEYSANDFLAGS show them.
#pragma once

#include "commands/command_spec.hpp"
#include "protocol/reply_sink.hpp"

#include <cstdint>
#include <string_view>

namespace commands {

void reply_command_info(protocol::ReplySink& reply, const CommandSpec& spec);
// The name and its map.
void reply_command_docs(protocol::ReplySink& reply, const CommandSpec& spec);
// "string", "generic" …: the group as COMMAND DOCS has it.
[[nodiscard]] std::string_view group_name(Group group);
// A set of names of key_access bits.
void reply_key_access(protocol::ReplySink& reply, std::uint16_t access);

}  // namespace commands
