#include "commands/debug_commands.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/encoding_name.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/info_sections.hpp"
#include "commands/subcommand_syntax.hpp"
#include "engine/collection.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace commands::debug {
namespace {

using protocol::ReplySink;
using protocol::RespVersion;

constexpr double sleep_seconds_max = 3600;

// Stops the whole server, as the name says. What is no number is no time.
void sleep(CommandContext& c) {
  const double seconds = std::strtod(std::string(c.args[2]).c_str(), nullptr);
  if (seconds > 0) {
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::min(seconds, sleep_seconds_max)));
  }
  c.reply.simple("OK");
}

std::size_t content_bytes(const engine::Entry& entry) {
  if (entry.type() == engine::Type::string) return entry.string().size();
  if (entry.type() != engine::Type::hash) {
    std::string items;
    entry.collection().write_items(items);
    return items.size();
  }
  std::size_t bytes = 0;
  engine::HashView(entry).for_each([&](std::string_view field, std::string_view value) {
    bytes += field.size() + value.size();
  });
  return bytes;
}

// Redis' line, with the bytes of the content for the length of a serialization there is none of.
void object(CommandContext& c) {
  const engine::Entry* entry = c.db().peek(c.args[2]);
  if (entry == nullptr) return c.reply.error(error_text::no_such_key);
  char address[32];
  std::snprintf(address, sizeof address, "%p", static_cast<const void*>(entry));
  const std::int64_t idle_s = entry->idle_seconds(c.now_ms());
  const std::int64_t lru = (c.now_ms() / 1000 - idle_s) & 0xffffff;
  c.reply.simple("Value at:" + std::string(address) +
                 " refcount:1 encoding:" + std::string(encoding_name(entry->encoding())) +
                 " serializedlength:" + std::to_string(content_bytes(*entry)) +
                 " lru:" + std::to_string(lru) + " lru_seconds_idle:" + std::to_string(idle_s));
}

void change_repl_id(CommandContext& c) {
  change_replication_id();
  c.reply.simple("OK");
}

// As Redis reads it: any text that is not a number is 0.
void set_active_expire(CommandContext& c) {
  c.keyspace.set_active_expiry(std::strtol(std::string(c.args[2]).c_str(), nullptr, 10) != 0);
  c.reply.simple("OK");
}

void error(CommandContext& c) {
  c.reply.error(c.args[2]);
}

void log(CommandContext& c) {
  c.server.log.event(LogLevel::warning, "DEBUG LOG: " + std::string(c.args[2]));
  c.reply.simple("OK");
}

void reply_push(ReplySink& reply) {
  if (reply.version() == RespVersion::resp2) {
    return reply.error("ERR RESP2 is not supported by this command");
  }
  reply.push(2);
  reply.bulk("server-cpu-usage");
  reply.integer(42);
  reply.bulk("Some real reply following the push reply");
}

void reply_numbers(ReplySink& reply) {
  for (int i = 0; i < 3; ++i) reply.integer(i);
}

struct SampleReply {
  std::string_view name;
  void (*write)(ReplySink&);
};

constexpr SampleReply sample_replies[] = {
    {"STRING", [](ReplySink& reply) { reply.bulk("Hello World"); }},
    {"INTEGER", [](ReplySink& reply) { reply.integer(12345); }},
    {"DOUBLE", [](ReplySink& reply) { reply.real(3.141); }},
    {"BIGNUM", [](ReplySink& reply) { reply.big_number("1234567999999999999999999999999999999"); }},
    {"NULL", [](ReplySink& reply) { reply.null(); }},
    {"ARRAY",
     [](ReplySink& reply) {
       reply.array(3);
       reply_numbers(reply);
     }},
    {"SET",
     [](ReplySink& reply) {
       reply.set(3);
       reply_numbers(reply);
     }},
    {"MAP",
     [](ReplySink& reply) {
       reply.map(3);
       for (int i = 0; i < 3; ++i) {
         reply.integer(i);
         reply.boolean(i == 1);
       }
     }},
    // No command has attributes, so the reply comes without them.
    {"ATTRIB", [](ReplySink& reply) { reply.bulk("Some real reply following the attribute"); }},
    {"PUSH", reply_push},
    {"VERBATIM", [](ReplySink& reply) { reply.verbatim("txt", "This is a verbatim\nstring"); }},
    {"TRUE", [](ReplySink& reply) { reply.boolean(true); }},
    {"FALSE", [](ReplySink& reply) { reply.boolean(false); }},
};

void protocol_sample(CommandContext& c) {
  for (const SampleReply& sample : sample_replies) {
    if (is_word(c.args[2], sample.name)) return sample.write(c.reply);
  }
  c.reply.error(
      "ERR Wrong protocol type name. Please use one of the following: "
      "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
}

void help(CommandContext& c) {
  reply_help(c.reply, "DEBUG",
             {
                 "CHANGE-REPL-ID",
                 "    Changes the replication id that INFO shows.",
                 "ERROR <text>",
                 "    Answers with this error.",
                 "LOG <text>",
                 "    Writes a line into the server's log.",
                 "OBJECT <key>",
                 "    Describes how a value is kept.",
                 "POPULATE <count> [<prefix>] [<bytes>]",
                 "    Creates keys named prefix:0 (key:0 if none is given) and so on.",
                 "PROTOCOL <type>",
                 "    Answers with a sample of a type of reply.",
                 "SET-ACTIVE-EXPIRE (0|1)",
                 "    Turns the removal of expired keys by themselves off and on.",
                 "SLEEP <seconds>",
                 "    Stops the server for this time.",
             });
}

struct Verb {
  std::string_view name;
  std::size_t arguments;  // with DEBUG and the name
  Handler handler;
};

// DEBUG POPULATE count [prefix] [bytes]: "prefix:0" holds "value:0", filled up with NULs or cut to
// the size. Names that are there stay as they are.
void populate(CommandContext& c) {
  constexpr std::int64_t keys_max = 10'000'000;
  const auto positive = [&](std::size_t index, std::int64_t most) -> std::optional<std::int64_t> {
    const auto number = base::parse_int64(c.args[index]);
    if (number && *number >= 0 && *number <= most) return number;
    c.reply.error("ERR value is out of range, must be positive");
    return std::nullopt;
  };
  const auto count = positive(2, keys_max);
  if (!count) return;
  const std::string prefix(c.args.size() > 3 ? c.args[3] : "key");
  std::optional<std::int64_t> bytes = 0;
  if (c.args.size() > 4) bytes = positive(4, c.settings.bulk_bytes_max);
  if (!bytes) return;
  for (std::int64_t i = 0; i < *count; ++i) {
    const std::string key = prefix + ":" + std::to_string(i);
    if (c.db().holds(key)) continue;
    std::string value = "value:" + std::to_string(i);
    if (*bytes > 0) value.resize(static_cast<std::size_t>(*bytes));
    if (const auto done = c.db().set_string(key, value); !done) {
      return reply_error(c.reply, done.error());
    }
  }
  c.reply.simple("OK");
}

constexpr Verb verbs[] = {
    {"CHANGE-REPL-ID", 2, change_repl_id},
    {"ERROR", 3, error},
    {"HELP", 2, help},
    {"LOG", 3, log},
    {"OBJECT", 3, object},
    {"POPULATE", 3, populate},
    {"POPULATE", 4, populate},
    {"POPULATE", 5, populate},
    {"PROTOCOL", 3, protocol_sample},
    {"SET-ACTIVE-EXPIRE", 3, set_active_expire},
    {"SLEEP", 3, sleep},
};

}  // namespace

void debug(CommandContext& c) {
  for (const Verb& verb : verbs) {
    if (c.args.size() == verb.arguments && is_word(c.args[1], verb.name)) {
      return verb.handler(c);
    }
  }
  reply_subcommand_syntax(c, "DEBUG");
}

}  // namespace commands::debug
