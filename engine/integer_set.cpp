#include "engine/integer_set.hpp"

#include "base/assert.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace engine {
namespace {

template <typename Integer>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<Integer>::min() &&
         value <= std::numeric_limits<Integer>::max();
}

std::size_t width_of(std::int64_t value) {
  if (fits<std::int16_t>(value)) return sizeof(std::int16_t);
  return fits<std::int32_t>(value) ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

template <typename Integer>
std::int64_t load_as(const char* at) {
  Integer value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::int64_t load(const char* at, std::size_t width) {
  if (width == sizeof(std::int16_t)) return load_as<std::int16_t>(at);
  return width == sizeof(std::int32_t) ? load_as<std::int32_t>(at) : load_as<std::int64_t>(at);
}

void store(char* at, std::size_t width, std::int64_t value) {
  const auto narrow = static_cast<std::int16_t>(value);
  const auto middle = static_cast<std::int32_t>(value);
  if (width == sizeof narrow) {
    std::memcpy(at, &narrow, sizeof narrow);
  } else if (width == sizeof middle) {
    std::memcpy(at, &middle, sizeof middle);
  } else {
    std::memcpy(at, &value, sizeof value);
  }
}

}  // namespace

std::int64_t IntegerSet::at(std::size_t index) const {
  return load(bytes_.data() + index * width_, width_);
}

std::size_t IntegerSet::rank(std::int64_t value) const {
  std::size_t low = 0;
  for (std::size_t high = size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (at(middle) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool IntegerSet::contains(std::int64_t value) const {
  const std::size_t index = rank(value);
  return index < size() && at(index) == value;
}

void IntegerSet::widen(std::size_t width) {
  const std::size_t count = size();
  std::vector<char> wide(count * width);
  for (std::size_t index = 0; index < count; ++index) {
    store(wide.data() + index * width, width, at(index));
  }
  bytes_ = std::move(wide);
  width_ = width;
}

bool IntegerSet::insert(std::int64_t value) {
  const std::size_t index = rank(value);
  if (index < size() && at(index) == value) return false;
  if (width_of(value) > width_) widen(width_of(value));
  bytes_.insert(bytes_.begin() + static_cast<std::ptrdiff_t>(index * width_), width_, '\0');
  store(bytes_.data() + index * width_, width_, value);
  return true;
}

bool IntegerSet::erase(std::int64_t value) {
  const std::size_t index = rank(value);
  if (index == size() || at(index) != value) return false;
  const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(index * width_);
  bytes_.erase(first, first + static_cast<std::ptrdiff_t>(width_));
  constexpr std::size_t bytes_kept = 64;
  if (bytes_.capacity() > bytes_kept && bytes_.size() * 4 < bytes_.capacity()) {
    bytes_.shrink_to_fit();
  }
  return true;
}

void IntegerSet::clear() {
  bytes_ = std::vector<char>();
}

void IntegerSet::validate() const {
  ASSERT(bytes_.size() % width_ == 0);
  for (std::size_t index = 1; index < size(); ++index) ASSERT(at(index - 1) < at(index));
}

}  // namespace engine
