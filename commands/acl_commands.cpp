#include "commands/acl_commands.hpp"

#include "base/integers.hpp"
#include "commands/acl_clients.hpp"
#include "commands/acl_command_index.hpp"
#include "commands/acl_password.hpp"
#include "commands/acl_registry.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/subcommand_syntax.hpp"

#include <algorithm>

namespace commands::acl {
namespace {

constexpr std::string_view no_file =
    "ERR This Redis instance is not configured to use an ACL file. You may want to specify users "
    "via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis "
    "configuration file set) in order to store users in the Redis configuration.";

void reply_texts(CommandContext& c, const std::vector<std::string>& texts) {
  c.reply.array(texts.size());
  for (const std::string& text : texts) c.reply.bulk(text);
}

void reply_selector(CommandContext& c, const Selector& selector) {
  c.reply.bulk("commands");
  c.reply.bulk(selector.describe_commands());
  c.reply.bulk("keys");
  c.reply.bulk(selector.describe_keys());
  c.reply.bulk("channels");
  c.reply.bulk(selector.describe_channels());
}

// The error is the whole reply.
std::expected<User, std::string> changed_user(const CommandContext& c) {
  const std::string_view name = c.args[2];
  if (!is_user_name(name)) {
    return std::unexpected("ERR Usernames can't contain spaces or null characters");
  }
  const auto rules = join_selectors(c.args.subspan(3));
  if (!rules) {
    return std::unexpected("ERR Unmatched parenthesis in acl selector starting at '" +
                           std::string(up_to_nul(rules.error())) + "'.");
  }
  const ChannelDefault channels = channel_default(c.settings);
  const auto known = c.acl.find(name);
  User user = known ? *known : User(std::string(name), channels);
  for (const std::string& rule : *rules) {
    if (auto applied = user.apply(rule, channels); !applied) {
      return std::unexpected("ERR Error in ACL SETUSER modifier '" + std::string(up_to_nul(rule)) +
                             "': " + std::string(text_of(applied.error())));
    }
  }
  return user;
}

// The row that a call would run. Null after an error reply.
const CommandSpec* called_row(CommandContext& c, std::span<const std::string_view> call) {
  const int position = find_command(call[0]);
  const CommandSpec* spec = nullptr;
  if (position >= 0) {
    spec = &command_table()[static_cast<std::size_t>(position)];
    if (!spec->subcommands.empty() && call.size() > 1) spec = find_subcommand(*spec, call[1]);
  }
  if (spec == nullptr) {
    c.reply.error("ERR Command '" + std::string(up_to_nul(call[0])) + "' not found");
    return nullptr;
  }
  if (arity_fits(*spec, call.size())) return spec;
  c.reply.error(wrong_arity(full_name(*spec)));
  return nullptr;
}

}  // namespace

void cat(CommandContext& c) {
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "ACL");
  std::vector<std::string> names;
  if (c.args.size() == 2) {
    names.assign(category_names().begin(), category_names().end());
    return reply_texts(c, names);
  }
  const auto position = find_category(c.args[2]);
  if (!position) {
    return c.reply.error("ERR Unknown category '" + std::string(up_to_nul(c.args[2])) + "'");
  }
  for (const KnownCommand& command : known_commands()) {
    const bool is_member = category(*position).test(command.number);
    if (is_member && command.is_served) names.push_back(command.name);
  }
  reply_texts(c, names);
}

void setuser(CommandContext& c) {
  // Passwords may be anywhere in it.
  for (std::size_t i = 2; i < c.args.size(); ++i) c.runner.redact(i);
  auto user = changed_user(c);
  if (!user) return c.reply.error(user.error());
  const std::string name = user->name();
  c.acl.put(std::move(*user));
  close_forbidden_subscribers(c, *c.acl.find(name));
  c.reply.simple("OK");
}

void deluser(CommandContext& c) {
  std::int64_t count = 0;
  const auto names = c.args.subspan(2);
  for (const std::string_view name : names) {
    if (name == default_name) return c.reply.error("ERR The 'default' user cannot be removed");
    const auto removed = c.acl.remove(name);
    if (removed == nullptr) continue;
    close_clients_of(c, *removed);
    ++count;
  }
  c.reply.integer(count);
}

void getuser(CommandContext& c) {
  const auto user = c.acl.find(c.args[2]);
  if (user == nullptr) return c.reply.null();
  c.reply.map(6);
  c.reply.bulk("flags");
  const auto flags = user->flag_names();
  c.reply.set(flags.size());
  for (const std::string_view name : flags) c.reply.bulk(name);
  c.reply.bulk("passwords");
  reply_texts(c, user->password_hashes());
  reply_selector(c, user->selectors().front());
  c.reply.bulk("selectors");
  const auto further = std::span(user->selectors()).subspan(1);
  c.reply.array(further.size());
  for (const Selector& selector : further) {
    c.reply.map(3);
    reply_selector(c, selector);
  }
}

void list(CommandContext& c) {
  reply_texts(c, c.acl.describe());
}

void users(CommandContext& c) {
  c.reply.array(c.acl.users().size());
  for (const auto& [name, user] : c.acl.users()) c.reply.bulk(name);
}

void whoami(CommandContext& c) {
  c.reply.bulk(c.client.account->name());
}

void genpass(CommandContext& c) {
  constexpr std::int64_t bits_max = 4096;
  std::int64_t bits = 256;
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "ACL");
  if (c.args.size() == 3) {
    const auto wanted = base::parse_int64(c.args[2]);
    if (!wanted) return c.reply.error(error_text::not_an_integer);
    if (*wanted <= 0 || *wanted > bits_max) {
      return c.reply.error(
          "ERR ACL GENPASS argument must be the number of bits for the output password, a positive "
          "number up to 4096");
    }
    bits = *wanted;
  }
  c.reply.bulk(random_password(static_cast<std::size_t>(bits)));
}

void dryrun(CommandContext& c) {
  const auto user = c.acl.find(c.args[2]);
  if (user == nullptr) {
    return c.reply.error("ERR User '" + std::string(up_to_nul(c.args[2])) + "' not found");
  }
  const auto call = c.args.subspan(3);
  const CommandSpec* spec = called_row(c, call);
  if (spec == nullptr) return;
  const Denial denial = user->check(*spec, call);
  if (denial) return c.reply.bulk(explanation(denial, *spec, call));
  c.reply.simple("OK");
}

void load(CommandContext& c) {
  AclFile& file = c.server.acl_file;
  if (file.path().empty()) return c.reply.error(no_file);
  const auto content = file.read();
  if (!content) {
    return c.reply.error("ERR Error loading ACLs, opening file '" + file.path() +
                         "': " + content.error());
  }
  auto users = users_of_file(*content, file.path(), channel_default(c.settings));
  if (!users) return c.reply.error("ERR " + users.error());
  // Redis 7.0: all but the default user's connections, whether their rules changed or not.
  for (const auto& gone : c.acl.replace_all(std::move(*users))) close_clients_of(c, *gone);
  close_forbidden_subscribers(c, *c.acl.default_user());
  c.reply.simple("OK");
}

void save(CommandContext& c) {
  AclFile& file = c.server.acl_file;
  if (file.path().empty()) return c.reply.error(no_file);
  std::string content;
  for (const std::string& line : c.acl.describe()) content.append(line).append("\n");
  if (const auto written = file.write(content); !written) {
    c.server.log.event(LogLevel::warning, "Saving ACLs to " + file.path() + ": " + written.error());
    return c.reply.error(
        "ERR There was an error trying to save the ACLs. Please check the server logs for more "
        "information");
  }
  c.reply.simple("OK");
}

void log(CommandContext& c) {
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "ACL");
  std::int64_t count = 10;
  if (c.args.size() == 3) {
    if (is_word(c.args[2], "RESET")) {
      c.acl.log().clear();
      return c.reply.simple("OK");
    }
    const auto wanted = base::parse_int64(c.args[2]);
    if (!wanted) return c.reply.error(error_text::not_an_integer);
    count = std::max<std::int64_t>(*wanted, 0);
  }
  const std::deque<LogEntry>& entries = c.acl.log().entries();
  const std::size_t shown = std::min(entries.size(), static_cast<std::size_t>(count));
  c.reply.array(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const LogEntry& entry = entries[i];
    c.reply.map(7);
    c.reply.bulk("count");
    c.reply.integer(static_cast<std::int64_t>(entry.count));
    c.reply.bulk("reason");
    c.reply.bulk(name_of(entry.reason));
    c.reply.bulk("context");
    c.reply.bulk(name_of(entry.context));
    c.reply.bulk("object");
    c.reply.bulk(entry.object);
    c.reply.bulk("username");
    c.reply.bulk(entry.user);
    c.reply.bulk("age-seconds");
    const std::int64_t age_ms = (c.clock.monotonic_us() - entry.at_us) / 1000;
    c.reply.real(static_cast<double>(age_ms) / 1000);
    c.reply.bulk("client-info");
    c.reply.bulk(entry.client);
  }
}

void help(CommandContext& c) {
  reply_help(c.reply, "ACL",
             {
                 "CAT [<category>]",
                 "    Lists the categories, or the commands of one.",
                 "DELUSER <name> [<name> ...]",
                 "    Deletes users and closes their connections.",
                 "DRYRUN <name> <command> [<arg> ...]",
                 "    Tells whether the user may make this call, without making it.",
                 "GENPASS [<bits>]",
                 "    Makes up a password, of 256 bits if not said otherwise.",
                 "GETUSER <name>",
                 "    Returns the rules of the user.",
                 "LIST",
                 "    Returns the rules of all users, one line each.",
                 "LOAD",
                 "    Reads the users from the aclfile.",
                 "LOG [<count> | RESET]",
                 "    Returns the latest refusals (10 if not said otherwise), or forgets them.",
                 "SAVE",
                 "    Writes the users into the aclfile.",
                 "SETUSER <name> [<rule> ...]",
                 "    Creates the user if need be, and applies the rules in order.",
                 "USERS",
                 "    Returns the names of all users.",
                 "WHOAMI",
                 "    Returns the name of this connection's user.",
             });
}

}  // namespace commands::acl
