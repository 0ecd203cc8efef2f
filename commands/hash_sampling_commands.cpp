// HRANDFIELD and HSCAN.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/hash_commands.hpp"
#include "commands/key_reading.hpp"
#include "commands/sample_options.hpp"
#include "commands/scan_options.hpp"

#include <algorithm>
#include <vector>

namespace commands::hash {
namespace {

// Announces the elements, then writes them one by one. RESP3 nests pairs, RESP2 has them flat.
class SampleReply {
 public:
  SampleReply(protocol::ReplySink& reply, bool with_values, std::size_t count)
      : reply_(reply),
        with_values_(with_values),
        nested_(with_values_ && reply.version() == protocol::RespVersion::resp3) {
    reply_.array(with_values_ && !nested_ ? 2 * count : count);
  }
  void add(std::string_view field, std::string_view value) {
    if (nested_) reply_.array(2);
    reply_.bulk(field);
    if (with_values_) reply_.bulk(value);
  }

 private:
  protocol::ReplySink& reply_;
  bool with_values_;
  bool nested_;
};

// `count` distinct fields, each set of them as likely: a field is taken with the probability
// (still wanted) / (still to come).
void reply_distinct(CommandContext& c, const engine::HashView& view, std::size_t count,
                    bool with_values) {
  std::size_t to_come = view.size();
  std::size_t wanted = std::min(count, to_come);
  SampleReply sample(c.reply, with_values, wanted);
  view.for_each([&](std::string_view field, std::string_view value) {
    const bool taken = wanted == to_come || c.keyspace.random_bits() % to_come < wanted;
    --to_come;
    if (wanted == 0 || !taken) return;
    --wanted;
    sample.add(field, value);
  });
}

void reply_repeated(CommandContext& c, const engine::HashView& view, std::size_t count,
                    bool with_values) {
  SampleReply sample(c.reply, with_values, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [field, value] = view.random_field([&] { return c.keyspace.random_bits(); });
    sample.add(field, value);
  }
}

void reply_one(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  const engine::HashView view(**found);
  c.reply.bulk(view.random_field([&] { return c.keyspace.random_bits(); }).first);
}

}  // namespace

void hrandfield(CommandContext& c) {
  if (c.args.size() == 2) return reply_one(c);
  ArgumentReader args(c.args, 2);
  const SampleOptions options = read_sample_options(args, "WITHVALUES");
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr || options.count == 0) return c.reply.array(0);
  const engine::HashView view(**found);
  if (options.count < 0) {
    return reply_repeated(c, view, static_cast<std::size_t>(-options.count), options.with_values);
  }
  reply_distinct(c, view, static_cast<std::size_t>(options.count), options.with_values);
}

void hscan(CommandContext& c) {
  const auto cursor = parse_cursor(c.args[2]);
  if (!cursor) return c.reply.error(invalid_cursor);
  // Redis 7.0: a missing key is answered before the options are looked at.
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  std::vector<std::string_view> texts;
  std::uint64_t next = 0;
  if (*found != nullptr) {
    ArgumentReader args(c.args, 3);
    const ScanOptions options = read_scan_options(args, ScanSubject::fields);
    if (!args.done()) return args.reply_error(c.reply);
    next = engine::HashView(**found).scan(*cursor, options.count,
                                          [&](std::string_view field, std::string_view value) {
                                            if (!options.matches(field)) return;
                                            texts.push_back(field);
                                            texts.push_back(value);
                                          });
  }
  reply_cursor(c.reply, next);
  c.reply.array(texts.size());
  for (const std::string_view text : texts) c.reply.bulk(text);
}

}  // namespace commands::hash
