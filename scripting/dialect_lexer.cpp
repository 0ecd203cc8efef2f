#include "scripting/dialect_lexer.hpp"

#include "scripting/lua_number.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace scripting {
namespace {

constexpr std::array<std::string_view, 21> reserved_words = {
    "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "if",   "in",
    "local", "nil",   "not", "or",   "repeat", "return", "then",  "true", "until",    "while"};

bool is_name_character(int c) {
  return c >= 0 && (std::isalnum(c) != 0 || c == '_');
}
bool is_line_break(int c) {
  return c == '\n' || c == '\r';
}
bool is_digit(int c) {
  return c >= '0' && c <= '9';
}

std::string name_of_symbol(char symbol) {
  if (std::iscntrl(static_cast<unsigned char>(symbol)) != 0)
    return "char(" + std::to_string(static_cast<int>(symbol)) + ")";
  return {symbol};
}

// Messages are C strings in 5.1: a NUL ends them.
std::string_view until_nul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

}  // namespace

std::string DialectLexer::name_of(TokenKind kind) {
  if (kind <= TokenKind::word_while)
    return std::string(reserved_words[static_cast<std::size_t>(kind)]);
  switch (kind) {
    case TokenKind::concat:
      return "..";
    case TokenKind::dots:
      return "...";
    case TokenKind::equal:
      return "==";
    case TokenKind::greater_equal:
      return ">=";
    case TokenKind::less_equal:
      return "<=";
    case TokenKind::not_equal:
      return "~=";
    case TokenKind::number:
      return "<number>";
    case TokenKind::name:
      return "<name>";
    case TokenKind::string:
      return "<string>";
    default:
      return "<eof>";
  }
}

void DialectLexer::fail(std::string_view message) const {
  throw DialectError{chunk_name_ + ":" + std::to_string(line_) + ": " + std::string(message)};
}

void DialectLexer::fail_near(std::string_view message, const Token& token) const {
  std::string near;
  switch (token.kind) {
    case TokenKind::symbol:
      if (token.symbol == '\0') fail(message);
      near = name_of_symbol(token.symbol);
      break;
    case TokenKind::name:
    case TokenKind::string:
    case TokenKind::number:
      near = until_nul(token.text);
      break;
    default:
      near = name_of(token.kind);
  }
  fail(std::string(message) + " near '" + near + "'");
}

void DialectLexer::fail_near_text(std::string_view message) const {
  fail(std::string(message) + " near '" + std::string(until_nul(text_)) + "'");
}

void DialectLexer::fail_at_end(std::string_view message) const {
  fail(std::string(message) + " near '<eof>'");
}

Token DialectLexer::made(TokenKind kind) {
  Token token;
  token.kind = kind;
  token.line = line_;
  token.text = std::move(text_);
  token.value = std::move(value_);
  token.number = number_;
  text_.clear();
  value_.clear();
  return token;
}

// A NUL in the script counts as a member of every set: 5.1 asks strchr.
bool DialectLexer::take_any(std::string_view set) {
  const int c = peek();
  if (c == end || (c != 0 && set.find(static_cast<char>(c)) == std::string_view::npos))
    return false;
  save_and_step();
  return true;
}

void DialectLexer::step_line() {
  const int first = peek();
  ++at_;
  if (is_line_break(peek()) && peek() != first) ++at_;
  ++line_;
}

int DialectLexer::skip_separator() {
  const int bracket = peek();
  save_and_step();
  int level = 0;
  while (peek() == '=') {
    save_and_step();
    ++level;
  }
  return peek() == bracket ? level : -level - 1;
}

void DialectLexer::read_long(int level, bool is_comment) {
  save_and_step();
  if (is_line_break(peek())) step_line();
  for (;;) {
    const int c = peek();
    if (c == end) fail_at_end(is_comment ? "unfinished long comment" : "unfinished long string");
    if (is_line_break(c)) {
      value_.push_back('\n');
      text_.push_back('\n');
      step_line();
      continue;
    }
    if (c != ']') {
      value_.push_back(static_cast<char>(c));
      save_and_step();
      continue;
    }
    const std::size_t from = at_;
    const bool closes = skip_separator() == level;
    if (closes) break;
    value_.append(script_.substr(from, at_ - from));
  }
  save_and_step();
}

void DialectLexer::skip_comment() {
  if (peek() == '[') {
    const int level = skip_separator();
    text_.clear();
    if (level >= 0) {
      read_long(level, true);
      text_.clear();
      value_.clear();
      return;
    }
  }
  while (peek() != end && !is_line_break(peek())) ++at_;
}

void DialectLexer::read_escape() {
  ++at_;  // the backslash
  const int c = peek();
  if (c == end) return;
  if (is_line_break(c)) {
    text_.push_back('\n');
    step_line();
    return;
  }
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  const auto letter = letters.find(static_cast<char>(c));
  if (letter != std::string_view::npos) {
    text_.push_back(meanings[letter]);
    ++at_;
    return;
  }
  if (!is_digit(c)) {
    save_and_step();
    return;
  }
  int code = 0;
  for (int digits = 0; digits < 3 && is_digit(peek()); ++digits) {
    code = 10 * code + (peek() - '0');
    ++at_;
  }
  if (code > 255) fail_near_text("escape sequence too large");
  text_.push_back(static_cast<char>(code));
}

void DialectLexer::read_string() {
  const int quote = peek();
  save_and_step();
  while (peek() != quote) {
    const int c = peek();
    if (c == end) fail_at_end("unfinished string");
    if (is_line_break(c)) fail_near_text("unfinished string");
    if (c == '\\')
      read_escape();
    else
      save_and_step();
  }
  save_and_step();
  value_ = text_.substr(1, text_.size() - 2);
}

void DialectLexer::read_number() {
  while (is_digit(peek()) || peek() == '.') save_and_step();
  if (take_any("Ee")) take_any("+-");
  while (is_name_character(peek())) save_and_step();
  const std::string digits(until_nul(text_));
  const std::optional<double> value = number_from_text(digits.c_str(), digits.size());
  if (!value) fail_near_text("malformed number");
  number_ = *value;
}

// One line break, blank or comment; false when a token begins here.
bool DialectLexer::skip_blank() {
  const int c = peek();
  if (is_line_break(c)) {
    step_line();
  } else if (c != end && std::isspace(c) != 0) {
    ++at_;
  } else if (script_.substr(at_).starts_with("--")) {
    at_ += 2;
    skip_comment();
  } else {
    return false;
  }
  return true;
}

Token DialectLexer::next() {
  text_.clear();
  value_.clear();
  while (skip_blank()) {
  }
  const int c = peek();
  return c == end ? made(TokenKind::end_of_script) : token_from(c);
}

Token DialectLexer::token_from(int c) {
  if (is_digit(c)) {
    read_number();
    return made(TokenKind::number);
  }
  if (is_name_character(c)) {
    while (is_name_character(peek())) save_and_step();
    const auto word = std::find(reserved_words.begin(), reserved_words.end(), text_);
    if (word == reserved_words.end()) return made(TokenKind::name);
    return made(static_cast<TokenKind>(word - reserved_words.begin()));
  }
  if (c == '"' || c == '\'') {
    read_string();
    return made(TokenKind::string);
  }
  if (c == '[') {
    const int level = skip_separator();
    if (level >= 0) {
      read_long(level, false);
      return made(TokenKind::string);
    }
    if (level != -1) fail_near_text("invalid long string delimiter");
    return symbol_token('[');
  }
  if (c == '.') {
    save_and_step();
    if (take_any(".")) return made(take_any(".") ? TokenKind::dots : TokenKind::concat);
    if (!is_digit(peek())) return symbol_token('.');
    read_number();
    return made(TokenKind::number);
  }
  ++at_;
  if (peek() == '=') {
    constexpr std::string_view first = "=<>~";
    constexpr TokenKind kinds[] = {TokenKind::equal, TokenKind::less_equal,
                                   TokenKind::greater_equal, TokenKind::not_equal};
    const auto found = first.find(static_cast<char>(c));
    if (found != std::string_view::npos) {
      ++at_;
      return made(kinds[found]);
    }
  }
  return symbol_token(static_cast<char>(c));
}

Token DialectLexer::symbol_token(char symbol) {
  Token token = made(TokenKind::symbol);
  token.symbol = symbol;
  return token;
}

}  // namespace scripting
