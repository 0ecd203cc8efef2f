// Any configuration file is read or refused in words; what was read, rewritten, reads the same.
#include "base/assert.hpp"
#include "commands/argument_reader.hpp"
#include "server/config.hpp"
#include "server/config_loader.hpp"
#include "server/config_rewrite.hpp"
#include "server/config_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

// Files that the text names are not for a fuzzer to read.
bool reads_files(std::string_view text) {
  return commands::lower_case(text).find("include") != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (reads_files(text)) return 0;
  server::Config config;
  const auto loaded = server::load_config_text(config, text, "fuzz");
  if (!loaded) {
    ASSERT(!loaded.error().message().empty());
    return 0;
  }
  server::Config again;
  const std::string rewritten = server::rewritten_config(text, config);
  ASSERT(server::load_config_text(again, rewritten, "again"));
  for (std::size_t i = 0; i < server::option_table().size(); ++i) {
    ASSERT(config.text(i) == again.text(i));
  }
  return 0;
}
