#include "engine/frame_reader.hpp"

#include "engine/varint.hpp"

#include <bit>
#include <cmath>

namespace engine {
namespace {

constexpr unsigned score_bits = 64;
constexpr std::uint64_t items_max = std::uint64_t{1} << 32U;

}  // namespace

FrameReader::FrameReader(std::string_view bytes) {
  std::uint64_t length = 0;
  if (!varint::read(bytes, length) || length > bytes.size()) {
    damaged_ = true;
    return;
  }
  frame_ = bytes.substr(0, length);
  rest_ = bytes.substr(length);
  lease_ms_ = varint::unzigzag(read_number());
}

bool FrameReader::next(Mutation& mutation, Items& items) {
  if (damaged_ || frame_.empty()) return false;
  const auto kind = static_cast<unsigned char>(frame_.front());
  frame_.remove_prefix(1);
  if (kind < static_cast<unsigned>(MutationKind::put_string) ||
      kind > static_cast<unsigned>(MutationKind::expect_keys)) {
    damaged_ = true;
    return false;
  }
  mutation = Mutation(static_cast<MutationKind>(kind));
  const std::uint64_t database = read_number();
  mutation.database = static_cast<std::uint8_t>(database);
  if (database > 0xFFU) damaged_ = true;
  if (mutation.kind < MutationKind::flush) mutation.key = read_bytes();
  read_body(mutation, items);
  return !damaged_;
}

void FrameReader::read_body(Mutation& mutation, Items& items) {
  switch (mutation.kind) {
    case MutationKind::put_string:
      mutation.value = read_bytes();
      mutation.encoding = read_encoding(Encoding::raw);
      mutation.deadline_ms = read_deadline();
      mutation.token = read_number();
      return;
    case MutationKind::put_hash:
    case MutationKind::put_list:
    case MutationKind::put_set:
    case MutationKind::put_sorted_set:
      return read_put(mutation, items);
    case MutationKind::replace_value:
      mutation.value = read_bytes();
      mutation.encoding = read_encoding(Encoding::raw);
      return;
    case MutationKind::append:
      mutation.value = read_bytes();
      return;
    case MutationKind::set_range:
      mutation.number = read_number();
      mutation.value = read_bytes();
      return;
    case MutationKind::set_fields:
      return read_fields(mutation, items);
    case MutationKind::remove_fields:
      return read_names(mutation, items);
    case MutationKind::push:
    case MutationKind::pop:
    case MutationKind::set_element:
    case MutationKind::insert_element:
    case MutationKind::erase_elements:
    case MutationKind::add_members:
    case MutationKind::remove_members:
    case MutationKind::set_scores:
    case MutationKind::remove_scored:
      return read_change(mutation, items);
    case MutationKind::set_deadline:
      mutation.deadline_ms = read_deadline();
      return;
    case MutationKind::remove:
      return read_removal(mutation);
    case MutationKind::flush:
    case MutationKind::flush_scripts:
    case MutationKind::flush_libraries:
      return;
    case MutationKind::swap:
    case MutationKind::reserve_tokens:
    case MutationKind::expect_keys:
      mutation.number = read_number();
      return;
    case MutationKind::load_script:
      mutation.value = read_bytes();
      return;
    case MutationKind::put_library:
      mutation.key = read_bytes();
      mutation.value = read_bytes();
      return;
    case MutationKind::remove_library:
      mutation.key = read_bytes();
      return;
  }
}

void FrameReader::read_put(Mutation& mutation, Items& items) {
  mutation.encoding = read_encoding(Encoding::skiplist);
  mutation.deadline_ms = read_deadline();
  mutation.token = read_number();
  if (mutation.kind == MutationKind::put_hash) return read_fields(mutation, items);
  if (mutation.kind == MutationKind::put_sorted_set) return read_scored(mutation, items);
  read_names(mutation, items);
}

void FrameReader::read_removal(Mutation& mutation) {
  const std::uint64_t reason = read_number();
  if (reason > static_cast<std::uint64_t>(Removal::overwritten)) {
    damaged_ = true;
  } else {
    mutation.reason = static_cast<Removal>(reason);
  }
}

// Of lists, sets and sorted sets.
void FrameReader::read_change(Mutation& mutation, Items& items) {
  switch (mutation.kind) {
    case MutationKind::push:
    case MutationKind::pop: {
      const std::uint64_t side = read_number();
      if (side > static_cast<std::uint64_t>(Side::right)) damaged_ = true;
      mutation.side = static_cast<Side>(side & 1U);
      if (mutation.kind == MutationKind::push) return read_names(mutation, items);
      mutation.count = read_number();
      return;
    }
    case MutationKind::set_element:
    case MutationKind::insert_element:
      mutation.number = read_number();
      mutation.value = read_bytes();
      return;
    case MutationKind::erase_elements:
      mutation.number = read_number();
      mutation.count = read_number();
      return;
    case MutationKind::set_scores:
      return read_scored(mutation, items);
    default:
      return read_names(mutation, items);
  }
}

std::uint64_t FrameReader::read_number() {
  std::uint64_t number = 0;
  if (!varint::read(frame_, number)) {
    damaged_ = true;
    frame_ = {};
    return 0;
  }
  return number;
}

std::string_view FrameReader::read_bytes() {
  const std::uint64_t length = read_number();
  if (length > frame_.size()) {
    damaged_ = true;
    frame_ = {};
    return {};
  }
  const std::string_view bytes = frame_.substr(0, length);
  frame_.remove_prefix(length);
  return bytes;
}

Encoding FrameReader::read_encoding(Encoding last) {
  const std::uint64_t encoding = read_number();
  if (encoding <= static_cast<std::uint64_t>(last)) return static_cast<Encoding>(encoding);
  damaged_ = true;
  return Encoding::raw;
}

std::int64_t FrameReader::read_deadline() {
  const std::uint64_t coded = read_number();
  return coded == 0 ? no_deadline : varint::unzigzag(coded - 1);
}

void FrameReader::read_fields(Mutation& mutation, Items& items) {
  items.fields.clear();
  const std::uint64_t count = read_number();
  if (count > items_max) damaged_ = true;
  for (std::uint64_t at = 0; at < count && !damaged_; ++at) {
    const std::string_view field = read_bytes();
    items.fields.emplace_back(field, read_bytes());
  }
  mutation.fields = items.fields;
}

void FrameReader::read_names(Mutation& mutation, Items& items) {
  items.names.clear();
  const std::uint64_t count = read_number();
  if (count > items_max) damaged_ = true;
  for (std::uint64_t at = 0; at < count && !damaged_; ++at) items.names.push_back(read_bytes());
  mutation.names = items.names;
}

void FrameReader::read_scored(Mutation& mutation, Items& items) {
  items.scored.clear();
  const std::uint64_t count = read_number();
  if (count > items_max) damaged_ = true;
  for (std::uint64_t at = 0; at < count && !damaged_; ++at) {
    const std::string_view member = read_bytes();
    if (frame_.size() < sizeof(double)) {
      damaged_ = true;
      return;
    }
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < score_bits; shift += 8) {
      bits |= std::uint64_t{static_cast<unsigned char>(frame_[shift / 8])} << shift;
    }
    frame_.remove_prefix(sizeof(double));
    const auto score = std::bit_cast<double>(bits);
    if (std::isnan(score)) damaged_ = true;
    items.scored.push_back({member, score});
  }
  mutation.scored = items.scored;
}

}  // namespace engine
