#include "engine/expiry_wheel.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace engine {
namespace {

constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

// Lists are circular, closed by their head, so that a node can be taken out without knowing its
// list.
void make_empty(ExpiryNode& head) {
  head.previous.set(&head);
  head.next.set(&head);
  head.deadline_ms = no_bound;
}

bool is_empty(const ExpiryNode& head) {
  return head.next.get() == &head;
}

void append(ExpiryNode& head, ExpiryNode& node) {
  ExpiryNode* last = head.previous.get();
  node.previous.set(last);
  node.next.set(&head);
  last->next.set(&node);
  head.previous.set(&node);
  head.deadline_ms = std::min(head.deadline_ms, node.deadline_ms);
}

void take_out(ExpiryNode& node) {
  node.previous.get()->next.set(node.next.get());
  node.next.get()->previous.set(node.previous.get());
  node.previous.set(nullptr);
  node.next.set(nullptr);
}

// Moves the whole list of `from` behind the end of `to`.
void splice(ExpiryNode& to, ExpiryNode& from) {
  if (is_empty(from)) return;
  ExpiryNode* first = from.next.get();
  ExpiryNode* last = from.previous.get();
  ExpiryNode* end = to.previous.get();
  end->next.set(first);
  first->previous.set(end);
  last->next.set(&to);
  to.previous.set(last);
  to.deadline_ms = std::min(to.deadline_ms, from.deadline_ms);
  make_empty(from);
}

// Bit order of the wheel's time and deadlines: negative deadlines are long past, so they are zero.
std::uint64_t ticks(std::int64_t ms) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(ms, 0));
}

}  // namespace

ExpiryWheel::ExpiryWheel(std::int64_t now_ms) : time_(ticks(now_ms)) {
  for (Level& level : levels_) {
    for (ExpiryNode& head : level.heads) make_empty(head);
  }
  make_empty(due_);
  make_empty(cascading_);
  make_empty(overflow_);
}

void ExpiryWheel::link(ExpiryNode& node, std::int64_t deadline_ms) {
  ASSERT(!node.is_linked());
  node.deadline_ms = deadline_ms;
  place(node);
  ++size_;
}

void ExpiryWheel::unlink(ExpiryNode& node) {
  ASSERT(node.is_linked());
  const ExpiryNode* before = node.previous.get();
  const bool was_alone = before == node.next.get();
  take_out(node);
  --size_;
  if (was_alone) {
    auto* head = const_cast<ExpiryNode*>(before);
    head->deadline_ms = no_bound;
    if (is_slot(*head)) mark(*head, false);
  }
}

void ExpiryWheel::replace(ExpiryNode& moved) {
  moved.previous.get()->next.set(&moved);
  moved.next.get()->previous.set(&moved);
}

void ExpiryWheel::place(ExpiryNode& node) {
  auto& head = const_cast<ExpiryNode&>(list_for(ticks(node.deadline_ms)));
  append(head, node);
  if (is_slot(head)) mark(head, true);
}

const ExpiryNode& ExpiryWheel::list_for(std::uint64_t deadline) const {
  if (deadline <= time_) return due_;
  const auto highest_bit = static_cast<unsigned>(std::bit_width(deadline ^ time_)) - 1;
  const unsigned level = highest_bit / slot_bits;
  if (level >= levels) return overflow_;
  return levels_[level].heads[(deadline >> (level * slot_bits)) & (slots - 1)];
}

bool ExpiryWheel::is_slot(const ExpiryNode& head) const {
  const auto address = reinterpret_cast<std::uintptr_t>(&head);
  const auto start = reinterpret_cast<std::uintptr_t>(levels_.data());
  return address >= start && address < start + sizeof levels_;
}

void ExpiryWheel::mark(const ExpiryNode& head, bool occupied) {
  const std::size_t offset =
      reinterpret_cast<std::uintptr_t>(&head) - reinterpret_cast<std::uintptr_t>(levels_.data());
  Level& level = levels_[offset / sizeof(Level)];
  const auto slot = static_cast<std::size_t>(&head - level.heads.data());
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  std::uint64_t& word = level.occupied[slot / 64];
  word = occupied ? word | bit : word & ~bit;
}

std::optional<unsigned> ExpiryWheel::first_occupied(const Level& level) {
  for (std::size_t at = 0; at < words; ++at) {
    if (level.occupied[at] != 0) {
      return static_cast<unsigned>(at * 64) +
             static_cast<unsigned>(std::countr_zero(level.occupied[at]));
    }
  }
  return std::nullopt;
}

void ExpiryWheel::take_slot(unsigned level, unsigned slot, ExpiryNode& into) {
  ExpiryNode& head = levels_[level].heads[slot];
  splice(into, head);
  mark(head, false);
}

// Slots before the current one are empty (their time is over), so the first occupied ones are next.
void ExpiryWheel::take_slots_before(unsigned level, unsigned slot_end) {
  for (auto slot = first_occupied(levels_[level]); slot && *slot < slot_end;
       slot = first_occupied(levels_[level])) {
    take_slot(level, *slot, due_);
  }
}

void ExpiryWheel::advance(std::int64_t now_ms) {
  const std::uint64_t now = ticks(now_ms);
  if (now <= time_) return;
  const auto highest_bit = static_cast<unsigned>(std::bit_width(now ^ time_)) - 1;
  const unsigned entered = highest_bit / slot_bits;
  const bool enters_next = entered == 1 && now >> slot_bits == (time_ >> slot_bits) + 1;
  time_ = now;
  if (entered != 0 && !enters_next) give_up_row_ahead();
  for (unsigned level = 0; level < std::min(entered, levels); ++level) {
    take_slots_before(level, slots);
  }
  if (entered >= levels) {
    splice(cascading_, overflow_);
    return;
  }
  const auto slot = static_cast<unsigned>((now >> (entered * slot_bits)) & (slots - 1));
  take_slots_before(entered, slot);
  take_slot(entered, slot, entered == 0 ? due_ : cascading_);
  if (enters_next) enter_row_ahead();
}

// Level 0 is empty: its time is over.
void ExpiryWheel::enter_row_ahead() {
  const auto current = static_cast<unsigned>(time_ & (slots - 1));
  for (auto slot = first_occupied(levels_[ahead]); slot; slot = first_occupied(levels_[ahead])) {
    ExpiryNode& head = levels_[0].heads[*slot];
    take_slot(ahead, *slot, *slot <= current ? due_ : head);
    if (*slot > current) mark(head, true);
  }
}

// Time jumped past the row or over the slot that it belongs to: dealt out anew.
void ExpiryWheel::give_up_row_ahead() {
  for (auto slot = first_occupied(levels_[ahead]); slot; slot = first_occupied(levels_[ahead])) {
    take_slot(ahead, *slot, cascading_);
  }
}

bool ExpiryWheel::is_last_of_level_1() const {
  return ((time_ >> slot_bits) & (slots - 1)) == slots - 1;
}

bool ExpiryWheel::is_ahead(std::uint64_t deadline) const {
  return !is_last_of_level_1() && deadline >> slot_bits == (time_ >> slot_bits) + 1;
}

bool ExpiryWheel::deal_ahead(std::size_t nodes_max) {
  // The next slot of the last one lies on a higher level: it is dealt out when its time comes.
  if (is_last_of_level_1()) return false;
  const auto slot = static_cast<unsigned>(((time_ >> slot_bits) + 1) & (slots - 1));
  ExpiryNode& from = levels_[1].heads[slot];
  for (; nodes_max > 0 && !is_empty(from); --nodes_max) {
    ExpiryNode& node = *from.next.get();
    __builtin_prefetch(node.next.get());
    take_out(node);
    ExpiryNode& head = levels_[ahead].heads[ticks(node.deadline_ms) & (slots - 1)];
    append(head, node);
    mark(head, true);
  }
  if (!is_empty(from)) return true;
  from.deadline_ms = no_bound;
  mark(from, false);
  return false;
}

ExpiryNode* ExpiryWheel::first_due(std::int64_t now_ms) const {
  if (is_empty(due_) || ticks(now_ms) < time_) return nullptr;
  return due_.next.get();
}

bool ExpiryWheel::cascade(std::size_t nodes_max) {
  for (; nodes_max > 0 && !is_empty(cascading_); --nodes_max) {
    ExpiryNode& node = *cascading_.next.get();
    // The next node is fetched while this one moves: a long list is cold memory.
    __builtin_prefetch(node.next.get());
    take_out(node);
    place(node);
  }
  if (!is_empty(cascading_)) return true;
  cascading_.deadline_ms = no_bound;
  return false;
}

std::int64_t ExpiryWheel::corrected_bound(ExpiryNode& head) {
  // The earliest node may have been unlinked since. Short lists are walked, so that no timer fires
  // for a key that is gone; a long list keeps its bound (firing early finds nothing and comes here
  // again).
  constexpr int walk_max = 64;
  std::int64_t bound = no_bound;
  const ExpiryNode* node = head.next.get();
  for (int step = 0; step < walk_max; ++step) {
    bound = std::min(bound, node->deadline_ms);
    node = node->next.get();
    if (node == &head) {
      head.deadline_ms = bound;
      break;
    }
  }
  return head.deadline_ms;
}

std::optional<std::int64_t> ExpiryWheel::next_deadline_ms() {
  if (size_ == 0) return std::nullopt;
  if (!is_empty(due_) || !is_empty(cascading_)) return static_cast<std::int64_t>(time_);
  const std::uint64_t next_row = ((time_ >> slot_bits) + 1) << slot_bits;
  const auto slot_ahead = first_occupied(levels_[ahead]);
  const std::int64_t bound_ahead =
      slot_ahead ? static_cast<std::int64_t>(next_row | *slot_ahead) : no_bound;
  for (unsigned level = 0; level < levels; ++level) {
    const auto slot = first_occupied(levels_[level]);
    if (!slot) continue;
    const unsigned shift = level * slot_bits;
    const std::uint64_t window = time_ >> (shift + slot_bits) << (shift + slot_bits);
    const auto start = static_cast<std::int64_t>(window | (std::uint64_t{*slot} << shift));
    return std::min(bound_ahead, std::max(start, corrected_bound(levels_[level].heads[*slot])));
  }
  if (slot_ahead) return bound_ahead;
  constexpr unsigned span_bits = levels * slot_bits;
  const auto overflow_start = static_cast<std::int64_t>(((time_ >> span_bits) + 1) << span_bits);
  return std::max(overflow_start, corrected_bound(overflow_));
}

// Asserts the links and places of one list. Returns its length.
std::size_t ExpiryWheel::validated(const ExpiryNode& head) const {
  std::size_t length = 0;
  for (const ExpiryNode* node = head.next.get(); node != &head; node = node->next.get()) {
    ASSERT(node->next.get()->previous.get() == node);
    ASSERT(node->previous.get()->next.get() == node);
    ASSERT(head.deadline_ms <= node->deadline_ms);
    const std::uint64_t deadline = ticks(node->deadline_ms);
    const ExpiryNode& place_ahead = levels_[ahead].heads[deadline & (slots - 1)];
    const bool is_dealt_ahead = is_ahead(deadline) && &place_ahead == &head;
    ASSERT(&head == &cascading_ || &list_for(deadline) == &head || is_dealt_ahead);
    ++length;
  }
  return length;
}

void ExpiryWheel::validate() const {
  std::size_t seen = validated(due_) + validated(cascading_) + validated(overflow_);
  for (const Level& level : levels_) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::uint64_t bit = (level.occupied[slot / 64] >> (slot % 64)) & 1U;
      ASSERT((bit != 0) == !is_empty(level.heads[slot]));
      seen += validated(level.heads[slot]);
    }
  }
  ASSERT(seen == size_);
}

}  // namespace engine
