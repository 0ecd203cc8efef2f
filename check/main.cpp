// mortise-check: arguments → what is asked for → exit code.
#include "check/options.hpp"
#include "check/program.hpp"

#include <iostream>
#include <string>
#include <vector>

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const auto options = check::read_options(arguments);
  if (!options) {
    std::cerr << "mortise-check: " << options.error() << "\nhint: mortise-check --help\n";
    return 2;
  }
  if (options->asks_help) {
    std::cout << check::usage;
    return 0;
  }
  if (options->asks_version) {
    std::cout << "mortise-check " << MORTISE_VERSION << '\n';
    return 0;
  }
  return check::run(*options, std::cout, std::cerr);
}
