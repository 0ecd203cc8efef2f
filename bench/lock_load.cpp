// Closed-loop load for lock servers: each connection keeps a fixed number of requests in flight and
// walks a cycle of commands (acquire, then release) on keys of its own. Prints one line of JSON.
//
//   lock_load PORT CONNECTIONS PIPELINE SECONDS WORKLOAD
//
// Workloads: ping; setnxpx (SET NX PX, DEL); cad (SET NX PX, compare-and-delete script); redisson
// (its acquire and release scripts' commands, DEL of the latch); redisson_renew (its watchdog's
// commands). The scripts are our own words for the same commands in the same order.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int keys_per_connection = 64;
constexpr double warm_up_seconds = 0.5;

constexpr std::string_view acquire_script =
    "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); "
    "return nil; end; return redis.call('pttl', KEYS[1]);";
constexpr std::string_view release_script =
    "local latch = redis.call('get', KEYS[3]); if latch ~= false then return tonumber(latch); end; "
    "if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil; end; "
    "local count = redis.call('hincrby', KEYS[1], ARGV[3], -1); "
    "if count > 0 then redis.call('pexpire', KEYS[1], ARGV[2]); "
    "redis.call('set', KEYS[3], 0, 'px', ARGV[5]); return 0; end; "
    "redis.call('del', KEYS[1]); redis.call(ARGV[4], KEYS[2], ARGV[1]); "
    "redis.call('set', KEYS[3], 1, 'px', ARGV[5]); return 1;";
constexpr std::string_view renew_script =
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then redis.call('pexpire', KEYS[1], ARGV[1]); "
    "return 1; end; return 0;";
constexpr std::string_view compare_and_delete_script =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) "
    "else return 0 end";

using Request = std::vector<std::string>;

double now_seconds() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

std::string encode(const Request& request) {
  std::string bytes = "*" + std::to_string(request.size()) + "\r\n";
  for (const std::string& argument : request) {
    bytes += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  }
  return bytes;
}

int connect_to(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) die("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    die("connect");
  }
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

// Bytes of the one complete reply at the start of `input`, 0 when it is not complete.
std::size_t reply_bytes(std::string_view input) {
  const std::size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  const std::size_t header = line_end + 1;
  if (input[0] != '$' && input[0] != '*') return header;
  const long count = std::atol(input.data() + 1);
  if (count < 0) return header;
  if (input[0] == '$') {
    const std::size_t total = header + static_cast<std::size_t>(count) + 2;
    return input.size() >= total ? total : 0;
  }
  std::size_t total = header;
  for (long i = 0; i < count; ++i) {
    const std::size_t element = total < input.size() ? reply_bytes(input.substr(total)) : 0;
    if (element == 0) return 0;
    total += element;
  }
  return total;
}

std::string ask(int descriptor, const Request& request) {
  const std::string bytes = encode(request);
  if (write(descriptor, bytes.data(), bytes.size()) < 0) die("write");
  std::string reply;
  std::array<char, 4096> chunk{};
  while (reply_bytes(reply) == 0) {
    const ssize_t size = read(descriptor, chunk.data(), chunk.size());
    if (size <= 0) die("read");
    reply.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return reply;
}

struct Scripts {
  std::string acquire, release, renew, compare_and_delete;
};

Scripts load_scripts(int control) {
  const auto load = [control](std::string_view text) {
    const std::string reply = ask(control, {"SCRIPT", "LOAD", std::string(text)});
    return reply.substr(reply.find('\n') + 1, 40);
  };
  return {load(acquire_script), load(release_script), load(renew_script),
          load(compare_and_delete_script)};
}

// The requests of one key's cycle.
std::vector<Request> cycle_of(const std::string& workload, const Scripts& scripts,
                              const std::string& id, const std::string& owner) {
  const std::string key = "lock:order:" + id;
  const std::string latch = "redisson_unlock_latch:{" + key + "}:" + id;
  const std::string channel = "redisson_lock__channel:{" + key + "}";
  if (workload == "ping") return {{"PING"}};
  if (workload == "setnxpx") return {{"SET", key, owner, "NX", "PX", "30000"}, {"DEL", key}};
  if (workload == "cad") {
    return {{"SET", key, owner, "NX", "PX", "30000"},
            {"EVALSHA", scripts.compare_and_delete, "1", key, owner}};
  }
  if (workload == "redisson") {
    return {{"EVALSHA", scripts.acquire, "1", key, "30000", owner},
            {"EVALSHA", scripts.release, "3", key, channel, latch, "0", "30000", owner, "publish",
             "3000"},
            {"DEL", latch}};
  }
  if (workload == "redisson_renew") {
    return {{"EVALSHA", scripts.renew, "1", key, "30000", owner}};
  }
  std::fprintf(stderr, "unknown workload %s\n", workload.c_str());
  std::exit(2);
}

struct Connection {
  int descriptor = -1;
  std::string input;
  std::deque<double> sent;
  std::vector<std::string> cycle;
  std::size_t next = 0;

  void send(int count) {
    std::string bytes;
    const double now = now_seconds();
    for (int i = 0; i < count; ++i) {
      bytes += cycle[next];
      next = (next + 1) % cycle.size();
      sent.push_back(now);
    }
    if (write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      die("write");
    }
  }
};

class Load {
 public:
  Load(int port, int connections, int pipeline, const std::string& workload)
      : pipeline_(pipeline), connections_(static_cast<std::size_t>(connections)) {
    const int control = connect_to(port);
    ask(control, {"FLUSHALL"});
    const Scripts scripts = load_scripts(control);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& connection = connections_[i];
      connection.descriptor = connect_to(port);
      const std::string owner = "8743c9c0-0795-4907-87fd-6c719a6b4586:" + std::to_string(i);
      for (int k = 0; k < keys_per_connection; ++k) {
        const std::string id = std::to_string(i) + ":" + std::to_string(k);
        if (workload == "redisson_renew") {
          ask(control, {"EVALSHA", scripts.acquire, "1", "lock:order:" + id, "30000", owner});
        }
        for (const Request& request : cycle_of(workload, scripts, id, owner)) {
          connection.cycle.push_back(encode(request));
        }
      }
      fcntl(connection.descriptor, F_SETFL, O_NONBLOCK);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.descriptor, &event);
    }
  }

  void run(double seconds) {
    warm_until_ = now_seconds() + warm_up_seconds;
    const double end = warm_until_ + seconds;
    for (Connection& connection : connections_) connection.send(pipeline_);
    std::array<epoll_event, 512> events{};
    while (now_seconds() < end) {
      const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 100);
      for (int i = 0; i < ready; ++i) {
        on_readable(connections_[events[static_cast<std::size_t>(i)].data.u64]);
      }
    }
    seconds_ = seconds;
  }

  void print() {
    std::sort(latencies_us_.begin(), latencies_us_.end());
    const auto quantile = [this](double part) {
      if (latencies_us_.empty()) return 0.0F;
      const auto at = static_cast<std::size_t>(part * static_cast<double>(latencies_us_.size()));
      return latencies_us_[std::min(at, latencies_us_.size() - 1)];
    };
    std::printf(
        "{\"ops\":%zu,\"ops_all\":%zu,\"ops_s\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,"
        "\"p999_us\":%.0f,\"errors\":%zu}\n",
        latencies_us_.size(), operations_, static_cast<double>(latencies_us_.size()) / seconds_,
        static_cast<double>(quantile(.5)), static_cast<double>(quantile(.99)),
        static_cast<double>(quantile(.999)), errors_);
  }

 private:
  void on_readable(Connection& connection) {
    const ssize_t size = read(connection.descriptor, chunk_.data(), chunk_.size());
    if (size == 0) die("closed by the server");
    if (size < 0) return;
    connection.input.append(chunk_.data(), static_cast<std::size_t>(size));
    const double now = now_seconds();
    std::string_view input = connection.input;
    int answered = 0;
    while (!input.empty()) {
      const std::size_t bytes = reply_bytes(input);
      if (bytes == 0) break;
      if (input[0] == '-' && errors_++ == 0) {
        std::fwrite(input.data(), 1, bytes, stderr);
      }
      input.remove_prefix(bytes);
      ++answered;
      if (now > warm_until_) {
        latencies_us_.push_back(static_cast<float>((now - connection.sent.front()) * 1e6));
      }
      connection.sent.pop_front();
    }
    operations_ += static_cast<std::size_t>(answered);
    connection.input.erase(0, connection.input.size() - input.size());
    if (answered > 0) connection.send(answered);
  }

  int pipeline_;
  int epoll_ = epoll_create1(0);
  std::vector<Connection> connections_;
  std::array<char, 262144> chunk_{};
  std::vector<float> latencies_us_;
  double warm_until_ = 0;
  double seconds_ = 1;
  std::size_t operations_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: lock_load PORT CONNECTIONS PIPELINE SECONDS WORKLOAD\n");
    return 2;
  }
  static Load load(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), argv[5]);
  load.run(std::atof(argv[4]));
  load.print();
}
