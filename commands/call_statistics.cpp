#include "commands/call_statistics.hpp"

#include "base/assert.hpp"
#include "commands/command_table.hpp"

#include <algorithm>

namespace commands {

CallStatistics::CallStatistics() : table_(command_table()) {
  for (const CommandSpec& spec : table_) {
    for (const CommandSpec& subcommand : spec.subcommands) subcommands_.push_back(&subcommand);
  }
  std::ranges::sort(subcommands_, std::less<>());
  rows_.resize(table_.size() + subcommands_.size());
}

CallRow& CallStatistics::subcommand_row(const CommandSpec& spec) {
  const auto found = std::ranges::lower_bound(subcommands_, &spec, std::less<>());
  ASSERT(found != subcommands_.end() && *found == &spec);
  return rows_[table_.size() + static_cast<std::size_t>(found - subcommands_.begin())];
}

void CallStatistics::for_each(
    base::FunctionRef<void(const CommandSpec&, const CallRow&)> visit) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    for (const CommandSpec& subcommand : table_[i].subcommands) {
      const auto found = std::ranges::lower_bound(subcommands_, &subcommand, std::less<>());
      const auto index = static_cast<std::size_t>(found - subcommands_.begin());
      visit(subcommand, rows_[table_.size() + index]);
    }
    visit(table_[i], rows_[i]);
  }
}

void CallStatistics::note_error(std::string_view code) {
  // A script may answer any code: the many do not get a count of their own.
  constexpr std::size_t codes_max = 128;
  ++errors_total_;
  const auto found = errors_.find(code);
  if (found != errors_.end()) {
    ++found->second;
  } else if (errors_.size() < codes_max) {
    errors_.emplace(code, 1);
  }
}

void CallStatistics::reset() {
  for (CallRow& row : rows_) row = {};
  errors_.clear();
  errors_total_ = 0;
  processed = 0;
}

}  // namespace commands
