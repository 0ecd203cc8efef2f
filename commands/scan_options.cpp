#include "commands/scan_options.hpp"

#include "base/assert.hpp"
#include "base/glob.hpp"
#include "commands/error_replies.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

namespace commands {
namespace {

// More than any table has: larger counts say "all".
constexpr std::int64_t count_max = std::int64_t{1} << 40;

}  // namespace

bool ScanOptions::matches(std::string_view name) const {
  return !pattern || base::glob_matches(*pattern, name);
}

bool ScanOptions::matches(engine::Type entry_type) const {
  if (!type) return true;
  return lower_case(*type) == type_name(entry_type);
}

std::optional<std::uint64_t> parse_cursor(std::string_view text) {
  if (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    return std::nullopt;
  }
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  const std::uint64_t cursor = std::strtoul(terminated.c_str(), &end, 10);
  if (*end != '\0' || errno == ERANGE) return std::nullopt;
  return cursor;
}

ScanOptions read_scan_options(ArgumentReader& args, ScanSubject subject) {
  ScanOptions options;
  while (args.has_more()) {
    if (args.left() >= 2 && args.take_word("COUNT")) {
      const std::int64_t count = args.next_integer();
      if (count < 1) args.fail(error_text::syntax);
      options.count = static_cast<std::size_t>(std::min(count, count_max));
    } else if (args.left() >= 2 && args.take_word("MATCH")) {
      options.pattern = args.next();
      if (options.pattern == "*") options.pattern.reset();
    } else if (subject == ScanSubject::keys && args.left() >= 2 && args.take_word("TYPE")) {
      options.type = args.next();
    } else {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

void reply_cursor(protocol::ReplySink& reply, std::uint64_t cursor) {
  std::array<char, 20> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), cursor).ptr;
  reply.array(2);
  reply.bulk({text.data(), static_cast<std::size_t>(end - text.data())});
}

std::string_view type_name(engine::Type type) {
  switch (type) {
    case engine::Type::string:
      return "string";
    case engine::Type::hash:
      return "hash";
    case engine::Type::list:
      return "list";
    case engine::Type::set:
      return "set";
    case engine::Type::sorted_set:
      return "zset";
  }
  ASSERT(false && "a type without a name");
}

}  // namespace commands
