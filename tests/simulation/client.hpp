// A simulated client with its connection: knows what it has asked for and what must be answered, in
// order, and checks what arrives.
#pragma once

#include "server/session.hpp"
#include "tests/simulation/promises.hpp"
#include "tests/simulation/resp.hpp"
#include "tests/simulation/verdict.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simulation {

// What must arrive for a request.
struct Answer {
  using Then = std::function<void(const std::string& text)>;
  std::optional<std::string> text;  // nullopt: nothing, as long as the call waits
  bool is_any = false;              // whatever arrives is right
  bool may_be_refused = false;      // by a journal in trouble: MISCONF is right, too
  bool is_refused = false;          // it has had no effect: it must say so
  Then then;                        // when it has arrived
};

class Client final : public server::Transport {
 public:
  // All outlive it.
  Client(int number, Resp version, const test::MemoryFileSystem& disk, Promises& promises,
         Verdict& verdict)
      : number_(number), version_(version), disk_(disk), promises_(promises), verdict_(verdict) {}

  [[nodiscard]] std::uint64_t refusals() const { return refusals_; }
  [[nodiscard]] std::uint64_t pushes() const { return pushes_; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] std::string name() const { return "c" + std::to_string(number_); }
  [[nodiscard]] Resp version() const { return version_; }

  // --- the connection
  void connect(server::Session& session);
  [[nodiscard]] bool is_connected() const { return session_ != nullptr; }
  [[nodiscard]] server::Session* session() { return session_; }
  // From now on nothing arrives: the process at the other end ends. As when the disk says that it
  // is dead.
  void go_deaf() { is_deaf_ = true; }
  // Reads at most `bytes` of what is sent at once; 0: all.
  void read_slowly(std::size_t bytes) { reads_max_ = bytes; }
  // Reads what is there.
  void flush() override;
  void session_ended() override;

  // --- what must arrive
  void expect(std::shared_ptr<Answer> answer) { answers_.push_back(std::move(answer)); }
  void expect_message(std::string text) { messages_.push_back(std::move(text)); }
  [[nodiscard]] std::size_t unanswered() const { return answers_.size(); }
  [[nodiscard]] bool waits() const { return !answers_.empty() && !answers_.back()->text; }

  // A turn has ended in which the state came to `position`: whatever the session said since the
  // last one shows that state.
  void note_turn(engine::Position position);

  // What it asked for besides answers.
  bool monitors = false;
  bool tracks = false;
  std::vector<std::string> channels;

 private:
  // What was said up to `end` (counted from the start of the connection) shows the state at
  // `position`.
  struct Said {
    std::uint64_t end = 0;
    engine::Position position = 0;
  };

  void saw(std::uint64_t end);
  void parse();
  void check(std::string_view value);
  void check_answer(std::string_view value);
  [[nodiscard]] bool fits(const Answer& answer, std::string_view value);
  void check_message(std::string_view value);
  [[nodiscard]] bool is_message(std::string_view value) const;
  void complain(std::string_view what, std::string_view value, std::string_view expected);

  int number_;
  Resp version_;
  const test::MemoryFileSystem& disk_;
  Promises& promises_;
  Verdict& verdict_;
  server::Session* session_ = nullptr;
  bool is_deaf_ = false;
  std::size_t reads_max_ = 0;
  std::deque<std::shared_ptr<Answer>> answers_;
  std::deque<std::string> messages_;
  std::string input_;
  std::uint64_t read_ = 0;   // bytes, of this connection
  std::deque<Said> said_;    // not read yet
  std::uint64_t noted_ = 0;  // end of the newest of said_
  bool saw_this_turn_ = false;
  std::uint64_t refusals_ = 0;
  std::uint64_t pushes_ = 0;
};

}  // namespace simulation
