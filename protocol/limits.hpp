// Every limit of the protocol, with Redis' default and the reason for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace protocol {

struct RequestLimits {
  // proto-max-bulk-len: the longest argument.
  std::size_t bulk_bytes_max = std::size_t{512} << 20u;
  // The most arguments of one request.
  std::int64_t arguments_max = 2147483647;
};

// An inline request, and each header line of a multibulk one (PROTO_INLINE_MAX_SIZE).
inline constexpr std::size_t line_bytes_max = std::size_t{64} << 10u;
// Before AUTH succeeds a stranger may not make the server buffer much.
inline constexpr std::int64_t arguments_max_unauthenticated = 10;
inline constexpr std::size_t bulk_bytes_max_unauthenticated = 16384;

}  // namespace protocol
