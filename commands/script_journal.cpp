#include "commands/script_journal.hpp"

#include "scripting/function_libraries.hpp"

#include <string>

namespace commands {
namespace {

using engine::Mutation;
using engine::MutationKind;

Mutation script_mutation(std::string_view text) {
  Mutation mutation(MutationKind::load_script);
  mutation.value = text;
  return mutation;
}

Mutation library_mutation(std::string_view name, std::string_view code) {
  Mutation mutation(MutationKind::put_library);
  mutation.key = name;
  mutation.value = code;
  return mutation;
}

}  // namespace

ScriptJournal::ScriptJournal(engine::Keyspace& keyspace, scripting::ScriptEngine& scripts,
                             EventLog& log)
    : keyspace_(keyspace), scripts_(scripts), log_(log) {
  keyspace_.set_script_state(this);
}

ScriptJournal::~ScriptJournal() {
  keyspace_.set_script_state(nullptr);
}

bool ScriptJournal::apply(const Mutation& mutation) {
  switch (mutation.kind) {
    case MutationKind::load_script:
      load_script(mutation.value);
      return true;
    case MutationKind::flush_scripts:
      scripts_.flush();
      return true;
    case MutationKind::put_library:
      return put_library(mutation.key, mutation.value);
    case MutationKind::remove_library:
      return scripts_.functions().remove(mutation.key);
    case MutationKind::flush_libraries:
      scripts_.functions().flush();
      return true;
    default:
      return false;
  }
}

void ScriptJournal::load_script(std::string_view text) {
  std::string error;
  if (scripts_.load(text, error) != nullptr) return;
  log_.event(LogLevel::warning, "A script of the journal no longer compiles: " + error);
}

bool ScriptJournal::put_library(std::string_view name, std::string_view code) {
  const auto loaded = scripts_.functions().reload(code);
  if (loaded) return *loaded == name;
  log_.event(LogLevel::warning, "The function library '" + std::string(name) +
                                    "' of the journal no longer loads; its code is kept, its "
                                    "functions are missing: " +
                                    loaded.error());
  scripts_.functions().keep_unloadable(name, code);
  return true;
}

void ScriptJournal::for_each(base::FunctionRef<void(const Mutation& mutation)> visit) const {
  scripts_.for_each_text([&](std::string_view text) { visit(script_mutation(text)); });
  const scripting::FunctionLibraries& functions = scripts_.functions();
  for (const auto& [name, library] : functions.all()) visit(library_mutation(name, library.code));
  for (const auto& [name, code] : functions.unloadable()) visit(library_mutation(name, code));
}

void record_script(engine::Keyspace& keyspace, std::string_view text) {
  keyspace.record_script_change(script_mutation(text));
}
void record_script_flush(engine::Keyspace& keyspace) {
  keyspace.record_script_change(Mutation(MutationKind::flush_scripts));
}
void record_library(engine::Keyspace& keyspace, std::string_view name, std::string_view code) {
  keyspace.record_script_change(library_mutation(name, code));
}
void record_library_removal(engine::Keyspace& keyspace, std::string_view name) {
  Mutation mutation(MutationKind::remove_library);
  mutation.key = name;
  keyspace.record_script_change(mutation);
}
void record_library_flush(engine::Keyspace& keyspace) {
  keyspace.record_script_change(Mutation(MutationKind::flush_libraries));
}

}  // namespace commands
