#include "engine/ranked_tree.hpp"

#include "base/assert.hpp"

#include <optional>

namespace engine {
namespace {

// The finishing steps of MurmurHash3 (Appleby): neighbouring addresses get unrelated priorities.
std::uint64_t priority(const ScoredNode& node) {
  std::uint64_t bits = reinterpret_cast<std::uintptr_t>(&node);
  bits = (bits ^ (bits >> 33U)) * 0xFF51AFD7ED558CCDU;
  bits = (bits ^ (bits >> 33U)) * 0xC4CEB9FE1A85EC53U;
  return bits ^ (bits >> 33U);
}

// Visits members of `node`'s subtree after the first `skip`, until `wanted` is used up.
void walk(const ScoredNode* node, std::size_t skip, std::size_t& wanted, Order order,
          RankedTree::Visit visit) {
  while (node != nullptr && wanted > 0) {
    const bool ascending = order == Order::ascending;
    const ScoredNode* near = ascending ? node->left : node->right;
    const std::size_t near_nodes = near == nullptr ? 0 : near->nodes;
    if (skip < near_nodes) walk(near, skip, wanted, order, visit);
    if (wanted == 0) return;
    if (skip <= near_nodes) {
      visit(node->view());
      --wanted;
    }
    skip = skip > near_nodes ? skip - near_nodes - 1 : 0;
    node = ascending ? node->right : node->left;
  }
}

}  // namespace

void RankedTree::recount(ScoredNode& node) {
  node.nodes = static_cast<std::uint32_t>(nodes_below(node.left) + nodes_below(node.right) + 1);
}

// What comes before `point` goes to `left`, the rest to `right`.
void RankedTree::split(ScoredNode* tree, const ScoredMember& point, ScoredNode*& left,
                       ScoredNode*& right) {
  if (tree == nullptr) {
    left = nullptr;
    right = nullptr;
    return;
  }
  if (comes_before(tree->view(), point)) {
    left = tree;
    split(tree->right, point, tree->right, right);
  } else {
    right = tree;
    split(tree->left, point, left, tree->left);
  }
  recount(*tree);
}

// All of `left` comes before all of `right`.
ScoredNode* RankedTree::merge(ScoredNode* left, ScoredNode* right) {
  if (left == nullptr) return right;
  if (right == nullptr) return left;
  ScoredNode* top = left;
  if (priority(*left) >= priority(*right)) {
    left->right = merge(left->right, right);
  } else {
    top = right;
    right->left = merge(left, right->left);
  }
  recount(*top);
  return top;
}

void RankedTree::insert(ScoredNode& node) {
  const ScoredMember item = node.view();
  const std::uint64_t height = priority(node);
  ScoredNode** link = &root_;
  while (*link != nullptr && priority(**link) >= height) {
    ++(*link)->nodes;
    link = comes_before(item, (*link)->view()) ? &(*link)->left : &(*link)->right;
  }
  split(*link, item, node.left, node.right);
  recount(node);
  *link = &node;
}

void RankedTree::erase(ScoredNode& node) {
  const ScoredMember item = node.view();
  ScoredNode** link = &root_;
  while (*link != &node) {
    --(*link)->nodes;
    link = comes_before(item, (*link)->view()) ? &(*link)->left : &(*link)->right;
  }
  *link = merge(node.left, node.right);
}

std::size_t RankedTree::rank_of(const ScoredNode& node) const {
  const ScoredMember item = node.view();
  return count_before([&](const ScoredMember& other) { return comes_before(other, item); });
}

ScoredMember RankedTree::at(std::size_t rank) const {
  const ScoredNode* node = root_;
  while (true) {
    const std::size_t before = nodes_below(node->left);
    if (rank == before) return node->view();
    if (rank < before) {
      node = node->left;
    } else {
      rank -= before + 1;
      node = node->right;
    }
  }
}

std::size_t RankedTree::count_before(IsBefore is_before) const {
  std::size_t count = 0;
  const ScoredNode* node = root_;
  while (node != nullptr) {
    if (is_before(node->view())) {
      count += nodes_below(node->left) + 1;
      node = node->right;
    } else {
      node = node->left;
    }
  }
  return count;
}

void RankedTree::visit(std::size_t skip, std::size_t count, Order order, Visit visit) const {
  walk(root_, skip, count, order, visit);
}

std::size_t RankedTree::validate(const ScoredNode* node) {
  if (node == nullptr) return 0;
  for (const ScoredNode* child : {node->left, node->right}) {
    ASSERT(child == nullptr || priority(*child) <= priority(*node));
  }
  const std::size_t nodes = validate(node->left) + validate(node->right) + 1;
  ASSERT(nodes == node->nodes);
  return nodes;
}

void RankedTree::validate() const {
  validate(root_);
  std::optional<ScoredMember> previous;
  visit(0, size(), Order::ascending, [&](const ScoredMember& item) {
    ASSERT(!previous || comes_before(*previous, item));
    previous = item;
  });
}

}  // namespace engine
