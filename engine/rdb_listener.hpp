// What a Reader finds in an RDB file, in the order of the file. Views die with the call.
#pragma once

#include "engine/entry.hpp"
#include "engine/mutation.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::rdb {

struct Key {
  std::uint64_t database = 0;
  std::string_view name;
  Type type = Type::string;
  std::optional<std::int64_t> expires_wall_ms;
};

// What keys can be that Mortise has no type for.
enum class Foreign : std::uint8_t { stream, module };

// A refusal, in one line for people, ends the reading.
using Verdict = std::expected<void, std::string>;

// A key is begin_key(), its items in as many calls as it takes (each of one item at least; a key
// may have none), end_key().
class Listener {
 public:
  virtual ~Listener() = default;
  virtual Verdict begin_key(const Key& key) = 0;
  virtual Verdict add_text(std::string_view text) = 0;                     // of a string, once
  virtual Verdict add_names(std::span<const std::string_view> names) = 0;  // elements, members
  virtual Verdict add_fields(std::span<const FieldValue> fields) = 0;
  virtual Verdict add_scored(std::span<const ScoredMember> scored) = 0;
  virtual Verdict end_key() = 0;

  virtual Verdict foreign_key(std::uint64_t database, std::string_view name, Foreign what) = 0;
  virtual Verdict function_library(std::string_view code) = 0;
  virtual Verdict script(std::string_view body) = 0;
  virtual void made_by(std::string_view redis_version) = 0;
};

}  // namespace engine::rdb
