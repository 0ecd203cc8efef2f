#include "server/setting_value.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/notifications.hpp"
#include "protocol/quoting.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace server {
namespace {

using Canonical = std::expected<std::string, std::string>;
using Words = std::span<const std::string>;

constexpr std::array<std::string_view, 3> class_names{"normal", "slave", "pubsub"};

std::string octal_text(std::int64_t value) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, 8).ptr;
  return {text.data(), end};
}

Canonical in_range(const Option& option, std::int64_t value) {
  const auto print = [&](std::int64_t number) {
    return option.kind == OptionKind::octal ? octal_text(number) : std::to_string(number);
  };
  if (value >= option.low && value <= option.high) return print(value);
  return std::unexpected("argument must be between " + print(option.low) + " and " +
                         print(option.high) + " inclusive");
}

Canonical yes_or_no(const std::string& word) {
  std::string lower = commands::lower_case(word);
  if (lower == "yes" || lower == "no") return lower;
  return std::unexpected("argument must be 'yes' or 'no'");
}

Canonical whole_number(const Option& option, const std::string& word) {
  const auto value = base::parse_int64(word);
  if (!value) return std::unexpected("argument couldn't be parsed into an integer");
  return in_range(option, *value);
}

Canonical octal_number(const Option& option, const std::string& word) {
  int value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value, 8);
  if (error != std::errc() || stop != end) {
    return std::unexpected("argument couldn't be parsed as an octal number");
  }
  return in_range(option, value);
}

Canonical amount(const Option& option, const std::string& word) {
  if (option.kind == OptionKind::bytes_or_percent && word.ends_with('%')) {
    const auto percent = base::parse_int64(std::string_view(word).substr(0, word.size() - 1));
    if (!percent || *percent < 0)
      return std::unexpected("argument must be a memory or percent value");
    if (*percent > 100) return std::unexpected("percentage argument must be less or equal to 100");
    return word;
  }
  const auto value = parse_bytes(word);
  if (!value) {
    return std::unexpected(option.kind == OptionKind::bytes_or_percent
                               ? "argument must be a memory or percent value"
                               : "argument must be a memory value");
  }
  if (option.kind == OptionKind::bytes_or_percent) return std::to_string(*value);
  return in_range(option, *value);
}

Canonical one_of(const Option& option, const std::string& word) {
  std::string lower = commands::lower_case(word);
  std::string_view rest = option.choices;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    if (rest.substr(0, comma) == lower) return lower;
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
  }
  return std::unexpected("argument(s) must be one of the following: " +
                         std::string(option.choices));
}

// One space between words, whatever they hold: such a text reads back as itself.
std::string joined(Words words) {
  std::string text;
  for (const std::string& word : words) {
    bool starts = true;
    for (const char letter : word) {
      const bool separates = protocol::ends_word(letter);
      if (!separates && starts && !text.empty()) text += ' ';
      starts = separates;
      if (!starts) text += letter;
    }
  }
  return text;
}

// Printed as Redis prints them: no zeros behind the last digit.
Canonical percentiles(Words words) {
  if (words.size() == 1 && words[0].empty()) return std::string();
  std::vector<std::string> numbers;
  for (const std::string& word : words) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || std::isnan(number)) {
      return std::unexpected("Invalid latency-tracking-info-percentiles parameters");
    }
    if (number < 0 || number > 100) {
      return std::unexpected(
          "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
    }
    std::array<char, 32> text{};
    const auto printed = std::to_chars(text.data(), text.data() + text.size(), number);
    numbers.emplace_back(text.data(), printed.ptr);
  }
  return joined(numbers);
}

Canonical save_points(Words words) {
  if (words.size() == 1 && words[0].empty()) return std::string();
  if (words.size() % 2 != 0) return std::unexpected("Invalid save parameters");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = base::parse_int64(words[i]);
    // Seconds are at least 1, changes at least 0.
    if (!value || *value < (i % 2 == 0 ? 1 : 0)) return std::unexpected("Invalid save parameters");
  }
  return joined(words);
}

// A glob may hold spaces: it is quoted then, and stays so.
Canonical durability(Words words) {
  if (words.size() == 1 && words[0].empty()) return std::string();
  if (words.size() % 2 != 0) return std::unexpected("a glob and a policy, in pairs, are expected");
  std::string text;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string policy = commands::lower_case(words[i + 1]);
    if (!parse_sync_policy(policy)) {
      return std::unexpected("the policy of '" + words[i] + "' must be always, everysec or no");
    }
    if (!text.empty()) text += ' ';
    const bool is_plain =
        !words[i].empty() && words[i].find_first_of(" \t\"'\\") == std::string::npos;
    text += (is_plain ? words[i] : protocol::quote_word(words[i])) + ' ' + policy;
  }
  return text;
}

std::optional<ClientClass> class_named(const std::string& word) {
  const std::string lower = commands::lower_case(word);
  if (lower == "replica") return ClientClass::replica;
  for (std::size_t i = 0; i < class_names.size(); ++i) {
    if (lower == class_names.at(i)) return static_cast<ClientClass>(i);
  }
  return std::nullopt;
}

Canonical output_limits(Words words, std::string_view current) {
  if (words.empty() || words.size() % 4 != 0) {
    return std::unexpected("Wrong number of arguments in buffer limit configuration.");
  }
  OutputLimits limits = parse_output_limits(current);
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const auto client_class = class_named(words[i]);
    if (!client_class) {
      return std::unexpected("Invalid client class specified in buffer limit configuration.");
    }
    const auto hard = parse_bytes(words[i + 1]);
    const auto soft = parse_bytes(words[i + 2]);
    const auto seconds = base::parse_int64(words[i + 3]);
    if (!hard || !soft || !seconds || *seconds < 0) {
      return std::unexpected(
          "Error in hard, soft or soft_seconds setting in buffer limit configuration.");
    }
    limits.at(std::to_underlying(*client_class)) = {static_cast<std::size_t>(*hard),
                                                    static_cast<std::size_t>(*soft), *seconds};
  }
  std::string text;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const OutputLimit& limit = limits.at(i);
    if (!text.empty()) text += ' ';
    text += std::string(class_names.at(i)) + ' ' + std::to_string(limit.hard_bytes) + ' ' +
            std::to_string(limit.soft_bytes) + ' ' + std::to_string(limit.soft_seconds);
  }
  return text;
}

Canonical notify_classes(const std::string& word) {
  const auto classes = commands::parse_notify_classes(word);
  if (!classes) return std::unexpected("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
  std::string text = commands::format_notify_classes(*classes);
  // Redis 7.0 shows no 'n' beside 'A': what is kept and written to files must have it all the same.
  const bool has_new = (*classes & commands::notify_new) != 0;
  if (has_new && text.find('n') == std::string::npos) text += 'n';
  return text;
}

Canonical canonical_word(const Option& option, const std::string& word) {
  switch (option.kind) {
    case OptionKind::yes_no:
      return yes_or_no(word);
    case OptionKind::integer:
      return whole_number(option, word);
    case OptionKind::octal:
      return octal_number(option, word);
    case OptionKind::bytes:
    case OptionKind::bytes_or_percent:
      return amount(option, word);
    case OptionKind::choice:
      return one_of(option, word);
    case OptionKind::notify_classes:
      return notify_classes(word);
    default:
      return word;
  }
}

}  // namespace

Canonical canonical_value(const Option& option, Words words, std::string_view current) {
  switch (option.kind) {
    case OptionKind::words:
      return joined(words);
    case OptionKind::percentiles:
      return percentiles(words);
    case OptionKind::save_points:
      return save_points(words);
    case OptionKind::durability:
      return durability(words);
    case OptionKind::output_limits:
      return output_limits(words, current);
    default:
      if (words.size() != 1) return std::unexpected("wrong number of arguments");
      return canonical_word(option, words[0]);
  }
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> units{
      {{"", 1},
       {"b", 1},
       {"k", 1000},
       {"kb", 1 << 10},
       {"m", 1000 * 1000},
       {"mb", 1 << 20},
       {"g", 1000L * 1000 * 1000},
       {"gb", 1L << 30}}};
  const std::size_t end = text.find_first_not_of("0123456789");
  const std::string unit =
      end == std::string_view::npos ? "" : commands::lower_case(text.substr(end));
  std::int64_t number = 0;
  const std::string_view digits = text.substr(0, end);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || digits.empty()) return std::nullopt;
  for (const auto& [name, factor] : units) {
    if (unit != name) continue;
    if (number > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
    return number * factor;
  }
  return std::nullopt;
}

std::optional<engine::SyncPolicy> parse_sync_policy(std::string_view word) {
  if (word == "always") return engine::SyncPolicy::always;
  if (word == "everysec") return engine::SyncPolicy::everysec;
  if (word == "no") return engine::SyncPolicy::no;
  return std::nullopt;
}

std::vector<engine::DurabilityRule> parse_durability(std::string_view text) {
  std::vector<engine::DurabilityRule> rules;
  const auto words = protocol::split_words(text).value_or(std::vector<std::string>{});
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    rules.push_back(
        {words[i], parse_sync_policy(words[i + 1]).value_or(engine::SyncPolicy::always)});
  }
  return rules;
}

OutputLimits parse_output_limits(std::string_view text) {
  OutputLimits limits{};
  const auto words = protocol::split_words(text).value_or(std::vector<std::string>{});
  for (std::size_t i = 0; i + 3 < words.size(); i += 4) {
    const auto client_class = class_named(words[i]);
    if (!client_class) continue;
    limits.at(std::to_underlying(*client_class)) = {
        static_cast<std::size_t>(base::parse_int64(words[i + 1]).value_or(0)),
        static_cast<std::size_t>(base::parse_int64(words[i + 2]).value_or(0)),
        base::parse_int64(words[i + 3]).value_or(0)};
  }
  return limits;
}

}  // namespace server
