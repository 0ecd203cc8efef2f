#include "script_bench.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace scripting_tests {
namespace {

std::int64_t clock_us = 1;
std::int64_t clock_step_us = 0;

constexpr std::array<std::string_view, 22> names = {
    "get",     "set",     "del",  "exists",  "incr", "incrby", "append", "hset",
    "hget",    "hgetall", "hdel", "hexists", "hlen", "ping",   "echo",   "pttl",
    "pexpire", "lpush",   "mget", "score",   "wide", "nested"};

}  // namespace

std::int64_t stepping_clock() {
  return clock_us += clock_step_us;
}
void set_clock_step_us(std::int64_t step) {
  clock_step_us = step;
}

void TextReply::real(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  value(is_resp2() ? "$'" + std::string(text) + "'" : "," + std::string(text));
}

void TextReply::verbatim(std::string_view format, std::string_view text) {
  if (is_resp2()) return bulk(text);
  value("='" + std::string(format) + ":" + std::string(text) + "'");
}

// Bytes that do not print become "\\x00".
void TextReply::value(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char code[5];
    if (byte >= 32 && byte < 127) {
      text_ += c;
    } else {
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      text_ += code;
    }
  }
  if (open_.empty()) {
    ++replies_;
    return;
  }
  --open_.back();
  close_complete();
}

void TextReply::open(const char* kind, std::size_t elements) {
  text_ += kind;
  text_ += "[";
  open_.push_back(elements);
  if (elements == 0) close_complete();
}

void TextReply::close_complete() {
  while (!open_.empty()) {
    if (open_.back() != 0) {
      if (!text_.ends_with('[')) text_ += ", ";
      return;
    }
    open_.pop_back();
    text_ += "]";
    if (open_.empty()) {
      ++replies_;
      return;
    }
    --open_.back();
  }
}

scripting::CommandId FakeInvoker::resolve(std::string_view name) {
  ++resolves;
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  const auto found = std::find(names.begin(), names.end(), lower);
  return found == names.end() ? scripting::no_command
                              : static_cast<scripting::CommandId>(found - names.begin());
}

void FakeInvoker::write_integer(const std::string& key, std::int64_t by,
                                protocol::ReplySink& reply) {
  std::string& value = strings.try_emplace(key, "0").first->second;
  const auto number = base::parse_int64(value);
  if (!number) return reply.error("ERR value is not an integer or out of range");
  ++writes;
  value = std::to_string(*number + by);
  reply.integer(*number + by);
}

void FakeInvoker::invoke(scripting::CommandId command, std::span<const std::string_view> args,
                         protocol::ReplySink& reply) {
  if (record_calls) calls.emplace_back(args.begin(), args.end());
  if (command == scripting::no_command) {
    return reply.error("ERR Unknown Redis command called from script");
  }
  const std::string_view name = names[static_cast<std::size_t>(command)];
  const auto wrong_count = [&] {
    reply.error("ERR Wrong number of args calling Redis command from script");
  };
  if (args.size() < 2 && name != "ping" && name != "wide" && name != "nested") return wrong_count();
  const std::string key(args.size() > 1 ? args[1] : "");
  const auto string = strings.find(key);
  const auto hash = hashes.find(key);
  if (name == "ping") {
    reply.simple("PONG");
  } else if (name == "echo") {
    reply.bulk(key);
  } else if (name == "get") {
    string == strings.end() ? reply.null() : reply.bulk(string->second);
  } else if (name == "mget") {
    reply.array(args.size() - 1);
    for (const std::string_view wanted : args.subspan(1)) {
      const auto found = strings.find(std::string(wanted));
      found == strings.end() ? reply.null() : reply.bulk(found->second);
    }
  } else if (name == "set") {
    if (args.size() < 3) return wrong_count();
    ++writes;
    strings[key] = args[2];
    reply.simple("OK");
  } else if (name == "append") {
    if (args.size() < 3) return wrong_count();
    strings[key] += args[2];
    reply.integer(static_cast<std::int64_t>(strings[key].size()));
  } else if (name == "del") {
    std::int64_t count = 0;
    for (const std::string_view wanted : args.subspan(1))
      count += static_cast<std::int64_t>(strings.erase(std::string(wanted)) +
                                         hashes.erase(std::string(wanted)));
    reply.integer(count);
  } else if (name == "exists") {
    reply.integer(string != strings.end() || hash != hashes.end() ? 1 : 0);
  } else if (name == "incr") {
    write_integer(key, 1, reply);
  } else if (name == "incrby") {
    const auto by = args.size() > 2 ? base::parse_int64(args[2]) : std::nullopt;
    if (!by) return reply.error("ERR value is not an integer or out of range");
    write_integer(key, *by, reply);
  } else if (name == "hset") {
    if (args.size() < 4) return wrong_count();
    ++writes;
    reply.integer(hashes[key].insert_or_assign(std::string(args[2]), std::string(args[3])).second);
  } else if (name == "hget") {
    if (args.size() != 3) return wrong_count();
    if (hash == hashes.end() || !hash->second.contains(std::string(args[2]))) return reply.null();
    reply.bulk(hash->second[std::string(args[2])]);
  } else if (name == "hgetall") {
    reply.map(hash == hashes.end() ? 0 : hash->second.size());
    if (hash == hashes.end()) return;
    for (const auto& [field, value] : hash->second) {
      reply.bulk(field);
      reply.bulk(value);
    }
  } else if (name == "hdel") {
    reply.integer(hash == hashes.end()
                      ? 0
                      : static_cast<std::int64_t>(hash->second.erase(std::string(args[2]))));
  } else if (name == "hexists") {
    reply.integer(hash != hashes.end() && hash->second.contains(std::string(args[2])) ? 1 : 0);
  } else if (name == "hlen") {
    reply.integer(hash == hashes.end() ? 0 : static_cast<std::int64_t>(hash->second.size()));
  } else if (name == "pttl") {
    reply.integer(string == strings.end() && hash == hashes.end() ? -2 : 29999);
  } else if (name == "pexpire") {
    const auto ttl = args.size() > 2 ? base::parse_int64(args[2]) : std::nullopt;
    if (!ttl) return reply.error("ERR value is not an integer or out of range");
    reply.integer(string != strings.end() || hash != hashes.end() ? 1 : 0);
  } else if (name == "lpush") {
    reply.error("WRONGTYPE Operation against a key holding the wrong kind of value");
  } else if (name == "score") {
    reply.real(1.5);
  } else if (name == "wide") {
    reply.set(2);
    reply.bulk("a");
    reply.bulk("b");
  } else {
    reply.array(5);
    reply.boolean(true);
    reply.big_number("12345678901234567890");
    reply.verbatim("txt", "hi");
    reply.null();
    reply.map(1);
    reply.simple("k");
    reply.array(0);
  }
}

ScriptBench::ScriptBench() : engine(invoker, log, stepping_clock) {}

std::string ScriptBench::run(std::string_view script, const std::vector<std::string>& keys,
                             const std::vector<std::string>& arguments) {
  std::string error;
  const scripting::Script* loaded = engine.load(script, error);
  if (loaded == nullptr) return "-" + error;
  const std::vector<std::string_view> key_views(keys.begin(), keys.end());
  const std::vector<std::string_view> argument_views(arguments.begin(), arguments.end());
  TextReply reply(client_version);
  engine.run(*loaded, {key_views, argument_views}, reply);
  return reply.text();
}

}  // namespace scripting_tests
