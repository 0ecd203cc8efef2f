#include "server/core.hpp"

#include "commands/process_figures.hpp"
#include "server/accounts.hpp"

#include <algorithm>
#include <utility>

namespace server {
namespace {

// A slice of expiry or of freeing: short enough that no client notices.
constexpr std::int64_t slice_us = 500;
constexpr std::int64_t background_slice_us = 100;

}  // namespace

Core::Core(Config& config, Log& log, const base::Clock& clock, engine::CommitLog& commit_log,
           std::uint64_t seed)
    : config_(config),
      log_(log),
      clock_(clock),
      commit_log_(commit_log),
      keyspace_(static_cast<std::uint64_t>(clock.wall_us()), seed),
      notifier_(config.settings(), channels_),
      clients_(*this),
      acl_file_(config),
      control_{config, clients_, *this, log, acl_file_},
      dispatcher_({keyspace_, channels_, notifier_, config.settings(), clock, control_}),
      started_at_us_(clock.monotonic_us()),
      now_us_(started_at_us_) {
  keyspace_.set_events(&notifier_);
  keyspace_.set_frames_wanted(commit_log.wants_frames());
  // What is in use now is what the start takes: INFO subtracts it.
  static_cast<void>(commands::memory_figures());
  apply_limits();
  add_configured_users(config, dispatcher_.acl());
  config_.on_change([this](std::string_view name) -> std::expected<void, std::string> {
    if (name == "requirepass") {
      dispatcher_.acl().set_default_password(config_.settings().requirepass);
    }
    apply_limits();
    return {};
  });
  config_.set_users_source([this] { return lines_of_users(config_, dispatcher_.acl()); });
}

Core::~Core() {
  clients_.end_all();
  config_.forget_listeners();
}

std::expected<void, std::string> Core::load_acl_file() {
  return load_users(config_, acl_file_, dispatcher_.acl());
}

void Core::apply_limits() {
  const commands::Settings& settings = config_.settings();
  keyspace_.set_limits(
      {.intake = intake_,
       .bytes_max = settings.memory_bytes_max,
       .string_bytes_max = static_cast<std::size_t>(settings.bulk_bytes_max),
       .packed_hash_fields_max = settings.packed_hash_fields_max,
       .packed_hash_value_bytes_max = settings.packed_hash_value_bytes_max,
       .intset_members_max = settings.intset_members_max,
       .packed_sorted_set_members_max = settings.packed_sorted_set_members_max,
       .packed_sorted_set_member_bytes_max = settings.packed_sorted_set_member_bytes_max});
  keyspace_.set_durability(config_.server().durability);
  dispatcher_.scripts().set_limits(
      {.time_limit_ms = settings.script_time_limit_ms,
       .memory_bytes_max = static_cast<std::size_t>(settings.script_bytes_max)});
  clients_.set_request_limits(
      {.bulk_bytes_max = static_cast<std::size_t>(settings.bulk_bytes_max)});
}

Session& Core::open_session(Transport* transport) {
  ++figures_.connections_received;
  now_us_ = clock_.monotonic_us();
  return clients_.open(transport);
}

void Core::begin_run(Session& session) {
  now_us_ = clock_.monotonic_us();
  if (rates_.wants_sample(now_us_)) {
    rates_.sample(now_us_, counts());
    dispatcher_.observers().clock.calibrate();
  }
  if (!keyspace_.in_frame()) dispatcher_.refresh_now();
  clients_.make_dirty(session);
}

void Core::end_run(Session& session) {
  // A slow script's rounds for the others have flushed it before its reply was there.
  clients_.make_dirty(session);
  if (session.client().blocked) clients_.note_blocked(session);
}

bool Core::run_turn() {
  run_ready();
  check_time();
  const bool more_to_expire = expire_slice();
  end_turn();
  return more_to_expire || clients_.has_ready();
}

void Core::run_ready() {
  clients_.run_ready();
}

void Core::check_time() {
  now_us_ = clock_.monotonic_us();
  commit_log_.check_time(now_us_);
  clients_.check_time(now_us_);
}

bool Core::expire_slice() {
  if (keyspace_.in_frame()) return false;
  const std::int64_t started_us = clock_.monotonic_us();
  const bool more_due = keyspace_.expire_due(clock_.lease_ms(), slice_us);
  note_expiry(clock_.monotonic_us() - started_us, more_due);
  const bool more_to_free = keyspace_.free_some(slice_us);
  return more_due || more_to_free;
}

bool Core::has_work() const {
  return clients_.has_ready() || keyspace_.has_garbage() ||
         (background_ != nullptr && background_->has_work());
}

void Core::begin_loading() {
  keyspace_.set_active_expiry(false);
  dispatcher_.set_loading(true);
}

void Core::end_loading() {
  keyspace_.set_active_expiry(true);
  dispatcher_.set_loading(false);
  dispatcher_.refresh_now();
  dispatcher_.read_wall_again();
}

void Core::note_expiry(std::int64_t us, bool is_cut) {
  figures_.expiry_us += static_cast<std::uint64_t>(us);
  if (is_cut) ++figures_.expiry_slices_cut;
  const std::int64_t threshold_ms = settings().latency_threshold_ms;
  if (threshold_ms <= 0 || us / 1000 < threshold_ms) return;
  dispatcher_.observers().latencies.note("expire-cycle", us / 1000, clock_.wall_us() / 1'000'000);
}

RateMeter::Counts Core::counts() {
  return {dispatcher_.observers().statistics.processed, figures_.input_bytes,
          figures_.output_bytes};
}

void Core::end_turn() {
  Condition condition = appended_;
  if (!keyspace_.in_frame()) {
    dispatcher_.end_turn();
    engine::Batch batch = keyspace_.take_batch();
    condition.position = commit_log_.read_position();
    if (!batch.empty()) {
      condition.position = commit_log_.append(std::move(batch));
    } else if (const auto ticket = commit_log_.read_barrier()) {
      condition.ticket = *ticket;
    }
    appended_ = condition;
  }
  commit_log_.end_turn();
  reached_.position = commit_log_.committed_position();
  clients_.flush_dirty(condition, reached_);
  clients_.forget_ended();
  // A snapshot begins where everything is appended.
  if (background_ == nullptr || keyspace_.in_frame() || !background_->has_work()) return;
  background_->run_slice(background_slice_us);
}

void Core::count_input(std::size_t bytes) {
  figures_.input_bytes += bytes;
  ++figures_.reads;
}

void Core::count_output(std::size_t bytes) {
  figures_.output_bytes += bytes;
  ++figures_.writes;
}

std::optional<std::int64_t> Core::next_check_us() const {
  std::optional<std::int64_t> next = clients_.next_check_us();
  const auto earlier = [&](std::optional<std::int64_t> at_us) {
    if (at_us) next = std::min(next.value_or(*at_us), *at_us);
  };
  earlier(commit_log_.next_check_us());
  if (background_ != nullptr) earlier(background_->next_check_us());
  return next;
}

commands::ProcessFigures Core::figures() {
  commands::ProcessFigures figures = figures_;
  figures.executable = executable_;
  figures.config_file = config_.file();
  figures.tcp_port = port_;
  figures.started_at_us = started_at_us_;
  figures.clients_max = config_.server().clients_max;
  figures.clients = clients_.size();
  figures.clients_blocked = clients_.blocked();
  const RateMeter::Counts rates = rates_.per_second(clock_.monotonic_us(), counts());
  figures.commands_per_second = rates.at(RateMeter::commands);
  figures.input_bytes_per_second = rates.at(RateMeter::input_bytes);
  figures.output_bytes_per_second = rates.at(RateMeter::output_bytes);
  return figures;
}

void Core::reset_figures() {
  figures_ = {};
  rates_.reset();
}

void Core::shutdown(commands::ShutdownMode mode) {
  stopping_ = true;
  // A script that runs for ever must not keep the process: what it changed goes with the memory.
  if (dispatcher_.scripts().is_over_time_limit()) dispatcher_.scripts().kill();
  if (stop_) stop_(mode);
}

bool Core::holds_everyone(Session& session) {
  return stopping_ || clients_.holds_everyone(session);
}

void Core::serve_others() {
  // The next script of the EXEC that was running when the end was asked for.
  if (stopping_) return dispatcher_.scripts().kill();
  if (!serve_others_) return;
  clients_.set_dirty_aside();
  serve_others_();
  clients_.take_dirty_back();
}

void Core::committed(engine::Position position) {
  reached_.position = std::max(reached_.position, position);
  clients_.release_held(reached_);
}

void Core::read_ready(engine::ReadTicket ticket) {
  reached_.ticket = std::max(reached_.ticket, ticket);
  clients_.release_held(reached_);
}

void Core::role_changed(engine::Role role) {
  log_.notice(role == engine::Role::active ? "This node is active" : "This node follows");
}

// The outcome of what waits is unknown: its clients are told nothing, as by a crash.
void Core::tail_void(engine::Position last_committed) {
  log_.warning("Effects behind position " + std::to_string(last_committed) +
               " are void: closing the connections that waited for them");
  clients_.abort_waiting();
}

void Core::health_changed(engine::LogHealth health, std::string_view reason) {
  switch (health) {
    case engine::LogHealth::good:
      log_.notice("The journal is whole again: everything is taken");
      intake_ = engine::Intake::everything;
      break;
    case engine::LogHealth::full:
      log_.warning("The disk of the journal is full: " + std::string(reason) +
                   ". Releases and renewals are taken, new keys are not, until there is room");
      intake_ = engine::Intake::no_growth;
      break;
    case engine::LogHealth::failed:
      log_.warning("The journal has failed: " + std::string(reason) +
                   ". Only releases are taken, and answered when a snapshot has been written");
      intake_ = engine::Intake::releases;
      // The outcome of what waits is unknown: as by a crash.
      clients_.abort_waiting();
      break;
  }
  apply_limits();
}

}  // namespace server
