// From the bytes of a frame back to its mutations. The grammar is in mutation.hpp.
#pragma once

#include "engine/mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine {

// Decodes the mutations of one frame. A mutation's views point into the bytes of the frame, its
// spans into the reader: they live until the next call.
class FrameReader {
 public:
  // `bytes` starts with a frame; what follows it is rest().
  explicit FrameReader(std::string_view bytes);
  // False at the end, and when the bytes are damaged (see damaged()).
  bool next(Mutation& mutation);
  [[nodiscard]] bool damaged() const { return damaged_; }
  [[nodiscard]] std::int64_t lease_ms() const { return lease_ms_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  // Bytes of the frame that are not read yet.
  [[nodiscard]] std::size_t left() const { return frame_.size(); }

 private:
  std::uint64_t read_number();
  std::string_view read_bytes();
  std::int64_t read_deadline();
  Encoding read_encoding(Encoding last);
  void read_fields(Mutation& mutation);
  void read_names(Mutation& mutation);
  void read_scored(Mutation& mutation);
  void read_put(Mutation& mutation);
  void read_change(Mutation& mutation);
  void read_body(Mutation& mutation);

  std::string_view frame_;
  std::string_view rest_;
  std::vector<FieldValue> fields_;
  std::vector<std::string_view> names_;
  std::vector<ScoredMember> scored_;
  std::int64_t lease_ms_ = 0;
  bool damaged_ = false;
};

}  // namespace engine
