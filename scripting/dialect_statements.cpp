// The statements of the dialect's parser.
#include "scripting/dialect_level.hpp"
#include "scripting/dialect_parser.hpp"

#include <array>
#include <utility>

namespace scripting {

void DialectParser::block() {
  const Level level(*this);
  bool is_last = false;
  while (!is_last && !ends_block()) {
    is_last = statement();
    take(';');
  }
}

void DialectParser::scoped_block(bool is_loop) {
  const std::size_t locals = scope_.locals();
  scope_.function().block_is_loop.push_back(is_loop);
  block();
  scope_.function().block_is_loop.pop_back();
  scope_.leave_locals(locals);
}

// True for a statement that must be the last of its block.
bool DialectParser::statement() {
  const int line = token_.line;
  switch (token_.kind) {
    case TokenKind::word_if:
      if_statement();
      return false;
    case TokenKind::word_while:
      while_statement();
      return false;
    case TokenKind::word_do:
      take(TokenKind::word_do);
      scoped_block(false);
      expect_match(TokenKind::word_end, TokenKind::word_do, line);
      return false;
    case TokenKind::word_for:
      for_statement();
      return false;
    case TokenKind::word_repeat:
      repeat_statement();
      return false;
    case TokenKind::word_function:
      function_statement();
      return false;
    case TokenKind::word_local:
      advance();
      if (token_.is(TokenKind::word_function))
        local_function();
      else
        local_statement();
      return false;
    case TokenKind::word_return:
      return_statement();
      return true;
    case TokenKind::word_break:
      break_statement();
      return true;
    default:
      expression_statement();
      return false;
  }
}

void DialectParser::condition_block() {
  settled_expression();
  expect(TokenKind::word_then);
  scoped_block(false);
}

void DialectParser::if_statement() {
  const int line = token_.line;
  take(TokenKind::word_if);
  condition_block();
  while (take(TokenKind::word_elseif)) condition_block();
  if (take(TokenKind::word_else)) scoped_block(false);
  expect_match(TokenKind::word_end, TokenKind::word_if, line);
}

void DialectParser::while_statement() {
  const int line = token_.line;
  take(TokenKind::word_while);
  settled_expression();
  expect(TokenKind::word_do);
  emit_countdown();
  scoped_block(true);
  expect_match(TokenKind::word_end, TokenKind::word_while, line);
}

void DialectParser::repeat_statement() {
  const int line = token_.line;
  take(TokenKind::word_repeat);
  emit_countdown();
  const std::size_t locals = scope_.locals();
  scope_.function().block_is_loop.push_back(true);
  block();
  expect_match(TokenKind::word_until, TokenKind::word_repeat, line);
  settled_expression();
  scope_.function().block_is_loop.pop_back();
  scope_.leave_locals(locals);
}

void DialectParser::for_statement() {
  const int line = token_.line;
  const std::size_t for_place = output_.mark(line);
  advance();
  const std::size_t locals = scope_.locals();
  std::string variable = expect_name();
  if (token_.is('=')) {
    numeric_for(std::move(variable), for_place, line);
  } else if (token_.is(',') || token_.is(TokenKind::word_in)) {
    generic_for(std::move(variable), line);
  } else {
    fail_here("'=' or 'in' expected");
  }
  scope_.leave_locals(locals);
}

void DialectParser::numeric_for(std::string variable, std::size_t for_place, int line) {
  advance();
  const auto is_plain_bound = [](const Expr& expr) {
    return expr.kind == ExprKind::number && !expr.name.empty();
  };
  Expr start = expression();
  if (start.kind != ExprKind::number) settle(start);
  single_value(start);
  bool is_plain = is_plain_bound(start);
  expect(',');
  Expr limit = expression();
  if (limit.kind == ExprKind::concat_list) settle(limit);
  single_value(limit);
  is_plain = is_plain && (limit.kind == ExprKind::length || is_plain_bound(limit));
  if (take(',')) {
    Expr step = expression();
    settle(step);
    single_value(step);
    is_plain = is_plain && is_plain_bound(step) && step.name != "0";
  } else if (!is_plain) {
    output_.append(",1.0");
  }
  const std::string name = written_name(variable);
  if (is_plain) {
    output_.insert(for_place, "for " + name + "=");
  } else {
    support("L51_for_range");
    output_.insert(for_place, "do local L51_a,L51_b,L51_c=");
    // Called on the line of `do`, which 5.1 names when a bound is no number.
    output_.put(
        " L51_a,L51_b,L51_c=L51_for_range(L51_a,L51_b,L51_c) for " + name + "=L51_a,L51_b,L51_c",
        token_.line);
  }
  for_body({std::move(variable)});
  expect_match(TokenKind::word_end, TokenKind::word_for, line);
  if (!is_plain) output_.append(" end");
}

void DialectParser::generic_for(std::string variable, int line) {
  std::vector<std::string> variables{std::move(variable)};
  while (token_.is(',')) {
    advance();
    variables.push_back(expect_name());
  }
  std::string head = "for ";
  for (std::size_t i = 0; i < variables.size(); ++i)
    head += (i == 0 ? "" : ",") + written_name(variables[i]);
  output_.put(head, token_.line);
  expect(TokenKind::word_in);
  const std::size_t place = output_.mark(token_.line);
  Expr last;
  const std::size_t count = expression_list(last);
  const bool is_known =
      count == 1 && last.kind == ExprKind::call && (last.name == "pairs" || last.name == "ipairs");
  if (!is_known) {
    support("L51_three");
    output_.insert(place, "L51_three(");
    output_.append(")");
  }
  for_body(variables);
  expect_match(TokenKind::word_end, TokenKind::word_for, line);
}

void DialectParser::for_body(const std::vector<std::string>& variables) {
  // 5.1 keeps three hidden locals per loop.
  for (int i = 0; i < 3; ++i) declare_local("(for)", 0);
  expect(TokenKind::word_do);
  emit_countdown();
  for (const std::string& variable : variables) declare_local(variable, 0);
  scoped_block(true);
}

void DialectParser::function_statement() {
  const int line = token_.line;
  const std::size_t place = output_.mark(line);
  advance();
  const std::string first = expect_name();
  std::string target;
  bool has_goto = false;
  if (scope_.resolve(first) != NameKind::global) {
    target = written_name(first);
  } else if (token_.is('.') || token_.is(':')) {
    target = is_special(first) ? "_ENV[\"" + first + "\"]" : first;
    has_goto = is_special(first);
  } else {
    target = "L51_globals" + field_access(first);
    has_goto = is_special(first);
  }
  if (first == "KEYS" || first == "ARGV") result_.shares_parameters = true;
  bool has_self = false;
  while (token_.is('.') || token_.is(':')) {
    has_self = token_.is(':');
    advance();
    const std::string field = expect_name();
    has_goto = has_goto || has_self || field == "goto";
    target += field_access(field);
    if (has_self) break;
  }
  output_.replace_from(place, has_goto ? target + "=function" : "function " + target);
  function_body(line, has_self);
}

void DialectParser::local_function() {
  output_.put("local function", token_.line);
  advance();
  std::string name = expect_name();
  output_.put(written_name(name), token_.line);
  declare_local(std::move(name), 0);
  function_body(token_.line, false);
}

void DialectParser::local_statement() {
  std::vector<std::string> names;
  output_.put("local", token_.line);
  for (;;) {
    if (!token_.is(TokenKind::name)) fail_expected("<name>");
    emit_token(written_name(token_.text));
    names.push_back(token_.text);
    advance();
    if (scope_.locals() + names.size() > locals_max) declare_local(names.back(), names.size() - 1);
    if (!take(',')) break;
  }
  if (take('=')) {
    Expr last;
    expression_list(last);
  }
  for (std::string& name : names) declare_local(std::move(name), 0);
}

void DialectParser::return_statement() {
  take(TokenKind::word_return);
  if (ends_block() || token_.is(';')) return;
  Expr last;
  expression_list(last);
}

void DialectParser::break_statement() {
  take(TokenKind::word_break);
  if (!scope_.in_loop()) fail_here("no loop to break");
}

void DialectParser::expression_statement() {
  Expr expr = primary_expression();
  if (expr.kind == ExprKind::call && !expr.is_parenthesized) return;
  assignment(expr, 1);
}

void DialectParser::write_as_target(const Expr& target) {
  if (target.is_parameter_table) result_.shares_parameters = true;
  if (target.kind == ExprKind::global)
    output_.replace_from(target.place, "L51_globals" + field_access(target.name));
  else if (!target.builtin.empty())
    output_.replace_from(target.place, target.builtin);
}

void DialectParser::assignment(const Expr& target, std::size_t count) {
  const bool is_variable = target.kind == ExprKind::local || target.kind == ExprKind::upvalue ||
                           target.kind == ExprKind::global || target.kind == ExprKind::field;
  if (!is_variable || target.is_parenthesized) fail_here("syntax error");
  if (token_.is(',') || token_.is('=')) write_as_target(target);
  if (take(',')) {
    const Expr next = primary_expression();
    if (count + static_cast<std::size_t>(level_) > 200)
      lexer_.fail(scope_.description() + " has more than " + std::to_string(200 - level_) +
                  " variables in assignment");
    assignment(next, count + 1);
    return;
  }
  expect('=');
  Expr last;
  expression_list(last);
}

}  // namespace scripting
