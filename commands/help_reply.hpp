// The reply of the HELP subcommands: a headline, the lines given, and HELP itself.
#pragma once

#include "protocol/reply_sink.hpp"

#include <initializer_list>
#include <string_view>

namespace commands {

// `container` in upper case. Lines alternate between a usage and, indented by four spaces, its
// meaning.
void reply_help(protocol::ReplySink& reply, std::string_view container,
                std::initializer_list<std::string_view> lines);

}  // namespace commands
