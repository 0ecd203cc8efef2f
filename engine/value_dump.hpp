// Values as bytes and back: DUMP and RESTORE. The bytes are a frame of one put (mutation.hpp) whose
// key is empty, so whatever the journal can hold can be dumped.
#pragma once

#include "engine/database.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace engine {

// What restore() gives a key beside its value.
struct RestoredKey {
  std::int64_t deadline_ms = no_deadline;
  std::int64_t idle_seconds = 0;
};

class ValueDump {
 public:
  explicit ValueDump(Database& database) : database_(database) {}

  // The value of an existing key, of any type.
  [[nodiscard]] std::string take(std::string_view key);
  // Replaces what `key` holds, with a new token. bad_data_format when `dumped` is not from take().
  Result<void> restore(std::string_view key, std::string_view dumped, const RestoredKey& restored);

 private:
  [[nodiscard]] bool can_be_put(const Mutation& mutation) const;

  Database& database_;
};

}  // namespace engine
