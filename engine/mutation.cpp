#include "engine/mutation.hpp"

#include "base/assert.hpp"
#include "engine/collection.hpp"
#include "engine/varint.hpp"

#include <bit>

namespace engine {
namespace {

constexpr unsigned score_bits = 64;

void write_bytes(std::string& out, std::string_view bytes) {
  varint::write(out, bytes.size());
  out.append(bytes);
}

void write_deadline(std::string& out, std::int64_t deadline_ms) {
  varint::write(out, deadline_ms == no_deadline ? 0 : varint::zigzag(deadline_ms) + 1);
}

void write_score(std::string& out, double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score);
  for (unsigned shift = 0; shift < score_bits; shift += 8) {
    out.push_back(static_cast<char>((bits >> shift) & 0xFFU));
  }
}

void write_fields(std::string& out, std::span<const FieldValue> fields) {
  varint::write(out, fields.size());
  for (const auto& [field, value] : fields) {
    write_bytes(out, field);
    write_bytes(out, value);
  }
}

void write_hash_items(std::string& out, const Entry& source) {
  const HashView fields(source);
  varint::write(out, fields.size());
  fields.for_each([&](std::string_view field, std::string_view value) {
    write_bytes(out, field);
    write_bytes(out, value);
  });
}

// The items of a put lie in the mutation, or in the entry they are taken from.
void write_items(std::string& out, const Mutation& mutation) {
  const bool is_hash = mutation.kind == MutationKind::put_hash;
  if (mutation.source_use != SourceUse::none) {
    if (is_hash) return write_hash_items(out, *mutation.source);
    return mutation.source->collection().write_items(out);
  }
  if (is_hash) return write_fields(out, mutation.fields);
  if (mutation.kind == MutationKind::put_sorted_set) return write_scored(out, mutation.scored);
  write_names(out, mutation.names);
}

void write_new_value(std::string& out, const Mutation& mutation) {
  varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
  write_deadline(out, mutation.deadline_ms);
  varint::write(out, mutation.token);
  write_items(out, mutation);
}

void write_new_string(std::string& out, const Mutation& mutation) {
  const bool own = mutation.source_use == SourceUse::none;
  write_bytes(out, own ? mutation.value : mutation.source->string());
  varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
  write_deadline(out, mutation.deadline_ms);
  varint::write(out, mutation.token);
}

}  // namespace

MutationKind put_of(Type type) {
  switch (type) {
    case Type::string:
      return MutationKind::put_string;
    case Type::hash:
      return MutationKind::put_hash;
    case Type::list:
      return MutationKind::put_list;
    case Type::set:
      return MutationKind::put_set;
    case Type::sorted_set:
      return MutationKind::put_sorted_set;
  }
  ASSERT(false && "a type without a put");
}

std::optional<Type> type_of(MutationKind kind) {
  switch (kind) {
    case MutationKind::put_string:
    case MutationKind::replace_value:
    case MutationKind::append:
    case MutationKind::set_range:
      return Type::string;
    case MutationKind::put_hash:
    case MutationKind::set_fields:
    case MutationKind::remove_fields:
      return Type::hash;
    case MutationKind::put_list:
    case MutationKind::push:
    case MutationKind::pop:
    case MutationKind::set_element:
    case MutationKind::insert_element:
    case MutationKind::erase_elements:
      return Type::list;
    case MutationKind::put_set:
    case MutationKind::add_members:
    case MutationKind::remove_members:
      return Type::set;
    case MutationKind::put_sorted_set:
    case MutationKind::set_scores:
    case MutationKind::remove_scored:
      return Type::sorted_set;
    case MutationKind::set_deadline:
    case MutationKind::remove:
    case MutationKind::flush:
    case MutationKind::swap:
    case MutationKind::reserve_tokens:
    case MutationKind::load_script:
    case MutationKind::flush_scripts:
    case MutationKind::put_library:
    case MutationKind::remove_library:
    case MutationKind::flush_libraries:
    case MutationKind::expect_keys:
      return std::nullopt;
  }
  return std::nullopt;
}

void write_names(std::string& out, std::span<const std::string_view> names) {
  varint::write(out, names.size());
  for (const std::string_view name : names) write_bytes(out, name);
}

void write_scored(std::string& out, std::span<const ScoredMember> scored) {
  varint::write(out, scored.size());
  for (const auto& [member, score] : scored) {
    write_bytes(out, member);
    write_score(out, score);
  }
}

void encode(const Mutation& mutation, std::string& out) {
  out.push_back(static_cast<char>(mutation.kind));
  varint::write(out, mutation.database);
  if (mutation.kind < MutationKind::flush) write_bytes(out, mutation.key);
  switch (mutation.kind) {
    case MutationKind::put_string:
      return write_new_string(out, mutation);
    case MutationKind::put_hash:
    case MutationKind::put_list:
    case MutationKind::put_set:
    case MutationKind::put_sorted_set:
      return write_new_value(out, mutation);
    case MutationKind::replace_value:
      write_bytes(out, mutation.value);
      return varint::write(out, static_cast<std::uint64_t>(mutation.encoding));
    case MutationKind::append:
      return write_bytes(out, mutation.value);
    case MutationKind::set_range:
    case MutationKind::set_element:
    case MutationKind::insert_element:
      varint::write(out, mutation.number);
      return write_bytes(out, mutation.value);
    case MutationKind::set_fields:
      return write_fields(out, mutation.fields);
    case MutationKind::remove_fields:
    case MutationKind::add_members:
    case MutationKind::remove_members:
    case MutationKind::remove_scored:
      return write_names(out, mutation.names);
    case MutationKind::set_scores:
      return write_scored(out, mutation.scored);
    case MutationKind::push:
      varint::write(out, static_cast<std::uint64_t>(mutation.side));
      return write_names(out, mutation.names);
    case MutationKind::pop:
      varint::write(out, static_cast<std::uint64_t>(mutation.side));
      return varint::write(out, mutation.count);
    case MutationKind::erase_elements:
      varint::write(out, mutation.number);
      return varint::write(out, mutation.count);
    case MutationKind::set_deadline:
      return write_deadline(out, mutation.deadline_ms);
    case MutationKind::remove:
      return varint::write(out, static_cast<std::uint64_t>(mutation.reason));
    case MutationKind::flush:
    case MutationKind::flush_scripts:
    case MutationKind::flush_libraries:
      return;
    case MutationKind::swap:
    case MutationKind::reserve_tokens:
    case MutationKind::expect_keys:
      return varint::write(out, mutation.number);
    case MutationKind::load_script:
      return write_bytes(out, mutation.value);
    case MutationKind::put_library:
      write_bytes(out, mutation.key);
      return write_bytes(out, mutation.value);
    case MutationKind::remove_library:
      return write_bytes(out, mutation.key);
  }
}

void encode_frame(std::int64_t lease_ms, std::string_view mutations, std::string& out) {
  std::string lease;
  varint::write(lease, varint::zigzag(lease_ms));
  varint::write(out, lease.size() + mutations.size());
  out.append(lease);
  out.append(mutations);
}

}  // namespace engine
