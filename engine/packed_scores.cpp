#include "engine/packed_scores.hpp"

#include "base/assert.hpp"
#include "engine/ranked_tree.hpp"
#include "engine/varint.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace engine::packed_scores {
namespace {

// Offsets of an item: its start, its end.
struct Place {
  std::size_t start;
  std::size_t end;
};

std::optional<Place> locate(std::string_view packed, std::string_view member) {
  for (std::string_view rest = packed; !rest.empty();) {
    const std::size_t start = packed.size() - rest.size();
    if (take(rest).member == member) return Place{start, packed.size() - rest.size()};
  }
  return std::nullopt;
}

std::string text_of(const ScoredMember& item) {
  const double score = item.score + 0.0;
  std::string text(sizeof score, '\0');
  std::memcpy(text.data(), &score, sizeof score);
  varint::write(text, item.member.size());
  text.append(item.member);
  return text;
}

}  // namespace

ScoredMember take(std::string_view& rest) {
  ScoredMember item;
  std::memcpy(&item.score, rest.data(), sizeof item.score);
  rest.remove_prefix(sizeof item.score);
  std::uint64_t length = 0;
  const bool is_whole = varint::read(rest, length) && length <= rest.size();
  ASSERT(is_whole);
  item.member = rest.substr(0, length);
  rest.remove_prefix(length);
  return item;
}

std::optional<double> find(std::string_view packed, std::string_view member) {
  while (!packed.empty()) {
    const ScoredMember item = take(packed);
    if (item.member == member) return item.score;
  }
  return std::nullopt;
}

bool set(std::string& packed, const ScoredMember& item) {
  const std::string text = text_of(item);
  std::string_view added = text;
  const ScoredMember kept = take(added);
  const auto old = locate(packed, kept.member);
  if (old) packed.erase(old->start, old->end - old->start);
  std::size_t at = packed.size();
  for (std::string_view rest = packed; !rest.empty();) {
    const std::size_t start = packed.size() - rest.size();
    if (!comes_before(kept, take(rest))) continue;
    at = start;
    break;
  }
  packed.insert(at, text);
  return !old;
}

std::size_t remove(std::string& packed, std::span<const std::string_view> members) {
  std::string left;
  left.reserve(packed.size());
  std::size_t removed = 0;
  for (std::string_view rest = packed; !rest.empty();) {
    const std::size_t start = packed.size() - rest.size();
    const ScoredMember item = take(rest);
    if (std::ranges::find(members, item.member) != members.end()) {
      ++removed;
    } else {
      left.append(packed, start, packed.size() - rest.size() - start);
    }
  }
  if (removed > 0) packed = std::move(left);
  return removed;
}

}  // namespace engine::packed_scores
