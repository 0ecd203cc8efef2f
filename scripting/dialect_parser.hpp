// Recursive descent over Lua 5.1, writing Lua 5.4 as it goes. Order of checks and texts of errors
// are those of 5.1's own parser. See dialect.hpp for what is written differently and why.
#pragma once

#include "scripting/dialect.hpp"
#include "scripting/dialect_lexer.hpp"
#include "scripting/dialect_output.hpp"
#include "scripting/dialect_scope.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scripting {

enum class ExprKind : std::uint8_t {
  other,
  number,
  string,
  local,
  upvalue,
  global,
  field,
  call,
  dots,
  length,       // "#x" as written: an integer until settled
  length_sum,   // "#x + 1.0": the literal may become an integer again in an index
  concat_list,  // "a, b, c" as written: not yet inside L51_concat( )
};

struct Expr {
  ExprKind kind = ExprKind::other;
  std::size_t place = 0;    // where it begins in the output
  int line = 0;             // and in the script
  std::string name;         // of a variable, a constant field; of a literal, its text in the index
  std::string builtin;      // "redis.call" when the output has the chunk's local for it
  std::size_t literal = 0;  // of a length_sum: place of the literal
  std::vector<std::string> operands;  // of a concat_list: how errors name each
  bool is_parenthesized = false;
  bool is_number = false;           // whatever happens: no message can name it
  bool is_parameter_table = false;  // KEYS or ARGV, or indexed from them
};

class DialectParser {
 public:
  DialectParser(std::string_view script, std::string chunk_name, ChunkKind kind,
                const BuiltinNames& builtins);
  Translation parse();

 private:
  class Level;  // counts nesting

  // Tokens.
  void advance();
  const Token& ahead();
  [[noreturn]] void fail_here(std::string_view message) const { lexer_.fail_near(message, token_); }
  [[noreturn]] void fail_expected(std::string_view what) const;
  bool take(char symbol);
  bool take(TokenKind kind);
  void expect(char symbol);
  void expect(TokenKind kind);
  void expect_match(TokenKind what, TokenKind who, int line);
  void expect_match(char what, char who, int line);
  std::string expect_name();
  void emit_token(std::string_view text) { output_.put(text, token_.line); }
  [[nodiscard]] bool ends_block() const;

  // Statements (dialect_statements.cpp).
  void block();
  void scoped_block(bool is_loop);
  bool statement();
  void if_statement();
  void condition_block();
  void while_statement();
  void repeat_statement();
  void for_statement();
  void numeric_for(std::string variable, std::size_t for_place, int line);
  void generic_for(std::string variable, int line);
  void for_body(const std::vector<std::string>& variables);
  void function_statement();
  void local_statement();
  void local_function();
  void return_statement();
  void break_statement();
  void expression_statement();
  void assignment(const Expr& target, std::size_t count);
  void write_as_target(const Expr& target);
  void emit_countdown() { output_.append(countdown); }

  // Expressions (dialect_expressions.cpp, dialect_lists.cpp).
  Expr expression() { return subexpression(0); }
  Expr settled_expression();
  Expr subexpression(int limit);
  Expr unary();
  Expr binary(Expr left, TokenKind kind, char symbol, int right_priority);
  Expr concat(const Expr& left, int right_priority);
  Expr modulo(const Expr& left, int right_priority);
  Expr simple_expression();
  Expr primary_expression();
  Expr prefix_expression();
  Expr name_expression();
  Expr global_expression(const std::string& name, std::size_t place, int line);
  void index(Expr& base);
  void method_call(Expr& base);
  void call_arguments(bool continues_list);
  std::size_t expression_list(Expr& last);
  void table_constructor();
  void table_item();
  void index_expression();
  void function_body(int line, bool has_self);
  void parameters();
  void settle(Expr& expr);
  void settle_left(Expr& expr, std::size_t end);
  void single_value(Expr& expr);
  void as_index(Expr& expr);
  [[nodiscard]] std::string names_argument(const std::vector<std::string>& operands,
                                           int first_line) const;
  static std::string operand_name(const Expr& expr);
  void note_arithmetic(int line, char symbol, const Expr& left, const Expr& right);
  static std::string field_access(std::string_view name);
  static std::string quoted(std::string_view bytes);

  void declare_local(std::string name, std::size_t pending);
  std::string support(std::string_view name);  // a runtime function, added to the prelude
  [[nodiscard]] static bool is_special(std::string_view name);
  [[nodiscard]] static std::string written_name(std::string_view name);

  static constexpr std::string_view countdown =
      " L51_ticks=L51_ticks-1 if L51_ticks<0 then L51_ticks=L51_slow() end ";

  DialectLexer lexer_;
  std::string_view script_;
  ChunkKind kind_;
  const BuiltinNames& builtins_;
  DialectOutput output_;
  DialectScope scope_;
  Translation result_;
  Token token_;
  Token ahead_;
  bool has_ahead_ = false;
  int last_line_ = 1;  // of the token before token_
  int level_ = 0;
  bool has_length_metamethod_;
  bool has_modulo_metamethod_;
  bool is_length_operand_ = false;
};

}  // namespace scripting
