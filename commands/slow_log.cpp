#include "commands/slow_log.hpp"

#include <algorithm>

namespace commands {
namespace {

constexpr std::size_t arguments_max = 32;
constexpr std::size_t argument_bytes_max = 128;

std::string shortened(std::string_view argument) {
  std::string text(argument.substr(0, argument_bytes_max));
  if (argument.size() > argument_bytes_max) {
    text += "... (" + std::to_string(argument.size() - argument_bytes_max) + " more bytes)";
  }
  return text;
}

}  // namespace

void SlowLog::note(std::span<const std::string_view> args, SlowCall call, std::size_t calls_max) {
  call.id = next_id_++;
  const bool has_all = args.size() <= arguments_max;
  const std::size_t kept = has_all ? args.size() : arguments_max - 1;
  for (const std::string_view argument : args.first(kept)) {
    call.args.push_back(shortened(argument));
  }
  if (!has_all) {
    call.args.push_back("... (" + std::to_string(args.size() - kept) + " more arguments)");
  }
  calls_.push_front(std::move(call));
  if (calls_.size() > calls_max) calls_.resize(calls_max);
}

}  // namespace commands
