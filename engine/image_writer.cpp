#include "engine/image_writer.hpp"

namespace engine {
namespace {

// The length of a record has 32 bits; headers of frame and record need a few bytes of them.
constexpr std::size_t mutations_bytes_max = 0xFFFF0000;

}  // namespace

void ImageWriter::begin(const journal::Head& head) {
  images_ = 0;
  overflown_ = false;
  lease_ms_ = head.stamp.lease_ms;
  mutations_.clear();
  records_.clear();
  journal::write_preamble(records_);
  journal::write_head(records_, head);
}

void ImageWriter::add(const Mutation& mutation) {
  encode(mutation, mutations_);
  if (mutations_.size() >= image_bytes_) close_image();
}

void ImageWriter::end() {
  close_image();
  journal::write_end(records_, images_);
}

void ImageWriter::close_image() {
  if (mutations_.empty()) return;
  if (mutations_.size() > mutations_bytes_max) {
    overflown_ = true;
  } else {
    frame_.clear();
    encode_frame(lease_ms_, mutations_, frame_);
    journal::write_image(records_, frame_);
    ++images_;
  }
  mutations_.clear();
  // One large value must not take its room for good.
  if (mutations_.capacity() > 4 * image_bytes_) mutations_ = {};
  if (frame_.capacity() > 4 * image_bytes_) frame_ = {};
}

}  // namespace engine
