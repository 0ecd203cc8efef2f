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
  // What the spans of a mutation point into.
  struct Items {
    std::vector<FieldValue> fields;
    std::vector<std::string_view> names;
    std::vector<ScoredMember> scored;
  };

  // `bytes` starts with a frame; what follows it is rest().
  explicit FrameReader(std::string_view bytes);
  // False at the end, and when the bytes are damaged (see damaged()).
  bool next(Mutation& mutation) { return next(mutation, items_); }
  // Spans point into `items`, which it may have filled before.
  bool next(Mutation& mutation, Items& items);
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
  void read_fields(Mutation& mutation, Items& items);
  void read_names(Mutation& mutation, Items& items);
  void read_scored(Mutation& mutation, Items& items);
  void read_put(Mutation& mutation, Items& items);
  void read_removal(Mutation& mutation);
  void read_change(Mutation& mutation, Items& items);
  void read_body(Mutation& mutation, Items& items);

  std::string_view frame_;
  std::string_view rest_;
  Items items_;
  std::int64_t lease_ms_ = 0;
  bool damaged_ = false;
};

}  // namespace engine
