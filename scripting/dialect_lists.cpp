// Argument lists, table constructors and function bodies of the dialect's parser.
#include "scripting/dialect_parser.hpp"

#include <utility>

namespace scripting {

// `continues_list`: the arguments follow others in an open "(".
void DialectParser::call_arguments(bool continues_list) {
  const int line = token_.line;
  if (token_.is(TokenKind::string) || token_.is('{')) {
    output_.append(continues_list ? "," : "(");
    if (token_.is('{')) {
      table_constructor();
    } else {
      emit_token(quoted(token_.value));
      advance();
    }
    output_.append(")");
    return;
  }
  if (!token_.is('(')) fail_here("function arguments expected");
  if (line != last_line_) fail_here("ambiguous syntax (function call x new statement)");
  if (continues_list) {
    advance();
    if (!token_.is(')')) output_.append(",");
  } else {
    output_.append("(");
    advance();
  }
  if (!token_.is(')')) {
    Expr last;
    expression_list(last);
  }
  expect_match(')', '(', line);
}

std::size_t DialectParser::expression_list(Expr& last) {
  std::size_t count = 1;
  last = settled_expression();
  while (take(',')) {
    last = settled_expression();
    ++count;
  }
  return count;
}

void DialectParser::table_constructor() {
  const int line = token_.line;
  expect('{');
  do {
    if (token_.is('}')) break;
    table_item();
  } while (take(',') || take(';'));
  expect_match('}', '{', line);
}

void DialectParser::table_item() {
  if (token_.is(TokenKind::name) && ahead().is('=')) {
    const bool is_goto = token_.text == "goto";
    emit_token(is_goto ? "[\"goto\"]" : token_.text);
    advance();
    expect('=');
    settled_expression();
  } else if (token_.is('[')) {
    take('[');
    Expr key = expression();
    as_index(key);
    expect(']');
    expect('=');
    settled_expression();
  } else {
    settled_expression();
  }
}

void DialectParser::parameters() {
  bool is_first = true;
  for (;;) {
    if (token_.is(TokenKind::dots)) {
      scope_.function().has_dots = true;
      emit_token("...");
      advance();
      return;
    }
    if (!token_.is(TokenKind::name)) fail_here("<name> or '...' expected");
    if (is_first && token_.is(')')) return;
    is_first = false;
    emit_token(written_name(token_.text));
    declare_local(token_.text, 0);
    advance();
    if (!take(',')) return;
  }
}

void DialectParser::function_body(int line, bool has_self) {
  scope_.enter_function(line);
  expect('(');
  if (has_self) {
    declare_local("self", 0);
    output_.append(token_.is(')') ? "self" : "self,");
  }
  if (!token_.is(')')) parameters();
  if (scope_.function().has_dots) declare_local("arg", 0);
  expect(')');
  const std::size_t body_place = output_.size();
  block();
  const FunctionScope& function = scope_.function();
  std::string opening;
  if (function.has_dots && function.uses_arg) {
    opening = " local arg";
    if (!function.uses_dots) opening += "={n=" + support("L51_count") + "(...),...}";
    opening += ";";
  }
  opening += countdown;
  output_.insert(body_place, opening);
  scope_.leave_function();
  expect_match(TokenKind::word_end, TokenKind::word_function, line);
}

}  // namespace scripting
