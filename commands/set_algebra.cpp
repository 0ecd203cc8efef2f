#include "commands/set_algebra.hpp"

#include "base/function_ref.hpp"
#include "base/integers.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace commands::set {
namespace {

using engine::Encoding;
using engine::SetValue;
using Members = std::unordered_set<std::string>;

bool is_integer(std::string_view member) {
  return base::parse_int64(member).has_value();
}

// The encoding of a set to which these are added one by one.
Encoding encoding_of(const auto& members, std::size_t integers_max) {
  const bool fits = members.size() <= integers_max && std::ranges::all_of(members, is_integer);
  return fits ? Encoding::intset : Encoding::hashtable;
}

SetResult result_of(std::vector<std::string> members, std::size_t integers_max) {
  const Encoding encoding = encoding_of(members, integers_max);
  if (encoding == Encoding::intset) {
    std::ranges::sort(members, {},
                      [](const std::string& member) { return *base::parse_int64(member); });
  }
  return {std::move(members), encoding};
}

Members members_of(const SetValue& set) {
  Members members;
  set.for_each([&](std::string_view member) { members.emplace(member); });
  return members;
}

std::size_t size_of(const SetValue* set) {
  return set == nullptr ? 0 : set->size();
}

// Visits what all sets share, in the order of the smallest, until `visit` returns false.
void visit_shared(Sets& sets, base::FunctionRef<bool(std::string_view)> visit) {
  std::ranges::stable_sort(sets, {}, size_of);
  if (sets.front() == nullptr) return;
  bool goes_on = true;
  sets.front()->for_each([&](std::string_view member) {
    if (!goes_on) return;
    const bool is_shared = std::all_of(sets.begin() + 1, sets.end(), [&](const SetValue* set) {
      return set == sets.front() || set->contains(member);
    });
    if (is_shared) goes_on = visit(member);
  });
}

// Takes each member of the first and looks for it in the others.
SetResult difference_by_lookup(const Sets& sets, std::size_t integers_max) {
  std::vector<std::string> members;
  sets.front()->for_each([&](std::string_view member) {
    const bool is_elsewhere = std::any_of(sets.begin() + 1, sets.end(), [&](const SetValue* set) {
      return set != nullptr && set->contains(member);
    });
    if (!is_elsewhere) members.emplace_back(member);
  });
  return result_of(std::move(members), integers_max);
}

// Takes all members of the first and removes those of the others. Redis keeps the encoding that
// the first set's members asked for.
SetResult difference_by_removal(const Sets& sets, std::size_t integers_max) {
  Members members = members_of(*sets.front());
  const Encoding encoding = encoding_of(members, integers_max);
  for (std::size_t at = 1; at < sets.size() && !members.empty(); ++at) {
    if (sets[at] == nullptr) continue;
    sets[at]->for_each([&](std::string_view member) { members.erase(std::string(member)); });
  }
  SetResult result = result_of({members.begin(), members.end()}, integers_max);
  result.encoding = encoding;
  return result;
}

}  // namespace

SetResult intersection_of(Sets sets, std::size_t integers_max) {
  std::vector<std::string> members;
  visit_shared(sets, [&](std::string_view member) {
    members.emplace_back(member);
    return true;
  });
  return result_of(std::move(members), integers_max);
}

SetResult union_of(const Sets& sets, std::size_t integers_max) {
  Members members;
  for (const SetValue* set : sets) {
    if (set == nullptr) continue;
    set->for_each([&](std::string_view member) { members.emplace(member); });
  }
  return result_of({members.begin(), members.end()}, integers_max);
}

SetResult difference_of(const Sets& sets, std::size_t integers_max) {
  if (sets.front() == nullptr) return {};
  // Redis 7.0's choice: it decides the encoding, too.
  std::size_t lookups = 0;
  std::size_t removals = 0;
  for (const SetValue* set : sets) {
    if (set == nullptr) continue;
    lookups += sets.front()->size();
    removals += set->size();
  }
  return lookups / 2 <= removals ? difference_by_lookup(sets, integers_max)
                                 : difference_by_removal(sets, integers_max);
}

std::size_t count_shared(Sets sets, std::size_t limit) {
  std::size_t count = 0;
  visit_shared(sets, [&](std::string_view) { return ++count < limit; });
  return count;
}

std::vector<std::string_view> views_of(std::span<const std::string> members) {
  return {members.begin(), members.end()};
}

}  // namespace commands::set
