#include "commands/dispatcher.hpp"

#include "base/assert.hpp"
#include "commands/acl_clients.hpp"
#include "commands/admission.hpp"
#include "commands/error_replies.hpp"
#include "commands/script_call.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace commands {
namespace {

std::int64_t steady_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Calls that may have taken long: the clock is read again after them.
constexpr Flags slow_flags[] = {flag::runs_script, flag::runs_in_multi, flag::admin};

bool may_take_long(const CommandSpec& spec) {
  for (const Flags flags : slow_flags) {
    if (spec.flags.has(flags)) return true;
  }
  return false;
}

const CommandSpec& row(std::size_t index) {
  return command_table()[index];
}

}  // namespace

Dispatcher::Dispatcher(const Services& services)
    : services_(services),
      waiters_(services.keyspace.waiters()),
      scripts_(*this, *this, steady_us),
      script_journal_(services.keyspace, scripts_, services.server.log),
      wall_(services.clock, services.server.log),
      observers_(services.server.clients, services.keyspace, client_) {}

const CommandSpec* Dispatcher::find(std::span<const std::string_view> args, int& index) {
  index = find_command(args[0]);
  if (index < 0) return nullptr;
  const CommandSpec& spec = row(static_cast<std::size_t>(index));
  if (spec.subcommands.empty() || args.size() < 2) return &spec;
  return find_subcommand(spec, args[1]);
}

void Dispatcher::execute(std::span<const std::string_view> args, ClientState& client,
                         protocol::ReplySink& reply) {
  // A nested call comes from serve_others() while a slow script runs.
  ClientState* const outer_client = std::exchange(client_, &client);
  if (outer_client != nullptr) last_stamp_ = 0;
  const std::uint64_t outer_queue_errors = std::exchange(queue_errors_, 0);
  int index = -1;
  const CommandSpec* spec = find(args, index);
  client.last_command = spec;
  ErrorMark before(reply);
  std::optional<Refusal> refusal;
  if (spec == nullptr) {
    refusal =
        Refusal{index < 0 ? unknown_command(args)
                          : unknown_subcommand(row(static_cast<std::size_t>(index)), args[1])};
  } else {
    const bool is_busy = scripts_.is_over_time_limit();
    refusal = refusal_of({*spec, args, client, services_.settings, acl_, is_loading_,
                          is_busy ? busy_text(scripts_) : std::string_view()});
  }
  if (refusal) {
    if (spec != nullptr) ++observers_.statistics.row(*spec).rejected;
    if (refusal->denial) {
      note_denial(refusal->denial, context_for(*spec, args, reply, Origin::client));
    }
    refuse(refusal->error, spec, reply);
  } else if (client.in_multi && !spec->flags.has(flag::runs_in_multi)) {
    queue(*spec, args, reply);
  } else {
    run_in_frame(*spec, args, reply);
  }
  // Errors of the calls that EXEC ran are noted where they ran.
  before.written += queue_errors_;
  note_errors(reply, before, refusal ? nullptr : spec);
  if (observers_.follow_calls()) end_call(spec);
  queue_errors_ = outer_queue_errors;
  client_ = outer_client;
}

void Dispatcher::note_errors(const protocol::ReplySink& reply, const ErrorMark& before,
                             const CommandSpec* spec) {
  if (reply.errors_written() == before.written) return;
  // An error that a script hands on was counted at the command that answered it.
  if (reply.errors_counted_before() == before.counted) {
    observers_.statistics.note_error(reply.last_error_code());
  }
  if (spec != nullptr) ++observers_.statistics.row(*spec).failed;
}

// A refused request inside MULTI spoils the transaction; a refused EXEC ends it. Redis words the
// latter the same without MULTI.
void Dispatcher::refuse(std::string_view error, const CommandSpec* spec,
                        protocol::ReplySink& reply) {
  const bool ends_multi = spec != nullptr && spec->flags.has(flag::runs_queue);
  if (!ends_multi) {
    client_->multi_broken = client_->multi_broken || client_->in_multi;
    return reply.error(error);
  }
  end_transaction(*client_);
  const std::size_t code_end = error.find(' ');
  const std::string_view reason = error.starts_with("ERR ") ? error.substr(code_end + 1) : error;
  reply.error("EXECABORT Transaction discarded because of: " + std::string(reason));
}

void Dispatcher::end_transaction(ClientState& client) {
  client.in_multi = false;
  client.multi_broken = false;
  client.queued.clear();
  if (client.is_watching) services_.keyspace.unwatch(client);
  client.is_watching = false;
  client.watch_broken = false;
}

void Dispatcher::run_in_frame(const CommandSpec& spec, std::span<const std::string_view> args,
                              protocol::ReplySink& reply) {
  const bool nested = services_.keyspace.in_frame();
  if (!nested) {
    if (std::exchange(now_is_old_, false)) now_ms_ = services_.clock.lease_ms();
    services_.keyspace.begin_frame(now_ms_);
    services_.keyspace.set_access_noted(!client_->no_touch);
  }
  run(spec, args, reply, Origin::client);
  if (!nested) {
    services_.keyspace.end_frame();
    if (waiters_.has_ready()) serve_waiters();
  }
  if (may_take_long(spec)) now_is_old_ = true;
}

void Dispatcher::serve_waiters() {
  engine::Keyspace& keyspace = services_.keyspace;
  last_stamp_ = 0;  // the next call does not pay for this
  while (const auto ready = waiters_.take_ready()) {
    bool has_more = true;
    while (has_more) {
      engine::Waiter* const first = waiters_.first(*ready);
      if (first == nullptr) break;
      keyspace.begin_frame(now_ms_);
      const engine::Entry* entry = keyspace.database(ready->database).peek(ready->key);
      has_more = entry != nullptr && entry->type() == ready->type;
      // All that waits for keys is a KeyWait.
      if (has_more) serve(static_cast<KeyWait&>(*first), ready->key);
      keyspace.end_frame();
    }
  }
}

void Dispatcher::serve(KeyWait& call, std::string_view key) {
  // Whatever becomes of the client, its turn has come.
  waiters_.remove(call);
  ClientState& client = call.client();
  ClientState* const outer_client = std::exchange(client_, &client);
  services_.keyspace.set_access_noted(!client.no_touch);
  const auto answer = [&](BlockedCall&, protocol::ReplySink& reply) {
    const CommandSpec& spec = call.spec();
    const ErrorMark before(reply);
    CommandContext served = context_for(spec, {}, reply, Origin::client);
    try {
      call.serve(served, key);
    } catch (const std::exception& failure) {
      log_failure(spec, failure);
      reply.error("ERR internal error");
    }
    note_errors(reply, before, &spec);
    if (observers_.follow_calls()) end_call(&spec);
  };
  services_.server.clients.answer_blocked_call(client, answer);
  client_ = outer_client;
}

void Dispatcher::log_failure(const CommandSpec& spec, const std::exception& failure) {
  services_.server.log.event(LogLevel::warning,
                             "command " + full_name(spec) + " failed: " + failure.what());
}

CommandContext Dispatcher::context_for(const CommandSpec& spec,
                                       std::span<const std::string_view> args,
                                       protocol::ReplySink& reply, Origin origin) {
  return {.args = args,
          .spec = spec,
          .reply = reply,
          .client = *client_,
          .keyspace = services_.keyspace,
          .channels = services_.channels,
          .scripts = scripts_,
          .notifier = services_.notifier,
          .settings = services_.settings,
          .clock = services_.clock,
          .wall = wall_,
          .server = services_.server,
          .runner = *this,
          .acl = acl_,
          .origin = origin,
          .in_transaction = in_transaction_};
}

void Dispatcher::run(const CommandSpec& spec, std::span<const std::string_view> args,
                     protocol::ReplySink& reply, Origin origin) {
  const bool outer_transaction = in_transaction_;
  if (!redacted_.empty()) redacted_.clear();
  if (origin == Origin::client) in_transaction_ = spec.flags.has(flag::runs_queue);
  // The outermost script of a call, from a client or from EXEC.
  const bool starts_script = origin != Origin::script && spec.flags.has(flag::runs_script);
  if (starts_script) {
    script_has_written_ = false;
    script_call_ = {&spec, args};
    // As in Redis a script is shown before the calls that it makes.
    if (observers_.monitors.is_heard()) show_call(args, origin);
  }
  const TimedCall timed = begin_timing(spec, origin);
  CommandContext context = context_for(spec, args, reply, origin);
  try {
    spec.handler(context);
  } catch (const std::exception& failure) {
    // Only memory exhaustion and libraries throw; whatever was changed so far stays in the frame.
    log_failure(spec, failure);
    reply.error("ERR internal error");
  }
  note_call(spec, args, timed, origin);
  in_transaction_ = outer_transaction;
}

void Dispatcher::note_denial(const acl::Denial& denial, const CommandContext& context) {
  auto where = acl::Context::toplevel;
  if (context.in_transaction || client_->in_multi) where = acl::Context::multi;
  if (context.origin == Origin::script) where = acl::Context::script;
  acl::note_denial(context, denial, where);
}

void Dispatcher::queue(const CommandSpec& spec, std::span<const std::string_view> args,
                       protocol::ReplySink& reply) {
  client_->queued.push_back({&spec, {args.begin(), args.end()}});
  reply.simple("QUEUED");
}

void Dispatcher::run_queued(const QueuedCall& call, protocol::ReplySink& reply) {
  if (scripts_.is_over_time_limit()) return reply.error(busy_text(scripts_));
  const std::vector<std::string_view> args(call.args.begin(), call.args.end());
  const ErrorMark before(reply);
  // Permissions may have changed since MULTI.
  const acl::Denial denial = client_->account->check(*call.spec, args);
  if (denial) {
    ++observers_.statistics.row(*call.spec).rejected;
    note_denial(denial, context_for(*call.spec, args, reply, Origin::transaction));
    reply.error(acl::refusal_of_queued_call(denial));
  } else {
    run(*call.spec, args, reply, Origin::transaction);
  }
  note_errors(reply, before, denial ? nullptr : call.spec);
  queue_errors_ += reply.errors_written() - before.written;
}

bool Dispatcher::is_write(std::span<const std::string_view> args, const ClientState& client) const {
  const auto writes = [](const CommandSpec& spec) {
    return spec.flags.has(flag::write) || spec.flags.has(flag::may_replicate) ||
           (spec.flags.has(flag::runs_script) && !spec.flags.has(flag::readonly));
  };
  const int index = find_command(args[0]);
  if (index < 0) return false;
  const CommandSpec& spec = row(static_cast<std::size_t>(index));
  if (!spec.flags.has(flag::runs_queue)) return writes(spec);
  return std::ranges::any_of(client.queued,
                             [&](const QueuedCall& call) { return writes(*call.spec); });
}

void Dispatcher::forget(ClientState& client) {
  client.blocked.reset();
  end_transaction(client);
  services_.channels.forget(client.subscriber());
  observers_.monitors.remove(client);
  observers_.tracking.disable(client);
}

void Dispatcher::reset_statistics() {
  observers_.statistics.reset();
  services_.keyspace.reset_counters();
}

scripting::CommandId Dispatcher::resolve(std::string_view name) {
  return find_command(name);
}

void Dispatcher::invoke(scripting::CommandId command, std::span<const std::string_view> args,
                        protocol::ReplySink& reply) {
  constexpr std::string_view unknown = "ERR Unknown Redis command called from script";
  if (command < 0) return refuse_script_call(unknown, nullptr, reply);
  const CommandSpec* spec = &row(static_cast<std::size_t>(command));
  if (!spec->subcommands.empty() && args.size() > 1) {
    spec = find_subcommand(*spec, args[1]);
    if (spec == nullptr) return refuse_script_call(unknown, nullptr, reply);
  }
  if (!arity_fits(*spec, args.size()) || !spec->handler.is_set()) {
    return refuse_script_call("ERR Wrong number of args calling Redis command from script", spec,
                              reply);
  }
  if (spec->flags.has(flag::noscript)) {
    return refuse_script_call("ERR This Redis command is not allowed from script", spec, reply);
  }
  if (!client_->account->is_unrestricted()) [[unlikely]] {
    if (const acl::Denial denial = client_->account->check(*spec, args)) {
      note_denial(denial, context_for(*spec, args, reply, Origin::script));
      return refuse_script_call(acl::refusal_of_script(denial), spec, reply);
    }
  }
  const bool writes = spec->flags.has(flag::write) || spec->flags.has(flag::may_replicate);
  if (writes) {
    if (scripts_.running_access() == scripting::ScriptAccess::read_only) {
      return refuse_script_call("ERR Write commands are not allowed from read-only scripts.", spec,
                                reply);
    }
    script_has_written_ = true;
  }
  const ErrorMark before(reply);
  run(*spec, args, reply, Origin::script);
  note_errors(reply, before, spec);
}

void Dispatcher::refuse_script_call(std::string_view error, const CommandSpec* spec,
                                    protocol::ReplySink& reply) {
  if (spec != nullptr) ++observers_.statistics.row(*spec).rejected;
  observers_.statistics.note_error(error.substr(0, error.find(' ')));
  reply.error(error);
}

std::optional<bool> Dispatcher::may_call(std::span<const std::string_view> args) {
  int index = -1;
  const CommandSpec* spec = find(args, index);
  if (spec == nullptr) return std::nullopt;
  return !client_->account->check(*spec, args);
}

bool Dispatcher::slow_script() {
  services_.server.process.serve_others();
  return false;
}

void Dispatcher::script_message(int level, std::string_view text) {
  ASSERT(level >= 0 && level <= 3);
  services_.server.log.event(static_cast<LogLevel>(level), text);
}

}  // namespace commands
