// Mutations that rebuild a state, packed into the records of a snapshot (journal_format.hpp):
// preamble, head, images, end. Whoever writes the file takes the bytes from time to time.
#pragma once

#include "engine/journal_format.hpp"
#include "engine/mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace engine {

class ImageWriter {
 public:
  // An image is closed when it has that many bytes; one mutation is never split.
  explicit ImageWriter(std::size_t image_bytes) : image_bytes_(image_bytes) {}

  // Forgets all that was before.
  void begin(const journal::Head& head);
  void add(const Mutation& mutation);
  // The end record. Nothing may be added behind it.
  void end();

  // Whole records, in order. The caller exchanges it for an empty one.
  [[nodiscard]] std::string& records() { return records_; }
  // A record cannot be as large as what was added: the snapshot is worth nothing.
  [[nodiscard]] bool has_overflown() const { return overflown_; }

 private:
  void close_image();

  std::size_t image_bytes_;
  std::int64_t lease_ms_ = 0;
  std::uint64_t images_ = 0;
  std::string mutations_;
  std::string frame_;
  std::string records_;
  bool overflown_ = false;
};

}  // namespace engine
