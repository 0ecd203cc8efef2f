#include "commands/journal_control.hpp"

namespace commands {

NoJournal& NoJournal::instance() {
  static NoJournal journal;
  return journal;
}

std::expected<void, std::string> NoJournal::begin_save() {
  return std::unexpected(
      "nothing to save: this server keeps its keys in memory only (appendonly "
      "no)");
}

}  // namespace commands
