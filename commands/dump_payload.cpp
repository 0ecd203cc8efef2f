#include "commands/dump_payload.hpp"

#include "base/crc32c.hpp"

namespace commands {
namespace {

constexpr std::string_view magic = "MT";
constexpr char version = 1;
constexpr std::size_t crc_bytes = 4;
constexpr std::size_t trailer_bytes = magic.size() + 2 + crc_bytes;

void append_crc(std::string& out, std::uint32_t crc) {
  for (std::size_t i = 0; i < crc_bytes; ++i) out.push_back(static_cast<char>(crc >> (8 * i)));
}

std::string head_of_trailer(PayloadKind kind) {
  std::string head(magic);
  head.push_back(static_cast<char>(kind));
  head.push_back(version);
  return head;
}

}  // namespace

std::string seal_payload(std::string body, PayloadKind kind) {
  body += head_of_trailer(kind);
  append_crc(body, base::crc32c(body));
  return body;
}

std::optional<std::string_view> open_payload(std::string_view payload, PayloadKind kind) {
  if (payload.size() < trailer_bytes) return std::nullopt;
  const std::string_view checked = payload.substr(0, payload.size() - crc_bytes);
  if (!checked.ends_with(head_of_trailer(kind))) return std::nullopt;
  std::string crc;
  append_crc(crc, base::crc32c(checked));
  if (!payload.ends_with(crc)) return std::nullopt;
  return payload.substr(0, payload.size() - trailer_bytes);
}

}  // namespace commands
