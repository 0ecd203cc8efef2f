// Dispatcher: what is noted of a call once it has run.
#include "commands/command_table.hpp"
#include "commands/dispatcher.hpp"

namespace commands {

void Dispatcher::note_call(const CommandSpec& spec, std::span<const std::string_view> args,
                           std::uint64_t started, Origin origin) {
  const std::uint64_t ns = observers_.clock.ns_between(started, observers_.clock.ticks());
  CallRow& row = observers_.statistics.row(spec);
  ++observers_.statistics.processed;
  ++row.calls;
  row.ns += ns;
  // A call that waits is not done yet.
  if (client_->blocked == nullptr) {
    if (services_.settings.tracks_latency) row.record(ns);
    if (ns >= services_.settings.noted_call_ns()) note_slow_call(spec, args, ns, origin);
  }
  if (observers_.follow_calls()) follow_call(spec, args, origin);
}

void Dispatcher::note_slow_call(const CommandSpec& spec, std::span<const std::string_view> args,
                                std::uint64_t ns, Origin origin) {
  const Settings& settings = services_.settings;
  const std::int64_t now_s = services_.clock.wall_us() / 1'000'000;
  const auto ms = static_cast<std::int64_t>(ns / 1'000'000);
  if (spec.flags.has(flag::skip_slowlog)) return;
  if (settings.latency_threshold_ms > 0 && ms >= settings.latency_threshold_ms) {
    observers_.latencies.note(spec.flags.has(flag::fast) ? "fast-command" : "command", ms, now_s);
  }
  const auto us = static_cast<std::int64_t>(ns / 1000);
  if (settings.slow_call_us < 0 || us < settings.slow_call_us) return;
  SlowCall call;
  call.at_s = now_s;
  call.duration_us = us;
  // Redis 7.0: calls of scripts come from a client without connection.
  const bool has_client = origin != Origin::script;
  call.address = has_client ? client_->figures.address : "?:0";
  if (has_client) call.client_name = client_->name;
  observers_.slow_log.note(shown_arguments(args), std::move(call), settings.slow_calls_max);
}

std::vector<std::string_view> Dispatcher::shown_arguments(
    std::span<const std::string_view> args) const {
  std::vector<std::string_view> shown(args.begin(), args.end());
  for (const std::size_t argument : redacted_) {
    if (argument < shown.size()) shown[argument] = "(redacted)";
  }
  return shown;
}

void Dispatcher::follow_call(const CommandSpec& spec, std::span<const std::string_view> args,
                             Origin origin) {
  const bool is_shown = !spec.flags.has(flag::skip_monitor) && !spec.flags.has(flag::admin) &&
                        !spec.flags.has(flag::runs_script);
  if (is_shown && observers_.monitors.is_heard()) show_call(args, origin);
  // Redis 7.0: what a script reads stands for the keys that it declared.
  if (!spec.flags.has(flag::readonly) || spec.flags.has(flag::runs_script)) return;
  if (!TrackingTable::remembers_reads_of(*client_)) return;
  if (origin != Origin::script) {
    remember_reads(spec, args);
  } else if (script_call_.spec != nullptr) {
    remember_reads(*script_call_.spec, script_call_.args);
  }
}

void Dispatcher::show_call(std::span<const std::string_view> args, Origin origin) {
  observers_.monitors.feed({.args = shown_arguments(args),
                            .wall_us = services_.clock.wall_us(),
                            .client = client_,
                            .is_from_script = origin == Origin::script});
}

void Dispatcher::remember_reads(const CommandSpec& spec, std::span<const std::string_view> args) {
  // Channels stand where keys do, but are none.
  const bool has_keys = spec.keys.access != 0 && !spec.flags.has(flag::pubsub);
  if (!has_keys) return;
  const auto positions = key_positions(spec, args);
  if (!positions) return;
  for (const std::size_t position : *positions) {
    observers_.tracking.remember(*client_, args[position]);
  }
}

void Dispatcher::end_call(const CommandSpec* spec) {
  ClientState& client = *client_;
  observers_.monitors.reply_is_complete(client);
  observers_.tracking.reply_is_complete(client);
  // CLIENT CACHING holds for one call, or one transaction; CLIENT's own do not count.
  if (client.tracking && client.tracking->caching != nullptr && !client.in_multi) {
    const CommandSpec* container = container_of(*client.tracking->caching);
    if (spec == nullptr || container_of(*spec) != container) client.tracking->caching = nullptr;
  }
  observers_.tracking.enforce_limit(services_.settings.tracked_keys_max);
}

}  // namespace commands
