#include "server/outbox.hpp"

#include "base/assert.hpp"

namespace server {
namespace {

// An outbox keeps this much storage when it is empty; a burst's memory goes back.
constexpr std::size_t kept_bytes_max = 4096;

}  // namespace

void Outbox::sent(std::size_t bytes) {
  sent_ += bytes;
  ASSERT(sent_ <= free_);
  if (sent_ == bytes_.size()) {
    clear();
  } else if (sent_ > bytes_.size() / 2) {
    // Moving what is left costs no more than what was sent.
    bytes_.erase(0, sent_);
    free_ -= sent_;
    for (Piece& piece : pieces_) piece.end -= sent_;
    sent_ = 0;
  }
}

void Outbox::clear() {
  if (bytes_.capacity() > kept_bytes_max) {
    std::string().swap(bytes_);  // assignment would keep the storage
  } else {
    bytes_.clear();
  }
  sent_ = 0;
  free_ = 0;
  pieces_.clear();
}

}  // namespace server
