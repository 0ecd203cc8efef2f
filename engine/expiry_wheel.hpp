// Keys that carry a deadline, ordered coarsely by it. Built for locks: most entries are unlinked
// before they fire, so link and unlink are O(1) and nothing is sorted until its slot comes due.
//
// Five levels of 256 slots; a slot of level 0 is one millisecond, a slot of level n spans 256^n. A
// node lies at the level of the highest 8-bit digit in which its deadline differs from the wheel's
// time, in the slot that digit names: so all of level n is due before all of level n + 1. Deadlines
// that differ above level 4 (35 years) wait in an overflow list. When time enters a slot of a
// higher level, its list is spliced whole to `cascading_` and dealt out by cascade(); what came due
// is spliced to `due_`: advance() itself is O(slots).
//
// So that the first keys of a crowded slot are not late by the time that dealing takes, the next
// slot of level 1 is dealt out ahead, while there is time: to a second row of milliseconds
// (`ahead`), which becomes level 0 when time enters that slot.
//
// Invariant: every linked node lies where its deadline maps to, or in cascading_, or, when it
// belongs to the next slot of level 1, in its millisecond of the row ahead (see validate()). Nodes
// are intrusive and owned by the key table, which unlinks them before destruction.
#pragma once

#include "engine/tagged_link.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace engine {

struct ExpiryNode {
  TaggedLink<ExpiryNode> previous;  // null: not linked
  TaggedLink<ExpiryNode> next;
  std::int64_t deadline_ms = 0;  // of a slot: lower bound of the deadlines in its list

  [[nodiscard]] bool is_linked() const { return previous.get() != nullptr; }
};

class ExpiryWheel {
 public:
  explicit ExpiryWheel(std::int64_t now_ms);
  ~ExpiryWheel() = default;
  ExpiryWheel(const ExpiryWheel&) = delete;
  ExpiryWheel& operator=(const ExpiryWheel&) = delete;

  // `node` must not be linked. A deadline in the past is due at once.
  void link(ExpiryNode& node, std::int64_t deadline_ms);
  // `node` must be linked in this wheel.
  void unlink(ExpiryNode& node);
  // `moved` has the bytes of a linked node that is about to be freed; its neighbours are told.
  static void replace(ExpiryNode& moved);

  // Moves the wheel's time. A clock that went backwards moves nothing.
  void advance(std::int64_t now_ms);
  // The next node that is due, still linked: the caller unlinks it. Null: none, or the clock stands
  // behind the wheel's time. Only nodes dealt out so far: cascade() may bring more.
  [[nodiscard]] ExpiryNode* first_due(std::int64_t now_ms) const;
  // Deals out up to `nodes_max` nodes of slots that time has entered. True: there are more.
  bool cascade(std::size_t nodes_max);
  // Deals out ahead up to `nodes_max` nodes of the slot that time enters next. True: there are
  // more.
  bool deal_ahead(std::size_t nodes_max);
  // Lower bound of the next deadline: exact but for slots whose earliest node was unlinked (walked
  // and corrected here while short). nullopt: nothing is linked.
  [[nodiscard]] std::optional<std::int64_t> next_deadline_ms();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int64_t time_ms() const { return static_cast<std::int64_t>(time_); }
  // Asserts the invariants; walks everything.
  void validate() const;

 private:
  static constexpr unsigned levels = 5;
  static constexpr unsigned slot_bits = 8;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  static constexpr std::size_t words = slots / 64;
  static constexpr unsigned ahead = levels;  // index of the row ahead

  struct Level {
    std::array<ExpiryNode, slots> heads;
    std::array<std::uint64_t, words> occupied{};
  };

  [[nodiscard]] const ExpiryNode& list_for(std::uint64_t deadline) const;
  [[nodiscard]] bool is_slot(const ExpiryNode& head) const;
  [[nodiscard]] static std::optional<unsigned> first_occupied(const Level& level);
  void place(ExpiryNode& node);
  void mark(const ExpiryNode& head, bool occupied);
  void take_slot(unsigned level, unsigned slot, ExpiryNode& into);
  void take_slots_before(unsigned level, unsigned slot_end);
  [[nodiscard]] bool is_last_of_level_1() const;
  [[nodiscard]] bool is_ahead(std::uint64_t deadline) const;
  void enter_row_ahead();
  void give_up_row_ahead();
  [[nodiscard]] std::size_t validated(const ExpiryNode& head) const;
  [[nodiscard]] static std::int64_t corrected_bound(ExpiryNode& head);

  std::array<Level, levels + 1> levels_;  // the last is the row ahead
  ExpiryNode due_;
  ExpiryNode cascading_;
  ExpiryNode overflow_;
  std::uint64_t time_;
  std::size_t size_ = 0;
};

}  // namespace engine
