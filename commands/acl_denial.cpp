#include "commands/acl_denial.hpp"

#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"

namespace commands::acl {

std::string refusal_of_request(const Denial& denial, const CommandSpec& spec) {
  const std::string start = "NOPERM this user has no permissions to ";
  if (denial.reason == Reason::command) return start + "run the '" + full_name(spec) + "' command";
  const std::string_view what = denial.reason == Reason::key ? "keys" : "channels";
  return start + "access one of the " + std::string(what) + " used as arguments";
}

std::string refusal_of_queued_call(const Denial& denial) {
  std::string_view why = "no permission to execute the command or subcommand";
  if (denial.reason == Reason::key) why = "no permission to touch the specified keys";
  if (denial.reason == Reason::channel) {
    why = "no permission to access one of the channels used as arguments";
  }
  return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the "
         "EXEC call. This command is no longer allowed for the following reason: " +
         std::string(why);
}

std::string_view refusal_of_script(const Denial& denial) {
  switch (denial.reason) {
    case Reason::key:
      return "ERR The user executing the script can't access at least one of the keys mentioned in "
             "the command arguments";
    case Reason::channel:
      return "ERR The user executing the script can't publish to the channel mentioned in the "
             "command";
    case Reason::none:
    case Reason::command:
    case Reason::auth:
      break;
  }
  return "ERR The user executing the script can't run this command or subcommand";
}

std::string explanation(const Denial& denial, const CommandSpec& spec,
                        std::span<const std::string_view> args) {
  const std::string object = "'" + std::string(up_to_nul(object_of(denial, spec, args))) + "'";
  const std::string start = "This user has no permissions to ";
  if (denial.reason == Reason::command) return start + "run the " + object + " command";
  return start + "access the " + object + (denial.reason == Reason::key ? " key" : " channel");
}

std::string object_of(const Denial& denial, const CommandSpec& spec,
                      std::span<const std::string_view> args) {
  if (denial.reason == Reason::command) return full_name(spec);
  return std::string(args[denial.position]);
}

}  // namespace commands::acl
