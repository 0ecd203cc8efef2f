// Memory of a Lua state: counted, limited, and small blocks served from free lists by size.
//
// Invariant: used() is the sum of the sizes Lua knows of. The limit is enforced only inside a
// script's protected call, where Lua turns a refusal into "not enough memory"; outside it the state
// may grow.
#pragma once

#include <lua.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace scripting {

class ScriptMemory {
 public:
  ScriptMemory() = default;
  ~ScriptMemory() = default;
  ScriptMemory(const ScriptMemory&) = delete;
  ScriptMemory& operator=(const ScriptMemory&) = delete;

  // lua_Alloc; `self` is a ScriptMemory.
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);

  void set_limit(std::size_t bytes) { limit_ = bytes; }
  void enforce(bool on) { enforced_ = on; }
  [[nodiscard]] bool is_enforced() const { return enforced_; }
  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] bool is_over_limit() const { return used_ > limit_; }
  // Collects; raises Lua's memory error when that does not bring the state under the limit.
  void make_room(lua_State* lua) const;
  // Raises Lua's memory error when `bytes` that a function gathers outside of the state would not
  // fit beside what is in it.
  void check_fits(lua_State* lua, std::size_t bytes) const;

 private:
  static constexpr std::size_t step = 16;
  static constexpr std::size_t small_max = 256;
  static constexpr std::size_t slab_bytes = std::size_t{32} * 1024;
  struct Free {
    Free* next;
  };
  void* take_small(std::size_t size);
  void give_small(void* block, std::size_t size);
  void* resize(void* block, std::size_t old_size, std::size_t new_size);

  std::size_t used_ = 0;
  std::size_t limit_ = static_cast<std::size_t>(-1);
  bool enforced_ = false;
  std::array<Free*, small_max / step> free_{};
  std::byte* slab_at_ = nullptr;
  std::byte* slab_end_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
};

// While it lives the limit is not enforced: a reply being pushed must not be cut in the middle.
class UnlimitedMemory {
 public:
  explicit UnlimitedMemory(ScriptMemory& memory) : memory_(memory), was_(memory.is_enforced()) {
    memory_.enforce(false);
  }
  ~UnlimitedMemory() { memory_.enforce(was_); }
  UnlimitedMemory(const UnlimitedMemory&) = delete;
  UnlimitedMemory& operator=(const UnlimitedMemory&) = delete;

 private:
  ScriptMemory& memory_;
  bool was_;
};

}  // namespace scripting
