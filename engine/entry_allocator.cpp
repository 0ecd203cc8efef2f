#include "engine/entry_allocator.hpp"

#include "base/assert.hpp"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace engine {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool uses_blocks = false;
#else
constexpr bool uses_blocks = true;
#endif

constexpr std::size_t malloc_overhead_bytes = sizeof(std::size_t);

void* checked_malloc(std::size_t bytes) {
  void* piece = std::malloc(bytes);
  if (piece == nullptr) throw std::bad_alloc();
  return piece;
}

}  // namespace

EntryAllocator::EntryAllocator() = default;

EntryAllocator::~EntryAllocator() {
  for (void* chunk : chunks_) munmap(chunk, chunk_bytes);
}

std::size_t EntryAllocator::rounded(std::size_t bytes) {
  if (bytes <= piece_bytes_max) return (bytes + piece_step - 1) / piece_step * piece_step;
  constexpr std::size_t malloc_step = 16;
  return (bytes + malloc_overhead_bytes + malloc_step - 1) / malloc_step * malloc_step;
}

void* EntryAllocator::allocate(std::size_t bytes) {
  const std::size_t piece_bytes = rounded(bytes);
  // The whole class: an entry grows in place within it.
  if (bytes > piece_bytes_max) return checked_malloc(piece_bytes - malloc_overhead_bytes);
  if (!uses_blocks) return checked_malloc(piece_bytes);
  Block*& head = open_[piece_bytes / piece_step];
  if (head == nullptr) list_push(head, new_block());
  Block* block = head;
  ++block->used;
  if (FreePiece* piece = block->free_pieces; piece != nullptr) {
    block->free_pieces = piece->next;
    if (block->free_pieces == nullptr && block->fresh + piece_bytes > block_bytes) {
      list_remove(head, block);
    }
    return piece;
  }
  void* piece = reinterpret_cast<char*>(block) + block->fresh;
  block->fresh += static_cast<std::uint32_t>(piece_bytes);
  if (block->fresh + piece_bytes > block_bytes) list_remove(head, block);
  return piece;
}

void EntryAllocator::free(void* piece, std::size_t bytes) {
  if (!uses_blocks || bytes > piece_bytes_max) return std::free(piece);
  const std::size_t piece_bytes = rounded(bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(piece) & ~(block_bytes - 1);
  auto* block = reinterpret_cast<Block*>(address);  // NOLINT(performance-no-int-to-ptr)
  Block*& head = open_[piece_bytes / piece_step];
  const bool was_full = block->free_pieces == nullptr && block->fresh + piece_bytes > block_bytes;
  block->free_pieces = new (piece) FreePiece{block->free_pieces};
  ASSERT(block->used > 0);
  --block->used;
  if (was_full) list_push(head, block);
  // The last open block of a size stays: one lock taken and released must not map and unmap.
  if (block->used == 0 && (block->previous != nullptr || block->next != nullptr)) {
    list_remove(head, block);
    release_block(block);
  }
}

EntryAllocator::Block* EntryAllocator::new_block() {
  if (warm_.empty() && cold_.empty()) map_chunk();
  auto& source = warm_.empty() ? cold_ : warm_;
  void* memory = source.back();
  source.pop_back();
  constexpr std::uint32_t first = (sizeof(Block) + piece_step - 1) / piece_step * piece_step;
  return new (memory) Block{nullptr, nullptr, nullptr, 0, first};
}

void EntryAllocator::map_chunk() {
  // Twice the size, then trimmed to an aligned half: blocks are found by the address of a piece.
  void* raw =
      mmap(nullptr, chunk_bytes * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  const auto start = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (start + chunk_bytes - 1) & ~(chunk_bytes - 1);
  const std::size_t before = aligned - start;
  auto* chunk = static_cast<char*>(raw) + before;
  if (before > 0) munmap(raw, before);
  munmap(chunk + chunk_bytes, chunk_bytes - before);
  // A huge page would be zeroed at its first touch (a pause) and keep 2 MiB for one entry.
  madvise(chunk, chunk_bytes, MADV_NOHUGEPAGE);
  chunks_.push_back(chunk);
  for (std::size_t at = chunk_bytes; at > 0; at -= block_bytes) {
    cold_.push_back(chunk + at - block_bytes);
  }
}

void EntryAllocator::release_block(Block* block) {
  if (warm_.size() < warm_blocks_max) {
    warm_.push_back(block);
    return;
  }
  madvise(block, block_bytes, MADV_DONTNEED);
  cold_.push_back(block);
}

void EntryAllocator::list_push(Block*& head, Block* block) {
  block->previous = nullptr;
  block->next = head;
  if (head != nullptr) head->previous = block;
  head = block;
}

void EntryAllocator::list_remove(Block*& head, Block* block) {
  (block->previous != nullptr ? block->previous->next : head) = block->next;
  if (block->next != nullptr) block->next->previous = block->previous;
  block->previous = nullptr;
  block->next = nullptr;
}

}  // namespace engine
