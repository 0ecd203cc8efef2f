// CLIENT TRACKING, CACHING, GETREDIR, TRACKINGINFO: client-side caching.
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/call_observers.hpp"
#include "commands/client_commands.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"

#include <set>
#include <string>
#include <vector>

namespace commands::client {
namespace {

constexpr std::string_view switched_mode =
    "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
    "re-enabling it with a different mode.";
constexpr std::string_view switched_broadcast =
    "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then "
    "re-enabling it with a different mode.";

struct Wishes {
  std::int64_t redirect = 0;
  bool broadcast = false;
  bool opt_in = false;
  bool opt_out = false;
  bool no_loop = false;
  std::vector<std::string_view> prefixes;  // in the order of the arguments
};

void read_redirect(CommandContext& c, ArgumentReader& args, Wishes& wishes) {
  if (wishes.redirect != 0) {
    return args.fail("ERR A client can only redirect to a single other client");
  }
  wishes.redirect = args.next_integer();
  if (!args.failed() && c.server.clients.find(wishes.redirect) == nullptr) {
    args.fail("ERR The client ID you want redirect to does not exist");
  }
}

void read_option(CommandContext& c, ArgumentReader& args, Wishes& wishes) {
  if (args.left() > 1 && args.take_word("REDIRECT")) {
    read_redirect(c, args, wishes);
  } else if (args.take_word("BCAST")) {
    wishes.broadcast = true;
  } else if (args.take_word("OPTIN")) {
    wishes.opt_in = true;
  } else if (args.take_word("OPTOUT")) {
    wishes.opt_out = true;
  } else if (args.take_word("NOLOOP")) {
    wishes.no_loop = true;
  } else if (args.left() > 1 && args.take_word("PREFIX")) {
    wishes.prefixes.push_back(args.next());
  } else {
    args.fail(error_text::syntax);
  }
}

bool overlap(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

std::string overlap_error(std::string_view prefix, std::string_view kind, std::string_view other) {
  return "ERR Prefix '" + std::string(up_to_nul(prefix)) + "' overlaps with " + std::string(kind) +
         " prefix '" + std::string(up_to_nul(other)) +
         "'. Prefixes for a single client must not overlap.";
}

// Empty: there is none.
std::string find_overlap(const Wishes& wishes, const ClientTracking* before) {
  static const std::set<std::string> none;
  const std::set<std::string>& existing = before == nullptr ? none : before->prefixes;
  for (std::size_t i = 0; i < wishes.prefixes.size(); ++i) {
    const std::string_view prefix = wishes.prefixes[i];
    for (const std::string& other : existing) {
      if (overlap(prefix, other)) return overlap_error(prefix, "an existing", other);
    }
    for (const std::string_view other : std::span(wishes.prefixes).subspan(i + 1)) {
      if (overlap(prefix, other)) return overlap_error(prefix, "another provided", other);
    }
  }
  return {};
}

// What is wrong with the wishes, in Redis' order; empty: nothing.
std::string complaint_about(const Wishes& wishes, const ClientTracking* before) {
  if (!wishes.prefixes.empty() && !wishes.broadcast) {
    return "ERR PREFIX option requires BCAST mode to be enabled";
  }
  if (before != nullptr && before->is_broadcast != wishes.broadcast) {
    return std::string(switched_broadcast);
  }
  if (wishes.broadcast && (wishes.opt_in || wishes.opt_out)) {
    return "ERR OPTIN and OPTOUT are not compatible with BCAST";
  }
  if (wishes.opt_in && wishes.opt_out) {
    return "ERR You can't specify both OPTIN mode and OPTOUT mode";
  }
  const bool switches =
      before != nullptr && ((wishes.opt_in && before->mode == TrackingMode::opt_out) ||
                            (wishes.opt_out && before->mode == TrackingMode::opt_in));
  if (switches) return std::string(switched_mode);
  return wishes.broadcast ? find_overlap(wishes, before) : std::string();
}

TrackingMode mode_of(const Wishes& wishes) {
  if (wishes.opt_in) return TrackingMode::opt_in;
  return wishes.opt_out ? TrackingMode::opt_out : TrackingMode::all;
}

void turn_on(CommandContext& c, const Wishes& wishes) {
  const std::string complaint = complaint_about(wishes, c.client.tracking.get());
  if (!complaint.empty()) return c.reply.error(complaint);
  ClientTracking tracking;
  tracking.mode = mode_of(wishes);
  tracking.is_broadcast = wishes.broadcast;
  tracking.skips_own_changes = wishes.no_loop;
  tracking.redirect = wishes.redirect;
  tracking.prefixes.insert(wishes.prefixes.begin(), wishes.prefixes.end());
  c.runner.observers().tracking.enable(c.client, std::move(tracking));
  c.reply.simple("OK");
}

std::vector<std::string_view> flags_of(const ClientTracking* tracking) {
  if (tracking == nullptr) return {"off"};
  std::vector<std::string_view> flags = {"on"};
  const auto add_if = [&flags](bool condition, std::string_view name) {
    if (condition) flags.push_back(name);
  };
  const bool is_opt_in = tracking->mode == TrackingMode::opt_in;
  const bool is_opt_out = tracking->mode == TrackingMode::opt_out;
  const bool has_choice = tracking->caching != nullptr;
  add_if(tracking->is_broadcast, "bcast");
  add_if(is_opt_in, "optin");
  add_if(is_opt_in && has_choice, "caching-yes");
  add_if(is_opt_out, "optout");
  add_if(is_opt_out && has_choice, "caching-no");
  add_if(tracking->skips_own_changes, "noloop");
  add_if(tracking->redirect_is_broken, "broken_redirect");
  return flags;
}

}  // namespace

std::int64_t redirect_of(const ClientState& client) {
  return client.tracking ? client.tracking->redirect : -1;
}

void tracking(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  Wishes wishes;
  while (args.has_more()) read_option(c, args, wishes);
  if (args.failed()) return args.reply_error(c.reply);
  if (is_word(c.args[2], "ON")) return turn_on(c, wishes);
  if (!is_word(c.args[2], "OFF")) return c.reply.error(error_text::syntax);
  c.runner.observers().tracking.disable(c.client);
  c.reply.simple("OK");
}

void caching(CommandContext& c) {
  ClientTracking* const tracking = c.client.tracking.get();
  if (tracking == nullptr) {
    return c.reply.error(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or "
        "OPTOUT mode enabled");
  }
  const bool yes = is_word(c.args[2], "YES");
  if (!yes && !is_word(c.args[2], "NO")) return c.reply.error(error_text::syntax);
  if (yes && tracking->mode != TrackingMode::opt_in) {
    return c.reply.error(
        "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
  }
  if (!yes && tracking->mode != TrackingMode::opt_out) {
    return c.reply.error(
        "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
  }
  tracking->caching = &c.spec;
  c.reply.simple("OK");
}

void getredir(CommandContext& c) {
  c.reply.integer(redirect_of(c.client));
}

void trackinginfo(CommandContext& c) {
  const ClientTracking* const tracking = c.client.tracking.get();
  const auto flags = flags_of(tracking);
  c.reply.map(3);
  c.reply.bulk("flags");
  c.reply.set(flags.size());
  for (const std::string_view name : flags) c.reply.bulk(name);
  c.reply.bulk("redirect");
  c.reply.integer(redirect_of(c.client));
  c.reply.bulk("prefixes");
  if (tracking == nullptr) return c.reply.array(0);
  c.reply.array(tracking->prefixes.size());
  for (const std::string& prefix : tracking->prefixes) c.reply.bulk(prefix);
}

}  // namespace commands::client
