#include "commands/info_sections.hpp"

#include "commands/argument_reader.hpp"
#include "commands/info_section_writers.hpp"
#include "commands/info_writer.hpp"

#include <algorithm>

namespace commands {
namespace {

enum class Shown : std::uint8_t { by_default, in_all };

struct Section {
  std::string_view title;
  std::string_view name;  // upper case, as asked for
  Shown shown;
  void (*write)(const CommandContext&, InfoWriter&);
};

constexpr Section sections[] = {
    {"Server", "SERVER", Shown::by_default, info::server},
    {"Clients", "CLIENTS", Shown::by_default, info::clients},
    {"Memory", "MEMORY", Shown::by_default, info::memory},
    {"Persistence", "PERSISTENCE", Shown::by_default, info::persistence},
    {"Stats", "STATS", Shown::by_default, info::stats},
    {"Replication", "REPLICATION", Shown::by_default, info::replication},
    {"CPU", "CPU", Shown::by_default, info::cpu},
    {"Modules", "MODULES", Shown::by_default, info::modules},
    {"Commandstats", "COMMANDSTATS", Shown::in_all, info::commandstats},
    {"Errorstats", "ERRORSTATS", Shown::by_default, info::errorstats},
    {"Latencystats", "LATENCYSTATS", Shown::in_all, info::latencystats},
    {"Cluster", "CLUSTER", Shown::by_default, info::cluster},
    {"Keyspace", "KEYSPACE", Shown::by_default, info::keyspace},
};

bool asks_for(std::string_view name, const Section& section) {
  if (is_word(name, section.name)) return true;
  if (is_word(name, "DEFAULT")) return section.shown == Shown::by_default;
  return is_word(name, "ALL") || is_word(name, "EVERYTHING");
}

}  // namespace

std::string info_text(const CommandContext& c, std::span<const std::string_view> names) {
  static constexpr std::string_view default_names[] = {"DEFAULT"};
  if (names.empty()) names = default_names;
  InfoWriter out;
  for (const Section& section : sections) {
    const bool asked = std::any_of(names.begin(), names.end(),
                                   [&](std::string_view name) { return asks_for(name, section); });
    if (!asked) continue;
    out.begin_section(section.title);
    section.write(c, out);
  }
  return out.take();
}

std::int64_t last_save_time_s(const CommandContext& c) {
  const std::int64_t saved_us = c.server.journal->figures().last_saved_us;
  return (saved_us != 0 ? saved_us : info::started_at_wall_us(c)) / 1'000'000;
}

}  // namespace commands
