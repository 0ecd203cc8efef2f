// What a connection has to say, in order: replies and pushes alike. Bytes leave once what they
// could have seen is durable: each piece carries the position (and, for a turn without writes, the
// read ticket) it waits for. With a log that keeps nothing, nothing ever waits and no piece is
// recorded.
#pragma once

#include "engine/commit_log.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace server {

// What must have happened before bytes may leave.
struct Condition {
  engine::Position position = 0;
  engine::ReadTicket ticket = 0;
  [[nodiscard]] bool holds(const Condition& reached) const {
    return position <= reached.position && ticket <= reached.ticket;
  }
};

class Outbox {
 public:
  // Writers append here.
  [[nodiscard]] std::string& bytes() { return bytes_; }

  // Everything appended since the last seal waits for `condition`.
  void seal(const Condition& condition, const Condition& reached) {
    if (condition.holds(reached) && pieces_.empty()) {
      free_ = bytes_.size();
    } else if (pieces_.empty() ? free_ < bytes_.size() : pieces_.back().end < bytes_.size()) {
      pieces_.push_back({condition, bytes_.size()});
    }
  }
  void release(const Condition& reached) {
    while (!pieces_.empty() && pieces_.front().condition.holds(reached)) {
      free_ = pieces_.front().end;
      pieces_.pop_front();
    }
  }
  [[nodiscard]] bool is_held() const { return !pieces_.empty(); }
  // What may leave now.
  [[nodiscard]] std::string_view ready() const {
    return std::string_view(bytes_).substr(sent_, free_ - sent_);
  }
  // The first `bytes` of ready() are gone.
  void sent(std::size_t bytes);
  [[nodiscard]] std::size_t size() const { return bytes_.size() - sent_; }
  [[nodiscard]] std::size_t memory_bytes() const { return bytes_.capacity(); }
  void clear();

 private:
  struct Piece {
    Condition condition;
    std::size_t end;
  };
  std::string bytes_;
  std::size_t sent_ = 0;  // of bytes_, from the front
  std::size_t free_ = 0;  // bytes_ up to here may leave
  std::deque<Piece> pieces_;
};

}  // namespace server
