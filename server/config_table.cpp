#include "server/config_table.hpp"

#include "commands/argument_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace server {
namespace {

constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t uint32_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

// A row under construction: what it is, then what is special about it.
struct Row : Option {
  [[nodiscard]] consteval Row between(std::int64_t from, std::int64_t to) const {
    Row row = *this;
    row.low = from;
    row.high = to;
    return row;
  }
  [[nodiscard]] consteval Row only_at_start() const {
    Row row = *this;
    row.change = OptionChange::at_start;
    return row;
  }
  [[nodiscard]] consteval Row is_guarded() const {
    Row row = *this;
    row.change = OptionChange::guarded;
    return row;
  }
  [[nodiscard]] consteval Row is_now(std::string_view newer) const {
    Row row = *this;
    row.same_as = newer;
    return row;
  }
  [[nodiscard]] consteval Row harmless_when(std::string_view value) const {
    Row row = *this;
    row.harmless = value;
    return row;
  }
  [[nodiscard]] consteval Row means(std::string_view sentence) const {
    Row row = *this;
    row.summary = sentence;
    return row;
  }
};

consteval Row option(std::string_view name, OptionKind kind, std::string_view value) {
  Row row{};
  row.name = name;
  row.kind = kind;
  row.default_value = value;
  return row;
}
consteval Row yes_no(std::string_view name, std::string_view value) {
  return option(name, OptionKind::yes_no, value);
}
consteval Row integer(std::string_view name, std::string_view value, std::int64_t low,
                      std::int64_t high) {
  return option(name, OptionKind::integer, value).between(low, high);
}
consteval Row bytes(std::string_view name, std::string_view value, std::int64_t low) {
  return option(name, OptionKind::bytes, value).between(low, int64_max);
}
consteval Row choice(std::string_view name, std::string_view value, std::string_view choices) {
  Row row = option(name, OptionKind::choice, value);
  row.choices = choices;
  return row;
}
consteval Row text(std::string_view name, std::string_view value) {
  return option(name, OptionKind::text, value);
}

constexpr auto options = std::to_array<Option>({
    choice("acl-pubsub-default", "resetchannels", "allchannels, resetchannels")
        .means("Channels of a user whose rules name none: allchannels or resetchannels (none)."),
    text("aclfile", "")
        .only_at_start()
        .means("File of users, read at the start and by ACL LOAD, written by ACL SAVE; empty: "
               "none."),
    integer("acllog-max-len", "128", 0, int64_max).means("How many refusals ACL LOG remembers."),
    integer("active-defrag-cycle-max", "25", 1, 99),
    integer("active-defrag-cycle-min", "1", 1, 99),
    bytes("active-defrag-ignore-bytes", "104857600", 1),
    integer("active-defrag-max-scan-fields", "1000", 1, int64_max),
    integer("active-defrag-threshold-lower", "10", 0, 1000),
    integer("active-defrag-threshold-upper", "100", 0, 1000),
    integer("active-expire-effort", "1", 1, 10),
    yes_no("activedefrag", "no"),
    yes_no("activerehashing", "yes"),
    yes_no("always-show-logo", "no").only_at_start(),
    yes_no("aof-disable-auto-gc", "no"),
    yes_no("aof-load-truncated", "yes"),
    yes_no("aof-rewrite-incremental-fsync", "yes"),
    yes_no("aof-timestamp-enabled", "no"),
    yes_no("aof-use-rdb-preamble", "yes"),
    text("aof_rewrite_cpulist", "").only_at_start(),
    text("appenddirname", "appendonlydir")
        .only_at_start()
        .means("Directory of the journal, below dir."),
    text("appendfilename", "appendonly.aof").only_at_start(),
    choice("appendfsync", "everysec", "everysec, always, no")
        .means("When the journal is synced to the disk: before every reply (always), within a "
               "second (everysec), or when the system likes (no)."),
    yes_no("appendonly", "no")
        .only_at_start()
        .means("Whether changes are kept in a journal on the disk, and loaded at the start."),
    bytes("auto-aof-rewrite-min-size", "67108864", 0)
        .means("No snapshot by itself while the journal behind the last one is smaller than this."),
    integer("auto-aof-rewrite-percentage", "100", 0, int32_max)
        .means("Take a snapshot when the journal has grown to this many percent of the last one; "
               "0: never by itself."),
    text("bgsave_cpulist", "").only_at_start(),
    option("bind", OptionKind::words, "* -::*")
        .means("Addresses to listen on; a name with \"-\" in front may be missing; \"*\" and "
               "\"::*\" mean all."),
    text("bind-source-addr", ""),
    text("bio_cpulist", "").only_at_start(),
    integer("busy-reply-threshold", "5000", 0, int64_max)
        .means("Milliseconds a script may run before others are answered BUSY and SCRIPT KILL "
               "works; 0: no limit."),
    option("client-output-buffer-limit", OptionKind::output_limits,
           "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60")
        .means(
            "Per class (normal, slave, pubsub): close a client with more unsent bytes than the "
            "first figure, or than the second for longer than the third in seconds; 0: no limit."),
    bytes("client-query-buffer-limit", "1073741824", 1048576)
        .means("Close a client whose unfinished or waiting requests take more bytes than this."),
    yes_no("cluster-allow-pubsubshard-when-down", "yes"),
    yes_no("cluster-allow-reads-when-down", "no"),
    yes_no("cluster-allow-replica-migration", "yes"),
    integer("cluster-announce-bus-port", "0", 0, 65535),
    text("cluster-announce-hostname", ""),
    text("cluster-announce-ip", ""),
    integer("cluster-announce-port", "0", 0, 65535),
    integer("cluster-announce-tls-port", "0", 0, 65535),
    text("cluster-config-file", "nodes.conf").only_at_start(),
    yes_no("cluster-enabled", "no").only_at_start().harmless_when("no"),
    bytes("cluster-link-sendbuf-limit", "0", 0),
    integer("cluster-migration-barrier", "1", 0, int32_max),
    integer("cluster-node-timeout", "15000", 0, int64_max),
    integer("cluster-port", "0", 0, 65535).only_at_start(),
    choice("cluster-preferred-endpoint-type", "ip", "ip, hostname, unknown-endpoint"),
    yes_no("cluster-replica-no-failover", "no"),
    integer("cluster-replica-validity-factor", "10", 0, int32_max),
    yes_no("cluster-require-full-coverage", "yes"),
    yes_no("cluster-slave-no-failover", "no").is_now("cluster-replica-no-failover"),
    integer("cluster-slave-validity-factor", "10", 0, int32_max)
        .is_now("cluster-replica-validity-factor"),
    yes_no("crash-log-enabled", "yes"),
    yes_no("crash-memcheck-enabled", "yes"),
    yes_no("daemonize", "no").only_at_start().harmless_when("no"),
    integer("databases", "16", 1, int32_max).only_at_start().harmless_when("16"),
    text("dbfilename", "dump.rdb").is_guarded(),
    text("dir", ".").is_guarded().means("Working directory: relative file names start here."),
    yes_no("disable-thp", "yes").only_at_start(),
    option("durability", OptionKind::durability, "")
        .means("Pairs of a glob and always, everysec or no: when keys of such names are synced, "
               "instead of appendfsync; the first that matches decides."),
    yes_no("dynamic-hz", "yes"),
    choice("enable-debug-command", "no", "no, yes, local")
        .only_at_start()
        .means("Whether DEBUG may be used: no, yes, or local (loopback and Unix socket only)."),
    choice("enable-module-command", "no", "no, yes, local").only_at_start(),
    choice("enable-protected-configs", "no", "no, yes, local")
        .only_at_start()
        .means("Whether CONFIG SET may change protected settings (dir): no, yes, or local."),
    integer("hash-max-listpack-entries", "512", 0, int64_max)
        .means("A hash with more fields than this is a hash table (OBJECT ENCODING)."),
    bytes("hash-max-listpack-value", "64", 0)
        .means("A hash with a longer field or value than this many bytes is a hash table."),
    integer("hash-max-ziplist-entries", "512", 0, int64_max).is_now("hash-max-listpack-entries"),
    bytes("hash-max-ziplist-value", "64", 0).is_now("hash-max-listpack-value"),
    bytes("hll-sparse-max-bytes", "3000", 0),
    integer("hz", "10", 0, int32_max),
    text("ignore-warnings", ""),
    integer("io-threads", "1", 1, 128).only_at_start(),
    yes_no("io-threads-do-reads", "no").only_at_start(),
    yes_no("jemalloc-bg-thread", "yes"),
    bytes("journal-reserve-size", "4194304", 0)
        .only_at_start()
        .means("Bytes kept free on the disk: when it is full, releases and renewals of locks are "
               "still journalled there; 0: none."),
    bytes("journal-segment-size", "67108864", 65536)
        .only_at_start()
        .means("A file of the journal ends when it has grown to this many bytes."),
    integer("latency-monitor-threshold", "0", 0, int64_max)
        .means("Milliseconds from which on LATENCY notes what held the server up; 0: off."),
    yes_no("latency-tracking", "yes")
        .means("Whether to keep how long calls took, for LATENCY HISTOGRAM and INFO latencystats."),
    option("latency-tracking-info-percentiles", OptionKind::percentiles, "50 99 99.9")
        .means("Percentiles that INFO latencystats shows."),
    yes_no("lazyfree-lazy-eviction", "no"),
    yes_no("lazyfree-lazy-expire", "no"),
    yes_no("lazyfree-lazy-server-del", "no"),
    yes_no("lazyfree-lazy-user-del", "no"),
    yes_no("lazyfree-lazy-user-flush", "no"),
    integer("lfu-decay-time", "1", 0, int32_max),
    integer("lfu-log-factor", "10", 0, int32_max),
    integer("list-compress-depth", "0", 0, int32_max),
    integer("list-max-listpack-size", "-2", int32_min, int32_max),
    integer("list-max-ziplist-size", "-2", int32_min, int32_max).is_now("list-max-listpack-size"),
    choice("log-format", "redis", "redis, logfmt")
        .means("The form of log lines: as Redis writes them, or logfmt."),
    text("logfile", "")
        .only_at_start()
        .means("File to log to; empty: standard output. SIGHUP opens it again."),
    choice("loglevel", "notice", "debug, verbose, notice, warning")
        .means("The least important events to log: debug, verbose, notice, warning."),
    integer("lua-time-limit", "5000", 0, int64_max).is_now("busy-reply-threshold"),
    text("masterauth", ""),
    text("masteruser", ""),
    integer("maxclients", "10000", 1, uint32_max)
        .means("The most clients served at once; more are told so and closed."),
    bytes("maxmemory", "0", 0)
        .means("Refuse to create or grow keys beyond this many bytes; nothing is ever evicted; 0: "
               "no limit."),
    option("maxmemory-clients", OptionKind::bytes_or_percent, "0"),
    integer("maxmemory-eviction-tenacity", "10", 0, 100),
    choice("maxmemory-policy", "noeviction",
           "volatile-lru, volatile-lfu, volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, "
           "allkeys-random, noeviction")
        .harmless_when("noeviction"),
    integer("maxmemory-samples", "5", 1, int32_max),
    integer("min-replicas-max-lag", "10", 0, int32_max),
    integer("min-replicas-to-write", "0", 0, int32_max),
    integer("min-slaves-max-lag", "10", 0, int32_max).is_now("min-replicas-max-lag"),
    integer("min-slaves-to-write", "0", 0, int32_max).is_now("min-replicas-to-write"),
    yes_no("no-appendfsync-on-rewrite", "no"),
    option("notify-keyspace-events", OptionKind::notify_classes, "")
        .means("Classes of keyspace notifications to publish (letters of \"KEg$lshzxetmdnA\"); "
               "empty: none."),
    choice("oom-score-adj", "no", "no, yes, relative, absolute"),
    option("oom-score-adj-values", OptionKind::words, "0 200 800"),
    text("pidfile", "").only_at_start().means("File to write the process id to; empty: none."),
    integer("port", "6379", 0, 65535).means("TCP port; 0: no TCP."),
    text("proc-title-template", "{title} {listen-addr} {server-mode}"),
    choice("propagation-error-behavior", "ignore", "ignore, panic, panic-on-replicas"),
    yes_no("protected-mode", "yes")
        .means("Whether clients from other machines are refused while no password is set."),
    bytes("proto-max-bulk-len", "536870912", 1048576)
        .means("The longest argument and string, in bytes."),
    yes_no("rdb-del-sync-files", "no"),
    yes_no("rdb-save-incremental-fsync", "yes"),
    yes_no("rdbchecksum", "yes").only_at_start(),
    yes_no("rdbcompression", "yes"),
    bytes("repl-backlog-size", "1048576", 1),
    integer("repl-backlog-ttl", "3600", 0, int64_max),
    yes_no("repl-disable-tcp-nodelay", "no"),
    choice("repl-diskless-load", "disabled", "disabled, on-empty-db, swapdb"),
    yes_no("repl-diskless-sync", "yes"),
    integer("repl-diskless-sync-delay", "5", 0, int32_max),
    integer("repl-diskless-sync-max-replicas", "0", 0, int32_max),
    integer("repl-ping-replica-period", "10", 1, int32_max),
    integer("repl-ping-slave-period", "10", 1, int32_max).is_now("repl-ping-replica-period"),
    integer("repl-timeout", "60", 1, int32_max),
    text("replica-announce-ip", ""),
    integer("replica-announce-port", "0", 0, 65535),
    yes_no("replica-announced", "yes"),
    yes_no("replica-ignore-disk-write-errors", "no"),
    yes_no("replica-ignore-maxmemory", "yes"),
    yes_no("replica-lazy-flush", "no"),
    integer("replica-priority", "100", 0, int32_max),
    yes_no("replica-read-only", "yes"),
    yes_no("replica-serve-stale-data", "yes"),
    option("replicaof", OptionKind::words, "").only_at_start().harmless_when(""),
    text("requirepass", "")
        .means("Password of the default user, to be given with AUTH or HELLO; empty: none."),
    choice("sanitize-dump-payload", "no", "no, yes, clients"),
    option("save", OptionKind::save_points, "3600 1 300 100 60 10000").harmless_when(""),
    bytes("script-memory-limit", "536870912", 1048576)
        .means("The most memory, in bytes, of all scripts together."),
    text("server_cpulist", "").only_at_start(),
    integer("set-max-intset-entries", "512", 0, int64_max)
        .means("A set of integers with more members than this is a hash table (OBJECT ENCODING)."),
    yes_no("set-proc-title", "yes").only_at_start(),
    choice("shutdown-on-sigint", "default", "default, save, nosave, now, force"),
    choice("shutdown-on-sigterm", "default", "default, save, nosave, now, force"),
    integer("shutdown-timeout", "10", 0, int32_max),
    text("slave-announce-ip", "").is_now("replica-announce-ip"),
    integer("slave-announce-port", "0", 0, 65535).is_now("replica-announce-port"),
    yes_no("slave-ignore-maxmemory", "yes").is_now("replica-ignore-maxmemory"),
    yes_no("slave-lazy-flush", "no").is_now("replica-lazy-flush"),
    integer("slave-priority", "100", 0, int32_max).is_now("replica-priority"),
    yes_no("slave-read-only", "yes").is_now("replica-read-only"),
    yes_no("slave-serve-stale-data", "yes").is_now("replica-serve-stale-data"),
    option("slaveof", OptionKind::words, "").only_at_start().is_now("replicaof"),
    integer("slowlog-log-slower-than", "10000", -1, int64_max)
        .means("Microseconds from which on a call is kept in SLOWLOG; -1: none is, 0: every one."),
    integer("slowlog-max-len", "128", 0, int64_max).means("How many calls SLOWLOG keeps."),
    integer("socket-mark-id", "0", 0, uint32_max).only_at_start(),
    yes_no("stop-writes-on-bgsave-error", "yes"),
    bytes("stream-node-max-bytes", "4096", 0),
    integer("stream-node-max-entries", "100", 0, int64_max),
    choice("supervised", "no", "upstart, systemd, auto, no").only_at_start(),
    yes_no("syslog-enabled", "no").only_at_start(),
    choice("syslog-facility", "local0",
           "user, local0, local1, local2, local3, local4, local5, local6, local7")
        .only_at_start(),
    text("syslog-ident", "redis").only_at_start(),
    integer("tcp-backlog", "511", 0, int32_max)
        .only_at_start()
        .means("How many connections may wait to be accepted."),
    integer("tcp-keepalive", "300", 0, int32_max)
        .means("Seconds of silence after which a connection is probed; 0: never."),
    integer("timeout", "0", 0, int32_max)
        .means("Close a client that sent nothing for this many seconds; 0: never."),
    choice("tls-auth-clients", "yes", "no, yes, optional"),
    text("tls-ca-cert-dir", ""),
    text("tls-ca-cert-file", ""),
    text("tls-cert-file", ""),
    text("tls-ciphers", ""),
    text("tls-ciphersuites", ""),
    text("tls-client-cert-file", ""),
    text("tls-client-key-file", ""),
    text("tls-client-key-file-pass", ""),
    yes_no("tls-cluster", "no"),
    text("tls-dh-params-file", ""),
    text("tls-key-file", ""),
    text("tls-key-file-pass", ""),
    integer("tls-port", "0", 0, 65535).harmless_when("0"),
    yes_no("tls-prefer-server-ciphers", "no"),
    text("tls-protocols", ""),
    yes_no("tls-replication", "no"),
    integer("tls-session-cache-size", "20480", 0, int32_max),
    integer("tls-session-cache-timeout", "300", 0, int32_max),
    yes_no("tls-session-caching", "yes"),
    integer("tracking-table-max-keys", "1000000", 0, int64_max)
        .means("The most names remembered for CLIENT TRACKING; beyond it some are invalidated; 0: "
               "no limit."),
    text("unixsocket", "")
        .only_at_start()
        .means("Path of a Unix socket to listen on; empty: none."),
    option("unixsocketperm", OptionKind::octal, "0")
        .between(0, 0777)
        .only_at_start()
        .means("Permissions of that socket in octal; 0: those the umask gives."),
    integer("zset-max-listpack-entries", "128", 0, int64_max)
        .means("A sorted set with more members than this is indexed by score and by member."),
    bytes("zset-max-listpack-value", "64", 0)
        .means("A sorted set with a longer member than this many bytes is indexed, too."),
    integer("zset-max-ziplist-entries", "128", 0, int64_max).is_now("zset-max-listpack-entries"),
    bytes("zset-max-ziplist-value", "64", 0).is_now("zset-max-listpack-value"),
});

consteval bool is_sorted_and_resolved() {
  for (std::size_t i = 0; i + 1 < options.size(); ++i) {
    if (options[i + 1].name <= options[i].name) return false;
  }
  for (const Option& row : options) {
    if (row.same_as.empty()) continue;
    if (std::ranges::find(options, row.same_as, &Option::name) == options.end()) return false;
  }
  return true;
}
static_assert(is_sorted_and_resolved());

// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const Option> option_table() {
  return options;
}

std::optional<std::size_t> find_option(std::string_view name) {
  const std::string lower = commands::lower_case(name);
  const auto found = std::ranges::lower_bound(options, lower, {}, &Option::name);
  if (found == options.end() || found->name != lower) return std::nullopt;
  return static_cast<std::size_t>(found - options.begin());
}

std::size_t value_index(std::size_t index) {
  const Option& row = options.at(index);
  return row.same_as.empty() ? index : find_option(row.same_as).value_or(index);
}

std::string_view nearest_option(std::string_view name) {
  const std::string lower = commands::lower_case(name);
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(lower.size() / 3, 2) + 1;
  for (const Option& row : options) {
    const std::size_t found = distance(lower, row.name);
    // A name of which no letter fits is no slip of the pen.
    if (found >= least || found >= lower.size()) continue;
    least = found;
    nearest = row.name;
  }
  return nearest;
}

}  // namespace server
