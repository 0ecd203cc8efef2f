// What INFO's commandstats, errorstats and latencystats count: calls, time, refusals and errors of
// each command and each subcommand, and errors by their code. Rows never move.
#pragma once

#include "base/function_ref.hpp"
#include "commands/command_spec.hpp"
#include "commands/latency_histogram.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace commands {

struct CallRow {
  std::uint64_t calls = 0;
  std::uint64_t rejected = 0;  // refused before they ran
  std::uint64_t failed = 0;    // ran and answered an error
  std::uint64_t ns = 0;
  std::uint64_t longest_ns = 0;
  std::unique_ptr<LatencyHistogram> latencies;  // from the first call that is recorded on

  void record(std::uint64_t duration_ns, std::uint64_t weight) {
    if (!latencies) latencies = std::make_unique<LatencyHistogram>();
    latencies->record(duration_ns, weight);
  }
  [[nodiscard]] bool is_untouched() const { return calls == 0 && rejected == 0 && failed == 0; }
};

// How often errors of each code were answered.
using ErrorCounts = std::map<std::string, std::uint64_t, std::less<>>;

class CallStatistics {
 public:
  CallStatistics();

  // `spec` is a row of the command table, or one of its subcommands.
  [[nodiscard]] CallRow& row(const CommandSpec& spec) {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(&spec) - reinterpret_cast<std::uintptr_t>(table_.data());
    if (offset < table_.size_bytes()) return rows_[offset / sizeof(CommandSpec)];
    return subcommand_row(spec);
  }
  // In the order of the table; the subcommands of a container before itself.
  void for_each(base::FunctionRef<void(const CommandSpec&, const CallRow&)> visit) const;

  void note_error(std::string_view code);
  [[nodiscard]] const ErrorCounts& errors() const { return errors_; }
  [[nodiscard]] std::uint64_t errors_total() const { return errors_total_; }
  void reset();

  std::uint64_t processed = 0;

 private:
  [[nodiscard]] CallRow& subcommand_row(const CommandSpec& spec);

  std::span<const CommandSpec> table_;
  std::vector<CallRow> rows_;                    // by index of the table, then of subcommands_
  std::vector<const CommandSpec*> subcommands_;  // by address
  ErrorCounts errors_;
  std::uint64_t errors_total_ = 0;
};

}  // namespace commands
