// The script cache and the function libraries as the journal sees them: what is_of_scripts()
// mutations change. Implemented where Lua is known; the engine keeps no script.
#pragma once

#include "base/function_ref.hpp"
#include "engine/mutation.hpp"

namespace engine {

class ScriptState {
 public:
  virtual ~ScriptState() = default;
  // Of a replayed frame: repeats what a command did. False: it does not fit what is there.
  virtual bool apply(const Mutation& mutation) = 0;
  // The mutations that build the present state from an empty one. Views live during the visit.
  virtual void for_each(base::FunctionRef<void(const Mutation& mutation)> visit) const = 0;
};

}  // namespace engine
