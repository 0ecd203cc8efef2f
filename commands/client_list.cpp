#include "commands/client_list.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/client_commands.hpp"
#include "commands/command_table.hpp"

namespace commands::client {
namespace {

class Line {
 public:
  void add(std::string_view field, std::string_view value) {
    if (!text_.empty()) text_ += ' ';
    text_.append(field).append("=").append(value);
  }
  void add(std::string_view field, std::int64_t value) {
    add(field, base::IntegerText(value).view());
  }
  void add_size(std::string_view field, std::size_t value) {
    add(field, static_cast<std::int64_t>(value));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

bool is_subscribed(const ClientState& client) {
  return client.subscriptions + client.shard_subscriptions > 0;
}

std::string flag_letters(const ClientState& client) {
  std::string letters;
  const auto add_if = [&letters](bool condition, char letter) {
    if (condition) letters += letter;
  };
  add_if(client.is_monitor, 'O');
  add_if(is_subscribed(client), 'P');
  add_if(client.in_multi, 'x');
  add_if(client.blocked != nullptr, 'b');
  add_if(client.watch_broken, 'd');
  add_if(client.close_after_reply, 'c');
  add_if(client.tracking != nullptr, 't');
  add_if(client.tracking && client.tracking->redirect_is_broken, 'R');
  add_if(client.tracking && client.tracking->is_broadcast, 'B');
  add_if(client.figures.is_unix_socket, 'U');
  add_if(client.no_evict, 'e');
  add_if(client.no_touch, 'T');
  return letters.empty() ? "N" : letters;
}

std::size_t queued_bytes(const ClientState& client) {
  std::size_t bytes = 0;
  for (const QueuedCall& call : client.queued) {
    for (const std::string& arg : call.args) bytes += arg.size();
  }
  return bytes;
}

std::int64_t seconds_since(const CommandContext& c, std::int64_t instant_us) {
  return (c.clock.monotonic_us() - instant_us) / 1'000'000;
}

std::size_t argument_bytes(const CommandContext& c, const ClientState& client) {
  std::size_t bytes = 0;
  if (&client != &c.client) return bytes;
  for (const std::string_view arg : c.args) bytes += arg.size();
  return bytes;
}

}  // namespace

std::optional<Kind> parse_kind(std::string_view text) {
  if (is_word(text, "NORMAL")) return Kind::normal;
  if (is_word(text, "MASTER")) return Kind::master;
  if (is_word(text, "REPLICA") || is_word(text, "SLAVE")) return Kind::replica;
  if (is_word(text, "PUBSUB")) return Kind::pubsub;
  return std::nullopt;
}

Kind kind_of(const ClientState& client) {
  return is_subscribed(client) ? Kind::pubsub : Kind::normal;
}

// The fields and their order are Redis 7.0's; lib-name and lib-ver, at the end, are 7.2's.
std::string describe(const CommandContext& c, const ClientState& client) {
  const ConnectionFigures& figures = client.figures;
  const auto subscriptions = [&](engine::ChannelKind kind) {
    return c.channels.count_of(client.subscriber(), kind);
  };
  Line line;
  line.add("id", client.id());
  line.add("addr", figures.address);
  line.add("laddr", figures.local_address);
  line.add("fd", figures.descriptor);
  line.add("name", client.name);
  line.add("age", seconds_since(c, client.connected_at_us));
  line.add("idle", seconds_since(c, client.last_command_at_us));
  line.add("flags", flag_letters(client));
  line.add("db", client.database);
  line.add_size("sub", subscriptions(engine::ChannelKind::channel));
  line.add_size("psub", subscriptions(engine::ChannelKind::pattern));
  line.add_size("ssub", subscriptions(engine::ChannelKind::shard));
  line.add("multi", client.in_multi ? static_cast<std::int64_t>(client.queued.size()) : -1);
  line.add_size("qbuf", figures.query_bytes);
  line.add_size("qbuf-free", figures.query_free_bytes);
  line.add_size("argv-mem", argument_bytes(c, client));
  line.add_size("multi-mem", queued_bytes(client));
  line.add("rbs", 0);
  line.add("rbp", 0);
  line.add("obl", 0);
  line.add("oll", figures.output_bytes > 0 ? 1 : 0);
  line.add_size("omem", figures.output_bytes);
  line.add_size("tot-mem", figures.memory_bytes);
  // What the calling client is being answered is not yet due to be written.
  const bool awaits_writing = figures.output_bytes > 0 && &client != &c.client;
  line.add("events", awaits_writing ? "rw" : "r");
  line.add("cmd", client.last_command == nullptr ? "NULL" : full_name(*client.last_command));
  line.add("user", client.user);
  line.add("redir", redirect_of(client));
  line.add("resp", static_cast<std::int64_t>(client.version));
  line.add("lib-name", client.library_name);
  line.add("lib-ver", client.library_version);
  return line.take();
}

}  // namespace commands::client
