// What the server knows about a command. One row drives dispatch, COMMAND, COMMAND DOCS, COMMAND
// GETKEYS, the gates of admission, ACL categories and docs/commands.md. Nothing else in the program
// compares command names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace commands {

struct CommandContext;

// A handler, or none. Remembers which instead of comparing with null: GCC 12 does not take the
// address of a function for a constant under -fsanitize=undefined.
class Handler {
 public:
  using Function = void (*)(CommandContext&);
  constexpr Handler() = default;
  // NOLINTBEGIN(google-explicit-constructor): a row names its handler
  constexpr Handler(std::nullptr_t) {}
  constexpr Handler(Function function) : function_(function), is_set_(true) {}
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] constexpr bool is_set() const { return is_set_; }
  void operator()(CommandContext& context) const { function_(context); }

 private:
  Function function_ = nullptr;
  bool is_set_ = false;
};

// Bits of CommandSpec::flags. The first block is what COMMAND shows; the rest steers the gates.
struct Flags {
  std::uint32_t bits = 0;
  friend constexpr Flags operator|(Flags a, Flags b) { return {a.bits | b.bits}; }
  [[nodiscard]] constexpr bool has(Flags other) const { return (bits & other.bits) == other.bits; }
};
namespace flag {
inline constexpr Flags none{0};
inline constexpr Flags write{1u << 0u};
inline constexpr Flags readonly{1u << 1u};
inline constexpr Flags denyoom{1u << 2u};
inline constexpr Flags admin{1u << 3u};
inline constexpr Flags pubsub{1u << 4u};
inline constexpr Flags noscript{1u << 5u};
inline constexpr Flags blocking{1u << 6u};
inline constexpr Flags loading{1u << 7u};
inline constexpr Flags stale{1u << 8u};
inline constexpr Flags skip_monitor{1u << 9u};
inline constexpr Flags skip_slowlog{1u << 10u};
inline constexpr Flags fast{1u << 11u};
inline constexpr Flags no_auth{1u << 12u};        // allowed before AUTH
inline constexpr Flags may_replicate{1u << 13u};  // PUBLISH: an effect that is no write
inline constexpr Flags no_async_loading{1u << 14u};
inline constexpr Flags no_multi{1u << 15u};    // refused inside MULTI
inline constexpr Flags allow_busy{1u << 16u};  // runs while a slow script runs
inline constexpr Flags movablekeys{1u << 17u};
// Not shown by COMMAND:
inline constexpr Flags names_channel{1u << 18u};      // the first argument is a channel
inline constexpr Flags names_channels{1u << 19u};     // all arguments are channels
inline constexpr Flags names_patterns{1u << 20u};     // all arguments are patterns of channels
inline constexpr Flags runs_in_multi{1u << 24u};      // executed at once in MULTI, not queued
inline constexpr Flags subscribed_ok{1u << 25u};      // allowed in RESP2's subscribed mode
inline constexpr Flags admin_category{1u << 26u};     // ACL category @admin without the flag
inline constexpr Flags runs_script{1u << 27u};        // EVAL and kin
inline constexpr Flags dangerous{1u << 28u};          // ACL category @dangerous without admin
inline constexpr Flags keyspace_category{1u << 29u};  // ACL category @keyspace beside the group's
inline constexpr Flags debug_access{1u << 30u};       // only as enable-debug-command says
inline constexpr Flags runs_queue{1u << 31u};         // EXEC: runs what MULTI queued
}  // namespace flag

// Keys that no position tells: those that SORT's patterns make, and its destination.
enum class KeySearch : std::uint8_t { none, sort, sort_ro };

// Where the keys stand among the arguments (args[0] is the name). first = 0: none by position.
struct KeySpec {
  std::int16_t first = 0;
  std::int16_t last = 0;  // negative: counted from the end, -1 the last argument
  std::int16_t step = 0;
  // Index of a count, the keys follow it (EVAL: 2). Beside it a key by position: ZUNIONSTORE.
  std::int16_t numkeys_at = 0;
  std::uint16_t access = 0;  // bits of key_access, for COMMAND INFO
  // Of all keys but the first, where it differs (RENAME, SDIFFSTORE, ZUNIONSTORE).
  std::uint16_t second_access = 0;
  KeySearch search = KeySearch::none;
};
namespace key_access {
inline constexpr std::uint16_t ro = 1, rw = 2, ow = 4, rm = 8, access = 16, update = 32,
                               insert = 64, del = 128, variable_flags = 256;
}
inline constexpr KeySpec no_keys{};

enum class Group : std::uint8_t {
  string,
  hash,
  set,
  sorted_set,
  list,
  keyspace,
  pubsub,
  scripting,
  transactions,
  connection,
  server,
  lock
};

struct CommandSpec {
  std::string_view name;  // upper case; subcommands carry only their own word
  std::int8_t arity;      // counts the name (and the container's name); negative: at least
  Flags flags;
  KeySpec keys;
  Handler handler;           // null for a pure container
  std::string_view since;    // the Redis version whose behaviour this is
  std::string_view summary;  // one sentence of ours
  // NOLINTNEXTLINE(readability-redundant-member-init): rows may leave it out
  std::span<const CommandSpec> subcommands = {};
  Group group = {};  // filled in by the table from the family
};

// Checks a family at compile time: upper-case sorted unique names, summaries, arity, a handler
// or subcommands (COMMAND alone has both: without arguments it answers itself).
consteval bool well_formed(std::span<const CommandSpec> specs) {
  std::string_view previous;
  for (const CommandSpec& spec : specs) {
    if (spec.name.empty() || spec.summary.empty() || spec.arity == 0) return false;
    if (!(previous < spec.name)) return false;
    for (const char letter : spec.name) {
      if (letter >= 'a' && letter <= 'z') return false;
    }
    if (spec.flags.has(flag::write) && spec.flags.has(flag::readonly)) return false;
    if (!spec.handler.is_set() && spec.subcommands.empty()) return false;
    previous = spec.name;
  }
  return true;
}

}  // namespace commands
