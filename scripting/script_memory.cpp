#include "scripting/script_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace scripting {

void* ScriptMemory::take_small(std::size_t size) {
  const std::size_t bin = (size - 1) / step;
  if (Free* block = free_[bin]; block != nullptr) {
    free_[bin] = block->next;
    return block;
  }
  const std::size_t bytes = (bin + 1) * step;
  if (static_cast<std::size_t>(slab_end_ - slab_at_) < bytes) {
    slabs_.push_back(std::make_unique<std::byte[]>(slab_bytes));
    slab_at_ = slabs_.back().get();
    slab_end_ = slab_at_ + slab_bytes;
  }
  void* block = slab_at_;
  slab_at_ += bytes;
  return block;
}

void ScriptMemory::give_small(void* block, std::size_t size) {
  const std::size_t bin = (size - 1) / step;
  auto* free_block = static_cast<Free*>(block);
  free_block->next = free_[bin];
  free_[bin] = free_block;
}

void* ScriptMemory::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (old_size > small_max && new_size > small_max) return std::realloc(block, new_size);
  if (old_size != 0 && old_size <= small_max && new_size <= small_max &&
      (old_size - 1) / step == (new_size - 1) / step)
    return block;
  void* fresh = new_size <= small_max ? take_small(new_size) : std::malloc(new_size);
  if (fresh == nullptr || block == nullptr) return fresh;
  std::memcpy(fresh, block, std::min(old_size, new_size));
  if (old_size <= small_max)
    give_small(block, old_size);
  else
    std::free(block);
  return fresh;
}

void* ScriptMemory::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& memory = *static_cast<ScriptMemory*>(self);
  if (block == nullptr) old_size = 0;  // then Lua passes a type there
  if (new_size == 0) {
    memory.used_ -= old_size;
    if (old_size > small_max)
      std::free(block);
    else if (old_size != 0)
      memory.give_small(block, old_size);
    return nullptr;
  }
  if (memory.enforced_ && new_size > old_size &&
      memory.used_ + (new_size - old_size) > memory.limit_)
    return nullptr;
  void* result = memory.resize(block, old_size, new_size);
  if (result != nullptr) memory.used_ += new_size - old_size;
  return result;
}

void ScriptMemory::make_room(lua_State* lua) const {
  lua_gc(lua, LUA_GCCOLLECT);
  if (!is_over_limit()) return;
  // A request that cannot be met: Lua words the error and unwinds as for any other.
  lua_newuserdatauv(lua, limit_ / 2, 0);
}

void ScriptMemory::check_fits(lua_State* lua, std::size_t bytes) const {
  if (enforced_ && used_ + bytes > limit_) lua_newuserdatauv(lua, limit_, 0);
}

}  // namespace scripting
