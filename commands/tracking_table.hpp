// CLIENT TRACKING: which clients have read which names, and who is told when a name changes. As in
// Redis names are remembered without their database, once per read, until they change; clients of
// BCAST hear of every name with their prefixes at the end of the turn. What a call changes that its
// own client must hear of is told after the reply.
//
// While no client tracks, the keyspace does not call here at all. Owned by the dispatcher.
#pragma once

#include "commands/client_state.hpp"
#include "commands/server_control.hpp"
#include "engine/keyspace.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace commands {

class TrackingTable final : public engine::ChangeListener {
 public:
  // All must outlive the table. `caller` is the client whose call is running, or null.
  TrackingTable(ClientRegistry& clients, engine::Keyspace& keyspace, ClientState* const& caller)
      : clients_(clients), keyspace_(keyspace), caller_(caller) {}

  // Replaces what the client asked for before, but keeps its prefixes. The wishes are consistent.
  void enable(ClientState& client, ClientTracking wishes);
  void disable(ClientState& client);
  [[nodiscard]] bool is_active() const { return tracking_clients_ != 0; }

  // Whether what this client reads now is to be remembered.
  [[nodiscard]] static bool remembers_reads_of(const ClientState& client);
  void remember(const ClientState& client, std::string_view key);
  void key_changed(std::string_view key, engine::ChangeCause cause) override;
  // A database was emptied: everyone forgets everything.
  void flushed();

  // The reply of `caller` is complete.
  void reply_is_complete(const ClientState& caller) {
    if (!waiting_.empty()) tell_waiting(caller);
  }
  // Forgets arbitrary names above the limit (0: none); their readers are told.
  void enforce_limit(std::size_t keys_max);
  [[nodiscard]] bool has_broadcasts() const { return has_broadcasts_; }
  void send_broadcasts();

  [[nodiscard]] std::size_t clients() const { return tracking_clients_; }
  [[nodiscard]] std::size_t keys() const { return readers_.size(); }
  [[nodiscard]] std::size_t items() const { return items_; }
  [[nodiscard]] std::size_t prefixes() const { return prefixes_.size(); }

 private:
  struct TextHash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Ids = std::vector<std::int64_t>;  // sorted
  // Clients of a prefix, and the names of this turn with the client that changed each (0: none, or
  // several).
  struct Prefix {
    std::set<std::int64_t> clients;
    std::map<std::string, std::int64_t, std::less<>> changed;
  };
  // What `client` is to hear after the reply of `caller`: a name, or nullopt for "everything".
  struct Waiting {
    std::int64_t caller;
    std::int64_t client;
    std::optional<std::string> key;
  };

  void note_broadcast(std::string_view key, engine::ChangeCause cause);
  void send_broadcast(std::int64_t id, const Prefix& prefix);
  void forget_gone(Ids& ids);
  void tell(ClientState& client, std::optional<std::string_view> key);
  void tell_now(ClientState& client, std::optional<std::string_view> key);
  void tell_waiting(const ClientState& caller);
  void listen();

  ClientRegistry& clients_;
  engine::Keyspace& keyspace_;
  ClientState* const& caller_;
  std::unordered_map<std::string, Ids, TextHash, std::equal_to<>> readers_;
  std::map<std::string, Prefix, std::less<>> prefixes_;
  std::vector<Waiting> waiting_;
  std::size_t items_ = 0;
  std::size_t tracking_clients_ = 0;
  bool has_broadcasts_ = false;
};

}  // namespace commands
