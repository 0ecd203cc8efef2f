// mortise-server --ping: asks a server for PONG, for containers without redis-cli.
#pragma once

#include <expected>
#include <string>

namespace server {

// `target`: HOST:PORT, [IPv6]:PORT, PORT, or the path of a Unix socket. The error is one line for
// people. A server that answers NOAUTH is alive.
[[nodiscard]] std::expected<void, std::string> ping_server(const std::string& target);

}  // namespace server
