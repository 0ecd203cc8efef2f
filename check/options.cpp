#include "check/options.hpp"

namespace check {
namespace {

struct Flag {
  std::string_view name;
  bool Options::* option;
};

constexpr Flag flags[] = {
    {"-h", &Options::asks_help},       {"--help", &Options::asks_help},
    {"-v", &Options::asks_version},    {"--version", &Options::asks_version},
    {"--list", &Options::list},        {"--full", &Options::whole_values},
    {"--stats", &Options::statistics}, {"--fix", &Options::fix},
};

bool set_flag(Options& options, std::string_view argument) {
  for (const Flag& flag : flags) {
    if (flag.name != argument) continue;
    options.*flag.option = true;
    return true;
  }
  return false;
}

std::string contradiction(const Options& options) {
  if (options.asks_help || options.asks_version) return {};
  if (options.path.empty()) return "name the directory of the journal, or one file of it";
  if ((options.key_glob || options.whole_values) && !options.list) {
    return "--key and --full go with --list";
  }
  if (options.fix && (options.list || options.statistics || !options.replay)) {
    return "--fix goes alone";
  }
  return {};
}

}  // namespace

const std::string_view usage =
    R"(Usage: mortise-check [OPTION]... DIRECTORY|FILE

Says whether the journal in DIRECTORY (settings dir and appenddirname) is whole, as
the server's start would find it, or one segment or snapshot of it. Nothing is
changed; a server may be running there.

  --list          print batches, frames and what they change
    --full        with values in full length
    --key GLOB    only keys that match, as in KEYS
  --stats         count batches, frames, kinds of changes, and their bytes
  --no-replay     check without building the keys in memory
  --fix           cut or set aside what is damaged so that a server can start;
                  copies stay beside it as NAME.broken-1, -2, ...
  -v, --version
  -h, --help

Exit code: 0 whole, 1 damaged, 2 cannot tell.
)";

std::expected<Options, std::string> read_options(std::span<const std::string> arguments) {
  Options options;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (set_flag(options, argument)) continue;
    if (argument == "--no-replay") {
      options.replay = false;
    } else if (argument == "--key") {
      if (++at == arguments.size()) return std::unexpected("--key takes a pattern");
      options.key_glob = arguments[at];
    } else if (argument.starts_with("-")) {
      return std::unexpected("unknown option " + argument);
    } else if (!options.path.empty()) {
      return std::unexpected("one directory or file at a time");
    } else {
      options.path = argument;
    }
  }
  if (std::string wrong = contradiction(options); !wrong.empty()) {
    return std::unexpected(std::move(wrong));
  }
  return options;
}

}  // namespace check
