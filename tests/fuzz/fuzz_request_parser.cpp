// Any bytes, in any split, give the same requests and the same complaint. The first byte chooses
// how the rest is split.
#include "base/assert.hpp"
#include "protocol/request_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Parsed {
  std::vector<std::vector<std::string>> requests;
  std::string complaint;
  friend bool operator==(const Parsed&, const Parsed&) = default;
};

Parsed parse(std::string_view bytes, std::size_t piece) {
  using Outcome = protocol::RequestParser::Outcome;
  protocol::RequestParser parser;
  parser.set_limits({.bulk_bytes_max = 4096});
  Parsed parsed;
  std::string pending;
  while (!bytes.empty()) {
    // A new string each time: the input moves.
    pending = pending + std::string(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (!pending.empty()) {
      const Outcome outcome = parser.next(pending);
      if (outcome == Outcome::incomplete) break;
      if (outcome == Outcome::broken) {
        parsed.complaint = parser.complaint();
        return parsed;
      }
      ASSERT(parser.consumed() > 0 && parser.consumed() <= pending.size());
      parsed.requests.emplace_back(parser.args().begin(), parser.args().end());
      pending.erase(0, parser.consumed());
    }
  }
  return parsed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = std::size_t{data[0]} + 1;
  ASSERT(parse(bytes, bytes.size()) == parse(bytes, piece));
  return 0;
}
