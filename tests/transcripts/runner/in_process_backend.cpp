#include "tests/transcripts/runner/in_process_backend.hpp"

#include <utility>

namespace transcripts {

BackendResult InProcessBackend::connect(char client) {
  connections_[client] = &server_->connect(client);
  return {};
}

BackendResult InProcessBackend::send(char client, std::string_view bytes) {
  server_->receive(*connections_.at(client), bytes);
  return {};
}

std::expected<Received, std::string> InProcessBackend::receive(
    char client, std::chrono::milliseconds /*limit*/) {
  InProcessConnection& connection = *connections_.at(client);
  return Received{.bytes = std::exchange(connection.output, {}), .closed = connection.is_closed};
}

void InProcessBackend::disconnect(char client) {
  connections_.erase(client);
  server_->disconnect(client);
}

BackendResult InProcessBackend::reset() {
  connections_.clear();
  server_ = std::make_unique<InProcessServer>();
  return {};
}

}  // namespace transcripts
