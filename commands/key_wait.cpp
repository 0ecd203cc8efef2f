#include "commands/key_wait.hpp"

#include "commands/error_replies.hpp"
#include "commands/long_double_text.hpp"
#include "commands/timeouts.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace commands {

void wait_for_keys(CommandContext& c, const AwaitedKeys& awaited, std::unique_ptr<KeyWait> call) {
  c.keyspace.waiters().add(*call, c.client.database, awaited.type, awaited.keys);
  c.client.blocked = std::move(call);
  c.client.blocked_until_us.reset();
  if (awaited.timeout_ms > 0) {
    c.client.blocked_until_us = instant_after(c.clock, awaited.timeout_ms);
  }
}

std::int64_t read_wait_ms(ArgumentReader& args) {
  const std::string_view text = args.next();
  if (args.failed()) return 0;
  const auto seconds = parse_long_double(text);
  if (!seconds) {
    args.fail("ERR timeout is not a float or out of range");
    return 0;
  }
  const long double ms = std::ceil(*seconds * 1000);
  // What is too large for Redis' integers becomes negative there.
  constexpr auto most = static_cast<long double>(std::numeric_limits<std::int64_t>::max());
  if (ms < 0 || ms > most) args.fail(error_text::timeout_negative);
  return args.failed() ? 0 : static_cast<std::int64_t>(ms);
}

}  // namespace commands
