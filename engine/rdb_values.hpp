// Reads the value of one key and gives its items to a Listener, a bounded number at a time where
// the file has them one by one.
//
// value by type byte (s string, l length, f 8 bytes of a double, t text of a double)
//    0 string       s                    9 hash, zipmap       s
//    1 list         l, s*               10 list, ziplist      s
//    2 set          l, s*               11 set, intset        s
//    3 sorted set   l, { s t }*         12 sorted set, ziplist  s
//    4 hash         l, { s s }*         13 hash, ziplist      s
//    5 sorted set   l, { s f }*         14 list of ziplists   l, s*
//   16 hash, listpack  s                17 sorted set, listpack s
//   18 list of nodes  l, { l, s }*: 1 and a plain element, 2 and a listpack
//   20 set, listpack  s
#pragma once

#include "engine/rdb_encodings.hpp"
#include "engine/rdb_input.hpp"
#include "engine/rdb_listener.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::rdb {

// Of a value that can be read; nullopt: of a stream, a module, or unknown.
[[nodiscard]] std::optional<Type> value_type(std::uint8_t type_byte);

class ValueReader {
 public:
  // Both outlive it.
  ValueReader(Input& input, Listener& listener) : input_(input), listener_(listener) {}

  // Of a type that value_type() knows. What goes wrong, refusals too, is the input's failure.
  void read(std::uint8_t type_byte);

 private:
  using Visit = Walk (*)(std::string_view, ItemVisitor);

  void read_string();
  void read_items(std::uint64_t strings_an_item);
  void read_scored(bool as_text);
  void read_packed(Visit visit);
  void read_packed_scores(Visit visit);
  void read_list_of_ziplists();
  void read_list_of_nodes();

  // Items wait here, copied one behind the other, until there are enough of them for a call.
  void gather(std::string_view text);
  void gather(std::string_view member, double score);
  void give_some();
  void give_all();
  void start(Type type);
  void judge(const Verdict& verdict);
  // Visits the packed value in `packed_`.
  void unpack(Visit visit);

  Input& input_;
  Listener& listener_;
  Type type_ = Type::string;
  std::uint64_t start_ = 0;  // offset of the value
  std::string text_;
  std::string packed_;
  std::string gathered_;
  std::vector<std::size_t> ends_;  // of each in gathered_
  std::vector<double> scores_;
  std::vector<std::string_view> names_;
  std::vector<FieldValue> fields_;
  std::vector<ScoredMember> scored_;
};

}  // namespace engine::rdb
