// LATENCY: events that held the server up, and how long the calls of commands took.
#include "commands/argument_reader.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_context.hpp"
#include "commands/command_table.hpp"
#include "commands/help_reply.hpp"
#include "commands/observation_commands.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace commands::observation {
namespace {

struct HistogramRow {
  std::string name;
  const LatencyHistogram* latencies;
};

// "client" stands for all its subcommands.
std::vector<HistogramRow> rows_of(CommandContext& c, std::span<const std::string_view> names) {
  std::vector<HistogramRow> rows;
  const auto is_asked_for = [&](const CommandSpec& spec, std::string_view name) {
    const std::string own = full_name(spec);
    const std::string asked = lower_case(name);
    return own == asked || own.substr(0, own.find('|')) == asked;
  };
  const auto add = [&](const CommandSpec& spec, const CallRow& row) {
    if (row.latencies) rows.push_back({full_name(spec), row.latencies.get()});
  };
  const CallStatistics& statistics = c.runner.observers().statistics;
  if (names.empty()) statistics.for_each(add);
  for (const std::string_view name : names) {
    statistics.for_each([&](const CommandSpec& spec, const CallRow& row) {
      if (is_asked_for(spec, name)) add(spec, row);
    });
  }
  return rows;
}

struct Bucket {
  std::int64_t us;
  std::int64_t calls;  // that took no longer
};

std::vector<Bucket> buckets_of(const LatencyHistogram& latencies) {
  std::vector<Bucket> buckets;
  std::uint64_t before = 0;
  latencies.for_each_doubling([&](std::uint64_t ns, std::uint64_t below) {
    if (below == before) return;
    before = below;
    // Redis names a bucket by the longest duration that its histogram takes for the same: 1 in 128.
    const std::uint64_t longest = ns + ns / 128 - 1;
    buckets.push_back(
        {static_cast<std::int64_t>(longest / 1000), static_cast<std::int64_t>(below)});
  });
  return buckets;
}

// Heights of 0 … 3 in four rows, oldest sample first, and the age of each below.
std::string drawing_of(const LatencyEvent& event, std::int64_t now_s) {
  constexpr std::size_t columns_max = 80;
  constexpr std::string_view marks = "_o#";
  constexpr std::int64_t rows = 4;
  const std::size_t first =
      event.samples.size() > columns_max ? event.samples.size() - columns_max : 0;
  const auto [low, high] = std::minmax_element(
      event.samples.begin(), event.samples.end(),
      [](const LatencySample& a, const LatencySample& b) { return a.ms < b.ms; });
  const auto per_mark = static_cast<std::int64_t>(marks.size());
  const std::int64_t span = std::max<std::int64_t>(high->ms - low->ms, 1);
  std::string text;
  for (std::int64_t row = rows - 1; row >= 0; --row) {
    for (std::size_t i = first; i < event.samples.size(); ++i) {
      const std::int64_t height = (event.samples[i].ms - low->ms) * (rows * per_mark - 1) / span;
      const std::int64_t here = height - row * per_mark;
      if (here < 0) text += ' ';
      if (here >= 0) text += here >= per_mark ? '|' : marks[static_cast<std::size_t>(here)];
    }
    text += '\n';
  }
  text += "oldest " + std::to_string(now_s - event.samples[first].at_s) + " s ago, latest " +
          std::to_string(now_s - event.samples.back().at_s) + " s ago\n";
  return text;
}

std::string figures_of(std::string_view name, const LatencyEvent& event) {
  std::int64_t sum = 0;
  for (const LatencySample& sample : event.samples) sum += sample.ms;
  const auto count = static_cast<std::int64_t>(event.samples.size());
  return std::string(name) + ": " + std::to_string(count) + " samples, average " +
         std::to_string(sum / count) + " ms, worst ever " + std::to_string(event.worst_ms) +
         " ms.\n";
}

std::string advice_on(std::string_view event) {
  if (event == "command" || event == "fast-command") {
    return "  Look at SLOWLOG GET for the calls. Scripts that loop and KEYS on many names hold "
           "everyone up; a fast-command that is slow points at the machine: swap, or a processor "
           "that others use.\n";
  }
  return "  Very many keys came due at once, or the machine stood still meanwhile.\n";
}

}  // namespace

void latency_latest(CommandContext& c) {
  const auto& events = c.runner.observers().latencies.events();
  c.reply.array(events.size());
  for (const auto& [name, event] : events) {
    c.reply.array(4);
    c.reply.bulk(name);
    c.reply.integer(event.samples.back().at_s);
    c.reply.integer(event.samples.back().ms);
    c.reply.integer(event.worst_ms);
  }
}

void latency_history(CommandContext& c) {
  const LatencyEvent* event = c.runner.observers().latencies.find(c.args[2]);
  if (event == nullptr) return c.reply.array(0);
  c.reply.array(event->samples.size());
  for (const LatencySample& sample : event->samples) {
    c.reply.array(2);
    c.reply.integer(sample.at_s);
    c.reply.integer(sample.ms);
  }
}

void latency_reset(CommandContext& c) {
  LatencyMonitor& latencies = c.runner.observers().latencies;
  std::int64_t forgotten = 0;
  if (c.args.size() == 2) {
    forgotten = static_cast<std::int64_t>(latencies.events().size());
    latencies.forget_all();
  }
  for (const std::string_view name : c.args.subspan(2)) forgotten += latencies.forget(name) ? 1 : 0;
  c.reply.integer(forgotten);
}

void latency_graph(CommandContext& c) {
  const LatencyEvent* event = c.runner.observers().latencies.find(c.args[2]);
  if (event == nullptr) {
    return c.reply.error("ERR No samples available for event '" + std::string(c.args[2]) + "'");
  }
  std::int64_t low = event->samples.front().ms;
  std::int64_t high = low;
  for (const LatencySample& sample : event->samples) {
    low = std::min(low, sample.ms);
    high = std::max(high, sample.ms);
  }
  std::string text(c.args[2]);
  text += " - high " + std::to_string(high) + " ms, low " + std::to_string(low) +
          " ms (all time high " + std::to_string(event->worst_ms) + " ms)\n" +
          std::string(80, '-') + "\n" + drawing_of(*event, c.clock.wall_us() / 1'000'000);
  c.reply.verbatim("txt", text);
}

void latency_doctor(CommandContext& c) {
  const auto& events = c.runner.observers().latencies.events();
  if (c.settings.latency_threshold_ms == 0 && events.empty()) {
    return c.reply.verbatim("txt",
                            "Nothing is noted: latency-monitor-threshold is 0. CONFIG SET "
                            "latency-monitor-threshold <milliseconds> begins it.\n");
  }
  if (events.empty()) {
    return c.reply.verbatim("txt", "Nothing took " +
                                       std::to_string(c.settings.latency_threshold_ms) +
                                       " ms or longer since the figures were reset.\n");
  }
  std::string text;
  for (const auto& [name, event] : events) text += figures_of(name, event) + advice_on(name);
  c.reply.verbatim("txt", text);
}

void latency_histogram(CommandContext& c) {
  const auto rows = rows_of(c, c.args.subspan(2));
  c.reply.map(rows.size());
  for (const HistogramRow& row : rows) {
    const auto buckets = buckets_of(*row.latencies);
    c.reply.bulk(row.name);
    c.reply.map(2);
    c.reply.bulk("calls");
    c.reply.integer(static_cast<std::int64_t>(row.latencies->total()));
    c.reply.bulk("histogram_usec");
    c.reply.map(buckets.size());
    for (const Bucket& bucket : buckets) {
      c.reply.integer(bucket.us);
      c.reply.integer(bucket.calls);
    }
  }
}

void latency_help(CommandContext& c) {
  reply_help(c.reply, "LATENCY",
             {"DOCTOR", "    Says in words what the samples suggest.", "GRAPH <event>",
              "    Draws the samples of an event.", "HISTOGRAM [<command> ...]",
              "    How long calls took: for doubling microseconds, how many took no longer.",
              "HISTORY <event>", "    Time and milliseconds of the samples of an event.", "LATEST",
              "    Time and milliseconds of the latest sample of each event, and the worst ever.",
              "RESET [<event> ...]", "    Forgets the samples of events, all if none is named."});
}

}  // namespace commands::observation
