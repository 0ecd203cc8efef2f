#include "commands/sample_options.hpp"

#include "commands/error_replies.hpp"

#include <limits>

namespace commands {
namespace {

constexpr std::string_view count_out_of_range =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";
// With repetition the reply can be longer than the value: Redis would build any number of elements.
constexpr std::int64_t repeated_max = 50'000'000;

}  // namespace

SampleOptions read_sample_options(ArgumentReader& args, std::string_view values_word) {
  SampleOptions options;
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  options.count = args.next_integer();
  if (options.count < -highest) args.fail(count_out_of_range);
  if (args.has_more()) {
    if (!args.take_word(values_word) || args.has_more()) args.fail(error_text::syntax);
    options.with_values = true;
    if (options.count < -highest / 2 || options.count > highest / 2) {
      args.fail("ERR value is out of range");
    }
  }
  if (options.count < -repeated_max) args.fail("ERR value is out of range");
  return options;
}

}  // namespace commands
