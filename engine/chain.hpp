// The nodes of one bucket, singly linked through themselves: a view of the bucket's head. Traits as
// for HashTable.
#pragma once

#include <cstdint>
#include <utility>

namespace engine {

template <typename Traits>
class Chain {
 public:
  using Node = typename Traits::Node;

  explicit Chain(void*& head) : head_(head) {}

  [[nodiscard]] Node* first() const { return static_cast<Node*>(head_); }
  // Null when the chain is shorter.
  [[nodiscard]] Node* nth(std::uint64_t skip) const {
    Node* node = first();
    for (; node != nullptr && skip > 0; --skip) node = Traits::next(*node);
    return node;
  }
  template <typename Equal>
  [[nodiscard]] Node* find(Equal& equal) const {
    Node* node = first();
    while (node != nullptr && !equal(*node)) node = Traits::next(*node);
    return node;
  }
  // `visit` may push the node elsewhere.
  template <typename Visit>
  void visit(Visit&& visit) const {
    for (Node* node = first(); node != nullptr;) {
      Node* next = Traits::next(*node);
      visit(*node);
      node = next;
    }
  }

  void push(Node& node) {
    Traits::set_next(node, first());
    head_ = &node;
  }
  // `node` is in the chain; what pointed to it points to `successor` then.
  void put_in_place_of(const Node& node, Node* successor) {
    if (first() == &node) {
      head_ = successor;
      return;
    }
    Node* before = first();
    while (Traits::next(*before) != &node) before = Traits::next(*before);
    Traits::set_next(*before, successor);
  }
  // Empties the bucket; the nodes stay linked. Returns the head for a chain of its own.
  [[nodiscard]] void* release() { return std::exchange(head_, nullptr); }

 private:
  void*& head_;
};

}  // namespace engine
