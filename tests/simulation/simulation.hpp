// One seed: a server lives a few lives on one machine, with other settings and another fate each
// time, while clients go on.
#pragma once

#include "tests/simulation/habits.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/service.hpp"
#include "tests/simulation/verdict.hpp"

#include <cstdint>

namespace simulation {

class Simulation {
 public:
  // `verdict` outlives it.
  Simulation(std::uint64_t seed, Lie lie, Verdict& verdict);
  void run();
  [[nodiscard]] Tally tally() const { return service_.tally(); }

 private:
  void live();
  void bring_up();
  void step();
  void act();
  void connect_some();
  void spoil();
  void end_life();
  void down();
  [[nodiscard]] ProcessOptions draw_options();

  Verdict& verdict_;
  Random random_;
  Service service_;
  Habits habits_;
  ProcessOptions options_;
  Lie lie_;
  bool disk_is_ill_ = false;
};

}  // namespace simulation
