// What is wrong, and the story of how it came to that.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace simulation {

class Verdict {
 public:
  // Called with each line of the story; unset: nobody wants it.
  explicit Verdict(std::function<void(std::string_view)> listener)
      : listener_(std::move(listener)) {}

  [[nodiscard]] bool is_told() const { return static_cast<bool>(listener_); }
  void tell(std::string_view line) const {
    if (listener_) listener_(line);
  }
  // The first one counts: what follows may follow from it.
  void fail(std::string reason) {
    if (!reason_.empty()) return;
    reason_ = std::move(reason);
    tell("BROKEN: " + reason_);
  }
  // Where it was, in front of the reason.
  void name_place(const std::string& place) { reason_ = place + ": " + reason_; }
  [[nodiscard]] bool has_failed() const { return !reason_.empty(); }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::function<void(std::string_view)> listener_;
  std::string reason_;
};

}  // namespace simulation
