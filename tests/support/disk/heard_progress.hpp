// What a log has told: the last position committed, and each reason why it failed.
#pragma once

#include "engine/commit_log.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace test {

class HeardProgress : public engine::CommitProgress {
 public:
  void committed(engine::Position position) override { told = position; }
  void read_ready(engine::ReadTicket) override {}
  void role_changed(engine::Role) override {}
  void tail_void(engine::Position) override {}
  void health_changed(engine::LogHealth health, std::string_view reason) override {
    if (health == engine::LogHealth::failed) reasons.emplace_back(reason);
  }

  engine::Position told = 0;
  std::vector<std::string> reasons;
};

}  // namespace test
