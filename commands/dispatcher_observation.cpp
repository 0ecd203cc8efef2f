// Dispatcher: what is noted of a call once it has run.
#include "commands/command_table.hpp"
#include "commands/dispatcher.hpp"

#include <algorithm>

namespace commands {

// A time stamp costs as much as the better part of a fast command. So within a run of requests the
// end of one call is the start of the next, and of the quick commands in scripts, once a row knows
// some, one in eight is timed and stands for all: unless calls of less than a millisecond are
// wanted in SLOWLOG.
Dispatcher::TimedCall Dispatcher::begin_timing(const CommandSpec& spec, Origin origin) {
  constexpr std::uint64_t calls_all_timed = 64;
  constexpr std::uint64_t calls_per_sample = 8;
  constexpr std::uint64_t shortest_of_interest_ns = 1'000'000;
  constexpr std::uint64_t quick_ns = 50'000;
  CallRow& row = observers_.statistics.row(spec);
  if (origin != Origin::script) {
    if (last_stamp_ == 0) last_stamp_ = observers_.clock.ticks();
    return {row, last_stamp_, 1};
  }
  const bool is_quick = spec.flags.has(flag::fast) || row.longest_ns < quick_ns;
  const bool is_sampled = is_quick && row.calls >= calls_all_timed &&
                          services_.settings.noted_call_ns() >= shortest_of_interest_ns;
  if (!is_sampled) return {row, observers_.clock.ticks(), 1};
  if (row.calls % calls_per_sample != 0) return {row, 0, 0};
  return {row, observers_.clock.ticks(), calls_per_sample};
}

void Dispatcher::note_call(const CommandSpec& spec, std::span<const std::string_view> args,
                           const TimedCall& timed, Origin origin) {
  ++observers_.statistics.processed;
  ++timed.row.calls;
  if (timed.weight != 0) {
    const std::uint64_t ended = observers_.clock.ticks();
    const std::uint64_t ns = observers_.clock.ns_between(timed.started, ended);
    if (origin != Origin::script) last_stamp_ = ended;
    timed.row.ns += ns * timed.weight;
    timed.row.longest_ns = std::max(timed.row.longest_ns, ns);
    // A call that waits is not done yet.
    if (client_->blocked == nullptr) {
      if (services_.settings.tracks_latency) timed.row.record(ns, timed.weight);
      if (ns >= services_.settings.noted_call_ns()) note_slow_call(spec, args, ns, origin);
    }
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
