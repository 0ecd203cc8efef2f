// transcript_runner BACKEND [DIRECTORY] [gtest options]
// transcript_runner BACKEND --record FILE…
//
// BACKEND is redis, tcp or in_process. Every *.resp file below DIRECTORY (default: where the
// sources lie) is one test, named by its path. `tcp` and `redis` talk to
// TRANSCRIPT_HOST:TRANSCRIPT_PORT when the port is set, else they start the program named by
// TRANSCRIPT_SERVER (default: MORTISE_SERVER for tcp, redis-server for redis).
#include "tests/transcripts/runner/backend.hpp"
#ifdef TRANSCRIPTS_IN_PROCESS
#include "tests/transcripts/runner/in_process_backend.hpp"
#endif
#include "tests/transcripts/runner/replay.hpp"
#include "tests/transcripts/runner/server_process.hpp"
#include "tests/transcripts/runner/tcp_backend.hpp"
#include "tests/transcripts/runner/transcript.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using transcripts::Backend;
using transcripts::Replay;

using OpenedBackend = std::expected<std::unique_ptr<Backend>, std::string>;

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

OpenedBackend open_tcp(const std::string& default_program) {
  const std::string port = environment("TRANSCRIPT_PORT", "");
  if (!port.empty()) {
    return std::make_unique<transcripts::TcpBackend>(environment("TRANSCRIPT_HOST", "127.0.0.1"),
                                                     static_cast<std::uint16_t>(std::stoi(port)));
  }
  const std::string program = environment("TRANSCRIPT_SERVER", default_program);
  if (program.empty()) return std::unexpected("set TRANSCRIPT_SERVER or TRANSCRIPT_PORT");
  auto server = transcripts::ServerProcess::start(program);
  if (!server) return std::unexpected(server.error());
  return std::make_unique<transcripts::TcpBackend>(std::move(*server));
}

OpenedBackend open_backend(const std::string& name) {
  if (name == "redis") return open_tcp("redis-server");
  if (name == "tcp") return open_tcp(environment("MORTISE_SERVER", ""));
#ifdef TRANSCRIPTS_IN_PROCESS
  if (name == "in_process") return std::make_unique<transcripts::InProcessBackend>();
#endif
  return std::unexpected("no such backend in this build: " + name);
}

// One transcript as a GoogleTest case; all share the backend of the run.
class TranscriptTest : public testing::Test {
 public:
  TranscriptTest(std::filesystem::path file, std::string backend_name, Backend& backend)
      : file_(std::move(file)), backend_name_(std::move(backend_name)), backend_(backend) {}

  void TestBody() override {
    const auto transcript = transcripts::load_transcript(file_);
    ASSERT_TRUE(transcript) << transcript.error();
    const auto reset = backend_.reset();
    ASSERT_TRUE(reset) << reset.error();
    const auto played = Replay(*transcript, backend_, backend_name_, Replay::Mode::check).run();
    EXPECT_TRUE(played) << file_.string() << "\n"
                        << transcript->description << "\n"
                        << played.error();
  }

 private:
  std::filesystem::path file_;
  std::string backend_name_;
  Backend& backend_;
};

std::vector<std::filesystem::path> transcripts_below(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == ".resp") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// locks/set_nx_px.resp is the test locks.set_nx_px.
void register_tests(const std::filesystem::path& directory, const std::string& backend_name,
                    Backend& backend) {
  for (const auto& file : transcripts_below(directory)) {
    const auto transcript = transcripts::load_transcript(file);
    // A file that cannot be read is a test, too, and fails.
    if (transcript && !transcript->runs_on(backend_name)) continue;
    const std::string area = file.parent_path().filename().string();
    testing::RegisterTest(area.c_str(), file.stem().c_str(), nullptr, nullptr, file.c_str(), 1,
                          [=, &backend]() -> testing::Test* {
                            return new TranscriptTest(file, backend_name, backend);
                          });
  }
}

int record(const std::string& file, const std::string& backend_name, Backend& backend) {
  const auto transcript = transcripts::load_transcript(file);
  if (!transcript) return std::cerr << transcript.error() << "\n", 1;
  const auto reset = backend.reset();
  if (!reset) return std::cerr << reset.error() << "\n", 1;
  Replay replay(*transcript, backend, backend_name, Replay::Mode::record);
  const auto played = replay.run();
  if (!played) return std::cerr << file << ": " << played.error() << "\n", 1;
  std::ofstream out(file);
  for (const std::string& line : replay.recorded()) out << line << "\n";
  return out.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << "usage: transcript_runner redis|tcp|in_process [DIRECTORY | --record FILE...]\n";
    return 1;
  }
  const std::string& name = arguments[0];
  const OpenedBackend backend = open_backend(name);
  if (!backend) {
    std::cerr << backend.error() << "\n";
    return 1;
  }
  if (arguments.size() > 2 && arguments[1] == "--record") {
    int failed = 0;
    for (std::size_t i = 2; i < arguments.size(); ++i)
      failed |= record(arguments[i], name, **backend);
    return failed;
  }
  register_tests(arguments.size() > 1 ? arguments[1] : TRANSCRIPTS_DIRECTORY, name, **backend);
  return RUN_ALL_TESTS();
}
