// INFO's text: sections of "field:value" lines, with the names that clients and exporters read. A
// value never holds a ':' of its own, so that each line splits in exactly two.
#pragma once

#include "commands/command_context.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace commands {

// The named sections in their fixed order, each once; "default", "all" and "everything" stand for
// several; none named: "default". Unknown names give nothing.
[[nodiscard]] std::string info_text(const CommandContext& c,
                                    std::span<const std::string_view> names);
// Wall seconds: nothing is saved, so the start of the process, as Redis has it before a save.
[[nodiscard]] std::int64_t last_save_time_s(const CommandContext& c);
// DEBUG CHANGE-REPL-ID: `master_replid` reads differently from now on.
void change_replication_id();

}  // namespace commands
