// A compiled piece of Lua that the engine can run: a script, or a function of a library.
#pragma once

#include "scripting/dialect.hpp"
#include "scripting/script_engine.hpp"

#include <lua.hpp>

#include <memory>
#include <string>
#include <vector>

namespace scripting {

class Script {
 public:
  std::string text;  // of a script
  std::string name;  // by which errors call it: the SHA1 of a script, the name of a function
  ScriptFlags flags;
  bool is_function = false;
  int function = LUA_NOREF;        // in the registry; whoever drops the script gives it back
  bool shares_parameters = false;  // KEYS and ARGV may outlive the run
  bool uses_global_table = false;
  std::shared_ptr<const std::vector<ArithmeticSite>> arithmetic;  // of the whole chunk
};

}  // namespace scripting
