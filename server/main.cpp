// mortise-server: options → settings → log → server → run.
#include "commands/command_page.hpp"
#include "commands/server_version.hpp"
#include "engine/posix_file_system.hpp"
#include "server/config.hpp"
#include "server/config_loader.hpp"
#include "server/health_check.hpp"
#include "server/log.hpp"
#include "server/machine.hpp"
#include "server/rdb_import.hpp"
#include "server/server.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::string_view usage =
    R"(Usage: mortise-server [FILE] [--NAME VALUE...]... [-]

Serves locks and keys to Redis clients. FILE is in redis.conf syntax; every option
of it may be given as an argument, too, and wins over the file. "-" reads options
from standard input.

  mortise-server                                  port 6379, nothing else
  mortise-server --port 7000 --requirepass secret
  mortise-server conf/mortise.conf --loglevel verbose

  -v, --version           print the version
  -h, --help              print this
  --check-config FILE     read FILE, say what is wrong with it, and end
  --print-commands        print docs/commands.md: every command with its options
  --import-rdb FILE       read FILE, a dump of Redis (RDB), make it the state that a
                          server with the other options starts with, and end
  --ping HOST:PORT|PATH   ask a running server for PONG; exit code 0 when it answers

conf/mortise.conf lists every option with its default.
)";

int complain(std::string_view reason, std::string_view hint) {
  std::cerr << "mortise-server: " << reason << '\n';
  if (!hint.empty()) std::cerr << "hint: " << hint << '\n';
  return 1;
}

int check_config(const std::string& file) {
  server::Config config;
  if (const auto loaded = server::load_config_file(config, file); !loaded) {
    return complain(loaded.error().message(), loaded.error().hint);
  }
  for (const std::string& name : config.without_meaning()) {
    std::cout << file << ": '" << name << "' is accepted and has no effect\n";
  }
  std::cout << file << ": ok\n";
  return 0;
}

int ping(const std::string& target) {
  const auto answered = server::ping_server(target);
  if (!answered) return complain(answered.error(), {});
  std::cout << "PONG\n";
  return 0;
}

// What can be answered without a server; nullopt: serve.
std::optional<int> answer_at_once(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  const std::string& first = arguments[0];
  const bool has_one_more = arguments.size() == 2;
  if (first == "-v" || first == "--version") {
    std::cout << "Mortise server v=" << commands::mortise_version << " (Redis "
              << commands::redis_version << " protocol)\n";
    return 0;
  }
  if (first == "-h" || first == "--help") {
    std::cout << usage;
    return 0;
  }
  if (first == "--print-commands") {
    std::cout << commands::command_page();
    return 0;
  }
  if (first == "--check-config") {
    return has_one_more ? check_config(arguments[1])
                        : complain("--check-config takes one file", {});
  }
  if (first == "--ping") {
    return has_one_more ? ping(arguments[1]) : complain("--ping takes one HOST:PORT or path", {});
  }
  return std::nullopt;
}

std::optional<int> enter_directory(const server::ServerSettings& settings) {
  if (::chdir(settings.directory.c_str()) == 0) return std::nullopt;
  return complain("dir " + settings.directory + ": " + std::strerror(errno), {});
}

std::optional<int> open_log(server::Log& log, const server::ServerSettings& settings) {
  log.set_level(settings.log_level);
  log.set_format(settings.log_format);
  const auto opened = log.open(settings.log_file);
  if (opened) return std::nullopt;
  return complain("cannot open the log file " + settings.log_file + ": " + opened.error(),
                  "check that the directory exists and may be written to");
}

void name_without_meaning(server::Log& log, const server::Config& config) {
  std::string names;
  for (const std::string& name : config.without_meaning()) {
    names += names.empty() ? name : ", " + name;
  }
  if (!names.empty()) log.warning("Options accepted without effect: " + names);
}

// Removed at the end.
class PidFile {
 public:
  explicit PidFile(const std::string& path) : path_(path) {
    if (!path_.empty()) std::ofstream(path_) << ::getpid() << '\n';
  }
  ~PidFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  PidFile(const PidFile&) = delete;
  PidFile& operator=(const PidFile&) = delete;

 private:
  std::string path_;
};

server::Server* running = nullptr;
volatile std::sig_atomic_t stops = 0;

// The first asks for an orderly end; a second one, when that takes too long, is the end.
extern "C" void on_stop_signal(int) {
  stops = stops + 1;
  if (stops > 1) ::_exit(1);
  running->stop();
}
extern "C" void on_reopen_signal(int) {
  running->reopen_log();
}

void handle_signals(server::Server& server) {
  running = &server;
  struct sigaction action{};
  action.sa_handler = on_stop_signal;
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
  action.sa_handler = on_reopen_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int serve(server::Config& config) {
  const server::ServerSettings& settings = config.server();
  if (const auto failed = enter_directory(settings)) return *failed;
  server::Log log;
  if (const auto failed = open_log(log, settings)) return *failed;
  log.notice("Mortise " + std::string(commands::mortise_version) + " starts, pid " +
             std::to_string(::getpid()));
  name_without_meaning(log, config);

  server::Server server(config, log);
  std::error_code ignored;
  server.set_executable(std::filesystem::read_symlink("/proc/self/exe", ignored).string());
  handle_signals(server);
  if (const auto started = server.start(); !started) {
    return complain(started.error().reason, started.error().hint);
  }
  const PidFile pid_file(settings.pid_file);
  log.notice("Ready to accept connections" +
             (server.port() == 0 ? std::string() : " on port " + std::to_string(server.port())));
  server.run();
  log.notice("Mortise is now ready to exit, bye bye...");
  return 0;
}

// The file that "--import-rdb FILE" names, as a path that holds in any directory. Takes both out of
// the arguments. An empty one: no file is named.
std::optional<std::string> take_import(std::vector<std::string>& arguments) {
  const auto option = std::ranges::find(arguments, "--import-rdb");
  if (option == arguments.end()) return std::nullopt;
  const auto file = std::next(option);
  if (file == arguments.end()) {
    arguments.erase(option);
    return std::string();
  }
  std::string path = std::filesystem::absolute(*file).string();
  arguments.erase(option, std::next(file));
  return path;
}

int import_rdb(server::Config& config, const std::string& file) {
  if (file.empty()) return complain("--import-rdb takes one file", {});
  const server::ServerSettings& settings = config.server();
  const auto dump = engine::open_for_reading(file);
  if (!dump) return complain("cannot open " + file + ": " + dump.error().message(), {});
  if (const auto failed = enter_directory(settings)) return *failed;
  server::Log log;
  log.set_level(settings.log_level);
  log.set_format(settings.log_format);
  server::SystemMachine machine([] {});
  const auto imported = server::RdbImport(config, log, machine).run(**dump, file);
  if (!imported) return complain(imported.error().reason, imported.error().hint);
  std::cout << server::import_summary(*imported);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto import_file = take_import(arguments);
  if (const auto answered = answer_at_once(arguments)) return *answered;
  server::Config config;
  if (const auto loaded = server::load_arguments(config, arguments); !loaded) {
    return complain(loaded.error().message(), loaded.error().hint);
  }
  return import_file ? import_rdb(config, *import_file) : serve(config);
}
