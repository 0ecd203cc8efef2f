// Tips for clients and proxies that spread calls over several servers: how to ask, and how to join
// the answers. COMMAND INFO shows them; nothing here acts on them.
#pragma once

#include <span>
#include <string_view>

namespace commands {

// `full_name` as full_name() gives it ("client|list").
[[nodiscard]] std::span<const std::string_view> tips_of(std::string_view full_name);

}  // namespace commands
