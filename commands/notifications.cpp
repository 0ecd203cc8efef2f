#include "commands/notifications.hpp"

#include "base/integers.hpp"

#include <array>
#include <utility>

namespace commands {
namespace {

using Letter = std::pair<char, std::uint32_t>;
// In the order in which CONFIG GET prints them. 'A' stands for the first ten.
constexpr std::array<Letter, 14> letters{{{'g', notify_generic},
                                          {'$', notify_string},
                                          {'l', notify_list},
                                          {'s', notify_set},
                                          {'h', notify_hash},
                                          {'z', notify_zset},
                                          {'x', notify_expired},
                                          {'e', notify_evicted},
                                          {'t', notify_stream},
                                          {'d', notify_module},
                                          {'n', notify_new},
                                          {'K', notify_keyspace},
                                          {'E', notify_keyevent},
                                          {'m', notify_key_miss}}};
constexpr std::size_t letters_of_all = 10;
// Redis 7.0 prints no 'n' beside 'A', although it stays on (checked on 7.0.15).
constexpr std::size_t letters_hidden_by_all = 11;

constexpr std::uint32_t all_classes() {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < letters_of_all; ++i) bits |= letters[i].second;
  return bits;
}

std::uint32_t class_of(char sought) {
  if (sought == 'A') return all_classes();
  for (const auto& [letter, bit] : letters) {
    if (letter == sought) return bit;
  }
  return 0;
}

}  // namespace

std::optional<std::uint32_t> parse_notify_classes(std::string_view text) {
  std::uint32_t classes = 0;
  for (const char letter : text) {
    const std::uint32_t bit = class_of(letter);
    if (bit == 0) return std::nullopt;
    classes |= bit;
  }
  return classes;
}

std::string format_notify_classes(std::uint32_t classes) {
  const bool all = (classes & all_classes()) == all_classes();
  std::string text(all ? "A" : "");
  for (std::size_t i = all ? letters_hidden_by_all : 0; i < letters.size(); ++i) {
    if ((classes & letters[i].second) != 0) text += letters[i].first;
  }
  return text;
}

void Notifier::key_expired(int database, std::string_view key) {
  notify(notify_expired, "expired", database, key);
}

void Notifier::key_created(int database, std::string_view key) {
  notify(notify_new, "new", database, key);
}

void Notifier::publish(std::string_view event, int database, std::string_view key) {
  const base::IntegerText number(database);
  const auto send = [&](std::string_view prefix, std::string_view subject,
                        std::string_view message) {
    std::string channel(prefix);
    channel.append(number.view()).append("__:").append(subject);
    channels_.publish(engine::ChannelKind::channel, channel, message);
  };
  if (channels_.is_silent()) return;
  if ((settings_.notify_classes & notify_keyspace) != 0) send("__keyspace@", key, event);
  if ((settings_.notify_classes & notify_keyevent) != 0) send("__keyevent@", event, key);
}

}  // namespace commands
