#include "scripting/dialect_parser.hpp"

#include <algorithm>
#include <utility>

namespace scripting {

DialectParser::DialectParser(std::string_view script, std::string chunk_name, ChunkKind kind,
                             const BuiltinNames& builtins)
    : lexer_(script, std::move(chunk_name)),
      script_(script),
      kind_(kind),
      builtins_(builtins),
      has_length_metamethod_(script.find("__len") != std::string_view::npos),
      has_modulo_metamethod_(script.find("__mod") != std::string_view::npos) {}

Translation DialectParser::parse() {
  support("L51_globals");
  support("L51_slow");
  scope_.enter_function(0);
  scope_.function().has_dots = true;
  advance();
  block();
  if (!token_.is(TokenKind::end_of_script)) fail_expected("<eof>");
  const bool has_dots = scope_.function().uses_dots;

  std::string header = "local L51_ticks";
  for (const std::string& name : result_.prelude) {
    header += ',';
    const auto dot = name.find('.');
    if (name.starts_with("L51_"))
      header += name;
    else if (dot == std::string::npos)
      header += "L51_g_" + name;
    else
      header += "L51_f_" + name.substr(0, dot) + "_" + name.substr(dot + 1);
  }
  header += "=1000,... return function(";
  if (kind_ == ChunkKind::script) header += "L51_g_KEYS,L51_g_ARGV";
  if (kind_ == ChunkKind::script && has_dots) header += ",";
  if (has_dots) header += "...";
  result_.source = header + ") " + output_.finished() + " end";
  return std::move(result_);
}

void DialectParser::advance() {
  last_line_ = token_.line;
  if (has_ahead_) {
    token_ = std::move(ahead_);
    has_ahead_ = false;
  } else {
    token_ = lexer_.next();
  }
}

const Token& DialectParser::ahead() {
  if (!has_ahead_) {
    ahead_ = lexer_.next();
    has_ahead_ = true;
  }
  return ahead_;
}

void DialectParser::fail_expected(std::string_view what) const {
  fail_here("'" + std::string(what) + "' expected");
}

bool DialectParser::take(char symbol) {
  if (!token_.is(symbol)) return false;
  emit_token({&symbol, 1});
  advance();
  return true;
}

bool DialectParser::take(TokenKind kind) {
  if (!token_.is(kind)) return false;
  emit_token(DialectLexer::name_of(kind));
  advance();
  return true;
}

void DialectParser::expect(char symbol) {
  if (!take(symbol)) fail_expected({&symbol, 1});
}

void DialectParser::expect(TokenKind kind) {
  if (!take(kind)) fail_expected(DialectLexer::name_of(kind));
}

void DialectParser::expect_match(TokenKind what, TokenKind who, int line) {
  if (take(what)) return;
  const std::string wanted = DialectLexer::name_of(what);
  if (line == lexer_.line()) fail_expected(wanted);
  fail_here("'" + wanted + "' expected (to close '" + DialectLexer::name_of(who) + "' at line " +
            std::to_string(line) + ")");
}

void DialectParser::expect_match(char what, char who, int line) {
  if (take(what)) return;
  if (line == lexer_.line()) fail_expected({&what, 1});
  fail_here("'" + std::string(1, what) + "' expected (to close '" + std::string(1, who) +
            "' at line " + std::to_string(line) + ")");
}

std::string DialectParser::expect_name() {
  if (!token_.is(TokenKind::name)) fail_expected("<name>");
  std::string name = token_.text;
  advance();
  return name;
}

bool DialectParser::ends_block() const {
  switch (token_.kind) {
    case TokenKind::word_else:
    case TokenKind::word_elseif:
    case TokenKind::word_end:
    case TokenKind::word_until:
    case TokenKind::end_of_script:
      return true;
    default:
      return false;
  }
}

void DialectParser::declare_local(std::string name, std::size_t pending) {
  if (scope_.locals() + pending + 1 > locals_max) {
    lexer_.fail(scope_.description() + " has more than " + std::to_string(locals_max) +
                " local variables");
  }
  if (pending == 0) scope_.declare(std::move(name));
}

std::string DialectParser::support(std::string_view name) {
  const auto known = std::find(result_.prelude.begin(), result_.prelude.end(), name);
  if (known == result_.prelude.end()) result_.prelude.emplace_back(name);
  return std::string(name);
}

bool DialectParser::is_special(std::string_view name) {
  return name == "goto" || name == "_ENV" || name.starts_with("L51_");
}

std::string DialectParser::written_name(std::string_view name) {
  return is_special(name) ? "L51_u_" + std::string(name) : std::string(name);
}

std::expected<Translation, std::string> translate(std::string_view script,
                                                  std::string_view chunk_name, ChunkKind kind,
                                                  const BuiltinNames& builtins) {
  try {
    return DialectParser(script, std::string(chunk_name), kind, builtins).parse();
  } catch (DialectError& error) {
    return std::unexpected(std::move(error.text));
  }
}

}  // namespace scripting
