#include "commands/sort_commands.hpp"

#include "commands/acl_user.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/sort_pattern.hpp"
#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"
#include "engine/set_value.hpp"
#include "engine/sorted_set_value.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace commands::sort {
namespace {

struct SortOptions {
  bool by_nothing = false;  // BY a pattern without '*'
  bool alphabetically = false;
  bool descending = false;
  std::string_view by;  // empty: the elements themselves
  std::int64_t skip = 0;
  std::int64_t count = -1;  // negative: all
  std::vector<std::string_view> get;
  std::optional<std::string_view> destination;
};

struct Item {
  std::string element;
  std::optional<std::string> text;  // to compare by, alphabetically
  double number = 0;                // numerically
};

// What the caller may ask for.
struct SortRights {
  bool may_store;
  bool reads_all_keys;  // patterns make names of any key
};

void read_by(ArgumentReader& args, SortOptions& options, const SortRights& rights) {
  options.by = args.next();
  if (!names_keys(options.by)) {
    options.by_nothing = true;  // once said, it stays
  } else if (!rights.reads_all_keys) {
    args.fail("ERR BY option of SORT denied due to insufficient ACL permissions.");
  }
}

void read_get(ArgumentReader& args, SortOptions& options, const SortRights& rights) {
  if (!rights.reads_all_keys) {
    args.fail("ERR GET option of SORT denied due to insufficient ACL permissions.");
  }
  options.get.push_back(args.next());
}

SortOptions read_options(ArgumentReader& args, const SortRights& rights) {
  SortOptions options;
  while (args.has_more()) {
    if (args.take_word("ASC")) {
      options.descending = false;
    } else if (args.take_word("DESC")) {
      options.descending = true;
    } else if (args.take_word("ALPHA")) {
      options.alphabetically = true;
    } else if (args.left() > 2 && args.take_word("LIMIT")) {
      options.skip = args.next_integer();
      options.count = args.next_integer();
    } else if (rights.may_store && args.left() > 1 && args.take_word("STORE")) {
      options.destination = args.next();
    } else if (args.left() > 1 && args.take_word("BY")) {
      read_by(args, options, rights);
    } else if (args.left() > 1 && args.take_word("GET")) {
      read_get(args, options, rights);
    } else {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

bool can_be_sorted(const engine::Entry& entry) {
  return entry.type() != engine::Type::string && entry.type() != engine::Type::hash;
}

// Copies: looking up other keys may remove what is overdue, and views die with that.
std::vector<Item> elements_of(const engine::Entry& entry) {
  std::vector<Item> items;
  const auto add = [&items](std::string_view element) {
    items.emplace_back().element = element;
    return true;
  };
  if (entry.type() == engine::Type::list) {
    const engine::ListValue& list = engine::list_of(entry);
    items.reserve(list.size());
    list.visit_forward(0, add);
  } else if (entry.type() == engine::Type::set) {
    engine::set_of(entry).for_each([&](std::string_view member) { add(member); });
  } else {
    const engine::SortedSetValue& sorted = engine::sorted_set_of(entry);
    sorted.visit(0, sorted.size(), engine::Order::ascending,
                 [&](const engine::ScoredMember& item) { add(item.member); });
  }
  return items;
}

// As C reads a number: leading blanks and hexadecimal digits too, up to a NUL; "" is 0.
std::optional<double> number_of(const std::string& text) {
  errno = 0;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || errno == ERANGE || std::isnan(number)) return std::nullopt;
  return number;
}

// False when something that is to be compared as a number is none.
bool find_weights(const CommandContext& c, const SortOptions& options, std::vector<Item>& items) {
  bool all_numbers = true;
  for (Item& item : items) {
    std::optional<std::string> weight =
        options.by.empty() ? item.element : look_up(c, options.by, item.element);
    if (options.alphabetically) {
      item.text = std::move(weight);
    } else if (weight) {
      const std::optional<double> number = number_of(*weight);
      all_numbers = all_numbers && number.has_value();
      item.number = number.value_or(0);
    }
  }
  return all_numbers;
}

// Numbers that are equal are told apart by the elements; texts are not. No text comes first.
bool is_less(const Item& a, const Item& b, bool alphabetically) {
  if (alphabetically) return a.text < b.text;
  if (a.number != b.number) return a.number < b.number;
  return a.element < b.element;
}

void order(const SortOptions& options, std::vector<Item>& items) {
  std::ranges::stable_sort(items, [&](const Item& a, const Item& b) {
    return options.descending ? is_less(b, a, options.alphabetically)
                              : is_less(a, b, options.alphabetically);
  });
}

std::span<const Item> limited(const SortOptions& options, std::span<const Item> items) {
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t skip = std::clamp<std::int64_t>(options.skip, 0, size);
  const std::int64_t left = size - skip;
  const std::int64_t count = options.count < 0 ? left : std::min(options.count, left);
  return items.subspan(static_cast<std::size_t>(skip), static_cast<std::size_t>(count));
}

void reply_looked_up(CommandContext& c, std::string_view pattern, const std::string& element) {
  const auto value = look_up(c, pattern, element);
  if (!value) return c.reply.null();
  c.reply.bulk(*value);
}

void reply_items(CommandContext& c, const SortOptions& options, std::span<const Item> items) {
  if (options.get.empty()) {
    c.reply.array(items.size());
    for (const Item& item : items) c.reply.bulk(item.element);
    return;
  }
  c.reply.array(items.size() * options.get.size());
  for (const Item& item : items) {
    for (const std::string_view pattern : options.get) {
      reply_looked_up(c, pattern, item.element);
    }
  }
}

void store_items(CommandContext& c, const SortOptions& options, std::string_view destination,
                 std::span<const Item> items) {
  std::vector<std::string> values;
  for (const Item& item : items) {
    if (options.get.empty()) values.push_back(item.element);
    for (const std::string_view pattern : options.get) {
      values.push_back(look_up(c, pattern, item.element).value_or(""));
    }
  }
  if (values.empty()) {
    if (c.db().remove(destination)) c.notify(notify_generic, "del", destination);
    return c.reply.integer(0);
  }
  const std::vector<std::string_view> elements(values.begin(), values.end());
  const auto stored = engine::ListKeys(c.db()).store(destination, elements);
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_list, "sortstore", destination);
  c.reply.integer(static_cast<std::int64_t>(values.size()));
}

void run(CommandContext& c, bool may_store) {
  ArgumentReader args(c.args, 2);
  const bool reads_all_keys = c.client.account->allows_reading_all_keys(c.spec, c.args);
  SortOptions options =
      read_options(args, {.may_store = may_store, .reads_all_keys = reads_all_keys});
  if (!args.done()) return args.reply_error(c.reply);
  const engine::Entry* entry = read_key(c, c.args[1]);
  if (entry != nullptr && !can_be_sorted(*entry)) {
    return c.reply.error(error_text::wrong_type);
  }
  const bool is_set = entry != nullptr && entry->type() == engine::Type::set;
  std::vector<Item> items = entry == nullptr ? std::vector<Item>() : elements_of(*entry);
  // The order of a set is nobody's business: what lasts, and what scripts see, is made certain.
  if (is_set && options.by_nothing && (options.destination || c.origin == Origin::script)) {
    options.by_nothing = false;
    options.alphabetically = true;
    options.by = {};
  }
  if (options.by_nothing) {
    if (options.descending && !is_set) std::ranges::reverse(items);
  } else {
    if (!find_weights(c, options, items)) {
      return c.reply.error("ERR One or more scores can't be converted into double");
    }
    order(options, items);
  }
  const std::span<const Item> chosen = limited(options, items);
  if (options.destination) return store_items(c, options, *options.destination, chosen);
  reply_items(c, options, chosen);
}

}  // namespace

void sort(CommandContext& c) {
  run(c, true);
}

void sort_ro(CommandContext& c) {
  run(c, false);
}

}  // namespace commands::sort
