// What HRANDFIELD and ZRANDMEMBER share: how many to draw, and whether with what belongs to them.
#pragma once

#include "commands/argument_reader.hpp"

#include <cstdint>
#include <string_view>

namespace commands {

struct SampleOptions {
  std::int64_t count = 0;  // negative: with repetition
  bool with_values = false;
};

// `values_word`: "WITHVALUES", "WITHSCORES".
[[nodiscard]] SampleOptions read_sample_options(ArgumentReader& args, std::string_view values_word);

}  // namespace commands
