// A whole server without sockets and what happens to it, one event a line:
//   3 LPUSH k a     client 3 connects if it must and says "LPUSH k a\r\n"
//   3!              client 3 hangs up
//   3?              client 3 reads its replies
//   +25             25 ms pass
// Nothing crashes, nothing hangs, every structure of the store stays valid, and what was recorded
// for the journal rebuilds the same store.
#include "base/assert.hpp"
#include "base/clock.hpp"
#include "base/integers.hpp"
#include "engine/collection.hpp"
#include "engine/commit_log.hpp"
#include "engine/script_state.hpp"
#include "scripting/function_libraries.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr std::uint64_t seed = 42;
constexpr std::int64_t advance_ms_max = 100'000;
constexpr std::size_t lines_between_checks = 64;

// Keeps what a journal would.
class RecordingLog final : public engine::CommitLog {
 public:
  engine::Position append(engine::Batch&& batch) override {
    bytes_ += batch.bytes;
    batch = {};
    return ++position_;
  }
  std::optional<engine::ReadTicket> read_barrier() override { return std::nullopt; }
  void snapshot_taken(engine::Position) override {}
  [[nodiscard]] engine::Position committed_position() const override { return position_; }
  [[nodiscard]] engine::Position read_position() const override { return 0; }
  [[nodiscard]] engine::Role role() const override { return engine::Role::active; }
  [[nodiscard]] bool wants_frames() const override { return true; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
  engine::Position position_ = 0;
};

// What an entry holds, in an order that does not depend on how it came to be.
std::vector<std::string> items_of(const engine::Entry& entry) {
  if (entry.type() == engine::Type::string) return {std::string(entry.string())};
  if (entry.type() != engine::Type::hash) {
    std::string bytes;
    entry.collection().write_items(bytes);
    // Tables have no order: their bytes are compared, not the places of the bytes.
    if (entry.type() == engine::Type::set) std::ranges::sort(bytes);
    return {bytes};
  }
  std::vector<std::string> items;
  engine::HashView(entry).for_each([&](std::string_view field, std::string_view value) {
    items.push_back(std::string(field) + '\0' + std::string(value));
  });
  std::ranges::sort(items);
  return items;
}

std::vector<std::vector<std::string>> contents_of(engine::Keyspace& keyspace, std::int64_t now_ms) {
  std::vector<std::vector<std::string>> entries;
  keyspace.begin_frame(now_ms);
  for (int index = 0; index < engine::database_count; ++index) {
    keyspace.database(index).for_each([&](const engine::Entry& entry) {
      auto& items = entries.emplace_back(items_of(entry));
      items.insert(items.begin(),
                   {std::to_string(index), std::string(entry.key()), std::to_string(entry.token()),
                    std::to_string(entry.deadline_ms())});
    });
  }
  keyspace.end_frame();
  std::ranges::sort(entries);
  return entries;
}

using Scripts = std::set<std::tuple<engine::MutationKind, std::string, std::string>>;

Scripts scripts_of(const engine::ScriptState& state) {
  Scripts scripts;
  state.for_each([&](const engine::Mutation& mutation) {
    scripts.emplace(mutation.kind, mutation.key, mutation.value);
  });
  return scripts;
}

// What a journal says of scripts, without Lua: cheap enough for each check.
class ScriptTexts final : public engine::ScriptState {
 public:
  bool apply(const engine::Mutation& mutation) override {
    using enum engine::MutationKind;
    const bool of_libraries = mutation.kind >= put_library;
    std::erase_if(scripts_, [&](const auto& script) {
      const auto& [kind, name, text] = script;
      if (mutation.kind == flush_scripts) return kind == load_script;
      if (mutation.kind == flush_libraries) return kind == put_library;
      return of_libraries && kind == put_library && name == mutation.key;
    });
    if (mutation.kind == load_script || mutation.kind == put_library) {
      scripts_.emplace(mutation.kind, mutation.key, mutation.value);
    }
    return true;
  }
  void for_each(base::FunctionRef<void(const engine::Mutation&)> visit) const override {
    for (const auto& [kind, name, text] : scripts_) {
      engine::Mutation mutation(kind);
      mutation.key = name;
      mutation.value = text;
      visit(mutation);
    }
  }

 private:
  Scripts scripts_;
};

// Small limits: a fuzzer's machine is not the subject.
void limit(server::Config& config) {
  ASSERT(config.assign("proto-max-bulk-len", "1mb"));
  ASSERT(config.assign("script-memory-limit", "16mb"));
  ASSERT(config.assign("busy-reply-threshold", "20"));
}

class Server {
 public:
  Server() {
    limit(config_);
    log_.silence();
    core_.set_serve_others([this] { core_.dispatcher().scripts().kill(); });
  }

  void happen(std::string_view line) {
    if (line.starts_with('+')) {
      const auto ms = base::parse_int64(line.substr(1));
      if (ms) clock_.advance_ms(std::clamp<std::int64_t>(*ms, 0, advance_ms_max));
    } else if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
      act(static_cast<std::size_t>(line[0] - '0'), line.substr(1));
    }
    run_turns();
  }

  void check() {
    core_.keyspace().validate();
    // What the turn changed is recorded at its end.
    run_turns();
    engine::Keyspace replica(first_token_, seed);
    replica.set_limits(core_.keyspace().limits());
    ScriptTexts texts;
    replica.set_script_state(&texts);
    ASSERT(replica.replay(commit_log_.bytes()));
    replica.validate();
    ASSERT(contents_of(replica, clock_.lease_ms()) ==
           contents_of(core_.keyspace(), clock_.lease_ms()));
    const Scripts scripts = scripts_of(*core_.keyspace().script_state());
    ASSERT(scripts == scripts_of(texts));
    if (!scripts.empty()) check_restart(scripts);
  }

  // Whoever comes after finds the server answering, unless it is told to wait.
  void greet() {
    server::Session& other = core_.open_session();
    const std::int64_t id = other.client().id();
    other.feed("PING\r\n");
    run_turns();
    const bool may_wait = core_.is_stopping() || core_.next_check_us().has_value();
    ASSERT(may_wait || core_.clients().find(id) == nullptr || !other.take_output().empty());
  }

 private:
  // A whole server compiles them again.
  void check_restart(const Scripts& scripts) {
    server::Config config;
    limit(config);
    engine::NoneCommitLog commit_log;
    server::Core restarted(config, log_, clock_, commit_log, seed);
    restarted.keyspace().set_limits(core_.keyspace().limits());
    ASSERT(restarted.keyspace().replay(commit_log_.bytes()));
    ASSERT(scripts_of(*restarted.keyspace().script_state()) == scripts);
    ASSERT(restarted.dispatcher().scripts().functions().unloadable().empty());
  }

  // The session lives as long as the core knows its number.
  struct Client {
    std::int64_t id = 0;
    server::Session* session = nullptr;
  };

  void act(std::size_t number, std::string_view what) {
    Client& client = clients_[number];
    server::Session* session =
        core_.clients().find(client.id) == nullptr ? nullptr : client.session;
    if (what.starts_with('!')) {
      if (session != nullptr) session->hang_up();
    } else if (what.starts_with('?')) {
      if (session != nullptr) static_cast<void>(session->take_output());
    } else if (what.starts_with(' ')) {
      if (session == nullptr) session = &core_.open_session();
      client = {session->client().id(), session};
      session->feed(std::string(what.substr(1)) + "\r\n");
    }
  }

  void run_turns() {
    constexpr int turns_max = 64;
    for (int turn = 0; turn < turns_max && core_.run_turn(); ++turn) {
    }
  }

  server::Config config_;
  server::Log log_;
  base::ManualClock clock_;
  RecordingLog commit_log_;
  server::Core core_{config_, log_, clock_, commit_log_, seed};
  std::uint64_t first_token_ = core_.keyspace().last_token();
  std::array<Client, 10> clients_{};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  Server server;
  for (std::size_t lines = 1; !input.empty(); ++lines) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    server.happen(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
    if (lines % lines_between_checks == 0) server.check();
  }
  server.check();
  server.greet();
  return 0;
}
