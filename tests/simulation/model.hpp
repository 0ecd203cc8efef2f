// What the keys of a server must be, written as plainly as possible, together with every state they
// were in: so that what comes back after a crash can be compared with the state at any position of
// the journal. Keys live in std::map and nothing is removed by itself: overdue keys are absent when
// looked at, and gone for ever when the server has been seen to remove them.
//
// Use: begin_call(now) … reads and changes … end_call()   for each call, in order of execution
//      end_turn(position)                                 when the server has ended its turn
//      roll_back(position)                                when a start found that much
#pragma once

#include "engine/commit_log.hpp"
#include "engine/entry.hpp"
#include "engine/sync_policy.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace simulation {

using Fields = std::map<std::string, std::string>;
using List = std::vector<std::string>;
using Members = std::set<std::string>;
using Scores = std::map<std::string, std::int64_t>;

// Names that begin with it are no keys of the server, but journalled all the same.
inline const std::string hidden_prefix(1, '\1');
[[nodiscard]] inline bool is_hidden(const std::string& name) {
  return name.starts_with(hidden_prefix);
}

struct Key {
  std::variant<std::string, Fields, List, Members, Scores> contents;
  std::int64_t deadline_ms = engine::no_deadline;
  std::uint64_t token = 0;  // 0: not known yet
  bool operator==(const Key&) const = default;
};

// One instant on the clocks that a journal records.
struct Moment {
  std::int64_t lease_ms = 0;
  std::int64_t wall_us = 0;
  std::int64_t true_us = 0;
};

// The state behind one batch.
struct Mark {
  engine::Position position = 0;
  std::size_t changes = 0;  // made up to there
  engine::SyncPolicy policy = engine::SyncPolicy::no;
  Moment moment;
};

// As the settings appendfsync and durability: globs are a beginning and a "*".
struct Rules {
  engine::SyncPolicy general = engine::SyncPolicy::everysec;
  std::vector<std::pair<std::string, engine::SyncPolicy>> beginnings;
  [[nodiscard]] engine::SyncPolicy policy_of(const std::string& name) const;
};

class Model {
 public:
  void set_rules(Rules rules) { rules_ = std::move(rules); }
  [[nodiscard]] const Rules& rules() const { return rules_; }

  // --- calls
  void begin_call(std::int64_t now_ms);
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  // Null: absent or overdue.
  [[nodiscard]] const Key* find(const std::string& name) const;
  // What is there, to be changed; it keeps deadline and token.
  Key& change(const std::string& name);
  // In place of what is there, with a new token and without a deadline.
  Key& create(const std::string& name);
  void remove(const std::string& name);
  void end_call();
  // Keys that calls have touched since the last time this was asked.
  [[nodiscard]] std::vector<std::string> take_touched();
  // What the server says that the token of `name` is.
  void set_token(const std::string& name, std::uint64_t token);

  [[nodiscard]] std::vector<std::string> names() const;
  // What the server has made of a key in the call that was made last, which may have been refused.
  [[nodiscard]] std::vector<std::string> touched_by_call() const;
  // 0: there was none, or it is not known.
  [[nodiscard]] std::uint64_t token_before_call(const std::string& name) const;
  void adopt(const std::string& name, std::optional<Key> key);

  // --- turns
  // The server has removed it in this turn since its time was over. False: it is not overdue, so
  // that it must have been made anew meanwhile.
  bool expire(const std::string& name, std::int64_t now_ms);
  // `position`: of the server's log. False: it has not risen although something has changed.
  [[nodiscard]] bool end_turn(engine::Position position, const Moment& moment);
  // The start of a server reserves tokens, durably.
  void note_start(engine::Position position, const Moment& moment);
  // The marks behind `position` are gone, and what they changed.
  void roll_back(engine::Position position);
  [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }
  [[nodiscard]] engine::Position newest() const { return marks_.back().position; }
  // Of the newest mark that asked for `always`.
  [[nodiscard]] engine::Position newest_always() const;
  // How many changes there were; rises with each, falls by roll_back().
  [[nodiscard]] std::size_t changes() const { return undo_.size(); }

  [[nodiscard]] const std::map<std::string, Key>& keys() const { return keys_; }

 private:
  struct Undo {
    std::string name;
    std::optional<Key> before;
  };

  void remember(const std::string& name);
  [[nodiscard]] bool is_changed(const Undo& undo) const;
  void undo_to(std::size_t changes);

  Rules rules_;
  std::map<std::string, Key> keys_;
  std::vector<Undo> undo_;
  std::vector<Mark> marks_{Mark{}};
  std::set<std::string> touched_;
  std::int64_t now_ms_ = 0;
  std::size_t call_began_ = 0;
  // Of the turn.
  bool turn_changed_ = false;
  engine::SyncPolicy turn_policy_ = engine::SyncPolicy::no;
};

}  // namespace simulation
