#include "commands/tracking_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace commands {
namespace {

using protocol::ReplySink;
using protocol::RespVersion;

constexpr std::string_view channel = "__redis__:invalidate";

bool is_subscriber(const ClientState& client) {
  return client.subscriptions + client.shard_subscriptions != 0;
}

// Announces a message whose content, one element, the caller writes. False: a connection of RESP2
// has no place for messages, unless it is subscribed to something and they are sent to it on behalf
// of another.
bool begin_message(const ClientState& to, bool is_redirected, ReplySink& out) {
  if (to.version == RespVersion::resp3) {
    out.push(2);
    out.bulk("invalidate");
    return true;
  }
  if (!is_redirected || !is_subscriber(to)) return false;
  out.push(3);
  out.bulk("message");
  out.bulk(channel);
  return true;
}

void send(ClientRegistry& clients, ClientState& client,
          base::FunctionRef<void(ReplySink&)> write_content) {
  ClientTracking& tracking = *client.tracking;
  ClientState* to = &client;
  if (tracking.redirect != 0) to = clients.find(tracking.redirect);
  if (to == nullptr) {
    tracking.redirect_is_broken = true;
    if (client.version != RespVersion::resp3 || client.pushes == nullptr) return;
    return client.pushes->push([&](ReplySink& out) {
      out.push(2);
      out.bulk("tracking-redir-broken");
      out.integer(tracking.redirect);
    });
  }
  if (to->pushes == nullptr) return;
  to->pushes->push([&](ReplySink& out) {
    if (begin_message(*to, tracking.redirect != 0, out)) write_content(out);
  });
}

}  // namespace

void TrackingTable::enable(ClientState& client, ClientTracking wishes) {
  if (!client.tracking) {
    client.tracking = std::make_unique<ClientTracking>();
    ++tracking_clients_;
    listen();
  }
  ClientTracking& tracking = *client.tracking;
  if (wishes.is_broadcast && wishes.prefixes.empty()) wishes.prefixes.emplace();
  for (const std::string& prefix : wishes.prefixes) prefixes_[prefix].clients.insert(client.id());
  wishes.prefixes.insert(tracking.prefixes.begin(), tracking.prefixes.end());
  wishes.caching = tracking.caching;
  tracking = std::move(wishes);
}

void TrackingTable::disable(ClientState& client) {
  if (!client.tracking) return;
  for (const std::string& prefix : client.tracking->prefixes) {
    const auto found = prefixes_.find(prefix);
    found->second.clients.erase(client.id());
    if (found->second.clients.empty()) prefixes_.erase(found);
  }
  std::erase_if(waiting_, [&](const Waiting& entry) { return entry.client == client.id(); });
  client.tracking.reset();
  --tracking_clients_;
  listen();
}

// Names outlive the clients that read them until they change; without any client nobody needs them.
void TrackingTable::listen() {
  keyspace_.set_change_listener(is_active() ? this : nullptr);
  if (is_active()) return;
  readers_.clear();
  items_ = 0;
}

bool TrackingTable::remembers_reads_of(const ClientState& client) {
  if (!client.tracking || client.tracking->is_broadcast) return false;
  switch (client.tracking->mode) {
    case TrackingMode::opt_in:
      return client.tracking->caching != nullptr;
    case TrackingMode::opt_out:
      return client.tracking->caching == nullptr;
    case TrackingMode::all:
      return true;
  }
  return true;
}

void TrackingTable::remember(const ClientState& client, std::string_view key) {
  auto found = readers_.find(key);
  if (found == readers_.end()) found = readers_.emplace(std::string(key), Ids{}).first;
  Ids& ids = found->second;
  const auto place = std::ranges::lower_bound(ids, client.id());
  if (place != ids.end() && *place == client.id()) return;
  ids.insert(place, client.id());
  ++items_;
  // Readers of a name that never changes come and go: those that are gone leave now and then.
  constexpr std::size_t readers_before_sweep = 64;
  if (ids.size() >= readers_before_sweep && std::has_single_bit(ids.size())) forget_gone(ids);
}

void TrackingTable::forget_gone(Ids& ids) {
  const std::size_t before = ids.size();
  std::erase_if(ids, [&](std::int64_t id) {
    const ClientState* client = clients_.find(id);
    return client == nullptr || !client->tracking;
  });
  items_ -= before - ids.size();
}

void TrackingTable::key_changed(std::string_view key, engine::ChangeCause cause) {
  if (!prefixes_.empty()) note_broadcast(key, cause);
  const auto found = readers_.find(key);
  if (found == readers_.end()) return;
  const Ids ids = std::move(found->second);
  readers_.erase(found);
  items_ -= ids.size();
  for (const std::int64_t id : ids) {
    ClientState* const client = clients_.find(id);
    if (client == nullptr || !client->tracking || client->tracking->is_broadcast) continue;
    if (client->tracking->skips_own_changes && client == caller_) continue;
    tell(*client, key);
  }
}

// What would fall into the middle of the running call's reply waits for its end.
void TrackingTable::tell(ClientState& client, std::optional<std::string_view> key) {
  const bool is_for_caller =
      caller_ != nullptr && (&client == caller_ || client.tracking->redirect == caller_->id());
  if (!is_for_caller) return tell_now(client, key);
  waiting_.push_back(
      {caller_->id(), client.id(), key ? std::optional<std::string>(*key) : std::nullopt});
}

void TrackingTable::tell_now(ClientState& client, std::optional<std::string_view> key) {
  send(clients_, client, [&](ReplySink& out) {
    if (!key) return out.null();
    out.array(1);
    out.bulk(*key);
  });
}

void TrackingTable::tell_waiting(const ClientState& caller) {
  std::vector<Waiting> others;
  for (Waiting& entry : std::exchange(waiting_, {})) {
    if (entry.caller != caller.id()) {
      others.push_back(std::move(entry));
    } else if (ClientState* client = clients_.find(entry.client); client && client->tracking) {
      tell_now(*client, entry.key);
    }
  }
  waiting_ = std::move(others);
}

void TrackingTable::flushed() {
  if (!is_active()) return;
  clients_.for_each([&](ClientState& client) {
    if (client.tracking) tell(client, std::nullopt);
  });
  readers_.clear();
  items_ = 0;
}

void TrackingTable::enforce_limit(std::size_t keys_max) {
  if (keys_max == 0) return;
  while (readers_.size() > keys_max) {
    const std::string key = readers_.begin()->first;
    const Ids ids = std::move(readers_.begin()->second);
    readers_.erase(readers_.begin());
    items_ -= ids.size();
    for (const std::int64_t id : ids) {
      ClientState* const client = clients_.find(id);
      const bool tracks = client != nullptr && client->tracking;
      if (tracks && !client->tracking->is_broadcast) tell(*client, key);
    }
  }
}

// --- BCAST

void TrackingTable::note_broadcast(std::string_view key, engine::ChangeCause cause) {
  const bool by_itself = cause == engine::ChangeCause::expiry || caller_ == nullptr;
  const std::int64_t by = by_itself ? 0 : caller_->id();
  for (auto& [text, prefix] : prefixes_) {
    if (!key.starts_with(text)) continue;
    has_broadcasts_ = true;
    const auto [entry, is_new] = prefix.changed.try_emplace(std::string(key), by);
    if (!is_new && entry->second != by) entry->second = 0;
  }
}

void TrackingTable::send_broadcasts() {
  has_broadcasts_ = false;
  for (auto& [text, prefix] : prefixes_) {
    if (prefix.changed.empty()) continue;
    for (const std::int64_t id : prefix.clients) send_broadcast(id, prefix);
    prefix.changed.clear();
  }
}

void TrackingTable::send_broadcast(std::int64_t id, const Prefix& prefix) {
  ClientState* const client = clients_.find(id);
  if (client == nullptr || !client->tracking) return;
  std::vector<std::string_view> keys;
  for (const auto& [key, by] : prefix.changed) {
    if (!client->tracking->skips_own_changes || by != id) keys.push_back(key);
  }
  if (keys.empty()) return;
  send(clients_, *client, [&](ReplySink& out) {
    out.array(keys.size());
    for (const std::string_view key : keys) out.bulk(key);
  });
}

}  // namespace commands
