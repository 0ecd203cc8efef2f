// Prints what it is shown: files, batches, frames, mutations, one a line.
#pragma once

#include "check/journal_walk.hpp"
#include "check/mutation_text.hpp"

#include <optional>
#include <ostream>
#include <string>

namespace check {

class JournalListing final : public JournalVisitor {
 public:
  // With `key_glob` only mutations of keys that match, and the records that hold such.
  JournalListing(std::ostream& out, Values values, std::optional<std::string> key_glob)
      : out_(out), values_(values), key_glob_(std::move(key_glob)) {}

  void file(const std::string& name, const engine::journal::Head& head) override;
  void batch(const engine::journal::BatchRecord& batch, const RecordPlace& place) override;
  void image(std::string_view frames, const RecordPlace& place) override;
  void damage(std::uint64_t offset, std::string_view reason) override;

 private:
  [[nodiscard]] bool is_wanted(const engine::Mutation& mutation) const;
  void frames(const std::string& title, std::string_view frames);

  std::ostream& out_;
  Values values_;
  std::optional<std::string> key_glob_;
};

}  // namespace check
