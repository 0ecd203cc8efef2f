#include "commands/string_options.hpp"

#include "base/integers.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/value_digest.hpp"

namespace commands::string {
namespace {

std::optional<TimeForm> take_time_word(ArgumentReader& args) {
  if (args.take_word("PX")) return in_milliseconds;
  if (args.take_word("EX")) return in_seconds;
  if (args.take_word("PXAT")) return at_milliseconds;
  if (args.take_word("EXAT")) return at_seconds;
  return std::nullopt;
}

// Takes EX, PX, EXAT or PXAT with its amount. Redis lets the same one come twice, the last counts.
bool take_expiry(ArgumentReader& args, std::optional<ExpiryOption>& expiry, bool excluded) {
  const std::optional<TimeForm> form = take_time_word(args);
  if (!form) return false;
  if (excluded || (expiry && expiry->form != *form)) args.fail(error_text::syntax);
  expiry = ExpiryOption{*form, args.next()};
  return true;
}

// Takes NX, XX, IFEQ, IFNE, IFDEQ or IFDNE. The same one may come twice, the last counts.
bool take_condition(ArgumentReader& args, SetOptions& options) {
  SetCondition condition = SetCondition::always;
  if (args.take_word("NX")) {
    condition = SetCondition::if_absent;
  } else if (args.take_word("XX")) {
    condition = SetCondition::if_present;
  } else if (args.take_word("IFEQ")) {
    condition = SetCondition::if_equal;
  } else if (args.take_word("IFNE")) {
    condition = SetCondition::if_not_equal;
  } else if (args.take_word("IFDEQ")) {
    condition = SetCondition::if_digest_equal;
  } else if (args.take_word("IFDNE")) {
    condition = SetCondition::if_digest_not_equal;
  } else {
    return false;
  }
  const bool repeated = options.condition == condition;
  if (options.condition != SetCondition::always && !repeated) args.fail(error_text::syntax);
  options.condition = condition;
  if (options.compares()) options.compared = args.next();
  return true;
}

}  // namespace

bool condition_holds(const SetOptions& options, const engine::Entry* entry) {
  switch (options.condition) {
    case SetCondition::always:
      return true;
    case SetCondition::if_absent:
      return entry == nullptr;
    case SetCondition::if_present:
      return entry != nullptr;
    case SetCondition::if_equal:
      return entry != nullptr && entry->string() == options.compared;
    case SetCondition::if_not_equal:
      return entry == nullptr || entry->string() != options.compared;
    case SetCondition::if_digest_equal:
      return entry != nullptr && has_digest(entry->string(), options.compared);
    case SetCondition::if_digest_not_equal:
      return entry == nullptr || !has_digest(entry->string(), options.compared);
  }
  return false;
}

std::int64_t read_deadline(ArgumentReader& args, const CommandContext& c,
                           const ExpiryOption& expiry) {
  const std::optional<std::int64_t> number = base::parse_int64(expiry.amount);
  if (!number) {
    args.fail(error_text::not_an_integer);
    return engine::no_deadline;
  }
  // Redis 7.0: SET … PX -1 is refused, PEXPIRE key -1 deletes.
  const auto deadline_ms = *number > 0 ? deadline_of(c, *number, expiry.form) : std::nullopt;
  if (!deadline_ms) args.fail(invalid_expire(full_name(c.spec)));
  return deadline_ms.value_or(engine::no_deadline);
}

SetOptions read_set_options(ArgumentReader& args, const CommandContext& c) {
  SetOptions options;
  std::optional<ExpiryOption> expiry;
  while (args.has_more()) {
    if (take_condition(args, options) || take_expiry(args, expiry, options.keeps_deadline)) {
      continue;
    }
    if (args.take_word("GET")) {
      options.returns_old = true;
    } else if (!expiry && args.take_word("KEEPTTL")) {
      options.keeps_deadline = true;
    } else {
      args.fail(error_text::syntax);
    }
  }
  if (expiry && !args.failed()) {
    options.deadline_ms = read_deadline(args, c, *expiry);
  }
  if (options.compares_digests() && !is_digest(options.compared)) args.fail(not_a_digest);
  return options;
}

GetexOptions read_getex_options(ArgumentReader& args) {
  GetexOptions options;
  while (args.has_more()) {
    if (take_expiry(args, options.expiry, options.persists)) continue;
    if (!options.expiry && args.take_word("PERSIST")) {
      options.persists = true;
    } else {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

}  // namespace commands::string
