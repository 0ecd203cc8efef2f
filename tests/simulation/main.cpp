// Runs simulations: `simulation` for the seeds of every build, `simulation --seed N --trace` for
// the story of one.
#include "tests/simulation/fail_loop.hpp"
#include "tests/simulation/last_words.hpp"
#include "tests/simulation/simulation.hpp"
#include "tests/simulation/verdict.hpp"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view usage = R"(Usage: simulation [OPTION...]
  --seeds N    seeds 1 to N (2000)
  --first N    begin with seed N instead of 1
  --seed N     this one alone
  --trace      tell what happens
  --fail-loop  instead: one scenario, in which each call of the disk goes wrong in turn
  --lie NAME   build in a fault, and fail when it is not found: unsynced, unheld, split
)";

struct Options {
  std::uint64_t first = 1;
  std::uint64_t seeds = 2000;
  bool is_traced = false;
  bool is_fail_loop = false;
  simulation::Lie lie = simulation::Lie::none;
};

bool read_lie(std::string_view name, simulation::Lie& lie) {
  using simulation::Lie;
  for (const auto& [known, value] : {std::pair<std::string_view, Lie>{"unsynced", Lie::unsynced},
                                     {"unheld", Lie::unheld},
                                     {"split", Lie::split}}) {
    if (name != known) continue;
    lie = value;
    return true;
  }
  return false;
}

bool read_options(const std::vector<std::string>& words, Options& options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--trace") {
      options.is_traced = true;
      continue;
    }
    if (words[i] == "--fail-loop") {
      options.is_fail_loop = true;
      continue;
    }
    if (i + 1 == words.size()) return false;
    const std::string& value = words[++i];
    if (words[i - 1] == "--lie") {
      if (!read_lie(value, options.lie)) return false;
      continue;
    }
    const std::uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
    if (words[i - 1] == "--seeds") {
      options.seeds = number;
    } else if (words[i - 1] == "--first") {
      options.first = number;
    } else if (words[i - 1] == "--seed") {
      options.first = number;
      options.seeds = 1;
    } else {
      return false;
    }
  }
  return true;
}

simulation::Verdict new_verdict(const Options& options) {
  if (!options.is_traced) return simulation::Verdict(nullptr);
  return simulation::Verdict([](std::string_view line) { std::cout << line << '\n'; });
}

int run_fail_loop(const Options& options) {
  simulation::Verdict verdict = new_verdict(options);
  const std::size_t runs = simulation::run_fail_loop(verdict);
  if (verdict.has_failed()) {
    std::cout << verdict.reason() << "\nsimulation --fail-loop --trace tells how it came to that\n";
    return 1;
  }
  std::cout << "fail loop: " << runs << " runs, every promise was kept\n";
  return 0;
}

// What is wrong with this seed; empty: nothing.
std::string run_seed(std::uint64_t seed, const Options& options, simulation::Tally& tally) {
  simulation::set_last_words("in seed " + std::to_string(seed));
  simulation::Verdict verdict = new_verdict(options);
  try {
    simulation::Simulation simulation(seed, options.lie, verdict);
    simulation.run();
    tally.add(simulation.tally());
  } catch (const std::exception& failure) {
    verdict.fail(std::string("the server throws: ") + failure.what());
  }
  return verdict.reason();
}

int run_seeds(const Options& options) {
  simulation::Tally tally;
  for (std::uint64_t seed = options.first; seed < options.first + options.seeds; ++seed) {
    const std::string reason = run_seed(seed, options, tally);
    if (reason.empty()) continue;
    std::cout << "seed " << seed << ": " << reason << "\nsimulation --seed " << seed
              << " --trace tells how it came to that\n";
    return options.lie == simulation::Lie::none ? 1 : 0;
  }
  std::cout << options.seeds << " seeds from " << options.first << " on: every promise was kept\n"
            << tally.text();
  return options.lie == simulation::Lie::none ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(std::vector<std::string>(argv + 1, argv + argc), options)) {
    std::cerr << usage;
    return 2;
  }
  simulation::prepare_last_words();
  return options.is_fail_loop ? run_fail_loop(options) : run_seeds(options);
}
