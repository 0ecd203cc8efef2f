#include "engine/rdb_encodings.hpp"

#include "base/integers.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace engine::rdb {
namespace {

constexpr unsigned bits_per_byte = 8;
constexpr unsigned end_mark = 0xFF;
constexpr std::uint64_t count_unknown = 0xFFFF;

// Takes bytes off the front; once there are too few it gives nothing but zeros.
class Front {
 public:
  explicit Front(std::string_view bytes) : rest_(bytes) {}

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) {
      damaged_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint64_t little(unsigned bytes) { return little_endian(take(bytes)); }
  std::uint64_t big(unsigned bytes) { return big_endian(take(bytes)); }
  unsigned byte() { return static_cast<unsigned>(little(1)); }
  std::int64_t integer(unsigned bytes) {
    return sign_extended(little(bytes), bits_per_byte * bytes);
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] bool damaged() const { return damaged_; }
  void set_damaged() { damaged_ = true; }

 private:
  std::string_view rest_;
  bool damaged_ = false;
};

// What an item is: text in place, or an integer.
struct Item {
  std::string_view text;
  std::int64_t integer = 0;
  bool is_integer = false;
};

Item integer_item(std::int64_t integer) {
  return {{}, integer, true};
}

Item text_item(std::string_view text) {
  return {text, 0, false};
}

bool give(const Item& item, ItemVisitor visit) {
  if (!item.is_integer) return visit(item.text);
  const base::IntegerText digits(item.integer);
  return visit(digits.view());
}

Item take_listpack_item(Front& front) {
  const std::uint64_t head = front.byte();
  if (head < 0x80U) return integer_item(static_cast<std::int64_t>(head));
  if (head < 0xC0U) return text_item(front.take(head & 0x3FU));
  if (head < 0xE0U) {
    constexpr unsigned bits = 13;
    return integer_item(sign_extended((head & 0x1FU) << bits_per_byte | front.byte(), bits));
  }
  if (head < 0xF0U) return text_item(front.take((head & 0xFU) << bits_per_byte | front.byte()));
  switch (head) {
    case 0xF0U:
      return text_item(front.take(front.little(4)));
    case 0xF1U:
      return integer_item(front.integer(2));
    case 0xF2U:
      return integer_item(front.integer(3));
    case 0xF3U:
      return integer_item(front.integer(4));
    case 0xF4U:
      return integer_item(front.integer(sizeof(std::int64_t)));
    default:
      front.set_damaged();
      return {};
  }
}

// How many bytes the length of an item of so many bytes takes behind it.
unsigned listpack_tail_bytes(std::size_t item_bytes) {
  if (item_bytes <= 127) return 1;
  if (item_bytes < 16383) return 2;
  if (item_bytes < 2097151) return 3;
  return item_bytes < 268435455 ? 4 : 5;
}

Item take_ziplist_item(Front& front) {
  constexpr unsigned wide = 0xFE;
  const unsigned before = front.byte();
  if (before == wide) (void)front.take(sizeof(std::uint32_t));
  if (before > wide) front.set_damaged();
  const std::uint64_t head = front.byte();
  if (head < 0x40U) return text_item(front.take(head));
  if (head < 0x80U) return text_item(front.take((head & 0x3FU) << bits_per_byte | front.byte()));
  // Values that stand in the head itself: 0 to 12.
  if (head > 0xF0U && head < 0xFEU) return integer_item(static_cast<std::int64_t>(head) - 0xF1);
  switch (head) {
    case 0x80U:
      return text_item(front.take(front.big(4)));
    case 0xC0U:
      return integer_item(front.integer(2));
    case 0xD0U:
      return integer_item(front.integer(4));
    case 0xE0U:
      return integer_item(front.integer(sizeof(std::int64_t)));
    case 0xF0U:
      return integer_item(front.integer(3));
    case 0xFEU:
      return integer_item(front.integer(1));
    default:
      front.set_damaged();
      return {};
  }
}

// Both kinds of list end with FF as their last byte, and nowhere before.
bool at_end_mark(Front& front) {
  return front.left() == 1 && front.byte() == end_mark;
}

Walk finished(const Front& front, std::uint64_t items, std::uint64_t said) {
  const bool is_counted = said == count_unknown || said == items;
  return front.damaged() || !is_counted ? Walk::damaged : Walk::done;
}

std::string_view take_zipmap_text(Front& front, bool is_value) {
  constexpr unsigned wide = 0xFE;
  std::uint64_t length = front.byte();
  if (length > wide) front.set_damaged();
  if (length == wide) length = front.little(4);
  const unsigned unused = is_value ? front.byte() : 0;
  const std::string_view text = front.take(length);
  (void)front.take(unused);
  return text;
}

}  // namespace

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t at = bytes.size(); at > 0; --at) {
    number = number << bits_per_byte | static_cast<unsigned char>(bytes[at - 1]);
  }
  return number;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) {
    number = number << bits_per_byte | static_cast<unsigned char>(byte);
  }
  return number;
}

std::int64_t sign_extended(std::uint64_t number, unsigned bits) {
  const unsigned unused = 64 - bits;
  return static_cast<std::int64_t>(number << unused) >> unused;
}

std::optional<double> parse_score(std::string_view text) {
  double score = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error != std::errc() || stopped != text.data() + text.size() || std::isnan(score))
    return std::nullopt;
  return score;
}

Walk visit_listpack(std::string_view bytes, ItemVisitor visit) {
  Front front(bytes);
  if (front.little(4) != bytes.size()) return Walk::damaged;
  const std::uint64_t said = front.little(2);
  std::uint64_t items = 0;
  while (front.left() > 1) {
    const std::size_t before = front.left();
    const Item item = take_listpack_item(front);
    const std::size_t item_bytes = before - front.left();
    (void)front.take(listpack_tail_bytes(item_bytes));
    if (front.damaged()) return Walk::damaged;
    if (!give(item, visit)) return Walk::stopped;
    ++items;
  }
  if (!at_end_mark(front)) return Walk::damaged;
  return finished(front, items, said);
}

Walk visit_ziplist(std::string_view bytes, ItemVisitor visit) {
  Front front(bytes);
  if (front.little(4) != bytes.size()) return Walk::damaged;
  (void)front.little(4);  // where the last item starts
  const std::uint64_t said = front.little(2);
  std::uint64_t items = 0;
  while (front.left() > 1) {
    const Item item = take_ziplist_item(front);
    if (front.damaged()) return Walk::damaged;
    if (!give(item, visit)) return Walk::stopped;
    ++items;
  }
  if (!at_end_mark(front)) return Walk::damaged;
  return finished(front, items, said);
}

Walk visit_intset(std::string_view bytes, ItemVisitor visit) {
  Front front(bytes);
  const std::uint64_t width = front.little(4);
  const std::uint64_t count = front.little(4);
  const bool is_width = width == 2 || width == 4 || width == sizeof(std::int64_t);
  if (!is_width || count * width != front.left()) return Walk::damaged;
  while (front.left() > 0) {
    if (!give(integer_item(front.integer(static_cast<unsigned>(width))), visit)) {
      return Walk::stopped;
    }
  }
  return Walk::done;
}

Walk visit_zipmap(std::string_view bytes, ItemVisitor visit) {
  if (bytes.empty() || static_cast<unsigned char>(bytes.back()) != end_mark) return Walk::damaged;
  bytes.remove_suffix(1);
  Front front(bytes);
  constexpr std::uint64_t more = 254;
  const std::uint64_t said = front.byte();
  std::uint64_t pairs = 0;
  while (front.left() > 0) {
    const std::string_view field = take_zipmap_text(front, false);
    const std::string_view value = take_zipmap_text(front, true);
    if (front.damaged()) return Walk::damaged;
    if (!visit(field) || !visit(value)) return Walk::stopped;
    ++pairs;
  }
  return finished(front, pairs, said < more ? said : count_unknown);
}

}  // namespace engine::rdb
