// LCS key1 key2 [LEN | IDX] [MINMATCHLEN bytes] [WITHMATCHLEN]
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/lcs.hpp"
#include "commands/string_commands.hpp"

#include <algorithm>
#include <limits>

namespace commands::string {
namespace {

struct LcsOptions {
  bool only_length = false;
  bool runs = false;
  bool run_lengths = false;
  std::size_t run_bytes_min = 0;
};

// An absent key reads as an empty text.
bool is_text(const engine::Entry* entry) {
  return entry == nullptr || entry->type() == engine::Type::string;
}
std::string_view text_of(const engine::Entry* entry) {
  return entry == nullptr ? std::string_view() : entry->string();
}

LcsOptions read_options(ArgumentReader& args) {
  LcsOptions options;
  while (args.has_more()) {
    if (args.take_word("IDX")) {
      options.runs = true;
    } else if (args.take_word("LEN")) {
      options.only_length = true;
    } else if (args.take_word("WITHMATCHLEN")) {
      options.run_lengths = true;
    } else if (args.take_word("MINMATCHLEN")) {
      const std::int64_t bytes = args.next_integer();
      options.run_bytes_min = static_cast<std::size_t>(std::max<std::int64_t>(0, bytes));
    } else {
      args.fail(error_text::syntax);
    }
  }
  if (options.runs && options.only_length) {
    args.fail("ERR If you want both the length and indexes, please just use IDX.");
  }
  return options;
}

void check_size(ArgumentReader& args, std::string_view a, std::string_view b,
                std::int64_t bytes_max) {
  constexpr std::size_t text_bytes_max = std::numeric_limits<std::uint32_t>::max() - 2;
  if (a.size() > text_bytes_max || b.size() > text_bytes_max) {
    args.fail("ERR String too long for LCS");
  }
  if (CommonSubsequence::table_bytes(a, b) > static_cast<std::size_t>(bytes_max)) {
    args.fail("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
  }
}

void reply_range(protocol::ReplySink& reply, TextRange range) {
  reply.array(2);
  reply.integer(static_cast<std::int64_t>(range.first));
  reply.integer(static_cast<std::int64_t>(range.last));
}

void reply_runs(protocol::ReplySink& reply, const CommonSubsequence& common,
                const LcsOptions& options) {
  std::vector<CommonRun> runs = common.runs();
  std::erase_if(runs, [&](const CommonRun& run) { return run.length() < options.run_bytes_min; });
  reply.map(2);
  reply.bulk("matches");
  reply.array(runs.size());
  for (const CommonRun& run : runs) {
    reply.array(options.run_lengths ? 3 : 2);
    reply_range(reply, run.in_a);
    reply_range(reply, run.in_b);
    if (options.run_lengths) reply.integer(static_cast<std::int64_t>(run.length()));
  }
  reply.bulk("len");
  reply.integer(static_cast<std::int64_t>(common.length()));
}

}  // namespace

void lcs(CommandContext& c) {
  const engine::Entry* first = read_key(c, c.args[1]);
  const engine::Entry* second = read_key(c, c.args[2]);
  if (!is_text(first) || !is_text(second)) {
    return c.reply.error("ERR The specified keys must contain string values");
  }
  const std::string_view a = text_of(first);
  const std::string_view b = text_of(second);
  ArgumentReader args(c.args, 3);
  const LcsOptions options = read_options(args);
  if (!args.failed()) check_size(args, a, b, c.settings.bulk_bytes_max);
  if (!args.done()) return args.reply_error(c.reply);
  const CommonSubsequence common(a, b);
  if (options.only_length) return c.reply.integer(static_cast<std::int64_t>(common.length()));
  if (options.runs) return reply_runs(c.reply, common, options);
  c.reply.bulk(common.text());
}

}  // namespace commands::string
