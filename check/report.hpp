// A finding in words.
#pragma once

#include "check/finding.hpp"

#include <cstdint>
#include <ostream>
#include <string_view>

namespace check {

enum class InUse : std::uint8_t { no, yes };
enum class Subject : std::uint8_t { file, directory };

void write_finding(std::ostream& out, const Finding& finding, Subject subject, InUse in_use);
// After a repair: what the directory held before and does not hold any more.
void write_loss(std::ostream& out, const Finding& before, const Finding& after);

// 0 whole, 1 damaged, 2 cannot tell.
[[nodiscard]] int exit_code_of(const Finding& finding, InUse in_use);

}  // namespace check
