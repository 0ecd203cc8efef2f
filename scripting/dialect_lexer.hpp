// Splits a script into Lua 5.1 tokens, with 5.1's rules (unknown escapes, `goto` as a name, no
// integer division) and 5.1's messages. Errors leave as DialectError.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace scripting {

// The text of a compile error: "user_script:3: unexpected symbol near 'x'". Thrown and caught
// inside the dialect; a script that does not compile is rare.
struct DialectError {
  std::string text;
};

enum class TokenKind : std::uint8_t {
  // The reserved words, in the order of `reserved_words`.
  word_and,
  word_break,
  word_do,
  word_else,
  word_elseif,
  word_end,
  word_false,
  word_for,
  word_function,
  word_if,
  word_in,
  word_local,
  word_nil,
  word_not,
  word_or,
  word_repeat,
  word_return,
  word_then,
  word_true,
  word_until,
  word_while,
  concat,
  dots,
  equal,
  greater_equal,
  less_equal,
  not_equal,
  number,
  end_of_script,
  name,
  string,
  symbol,  // one character, in Token::symbol
};

struct Token {
  TokenKind kind = TokenKind::end_of_script;
  char symbol = '\0';
  int line = 1;       // of the token's last character
  std::string text;   // as written (messages); for a name, the name
  std::string value;  // of a string: its bytes
  double number = 0;

  [[nodiscard]] bool is(TokenKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is(char wanted) const { return kind == TokenKind::symbol && symbol == wanted; }
};

class DialectLexer {
 public:
  // `script` must outlive the lexer. `chunk_name` is what messages begin with.
  DialectLexer(std::string_view script, std::string chunk_name)
      : script_(script), chunk_name_(std::move(chunk_name)) {}

  Token next();
  [[nodiscard]] int line() const { return line_; }

  // "…near 'token'" of the given token.
  [[noreturn]] void fail_near(std::string_view message, const Token& token) const;
  [[noreturn]] void fail(std::string_view message) const;
  // How a message names a token: "<eof>", "then", "=".
  static std::string name_of(TokenKind kind);

 private:
  static constexpr int end = -1;
  [[nodiscard]] int peek() const {
    return at_ < script_.size() ? static_cast<unsigned char>(script_[at_]) : end;
  }
  void save_and_step() { text_.push_back(script_[at_++]); }
  bool take_any(std::string_view set);
  void step_line();
  void skip_comment();
  int skip_separator();
  void read_long(int level, bool is_comment);
  void read_string();
  void read_escape();
  void read_number();
  bool skip_blank();
  Token token_from(int c);
  Token made(TokenKind kind);
  Token symbol_token(char symbol);
  [[noreturn]] void fail_near_text(std::string_view message) const;
  [[noreturn]] void fail_at_end(std::string_view message) const;

  std::string_view script_;
  std::string chunk_name_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string text_;
  std::string value_;
  double number_ = 0;
};

}  // namespace scripting
