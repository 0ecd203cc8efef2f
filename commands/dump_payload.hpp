// What DUMP and FUNCTION DUMP give out and RESTORE takes back. The server's own format: payloads of
// other servers are recognised as foreign, and theirs do not take these.
//
// Payload: body, trailer. Trailer: "MT", kind (1 byte: 'k' a key, 'f' function libraries), version
// (1 byte: 1), CRC-32C of all before it (4 bytes, little-endian).
// Body of a key: one frame with one put of the key "" (engine/mutation.hpp), without deadline and
// token. Body of libraries: varint count, { varint length, code }.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace commands {

enum class PayloadKind : char { key = 'k', functions = 'f' };

[[nodiscard]] std::string seal_payload(std::string body, PayloadKind kind);
// The body; nothing when the payload is foreign, damaged or of another kind or version.
[[nodiscard]] std::optional<std::string_view> open_payload(std::string_view payload,
                                                           PayloadKind kind);

inline constexpr std::string_view wrong_payload = "ERR DUMP payload version or checksum are wrong";

}  // namespace commands
