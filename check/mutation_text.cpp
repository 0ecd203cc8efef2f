#include "check/mutation_text.hpp"

#include "protocol/quoting.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>

namespace check {
namespace {

using engine::Mutation;
using engine::MutationKind;

constexpr std::array<std::string_view, 31> kind_names = {
    "",
    "put_string",
    "put_hash",
    "put_list",
    "put_set",
    "put_sorted_set",
    "replace_value",
    "append",
    "set_range",
    "set_fields",
    "remove_fields",
    "push",
    "pop",
    "set_element",
    "insert_element",
    "erase_elements",
    "add_members",
    "remove_members",
    "set_scores",
    "remove_scored",
    "set_deadline",
    "remove",
    "flush",
    "swap",
    "reserve_tokens",
    "load_script",
    "flush_scripts",
    "put_library",
    "remove_library",
    "flush_libraries",
    "expect_keys",
};
static_assert(kind_names.size() == static_cast<std::size_t>(MutationKind::expect_keys) + 1);

constexpr std::array<std::string_view, 3> removal_names = {"requested", "expired", "overwritten"};

constexpr std::size_t shown_bytes_max = 40;
constexpr std::size_t shown_items_max = 8;

std::string number_text(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end.ptr};
}

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

class Line {
 public:
  Line(const Mutation& mutation, std::int64_t lease_ms, Values values)
      : mutation_(mutation), lease_ms_(lease_ms), values_(values) {}

  std::string run() {
    word(name_of(mutation_.kind));
    if (is_of_database()) word(std::to_string(mutation_.database));
    if (mutation_.kind < MutationKind::flush) word(protocol::quote_word(mutation_.key));
    content();
    if (is_put(mutation_.kind)) {
      deadline();
      word("token " + std::to_string(mutation_.token));
    }
    return std::move(line_);
  }

 private:
  [[nodiscard]] bool is_of_database() const {
    return mutation_.kind <= MutationKind::swap || mutation_.kind == MutationKind::expect_keys;
  }
  void word(std::string_view text) {
    if (!line_.empty()) line_ += ' ';
    line_ += text;
  }
  [[nodiscard]] std::string quoted(std::string_view text) const {
    if (values_ == Values::whole || text.size() <= shown_bytes_max) {
      return protocol::quote_word(text);
    }
    return protocol::quote_word(text.substr(0, shown_bytes_max)) + "… (" +
           std::to_string(text.size()) + " bytes)";
  }
  void deadline() {
    if (mutation_.deadline_ms == engine::no_deadline) return word("no deadline");
    const std::int64_t left_ms = mutation_.deadline_ms - lease_ms_;
    word("deadline " + std::to_string(mutation_.deadline_ms) + " (in " + std::to_string(left_ms) +
         " ms)");
  }
  template <typename Items, typename Text>
  void list(const Items& items, Text text) {
    std::string joined;
    std::size_t shown = 0;
    for (const auto& item : items) {
      if (values_ == Values::abbreviated && shown == shown_items_max) break;
      joined += (shown++ == 0 ? "" : ", ") + text(item);
    }
    if (shown < items.size()) joined += ", … (" + std::to_string(items.size()) + " in all)";
    word("[" + joined + "]");
  }
  void names() {
    list(mutation_.names, [&](std::string_view name) { return quoted(name); });
  }
  void fields() {
    list(mutation_.fields, [&](const engine::FieldValue& field) {
      return quoted(field.first) + ": " + quoted(field.second);
    });
  }
  void scored() {
    list(mutation_.scored, [&](const engine::ScoredMember& member) {
      return quoted(member.member) + ": " + number_text(member.score);
    });
  }
  void side() { word(mutation_.side == engine::Side::left ? "left" : "right"); }
  void number(std::string_view name, std::uint64_t value) {
    word(name);
    word(std::to_string(value));
  }

  void content() {
    switch (mutation_.kind) {
      case MutationKind::put_string:
      case MutationKind::replace_value:
      case MutationKind::append:
      case MutationKind::load_script:
        return word(quoted(mutation_.value));
      case MutationKind::put_hash:
      case MutationKind::set_fields:
        return fields();
      case MutationKind::put_sorted_set:
      case MutationKind::set_scores:
        return scored();
      case MutationKind::put_list:
      case MutationKind::put_set:
      case MutationKind::remove_fields:
      case MutationKind::add_members:
      case MutationKind::remove_members:
      case MutationKind::remove_scored:
        return names();
      case MutationKind::set_range:
      case MutationKind::set_element:
      case MutationKind::insert_element:
        number("at", mutation_.number);
        return word(quoted(mutation_.value));
      case MutationKind::push:
        side();
        return names();
      case MutationKind::pop:
        side();
        return number("count", mutation_.count);
      case MutationKind::erase_elements:
        number("at", mutation_.number);
        return number("count", mutation_.count);
      case MutationKind::set_deadline:
        return deadline();
      case MutationKind::remove:
        return word(removal_names.at(static_cast<std::size_t>(mutation_.reason)));
      case MutationKind::swap:
        return number("with", mutation_.number);
      case MutationKind::reserve_tokens:
        return number("up to", mutation_.number);
      case MutationKind::expect_keys:
        return number("count", mutation_.number);
      case MutationKind::put_library:
        word(protocol::quote_word(mutation_.key));
        return word(quoted(mutation_.value));
      case MutationKind::remove_library:
        return word(protocol::quote_word(mutation_.key));
      case MutationKind::flush:
      case MutationKind::flush_scripts:
      case MutationKind::flush_libraries:
        return;
    }
  }

  const Mutation& mutation_;
  std::int64_t lease_ms_;
  Values values_;
  std::string line_;
};

}  // namespace

std::string_view name_of(MutationKind kind) {
  return kind_names.at(static_cast<std::size_t>(kind));
}

std::string text_of(const Mutation& mutation, std::int64_t lease_ms, Values values) {
  return Line(mutation, lease_ms, values).run();
}

std::string moment_text(std::int64_t wall_us) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::microseconds> moment{chrono::microseconds(wall_us)};
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(chrono::floor<chrono::milliseconds>(moment - day));
  return padded(int{date.year()}, 4) + "-" + padded(unsigned{date.month()}, 2) + "-" +
         padded(unsigned{date.day()}, 2) + "T" + padded(time.hours().count(), 2) + ":" +
         padded(time.minutes().count(), 2) + ":" + padded(time.seconds().count(), 2) + "." +
         padded(time.subseconds().count(), 3) + "Z";
}

std::string grouped(std::uint64_t number) {
  constexpr std::size_t group = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > group; at -= group) text.insert(at - group, ",");
  return text;
}

}  // namespace check
