#include "scripting/text_pattern.hpp"

#include "scripting/lua_arguments.hpp"
#include "scripting/script_context.hpp"

#include <cctype>
#include <cstring>

namespace scripting {
namespace {

bool is_in_class(unsigned char c, char letter) {
  bool result = false;
  switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'a':
      result = std::isalpha(c) != 0;
      break;
    case 'c':
      result = std::iscntrl(c) != 0;
      break;
    case 'd':
      result = std::isdigit(c) != 0;
      break;
    case 'l':
      result = std::islower(c) != 0;
      break;
    case 'p':
      result = std::ispunct(c) != 0;
      break;
    case 's':
      result = std::isspace(c) != 0;
      break;
    case 'u':
      result = std::isupper(c) != 0;
      break;
    case 'w':
      result = std::isalnum(c) != 0;
      break;
    case 'x':
      result = std::isxdigit(c) != 0;
      break;
    case 'z':
      result = c == 0;
      break;
    default:
      return static_cast<unsigned char>(letter) == c;
  }
  return std::isupper(static_cast<unsigned char>(letter)) != 0 ? !result : result;
}

}  // namespace

std::optional<std::size_t> TextPattern::match_at(std::size_t start) {
  level_ = 0;
  depth_ = 0;
  return match(start, 0);
}

TextPattern::Result TextPattern::match(std::size_t s, std::size_t p) {
  if (++depth_ > depth_max) raise_at_caller(lua_, "pattern too complex");
  // Backtracking can take for ever: others are served and SCRIPT KILL works meanwhile.
  if (++steps_ % steps_per_check == 0) check_time(lua_);
  const Result result = match_items(s, p);
  --depth_;
  return result;
}

TextPattern::Result TextPattern::match_items(std::size_t s, std::size_t p) {
  for (;;) {
    if (ends(p)) return s;
    bool is_special = false;
    const Result result = special(s, p, is_special);
    // Back references and the like go on with what follows.
    if (is_special && (!result || p == std::string_view::npos)) return result;
    if (is_special) {
      s = *result;
      continue;
    }
    const std::size_t end = item_end(p);
    const bool is_match = s < subject_.size() && matches_one(s, p, end);
    switch (at(end)) {
      case '?':
        if (const Result rest = is_match ? match(s + 1, end + 1) : std::nullopt) return rest;
        p = end + 1;
        continue;
      case '*':
        return expand_greedy(s, p, end);
      case '+':
        return is_match ? expand_greedy(s + 1, p, end) : std::nullopt;
      case '-':
        return expand_lazy(s, p, end);
      default:
        if (!is_match) return std::nullopt;
        ++s;
        p = end;
    }
  }
}

// Items that are no single character. Moves `p` past the item when matching goes on at the result,
// or to npos when the result is final.
TextPattern::Result TextPattern::special(std::size_t s, std::size_t& p, bool& is_special) {
  const std::size_t item = p;
  is_special = true;
  switch (pattern_[item]) {
    case '(':
      p = std::string_view::npos;
      return open_capture(s, item);
    case ')':
      p = std::string_view::npos;
      return close_capture(s, item);
    case '$':
      if (item + 1 != pattern_.size()) break;
      p = std::string_view::npos;
      return s == subject_.size() ? Result(s) : std::nullopt;
    case '%':
      if (at(item + 1) == 'b') {
        p = item + 4;
        return balanced(s, item + 2);
      }
      if (at(item + 1) == 'f') {
        if (at(item + 2) != '[') raise_at_caller(lua_, "missing '[' after '%f' in pattern");
        p = item_end(item + 2);
        return frontier(s, item + 2, p) ? Result(s) : std::nullopt;
      }
      if (std::isdigit(static_cast<unsigned char>(at(item + 1))) == 0) break;
      p = item + 2;
      return back_reference(s, at(item + 1));
    default:
      break;
  }
  is_special = false;
  return std::nullopt;
}

TextPattern::Result TextPattern::open_capture(std::size_t s, std::size_t p) {
  if (level_ >= captures_max) raise_at_caller(lua_, "too many captures");
  const bool is_position = at(p + 1) == ')';
  captures_[level_++] = {s, is_position ? position : unfinished};
  const Result result = match(s, is_position ? p + 2 : p + 1);
  if (!result) --level_;
  return result;
}

TextPattern::Result TextPattern::close_capture(std::size_t s, std::size_t p) {
  std::size_t open = level_;
  while (open > 0 && captures_[open - 1].size != unfinished) --open;
  if (open == 0) raise_at_caller(lua_, "invalid pattern capture");
  Capture& capture = captures_[open - 1];
  capture.size = static_cast<std::ptrdiff_t>(s - capture.start);
  const Result result = match(s, p + 1);
  if (!result) capture.size = unfinished;
  return result;
}

TextPattern::Result TextPattern::balanced(std::size_t s, std::size_t p) {
  if (ends(p) || ends(p + 1)) raise_at_caller(lua_, "unbalanced pattern");
  if (s >= subject_.size() || subject_[s] != pattern_[p]) return std::nullopt;
  const char open = pattern_[p];
  const char close = pattern_[p + 1];
  int nesting = 1;
  for (std::size_t i = s + 1; i < subject_.size(); ++i) {
    if (subject_[i] == close) {
      --nesting;
      if (nesting == 0) return i + 1;
    } else if (subject_[i] == open) {
      ++nesting;
    }
  }
  return std::nullopt;
}

bool TextPattern::frontier(std::size_t s, std::size_t p, std::size_t end) {
  const char before = s == 0 ? '\0' : subject_[s - 1];
  const char here = s < subject_.size() ? subject_[s] : '\0';
  return !in_set(static_cast<unsigned char>(before), p, end - 1) &&
         in_set(static_cast<unsigned char>(here), p, end - 1);
}

TextPattern::Result TextPattern::back_reference(std::size_t s, char digit) {
  const auto index = static_cast<std::size_t>(digit - '1');
  if (digit == '0' || index >= level_ || captures_[index].size == unfinished)
    raise_at_caller(lua_, "invalid capture index");
  const Capture& capture = captures_[index];
  const auto size = static_cast<std::size_t>(capture.size);
  if (subject_.size() - s < size) return std::nullopt;
  if (subject_.compare(s, size, subject_, capture.start, size) != 0) return std::nullopt;
  return s + size;
}

TextPattern::Result TextPattern::expand_greedy(std::size_t s, std::size_t p, std::size_t end) {
  std::size_t count = 0;
  while (s + count < subject_.size() && matches_one(s + count, p, end)) ++count;
  for (;; --count) {
    if (const Result rest = match(s + count, end + 1)) return rest;
    if (count == 0) return std::nullopt;
  }
}

TextPattern::Result TextPattern::expand_lazy(std::size_t s, std::size_t p, std::size_t end) {
  for (;; ++s) {
    if (const Result rest = match(s, end + 1)) return rest;
    if (s >= subject_.size() || !matches_one(s, p, end)) return std::nullopt;
  }
}

std::size_t TextPattern::item_end(std::size_t p) {
  const char first = pattern_[p++];
  if (first == '%') {
    if (ends(p)) raise_at_caller(lua_, "malformed pattern (ends with '%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (at(p) == '^') ++p;
  do {
    if (ends(p)) raise_at_caller(lua_, "malformed pattern (missing ']')");
    const bool is_escape = pattern_[p] == '%';
    ++p;
    if (is_escape && !ends(p)) ++p;
  } while (at(p) != ']');
  return p + 1;
}

bool TextPattern::matches_one(std::size_t s, std::size_t p, std::size_t end) const {
  const auto c = static_cast<unsigned char>(subject_[s]);
  switch (pattern_[p]) {
    case '.':
      return true;
    case '%':
      return is_in_class(c, pattern_[p + 1]);
    case '[':
      return in_set(c, p, end - 1);
    default:
      return static_cast<unsigned char>(pattern_[p]) == c;
  }
}

// `p` is at '[', `last` at the closing ']'.
bool TextPattern::in_set(unsigned char c, std::size_t p, std::size_t last) const {
  bool found = true;
  if (at(p + 1) == '^') {
    found = false;
    ++p;
  }
  while (++p < last) {
    if (pattern_[p] == '%') {
      ++p;
      if (is_in_class(c, at(p))) return found;
    } else if (at(p + 1) == '-' && p + 2 < last) {
      const auto low = static_cast<unsigned char>(pattern_[p]);
      const auto high = static_cast<unsigned char>(pattern_[p + 2]);
      if (low <= c && c <= high) return found;
      p += 2;
    } else if (static_cast<unsigned char>(pattern_[p]) == c) {
      return found;
    }
  }
  return !found;
}

void TextPattern::push_capture(std::size_t index, std::size_t start, std::size_t end) {
  if (index >= level_) {
    if (index != 0) raise_at_caller(lua_, "invalid capture index");
    push_text(lua_, subject_.substr(start, end - start));
    return;
  }
  const Capture& capture = captures_[index];
  if (capture.size == unfinished) raise_at_caller(lua_, "unfinished capture");
  if (capture.size == position)
    push_count(lua_, capture.start + 1);
  else
    push_text(lua_, subject_.substr(capture.start, static_cast<std::size_t>(capture.size)));
}

int TextPattern::push_captures(std::size_t start, std::size_t end, Whole whole) {
  const std::size_t count = level_ == 0 && whole == Whole::when_no_capture ? 1 : level_;
  luaL_checkstack(lua_, static_cast<int>(count), "too many captures");
  for (std::size_t i = 0; i < count; ++i) push_capture(i, start, end);
  return static_cast<int>(count);
}

}  // namespace scripting
