// Reads one file of a journal record by record and checks what can be seen without a store:
// checksums, the order of positions, the grammar of frames. Behind a damage it goes on with the
// next batch that is intact.
#pragma once

#include "base/function_ref.hpp"
#include "engine/file_system.hpp"
#include "engine/journal_format.hpp"
#include "engine/mutation.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace check {

// A record and how much of the file it takes; no bytes: it was found behind a damage.
struct RecordPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class JournalVisitor {
 public:
  virtual ~JournalVisitor() = default;
  virtual void file(const std::string& name, const engine::journal::Head& head) = 0;
  virtual void batch(const engine::journal::BatchRecord& batch, const RecordPlace& place) = 0;
  virtual void image(std::string_view frames, const RecordPlace& place) = 0;
  // What comes next is read behind it.
  virtual void damage(std::uint64_t offset, std::string_view reason) = 0;
};

struct WalkedFile {
  enum class End : std::uint8_t { whole, damaged, unreadable };
  End end = End::whole;
  std::string reason;  // of the first damage
  std::uint64_t offset = 0;
  bool is_broken_off = false;  // the first damage is a record that is none: an end may be torn so
  std::error_code error;       // of the disk
  engine::journal::Head head;  // when it is damaged: what the name says
  // Before the first damage:
  engine::Position position = 0;  // of the last batch; of the head when there is none
  std::int64_t wall_us = 0;       // of the last record
  std::uint64_t batches = 0;
  std::uint64_t images = 0;
};

[[nodiscard]] WalkedFile walk_file(engine::File& file, const std::string& name,
                                   JournalVisitor& visitor);

// Visits the mutations of frames one after the other; `bytes`: what each takes. False: damaged
// there. `lease_ms`: of the mutation's frame.
struct VisitedMutation {
  const engine::Mutation& mutation;
  std::int64_t lease_ms;
  std::uint64_t bytes;
  std::uint64_t frame;  // counts from 0
};
bool for_each_mutation(std::string_view frames,
                       base::FunctionRef<void(const VisitedMutation&)> visit);

}  // namespace check
