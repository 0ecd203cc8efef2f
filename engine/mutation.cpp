#include "engine/mutation.hpp"

#include "base/assert.hpp"
#include "engine/varint.hpp"

namespace engine {
namespace {

constexpr std::uint64_t items_max = std::uint64_t{1} << 32U;

void write_bytes(std::string& out, std::string_view bytes) {
  varint::write(out, bytes.size());
  out.append(bytes);
}

void write_deadline(std::string& out, std::int64_t deadline_ms) {
  varint::write(out, deadline_ms == no_deadline ? 0 : varint::zigzag(deadline_ms) + 1);
}

void write_fields(std::string& out, std::span<const FieldValue> fields) {
  varint::write(out, fields.size());
  for (const auto& [field, value] : fields) {
    write_bytes(out, field);
    write_bytes(out, value);
  }
}

// The fields of put_hash lie in the mutation, or in the entry they are taken from.
void write_new_hash(std::string& out, const Mutation& mutation) {
  varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
  write_deadline(out, mutation.deadline_ms);
  varint::write(out, mutation.token);
  if (mutation.source_use == SourceUse::none) return write_fields(out, mutation.fields);
  const HashView fields(*mutation.source);
  varint::write(out, fields.size());
  fields.for_each([&](std::string_view field, std::string_view value) {
    write_bytes(out, field);
    write_bytes(out, value);
  });
}

void write_new_string(std::string& out, const Mutation& mutation) {
  const bool own = mutation.source_use == SourceUse::none;
  write_bytes(out, own ? mutation.value : mutation.source->string());
  varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
  write_deadline(out, mutation.deadline_ms);
  varint::write(out, mutation.token);
}

}  // namespace

void encode(const Mutation& mutation, std::string& out) {
  out.push_back(static_cast<char>(mutation.kind));
  varint::write(out, mutation.database);
  if (mutation.kind < MutationKind::flush) write_bytes(out, mutation.key);
  switch (mutation.kind) {
    case MutationKind::put_string:
      return write_new_string(out, mutation);
    case MutationKind::put_hash:
      return write_new_hash(out, mutation);
    case MutationKind::replace_value:
      write_bytes(out, mutation.value);
      return varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
    case MutationKind::append:
      return write_bytes(out, mutation.value);
    case MutationKind::set_range:
      varint::write(out, mutation.number);
      return write_bytes(out, mutation.value);
    case MutationKind::set_fields:
      return write_fields(out, mutation.fields);
    case MutationKind::remove_fields:
      varint::write(out, mutation.names.size());
      for (const std::string_view name : mutation.names) write_bytes(out, name);
      return;
    case MutationKind::set_deadline:
      return write_deadline(out, mutation.deadline_ms);
    case MutationKind::remove:
      return varint::write(out, static_cast<std::uint64_t>(mutation.reason));
    case MutationKind::flush:
      return;
    case MutationKind::swap:
    case MutationKind::reserve_tokens:
      return varint::write(out, mutation.number);
  }
}

void encode_frame(std::int64_t lease_ms, std::string_view mutations, std::string& out) {
  std::string lease;
  varint::write(lease, varint::zigzag(lease_ms));
  varint::write(out, lease.size() + mutations.size());
  out.append(lease);
  out.append(mutations);
}

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

bool FrameReader::next(Mutation& mutation) {
  if (damaged_ || frame_.empty()) return false;
  const auto kind = static_cast<unsigned char>(frame_.front());
  frame_.remove_prefix(1);
  if (kind < static_cast<unsigned>(MutationKind::put_string) ||
      kind > static_cast<unsigned>(MutationKind::reserve_tokens)) {
    damaged_ = true;
    return false;
  }
  mutation = Mutation(static_cast<MutationKind>(kind));
  const std::uint64_t database = read_number();
  mutation.database = static_cast<std::uint8_t>(database);
  if (database > 0xFFU) damaged_ = true;
  if (mutation.kind < MutationKind::flush) mutation.key = read_bytes();
  read_body(mutation);
  return !damaged_;
}

void FrameReader::read_body(Mutation& mutation) {
  switch (mutation.kind) {
    case MutationKind::put_string:
      mutation.value = read_bytes();
      mutation.encoding = read_encoding(Encoding::raw);
      mutation.deadline_ms = read_deadline();
      mutation.token = read_number();
      return;
    case MutationKind::put_hash:
      mutation.encoding = read_encoding(Encoding::hashtable);
      mutation.deadline_ms = read_deadline();
      mutation.token = read_number();
      return read_fields(mutation);
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
      return read_fields(mutation);
    case MutationKind::remove_fields:
      return read_names(mutation);
    case MutationKind::set_deadline:
      mutation.deadline_ms = read_deadline();
      return;
    case MutationKind::remove:
      mutation.reason = static_cast<Removal>(read_number() & 3U);
      return;
    case MutationKind::flush:
      return;
    case MutationKind::swap:
    case MutationKind::reserve_tokens:
      mutation.number = read_number();
      return;
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

void FrameReader::read_fields(Mutation& mutation) {
  fields_.clear();
  const std::uint64_t count = read_number();
  if (count > items_max) damaged_ = true;
  for (std::uint64_t at = 0; at < count && !damaged_; ++at) {
    const std::string_view field = read_bytes();
    fields_.emplace_back(field, read_bytes());
  }
  mutation.fields = fields_;
}

void FrameReader::read_names(Mutation& mutation) {
  names_.clear();
  const std::uint64_t count = read_number();
  if (count > items_max) damaged_ = true;
  for (std::uint64_t at = 0; at < count && !damaged_; ++at) names_.push_back(read_bytes());
  mutation.names = names_;
}

}  // namespace engine
