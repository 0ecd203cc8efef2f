#include "commands/monitor_feed.hpp"

#include "protocol/quoting.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace commands {
namespace {

// "1700000000.123456 [0 127.0.0.1:5000] "SET" "k" "v"", as Redis prints it.
std::string line_of(const MonitoredCall& call) {
  constexpr std::int64_t us_per_s = 1'000'000;
  std::array<char, 64> time{};
  const int length = std::snprintf(time.data(), time.size(), "%lld.%06lld",
                                   static_cast<long long>(call.wall_us / us_per_s),
                                   static_cast<long long>(call.wall_us % us_per_s));
  std::string line(time.data(), static_cast<std::size_t>(length));
  line.append(" [").append(std::to_string(call.client->database)).append(" ");
  if (call.is_from_script) {
    line += "lua";
  } else {
    if (call.client->figures.is_unix_socket) line += "unix:";
    line += call.client->figures.address;
  }
  line += "]";
  for (const std::string_view arg : call.args) line.append(" ").append(protocol::quote_word(arg));
  return line;
}

}  // namespace

void MonitorFeed::add(ClientState& client) {
  client.is_monitor = true;
  if (std::ranges::find(listeners_, &client) == listeners_.end()) listeners_.push_back(&client);
}

void MonitorFeed::remove(ClientState& client) {
  if (!client.is_monitor) return;
  client.is_monitor = false;
  std::erase(listeners_, &client);
  std::erase_if(waiting_, [&](const auto& entry) { return entry.first == &client; });
}

void MonitorFeed::feed(const MonitoredCall& call) {
  const std::string line = line_of(call);
  const auto write = [&](protocol::ReplySink& out) { out.simple(line); };
  for (ClientState* listener : listeners_) {
    if (listener == call.client) {
      waiting_.emplace_back(listener, line);
    } else if (listener->pushes != nullptr) {
      listener->pushes->push(write);
    }
  }
}

void MonitorFeed::reply_is_complete(ClientState& client) {
  if (waiting_.empty()) return;
  for (const auto& [listener, line] : waiting_) {
    // Nothing comes after the reply to QUIT.
    if (listener != &client || client.pushes == nullptr || client.close_after_reply) continue;
    client.pushes->push([&text = line](protocol::ReplySink& out) { out.simple(text); });
  }
  std::erase_if(waiting_, [&](const auto& entry) { return entry.first == &client; });
}

}  // namespace commands
