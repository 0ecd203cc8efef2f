#include "engine/rdb_values.hpp"

#include "base/assert.hpp"

namespace engine::rdb {
namespace {

enum class TypeByte : std::uint8_t {
  string = 0,
  list = 1,
  set = 2,
  sorted_set_text = 3,
  hash = 4,
  sorted_set = 5,
  hash_zipmap = 9,
  list_ziplist = 10,
  set_intset = 11,
  sorted_set_ziplist = 12,
  hash_ziplist = 13,
  list_of_ziplists = 14,
  hash_listpack = 16,
  sorted_set_listpack = 17,
  list_of_nodes = 18,
  set_listpack = 20,
};

constexpr std::size_t gathered_items_max = 1024;
constexpr std::size_t gathered_bytes_max = std::size_t{64} << 10U;

}  // namespace

std::optional<Type> value_type(std::uint8_t type_byte) {
  switch (static_cast<TypeByte>(type_byte)) {
    case TypeByte::string:
      return Type::string;
    case TypeByte::list:
    case TypeByte::list_ziplist:
    case TypeByte::list_of_ziplists:
    case TypeByte::list_of_nodes:
      return Type::list;
    case TypeByte::set:
    case TypeByte::set_intset:
    case TypeByte::set_listpack:
      return Type::set;
    case TypeByte::sorted_set_text:
    case TypeByte::sorted_set:
    case TypeByte::sorted_set_ziplist:
    case TypeByte::sorted_set_listpack:
      return Type::sorted_set;
    case TypeByte::hash:
    case TypeByte::hash_zipmap:
    case TypeByte::hash_ziplist:
    case TypeByte::hash_listpack:
      return Type::hash;
  }
  return std::nullopt;
}

void ValueReader::read(std::uint8_t type_byte) {
  const auto type = value_type(type_byte);
  ASSERT(type.has_value());
  start(*type);
  switch (static_cast<TypeByte>(type_byte)) {
    case TypeByte::string:
      return read_string();
    case TypeByte::list:
    case TypeByte::set:
      return read_items(1);
    case TypeByte::hash:
      return read_items(2);
    case TypeByte::sorted_set_text:
      return read_scored(true);
    case TypeByte::sorted_set:
      return read_scored(false);
    case TypeByte::hash_zipmap:
      return read_packed(visit_zipmap);
    case TypeByte::list_ziplist:
    case TypeByte::hash_ziplist:
      return read_packed(visit_ziplist);
    case TypeByte::hash_listpack:
    case TypeByte::set_listpack:
      return read_packed(visit_listpack);
    case TypeByte::set_intset:
      return read_packed(visit_intset);
    case TypeByte::sorted_set_ziplist:
      return read_packed_scores(visit_ziplist);
    case TypeByte::sorted_set_listpack:
      return read_packed_scores(visit_listpack);
    case TypeByte::list_of_ziplists:
      return read_list_of_ziplists();
    case TypeByte::list_of_nodes:
      return read_list_of_nodes();
  }
}

void ValueReader::start(Type type) {
  type_ = type;
  start_ = input_.offset();
  gathered_.clear();
  ends_.clear();
  scores_.clear();
}

void ValueReader::judge(const Verdict& verdict) {
  if (!verdict) input_.fail(verdict.error(), start_);
}

void ValueReader::read_string() {
  input_.read_string(text_);
  if (!input_.failed()) judge(listener_.add_text(text_));
}

void ValueReader::read_items(std::uint64_t strings_an_item) {
  for (std::uint64_t items = input_.read_length(); items > 0 && !input_.failed(); --items) {
    for (std::uint64_t part = 0; part < strings_an_item; ++part) {
      input_.read_string(text_);
      gather(text_);
    }
    give_some();
  }
  give_all();
}

void ValueReader::read_scored(bool as_text) {
  for (std::uint64_t items = input_.read_length(); items > 0 && !input_.failed(); --items) {
    input_.read_string(text_);
    gather(text_, as_text ? input_.read_text_double() : input_.read_double());
    give_some();
  }
  give_all();
}

void ValueReader::unpack(Visit visit) {
  const auto take = [&](std::string_view item) {
    gather(item);
    const bool is_between_items = type_ != Type::hash || ends_.size() % 2 == 0;
    if (is_between_items) give_some();
    return !input_.failed();
  };
  if (visit(packed_, take) == Walk::damaged) input_.fail("a packed value is damaged", start_);
}

void ValueReader::read_packed(Visit visit) {
  input_.read_string(packed_);
  if (input_.failed()) return;
  unpack(visit);
  const bool is_halved = type_ == Type::hash && ends_.size() % 2 != 0;
  if (is_halved) input_.fail("a field without a value", start_);
  give_all();
}

void ValueReader::read_packed_scores(Visit visit) {
  input_.read_string(packed_);
  if (input_.failed()) return;
  bool has_member = false;
  const auto take = [&](std::string_view item) {
    has_member = !has_member;
    if (has_member) {
      text_ = item;
      return true;
    }
    const auto score = parse_score(item);
    if (!score) input_.fail("a score that is not a number", start_);
    gather(text_, score.value_or(0));
    give_some();
    return !input_.failed();
  };
  if (visit(packed_, take) == Walk::damaged) input_.fail("a packed value is damaged", start_);
  if (has_member) input_.fail("a member without a score", start_);
  give_all();
}

void ValueReader::read_list_of_ziplists() {
  for (std::uint64_t nodes = input_.read_length(); nodes > 0 && !input_.failed(); --nodes) {
    input_.read_string(packed_);
    if (!input_.failed()) unpack(visit_ziplist);
  }
  give_all();
}

void ValueReader::read_list_of_nodes() {
  enum Node : std::uint8_t { plain = 1, packed };
  for (std::uint64_t nodes = input_.read_length(); nodes > 0 && !input_.failed(); --nodes) {
    const std::uint64_t at = input_.offset();
    const std::uint64_t node = input_.read_length();
    input_.read_string(packed_);
    if (input_.failed()) return;
    if (node == plain) {
      gather(packed_);
      give_some();
    } else if (node == packed) {
      unpack(visit_listpack);
    } else {
      input_.fail("not a kind of list node", at);
    }
  }
  give_all();
}

void ValueReader::gather(std::string_view text) {
  gathered_.append(text);
  ends_.push_back(gathered_.size());
}

void ValueReader::gather(std::string_view member, double score) {
  gather(member);
  scores_.push_back(score);
}

void ValueReader::give_some() {
  if (ends_.size() < gathered_items_max && gathered_.size() < gathered_bytes_max) return;
  give_all();
}

void ValueReader::give_all() {
  if (input_.failed() || ends_.empty()) return;
  const std::string_view all = gathered_;
  names_.clear();
  std::size_t start = 0;
  for (const std::size_t end : ends_) {
    names_.push_back(all.substr(start, end - start));
    start = end;
  }
  if (type_ == Type::hash) {
    fields_.clear();
    for (std::size_t at = 0; at < names_.size(); at += 2) {
      fields_.emplace_back(names_[at], names_[at + 1]);
    }
    judge(listener_.add_fields(fields_));
  } else if (type_ == Type::sorted_set) {
    scored_.clear();
    for (std::size_t at = 0; at < names_.size(); ++at) {
      scored_.push_back({names_[at], scores_[at]});
    }
    judge(listener_.add_scored(scored_));
  } else {
    judge(listener_.add_names(names_));
  }
  gathered_.clear();
  ends_.clear();
  scores_.clear();
}

}  // namespace engine::rdb
