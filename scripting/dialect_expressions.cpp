// The expressions of the dialect's parser.
#include "scripting/dialect_level.hpp"
#include "scripting/dialect_parser.hpp"
#include "scripting/lua_number.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace scripting {
namespace {

struct Priority {
  int left;
  int right;
};

constexpr int unary_priority = 8;
constexpr Priority no_operator{-1, -1};

Priority priority_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::word_or:
      return {1, 1};
    case TokenKind::word_and:
      return {2, 2};
    case TokenKind::equal:
    case TokenKind::not_equal:
    case TokenKind::less_equal:
    case TokenKind::greater_equal:
      return {3, 3};
    case TokenKind::concat:
      return {5, 4};
    case TokenKind::symbol:
      break;
    default:
      return no_operator;
  }
  switch (token.symbol) {
    case '<':
    case '>':
      return {3, 3};
    case '+':
    case '-':
      return {6, 6};
    case '*':
    case '/':
    case '%':
      return {7, 7};
    case '^':
      return {10, 9};
    default:
      return no_operator;
  }
}

std::string float_literal(double value) {
  if (std::isinf(value)) return "1e999";
  if (value == std::floor(value) && value < 1e15)
    return std::string(NumberText::exact(value).view()) + ".0";
  char text[number_text_bytes_max];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

bool is_length(const Expr& expr) {
  return expr.kind == ExprKind::length || expr.kind == ExprKind::length_sum;
}

bool is_literal_index(const Expr& expr) {
  return expr.kind == ExprKind::number && !expr.name.empty();
}

bool is_simple_operand(const Expr& expr) {
  return !expr.is_parenthesized &&
         (expr.kind == ExprKind::local || expr.kind == ExprKind::upvalue || is_literal_index(expr));
}

}  // namespace

std::string DialectParser::quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 32 || byte == 127) {
      char code[5];
      std::snprintf(code, sizeof code, "\\%03d", byte);
      text += code;
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string DialectParser::field_access(std::string_view name) {
  if (name == "goto") return "[\"goto\"]";
  return "." + std::string(name);
}

std::string DialectParser::operand_name(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::local:
      return "local '" + expr.name + "'";
    case ExprKind::upvalue:
      return "upvalue '" + expr.name + "'";
    case ExprKind::global:
      return "global '" + expr.name + "'";
    case ExprKind::field:
      return "field '" + expr.name + "'";
    default:
      return {};
  }
}

void DialectParser::note_arithmetic(int line, char symbol, const Expr& left, const Expr& right) {
  const auto name_of = [](const Expr& expr) {
    const bool cannot_fail = expr.is_number || is_length(expr) || expr.kind == ExprKind::number;
    return cannot_fail ? std::string(ArithmeticSite::never_wrong) : operand_name(expr);
  };
  result_.arithmetic.push_back({line, symbol, name_of(left), name_of(right)});
}

// "local 'a'||field 'x'|@5": what errors call the operands, and the line they report when it is not
// where 5.4 sees the call. Nil when there is nothing to say.
std::string DialectParser::names_argument(const std::vector<std::string>& operands,
                                          int first_line) const {
  std::string names;
  bool says_something = first_line != last_line_;
  for (const std::string& operand : operands) {
    names += operand + "|";
    says_something = says_something || !operand.empty();
  }
  if (first_line != last_line_) names += "@" + std::to_string(last_line_);
  return says_something ? quoted(names) : "nil";
}

// Makes an expression one that stands for itself: an integer length becomes a float, a list of
// operands a call of L51_concat.
void DialectParser::settle(Expr& expr) {
  if (expr.kind == ExprKind::concat_list) {
    support("L51_concat");
    output_.insert(expr.place, "L51_concat(" + names_argument(expr.operands, expr.line) + ",");
    output_.append(")");
    expr.kind = ExprKind::other;
  } else if (is_length(expr)) {
    output_.insert(expr.place, "(");
    output_.append("+0.0)");
    expr.kind = ExprKind::other;
  }
}

// The same for a length that ended at `end` with more written since.
void DialectParser::settle_left(Expr& expr, std::size_t end) {
  output_.insert(expr.place, "(");
  output_.insert(end, "+0.0)");
  expr.kind = ExprKind::other;
}

// Cuts a call or "..." in a list to one value.
void DialectParser::single_value(Expr& expr) {
  if (expr.kind != ExprKind::call && expr.kind != ExprKind::dots) return;
  if (expr.is_parenthesized) return;
  output_.insert(expr.place, "(");
  output_.append(")");
}

// In "[ ]" integers cannot be told from floats, and are faster.
void DialectParser::as_index(Expr& expr) {
  if (is_literal_index(expr)) {
    output_.replace_from(expr.place, expr.name);
  } else if (expr.kind == ExprKind::length_sum) {
    output_.replace_from(expr.literal, expr.name);
  } else if (expr.kind != ExprKind::length) {
    settle(expr);
  }
}

Expr DialectParser::settled_expression() {
  Expr expr = expression();
  settle(expr);
  return expr;
}

Expr DialectParser::subexpression(int limit) {
  const Level level(*this);
  const int line = token_.line;
  const bool is_unary = token_.is(TokenKind::word_not) || token_.is('-') || token_.is('#');
  Expr expr = is_unary ? unary() : simple_expression();
  for (;;) {
    expr.line = line;
    const Priority priority = priority_of(token_);
    if (priority.left <= limit) return expr;
    if (token_.is(TokenKind::concat))
      expr = concat(expr, priority.right);
    else if (token_.is('%'))
      expr = modulo(expr, priority.right);
    else
      expr = binary(std::move(expr), token_.kind, token_.symbol, priority.right);
  }
}

Expr DialectParser::unary() {
  Expr result;
  const bool is_not = token_.is(TokenKind::word_not);
  const bool is_minus = token_.is('-');
  if (is_not || is_minus || !has_length_metamethod_) {
    advance();
    const int line = token_.line;  // as in binary()
    result.place = output_.mark(line);
    emit_token(is_not ? "not" : is_minus ? "-" : "#");
    is_length_operand_ = !is_not && !is_minus;
    Expr operand = subexpression(unary_priority);
    is_length_operand_ = false;
    if (is_minus) note_arithmetic(line, 'u', operand, Expr());
    result.is_number = is_minus;
    if (is_minus && is_literal_index(operand) && operand.name != "0" &&
        !operand.name.starts_with('-')) {
      result.kind = ExprKind::number;
      result.name = "-" + operand.name;
    }
    if (is_not ? operand.kind == ExprKind::concat_list : true) settle(operand);
    if (!is_not && !is_minus) result.kind = ExprKind::length;
    return result;
  }
  const int line = token_.line;
  result.place = output_.mark(line);
  output_.put(support("L51_length") + "(", line);
  advance();
  Expr operand = subexpression(unary_priority);
  settle(operand);
  single_value(operand);
  output_.append("," + names_argument({operand_name(operand)}, line) + ")");
  return result;
}

Expr DialectParser::binary(Expr left, TokenKind kind, char symbol, int right_priority) {
  const bool is_logical = kind == TokenKind::word_and || kind == TokenKind::word_or;
  const bool is_sum = symbol == '+' || symbol == '-';
  const bool is_comparison =
      kind != TokenKind::symbol ? !is_logical : symbol == '<' || symbol == '>';
  if (is_logical || left.kind == ExprKind::concat_list) settle(left);
  const std::size_t left_end = output_.size();
  advance();
  // Errors name the line of the right operand, as in 5.1; 5.4 names that of the operator.
  const int line = token_.line;
  emit_token(kind == TokenKind::symbol ? std::string(1, symbol) : DialectLexer::name_of(kind));
  Expr right = subexpression(right_priority);
  if (is_logical || right.kind == ExprKind::concat_list) settle(right);

  Expr result;
  result.place = left.place;
  if (is_comparison || is_logical) return result;
  note_arithmetic(line, symbol, left, right);
  result.is_number = true;
  if (is_length(left) && is_length(right)) settle_left(left, left_end);
  if (is_sum && left.kind == ExprKind::length && is_literal_index(right) &&
      !right.name.starts_with('-')) {
    result.kind = ExprKind::length_sum;
    result.literal = right.place;
    result.name = right.name;
  }
  return result;
}

Expr DialectParser::concat(const Expr& left, int right_priority) {
  Expr result;
  result.kind = ExprKind::concat_list;
  result.place = left.place;
  result.operands.push_back(operand_name(left));
  emit_token(",");
  advance();
  Expr right = subexpression(right_priority);
  if (right.kind == ExprKind::concat_list) {
    for (std::string& operand : right.operands) result.operands.push_back(std::move(operand));
  } else {
    result.operands.push_back(operand_name(right));
    single_value(right);
  }
  return result;
}

Expr DialectParser::modulo(const Expr& left, int right_priority) {
  Expr result;
  result.place = left.place;
  const std::string left_text(output_.from(left.place));
  const std::size_t left_end = output_.size();
  const int line = token_.line;
  emit_token(",");
  advance();
  Expr right = subexpression(right_priority);
  note_arithmetic(line, '%', left, right);
  result.is_number = true;
  if (right.kind == ExprKind::concat_list) settle(right);
  const std::string right_text(output_.from(right.place));
  const bool is_one_line = output_.from(left_end).find('\n') == std::string_view::npos;
  if (is_simple_operand(left) && is_simple_operand(right) && is_one_line &&
      !has_modulo_metamethod_) {
    output_.replace_from(left.place, "(" + left_text + " - " + left_text + " // " + right_text +
                                         " * " + right_text + ")");
    return result;
  }
  single_value(right);
  support("L51_mod");
  output_.insert(
      left.place,
      "L51_mod(" + names_argument({operand_name(left), operand_name(right)}, left.line) + ",");
  output_.append(")");
  return result;
}

Expr DialectParser::simple_expression() {
  Expr result;
  const bool is_length_operand = is_length_operand_;
  is_length_operand_ = false;
  result.place = output_.mark(token_.line);
  switch (token_.kind) {
    case TokenKind::number:
      result.kind = ExprKind::number;
      if (token_.number == std::floor(token_.number) && token_.number < 1e9)
        result.name = std::string(NumberText::exact(token_.number).view());
      emit_token(float_literal(token_.number));
      break;
    case TokenKind::string:
      result.kind = ExprKind::string;
      result.name = token_.value;
      emit_token(quoted(token_.value));
      break;
    case TokenKind::word_nil:
    case TokenKind::word_true:
    case TokenKind::word_false:
      emit_token(DialectLexer::name_of(token_.kind));
      break;
    case TokenKind::dots:
      if (!scope_.function().has_dots) fail_here("cannot use '...' outside a vararg function");
      scope_.function().uses_dots = true;
      result.kind = ExprKind::dots;
      emit_token("...");
      break;
    case TokenKind::word_function: {
      const int line = token_.line;
      emit_token("function");
      advance();
      function_body(line, false);
      return result;
    }
    default:
      if (!token_.is('{')) {
        is_length_operand_ = is_length_operand;
        return primary_expression();
      }
      table_constructor();
      return result;
  }
  advance();
  return result;
}

Expr DialectParser::prefix_expression() {
  if (token_.is(TokenKind::name)) return name_expression();
  if (!token_.is('(')) fail_here("unexpected symbol");
  Expr result;
  const int line = token_.line;
  result.place = output_.mark(line);
  take('(');
  Expr inner = settled_expression();
  expect_match(')', '(', line);
  if (!operand_name(inner).empty()) {
    result.kind = inner.kind;
    result.name = inner.name;
  }
  result.is_parenthesized = true;
  result.is_number = inner.is_number;
  return result;
}

Expr DialectParser::name_expression() {
  const int line = token_.line;
  const std::size_t place = output_.mark(line);
  const std::string name = expect_name();
  const NameKind kind = scope_.resolve(name);
  if (kind == NameKind::upvalue && scope_.has_too_many_upvalues()) {
    lexer_.fail(scope_.description() + " has more than " + std::to_string(upvalues_max) +
                " upvalues");
  }
  if (kind == NameKind::global) return global_expression(name, place, line);
  Expr result;
  result.place = place;
  result.name = name;
  result.kind = kind == NameKind::local ? ExprKind::local : ExprKind::upvalue;
  output_.put(written_name(name), line);
  return result;
}

Expr DialectParser::global_expression(const std::string& name, std::size_t place, int line) {
  constexpr std::size_t locals_of_prelude_max = 120;
  Expr result;
  result.place = place;
  result.name = name;
  result.kind = ExprKind::global;
  if (name == "_G" || name == "load" || name == "loadstring") result_.uses_global_table = true;
  if (name == "KEYS" || name == "ARGV") {
    result.is_parameter_table = true;
    output_.put(kind_ == ChunkKind::script ? "L51_g_" + name : name, line);
    return result;
  }
  const bool has_room = result_.prelude.size() < locals_of_prelude_max;
  if (has_room && builtins_.contains(name)) {
    result.builtin = support(name);
    output_.put("L51_g_" + name, line);
    return result;
  }
  if (has_room && token_.is('.') && ahead().is(TokenKind::name)) {
    const std::string full = name + "." + ahead().text;
    if (builtins_.contains(full)) {
      const std::string field = ahead().text;
      advance();
      advance();
      result.kind = ExprKind::field;
      result.name = field;
      result.builtin = support(full);
      output_.put("L51_f_" + name + "_" + field, line);
      return result;
    }
  }
  output_.put(is_special(name) ? "_ENV[\"" + name + "\"]" : name, line);
  return result;
}

Expr DialectParser::primary_expression() {
  const bool is_length_operand = is_length_operand_;
  is_length_operand_ = false;
  Expr expr = prefix_expression();
  if (expr.is_parameter_table && !token_.is('[') && !is_length_operand)
    result_.shares_parameters = true;
  for (;;) {
    if (token_.is('.') || token_.is('[')) {
      index(expr);
    } else if (token_.is(':')) {
      method_call(expr);
    } else if (token_.is('(') || token_.is(TokenKind::string) || token_.is('{')) {
      std::string builtin = std::move(expr.builtin);
      call_arguments(false);
      const std::size_t place = expr.place;
      expr = Expr();
      expr.place = place;
      expr.kind = ExprKind::call;
      expr.name = std::move(builtin);
    } else {
      return expr;
    }
  }
}

void DialectParser::index(Expr& base) {
  const bool was_parameter_table = base.is_parameter_table && base.kind == ExprKind::global;
  std::string field = "?";
  if (token_.is('.')) {
    if (was_parameter_table) result_.shares_parameters = true;
    const int line = token_.line;
    advance();
    field = expect_name();
    output_.mark(line);
    output_.append(field_access(field));
  } else {
    take('[');
    Expr key = expression();
    if (key.kind == ExprKind::string) field = key.name;
    as_index(key);
    expect(']');
  }
  base.kind = ExprKind::field;
  base.name = std::move(field);
  base.builtin.clear();
  base.is_parenthesized = false;
}

void DialectParser::method_call(Expr& base) {
  const int line = token_.line;
  if (base.is_parameter_table) result_.shares_parameters = true;
  advance();
  const std::string name = expect_name();
  if (name == "goto") {
    output_.insert(base.place, support("L51_call_goto") + "(");
    call_arguments(true);
  } else {
    output_.put(":" + name, line);
    call_arguments(false);
  }
  const std::size_t place = base.place;
  base = Expr();
  base.place = place;
  base.kind = ExprKind::call;
}

}  // namespace scripting
