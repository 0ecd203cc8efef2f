// The script cache and the function libraries in the journal: what commands have done to them joins
// the frame of the call, replayed frames do it again. So EVALSHA and FCALL work after a restart.
//
// A script that no longer compiles is left out, as the cache may forget any; a library that no
// longer loads is kept as text (FunctionLibraries::keep_unloadable). Both are logged, neither stops
// a start: only another version of this program meets them.
#pragma once

#include "base/function_ref.hpp"
#include "commands/server_control.hpp"
#include "engine/keyspace.hpp"
#include "engine/script_state.hpp"
#include "scripting/script_engine.hpp"

#include <string_view>

namespace commands {

class ScriptJournal final : public engine::ScriptState {
 public:
  // All outlive it.
  ScriptJournal(engine::Keyspace& keyspace, scripting::ScriptEngine& scripts, EventLog& log);
  ~ScriptJournal() override;
  ScriptJournal(const ScriptJournal&) = delete;
  ScriptJournal& operator=(const ScriptJournal&) = delete;

  bool apply(const engine::Mutation& mutation) override;
  void for_each(base::FunctionRef<void(const engine::Mutation& mutation)> visit) const override;

 private:
  void load_script(std::string_view text);
  bool put_library(std::string_view name, std::string_view code);

  engine::Keyspace& keyspace_;
  scripting::ScriptEngine& scripts_;
  EventLog& log_;
};

// What a command has just done, in the open frame.
void record_script(engine::Keyspace& keyspace, std::string_view text);
void record_script_flush(engine::Keyspace& keyspace);
void record_library(engine::Keyspace& keyspace, std::string_view name, std::string_view code);
void record_library_removal(engine::Keyspace& keyspace, std::string_view name);
void record_library_flush(engine::Keyspace& keyspace);

}  // namespace commands
