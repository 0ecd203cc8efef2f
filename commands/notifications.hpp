// Keyspace notifications: what `notify-keyspace-events` asks for, published as ordinary messages on
// __keyspace@<db>__:<key> (message: the event) and __keyevent@<db>__:<event> (message: the key).
#pragma once

#include "commands/settings.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace commands {

// Bits of Settings::notify_classes; the letter of each in the setting.
enum NotifyClass : std::uint32_t {
  notify_keyspace = 1u << 0u,   // K
  notify_keyevent = 1u << 1u,   // E
  notify_generic = 1u << 2u,    // g
  notify_string = 1u << 3u,     // $
  notify_list = 1u << 4u,       // l
  notify_set = 1u << 5u,        // s
  notify_hash = 1u << 6u,       // h
  notify_zset = 1u << 7u,       // z
  notify_expired = 1u << 8u,    // x
  notify_evicted = 1u << 9u,    // e
  notify_stream = 1u << 10u,    // t
  notify_key_miss = 1u << 11u,  // m
  notify_module = 1u << 13u,    // d
  notify_new = 1u << 14u,       // n
};

// The setting's text ↔ bits. Nullopt: an unknown letter.
[[nodiscard]] std::optional<std::uint32_t> parse_notify_classes(std::string_view text);
[[nodiscard]] std::string format_notify_classes(std::uint32_t classes);

class Notifier final : public engine::KeyEvents {
 public:
  // Both must outlive the notifier.
  Notifier(const Settings& settings, engine::ChannelRegistry& channels)
      : settings_(settings), channels_(channels) {}

  void notify(NotifyClass event_class, std::string_view event, int database, std::string_view key) {
    if ((settings_.notify_classes & event_class) != 0) publish(event, database, key);
  }
  void key_expired(int database, std::string_view key) override;
  void key_created(int database, std::string_view key) override;

 private:
  void publish(std::string_view event, int database, std::string_view key);

  const Settings& settings_;
  engine::ChannelRegistry& channels_;
};

}  // namespace commands
