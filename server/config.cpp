#include "server/config.hpp"

#include "base/assert.hpp"
#include "base/glob.hpp"
#include "base/integers.hpp"
#include "commands/notifications.hpp"
#include "protocol/quoting.hpp"
#include "server/config_rewrite.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace server {
namespace {

std::unexpected<std::string> set_failed(std::string_view name, std::string_view reason) {
  return std::unexpected("ERR CONFIG SET failed (possibly related to argument '" +
                         std::string(name) + "') - " + std::string(reason));
}

std::vector<std::string> words_of(const Option& option, std::string_view value) {
  if (!option.takes_several_words() || value.empty()) return {std::string(value)};
  return protocol::split_words(value).value_or(std::vector<std::string>{std::string(value)});
}

std::expected<void, std::string> check_directory(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return std::unexpected(std::string(std::strerror(errno)));
  if (!S_ISDIR(found.st_mode)) return std::unexpected(std::string(std::strerror(ENOTDIR)));
  return {};
}

template <typename Enum>
Enum nth_choice(std::string_view name, std::string_view value) {
  const auto option = find_option(name);
  ASSERT(option.has_value());
  std::string_view rest = option_table()[option.value()].choices;
  for (int i = 0; !rest.empty(); ++i) {
    const std::size_t comma = rest.find(", ");
    if (rest.substr(0, comma) == value) return static_cast<Enum>(i);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
  }
  return {};
}

}  // namespace

Config::Config() {
  for (const Option& option : option_table()) texts_.emplace_back(option.default_value);
  refresh_views();
}

const std::string& Config::text_of(std::string_view name) const {
  const auto option = find_option(name);
  ASSERT(option);
  return text(*option);
}

void Config::refresh_views() {
  const auto number = [&](std::string_view name) {
    return base::parse_int64(text_of(name)).value_or(0);
  };
  const auto size = [&](std::string_view name) { return static_cast<std::size_t>(number(name)); };
  settings_.requirepass = text_of("requirepass");
  settings_.acl_channels_open = text_of("acl-pubsub-default") == "allchannels";
  settings_.acl_log_entries_max = static_cast<std::uint64_t>(number("acllog-max-len"));
  settings_.notify_classes =
      commands::parse_notify_classes(text_of("notify-keyspace-events")).value_or(0);
  settings_.debug_access =
      nth_choice<commands::DebugAccess>("enable-debug-command", text_of("enable-debug-command"));
  settings_.script_time_limit_ms = number("busy-reply-threshold");
  settings_.script_bytes_max = number("script-memory-limit");
  settings_.memory_bytes_max = size("maxmemory");
  settings_.bulk_bytes_max = number("proto-max-bulk-len");
  settings_.packed_hash_fields_max = size("hash-max-listpack-entries");
  settings_.packed_hash_value_bytes_max = size("hash-max-listpack-value");
  settings_.intset_members_max = size("set-max-intset-entries");
  settings_.packed_sorted_set_members_max = size("zset-max-listpack-entries");
  settings_.packed_sorted_set_member_bytes_max = size("zset-max-listpack-value");
  settings_.slow_call_us = number("slowlog-log-slower-than");
  settings_.slow_calls_max = size("slowlog-max-len");
  settings_.latency_threshold_ms = number("latency-monitor-threshold");
  settings_.tracks_latency = text_of("latency-tracking") == "yes";
  settings_.latency_percentiles =
      protocol::split_words(text_of("latency-tracking-info-percentiles"))
          .value_or(std::vector<std::string>{});
  settings_.tracked_keys_max = size("tracking-table-max-keys");

  server_.addresses = protocol::split_words(text_of("bind")).value_or(std::vector<std::string>{});
  server_.port = static_cast<std::uint16_t>(number("port"));
  server_.unix_socket = text_of("unixsocket");
  const std::string& mode = text_of("unixsocketperm");
  std::from_chars(mode.data(), mode.data() + mode.size(), server_.unix_socket_mode, 8);
  server_.accept_backlog = static_cast<int>(number("tcp-backlog"));
  server_.keepalive_s = static_cast<int>(number("tcp-keepalive"));
  server_.idle_timeout_s = number("timeout");
  server_.clients_max = size("maxclients");
  server_.is_protected = text_of("protected-mode") == "yes";
  server_.query_bytes_max = size("client-query-buffer-limit");
  server_.output_limits = parse_output_limits(text_of("client-output-buffer-limit"));
  server_.log_file = text_of("logfile");
  server_.log_level = nth_choice<LogLevel>("loglevel", text_of("loglevel"));
  server_.log_format = nth_choice<LogFormat>("log-format", text_of("log-format"));
  server_.directory = text_of("dir");
  server_.pid_file = text_of("pidfile");
  server_.acl_file = text_of("aclfile");
  server_.journal_is_on = text_of("appendonly") == "yes";
  server_.journal_directory = text_of("appenddirname");
  server_.journal_segment_bytes_max = size("journal-segment-size");
  server_.journal_reserve_bytes = size("journal-reserve-size");
  server_.snapshot_growth_percent = size("auto-aof-rewrite-percentage");
  server_.snapshot_bytes_min = size("auto-aof-rewrite-min-size");
  server_.durability = engine::Durability(
      parse_sync_policy(text_of("appendfsync")).value_or(engine::SyncPolicy::everysec),
      parse_durability(text_of("durability")));
}

std::expected<void, std::string> Config::store(std::size_t option,
                                               std::span<const std::string> words) {
  const Option& row = option_table()[option];
  std::string& text = texts_[value_index(option)];
  auto value = canonical_value(row, words, text);
  if (!value) return std::unexpected(value.error());
  if (row.name == "dir") {
    if (auto checked = check_directory(*value); !checked) return checked;
  }
  text = std::move(*value);
  return {};
}

std::expected<void, std::string> Config::assign(std::size_t option,
                                                std::span<const std::string> words) {
  auto stored = store(option, words);
  if (!stored) return stored;
  refresh_views();
  const Option& row = option_table()[value_index(option)];
  const bool is_harmless = row.harmless.data() != nullptr && text(option) == row.harmless;
  if (!row.has_meaning() && !is_harmless) note_without_meaning(option_table()[option].name);
  return {};
}

std::expected<void, std::string> Config::assign(std::string_view name, std::string_view value) {
  const auto option = find_option(name);
  if (!option) return std::unexpected("unknown option '" + std::string(name) + "'");
  return assign(*option, words_of(option_table()[*option], value));
}

void Config::note_without_meaning(std::string_view name) {
  if (std::ranges::find(without_meaning_, name) == without_meaning_.end()) {
    without_meaning_.emplace_back(name);
  }
}

std::string Config::shown_text(std::size_t option) const {
  const Option& row = option_table()[option];
  std::error_code ignored;
  if (row.name == "dir") return std::filesystem::current_path(ignored).string();
  if (row.kind == OptionKind::notify_classes) {
    return commands::format_notify_classes(settings_.notify_classes);
  }
  return text(option);
}

std::vector<commands::SettingValue> Config::get(std::span<const std::string_view> globs) {
  std::vector<commands::SettingValue> found;
  for (std::size_t i = 0; i < option_table().size(); ++i) {
    const std::string_view name = option_table()[i].name;
    const auto glob = std::ranges::find_if(globs, [&](std::string_view candidate) {
      return base::glob_matches(candidate, name, base::LetterCase::ignored);
    });
    if (glob == globs.end()) continue;
    // Redis 7.0: a name without wildcards is shown as the client spelled it.
    const bool is_spelled_out = find_option(*glob).has_value();
    found.emplace_back(is_spelled_out ? *glob : name, shown_text(i));
  }
  return found;
}

std::expected<std::vector<std::size_t>, std::string> Config::admit(
    std::span<const std::string_view> pairs) const {
  if (pairs.size() % 2 != 0) return std::unexpected("ERR syntax error");
  std::vector<std::size_t> options;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const auto option = find_option(pairs[i]);
    if (!option) {
      return std::unexpected("ERR Unknown option or number of arguments for CONFIG SET - '" +
                             std::string(pairs[i]) + "'");
    }
    const Option& row = option_table()[*option];
    if (row.change == OptionChange::at_start) {
      return set_failed(pairs[i], "can't set immutable config");
    }
    // "local" counts as no: who asks is not known here.
    if (row.change == OptionChange::guarded && text_of("enable-protected-configs") != "yes") {
      return set_failed(pairs[i], "can't set protected config");
    }
    if (std::ranges::find(options, *option) != options.end()) {
      return set_failed(pairs[i], "duplicate parameter");
    }
    options.push_back(*option);
  }
  return options;
}

std::expected<void, std::string> Config::set(std::span<const std::string_view> pairs) {
  const auto options = admit(pairs);
  if (!options) return std::unexpected(options.error());
  std::vector<Change> changes;
  for (std::size_t i = 0; i < options->size(); ++i) {
    const std::size_t option = (*options)[i];
    const Option& row = option_table()[option];
    changes.push_back({option, text(option)});
    // Save points and output limits are one argument of several words.
    const auto stored = store(option, words_of(row, pairs[2 * i + 1]));
    if (stored) continue;
    roll_back(changes);
    return set_failed(pairs[2 * i], stored.error());
  }
  refresh_views();
  for (std::size_t i = 0; i < options->size(); ++i) {
    const auto applied = apply(option_table()[value_index((*options)[i])].name);
    if (applied) continue;
    roll_back(changes);
    for (std::size_t j = 0; j <= i; ++j) {
      // Back to what was in effect a moment ago.
      (void)apply(option_table()[value_index((*options)[j])].name);
    }
    return set_failed(pairs[2 * i], applied.error());
  }
  return {};
}

std::expected<void, std::string> Config::apply(std::string_view name) {
  for (const Apply& listener : listeners_) {
    if (auto applied = listener(name); !applied) return applied;
  }
  return {};
}

void Config::roll_back(std::span<const Change> changes) {
  for (std::size_t i = changes.size(); i-- > 0;) {
    texts_[value_index(changes[i].option)] = changes[i].before;
  }
  refresh_views();
}

std::expected<void, std::string> Config::rewrite() {
  if (file_.empty()) return std::unexpected("ERR The server is running without a config file");
  const auto rewritten = rewrite_config_file(file_, *this);
  if (!rewritten) return std::unexpected("ERR Rewriting config file: " + rewritten.error());
  return {};
}

}  // namespace server
