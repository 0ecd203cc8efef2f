// The members of a large sorted set in order of (score, bytes of the member), each found by its
// rank: a treap whose subtrees know their sizes. Intrusive; owns no nodes, and they must not move
// while they are in it: a node's priority is a mix of its address and takes no room.
#pragma once

#include "base/function_ref.hpp"
#include "engine/mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engine {

enum class Order : std::uint8_t { ascending, descending };

// Followed by the bytes of the member.
struct ScoredNode {
  ScoredNode* next;  // in its chain of the table by member
  ScoredNode* left;
  ScoredNode* right;
  double score;
  std::uint32_t nodes;  // of the subtree below and with it
  std::uint32_t member_bytes;

  [[nodiscard]] std::string_view member() const {
    return {reinterpret_cast<const char*>(this + 1), member_bytes};
  }
  [[nodiscard]] ScoredMember view() const { return {member(), score}; }
};

// The order of sorted sets. 0 and -0 are one score.
[[nodiscard]] inline bool comes_before(const ScoredMember& a, const ScoredMember& b) {
  return a.score < b.score || (a.score == b.score && a.member < b.member);
}

class RankedTree {
 public:
  using Visit = base::FunctionRef<void(const ScoredMember&)>;
  using IsBefore = base::FunctionRef<bool(const ScoredMember&)>;

  [[nodiscard]] std::size_t size() const { return nodes_below(root_); }
  // No node of this member is in the tree.
  void insert(ScoredNode& node);
  // `node` is in the tree.
  void erase(ScoredNode& node);
  [[nodiscard]] std::size_t rank_of(const ScoredNode& node) const;
  // `rank` < size().
  [[nodiscard]] ScoredMember at(std::size_t rank) const;
  // How many members, from the lowest on, come before a point; `is_before` is true for exactly
  // those.
  [[nodiscard]] std::size_t count_before(IsBefore is_before) const;
  // `count` members at most, after the first `skip` in that order.
  void visit(std::size_t skip, std::size_t count, Order order, Visit visit) const;
  void validate() const;

 private:
  [[nodiscard]] static std::size_t nodes_below(const ScoredNode* node) {
    return node == nullptr ? 0 : node->nodes;
  }
  static void recount(ScoredNode& node);
  static void split(ScoredNode* tree, const ScoredMember& point, ScoredNode*& left,
                    ScoredNode*& right);
  [[nodiscard]] static ScoredNode* merge(ScoredNode* left, ScoredNode* right);
  static std::size_t validate(const ScoredNode* node);

  ScoredNode* root_ = nullptr;
};

}  // namespace engine
