// The options of SET and GETEX.
#pragma once

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/expire_time.hpp"
#include "engine/entry.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace commands::string {

enum class SetCondition : std::uint8_t {
  always,
  if_absent,
  if_present,
  if_equal,
  if_not_equal,
  if_digest_equal,
  if_digest_not_equal,
};

struct SetOptions {
  SetCondition condition = SetCondition::always;  // NX XX IFEQ IFNE IFDEQ IFDNE
  std::string_view compared;                      // the value or digest of IF…
  bool returns_old = false;                       // GET
  bool keeps_deadline = false;                    // KEEPTTL
  std::int64_t deadline_ms = engine::no_deadline;

  [[nodiscard]] bool compares() const { return condition >= SetCondition::if_equal; }
  [[nodiscard]] bool compares_digests() const { return condition >= SetCondition::if_digest_equal; }
};

// EX PX EXAT PXAT with the amount as it was written.
struct ExpiryOption {
  TimeForm form;
  std::string_view amount;
};

struct GetexOptions {
  bool persists = false;
  std::optional<ExpiryOption> expiry;
};

// Whether the condition holds for what is at the key (null: nothing). Where a value is compared the
// entry is a string.
[[nodiscard]] bool condition_holds(const SetOptions& options, const engine::Entry* entry);
// Errors are latched in `args`: first those of syntax, then those of the expire time, as in Redis.
[[nodiscard]] SetOptions read_set_options(ArgumentReader& args, const CommandContext& c);
// Errors of syntax only: Redis looks the key up before it looks at GETEX's expire time.
[[nodiscard]] GetexOptions read_getex_options(ArgumentReader& args);
// Latches an error when it is no number, not positive or out of range. no_deadline then.
[[nodiscard]] std::int64_t read_deadline(ArgumentReader& args, const CommandContext& c,
                                         const ExpiryOption& expiry);

}  // namespace commands::string
