// LOLWUT: a wall of stones held together by tenons, never the same twice.
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/server_commands.hpp"
#include "commands/server_version.hpp"

#include <algorithm>
#include <string>

namespace commands::server {
namespace {

constexpr std::int64_t stones_by_default = 8;
constexpr std::int64_t stones_max = 30;
constexpr std::int64_t courses_by_default = 5;
constexpr std::int64_t courses_max = 40;

struct Wall {
  std::int64_t stones = stones_by_default;  // in a course
  std::int64_t courses = courses_by_default;
};

// One course: its upper edge with the tenons that reach into the course above, and its stones.
std::string course(std::uint64_t bits, std::int64_t stones, bool is_shifted) {
  std::string edge(is_shifted ? "   " : "");
  std::string faces(is_shifted ? "   " : "");
  for (std::int64_t i = 0; i < stones; ++i, bits = bits >> 2u | bits << 62u) {
    const bool has_tenon = (bits & 1u) != 0;
    const bool is_dark = (bits & 2u) != 0;
    edge += has_tenon ? "+-[#]-" : "+-----";
    faces += is_dark ? "|:::::" : "|     ";
  }
  return edge + "+\n" + faces + "|\n";
}

std::int64_t size_at(const CommandContext& c, std::size_t index, std::int64_t by_default,
                     std::int64_t most) {
  if (index >= c.args.size()) return by_default;
  return std::clamp<std::int64_t>(base::parse_int64(c.args[index]).value_or(by_default), 1, most);
}

}  // namespace

void lolwut(CommandContext& c) {
  Wall wall;
  const bool names_version = c.args.size() > 2 && is_word(c.args[1], "VERSION");
  if (names_version && !base::parse_int64(c.args[2])) {
    return c.reply.error(error_text::not_an_integer);
  }
  // Every version is this wall; what follows are its sizes.
  const std::size_t first = names_version ? 3 : 1;
  wall.stones = size_at(c, first, stones_by_default, stones_max);
  wall.courses = size_at(c, first + 1, courses_by_default, courses_max);
  std::string text;
  for (std::int64_t i = 0; i < wall.courses; ++i) {
    text += course(c.keyspace.random_bits(), wall.stones, i % 2 == 1);
  }
  text += "\nMortise " + std::string(mortise_version) + ", Redis ver. " +
          std::string(redis_version) + "\n";
  c.reply.verbatim("txt", text);
}

}  // namespace commands::server
