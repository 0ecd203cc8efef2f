// Counts how deeply a script nests, as 5.1's parser limits it.
#pragma once

#include "scripting/dialect_parser.hpp"

namespace scripting {

class DialectParser::Level {
 public:
  explicit Level(DialectParser& parser) : parser_(parser) {
    if (++parser_.level_ > levels_max) parser_.lexer_.fail("chunk has too many syntax levels");
  }
  ~Level() { --parser_.level_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  static constexpr int levels_max = 200;
  DialectParser& parser_;
};

}  // namespace scripting
