// Feeds bytes to a parser the way a connection does, in pieces, and lists what came out.
#pragma once

#include "protocol/request_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

struct Parsed {
  std::vector<std::vector<std::string>> requests;
  std::string complaint;
  friend bool operator==(const Parsed&, const Parsed&) = default;
};

// Feeds `bytes` to `parser`, `piece` bytes at a time. Each piece moves the input to another
// address.
inline Parsed parse(RequestParser& parser, std::string_view bytes, std::size_t piece) {
  Parsed parsed;
  std::string pending;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    pending = pending + std::string(bytes.substr(at, piece));
    while (!pending.empty()) {
      const auto outcome = parser.next(pending);
      if (outcome == RequestParser::Outcome::incomplete) break;
      if (outcome == RequestParser::Outcome::broken) {
        parsed.complaint = parser.complaint();
        return parsed;
      }
      parsed.requests.emplace_back(parser.args().begin(), parser.args().end());
      pending.erase(0, parser.consumed());
    }
  }
  return parsed;
}

inline Parsed parse(std::string_view bytes, std::size_t piece = std::string_view::npos) {
  RequestParser parser;
  return parse(parser, bytes, std::min(piece, std::max<std::size_t>(bytes.size(), 1)));
}

}  // namespace protocol
