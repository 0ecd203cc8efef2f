#include "commands/call_names.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"

#include <algorithm>

namespace commands {
namespace {

// SET is the one command whose access depends on its options.
std::uint16_t variable_access(std::span<const std::string_view> args) {
  const auto options = args.subspan(std::min<std::size_t>(3, args.size()));
  const bool reads =
      std::ranges::any_of(options, [](std::string_view word) { return is_word(word, "GET"); });
  if (reads) return key_access::rw | key_access::access | key_access::update;
  return key_access::ow | key_access::update;
}

std::uint16_t access_of(const KeySpec& keys, std::span<const std::string_view> args,
                        std::size_t nth) {
  if ((keys.access & key_access::variable_flags) != 0) return variable_access(args);
  return nth > 0 && keys.second_access != 0 ? keys.second_access : keys.access;
}

}  // namespace

bool has_keys(const CommandSpec& spec) {
  const bool positioned = spec.keys.first != 0 || spec.keys.numkeys_at != 0;
  return positioned && spec.keys.access != 0;
}

std::optional<std::vector<CallKey>> keys_of(const CommandSpec& spec,
                                            std::span<const std::string_view> args) {
  const auto positions = key_positions(spec, args);
  if (!positions) return std::nullopt;
  std::vector<CallKey> keys;
  keys.reserve(positions->size());
  for (const std::size_t position : *positions) {
    keys.push_back({position, access_of(spec.keys, args, keys.size())});
  }
  return keys;
}

CallChannels channels_of(const CommandSpec& spec, std::span<const std::string_view> args) {
  if (spec.flags.has(flag::names_channel))
    return {1, std::min<std::size_t>(2, args.size()), ChannelUse::name};
  if (spec.flags.has(flag::names_channels)) return {1, args.size(), ChannelUse::name};
  if (spec.flags.has(flag::names_patterns)) return {1, args.size(), ChannelUse::pattern};
  return {};
}

}  // namespace commands
