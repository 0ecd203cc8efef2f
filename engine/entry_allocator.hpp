// Memory for entries: blocks of 64 KiB, each cut into pieces of one size (steps of 8 bytes up to
// 512; malloc above), without a header per piece. A block whose last piece is freed goes back to
// the system but for a few kept warm, so a burst of locks leaves nothing behind. Owned by the
// keyspace; every piece must be freed before it. Builds with AddressSanitizer use malloc
// throughout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

class EntryAllocator {
 public:
  EntryAllocator();
  ~EntryAllocator();
  EntryAllocator(const EntryAllocator&) = delete;
  EntryAllocator& operator=(const EntryAllocator&) = delete;

  [[nodiscard]] void* allocate(std::size_t bytes);
  // `bytes` as given to allocate(), or any size with the same rounded().
  void free(void* piece, std::size_t bytes);
  // What an allocation of `bytes` really takes.
  [[nodiscard]] static std::size_t rounded(std::size_t bytes);

 private:
  static constexpr std::size_t piece_step = 8;
  static constexpr std::size_t piece_bytes_max = 512;
  static constexpr std::size_t block_bytes = 64u << 10u;
  static constexpr std::size_t chunk_bytes = 4u << 20u;
  static constexpr std::size_t warm_blocks_max = 16;

  struct FreePiece {
    FreePiece* next;
  };
  struct Block {
    Block* previous;
    Block* next;
    FreePiece* free_pieces;
    std::uint32_t used;
    std::uint32_t fresh;  // offset of the part never handed out yet
  };

  [[nodiscard]] Block* new_block();
  void map_chunk();
  void release_block(Block* block);
  void list_push(Block*& head, Block* block);
  void list_remove(Block*& head, Block* block);

  // Blocks with room, by size of piece.
  std::array<Block*, piece_bytes_max / piece_step + 1> open_{};
  std::vector<void*> chunks_;
  std::vector<void*> warm_;  // free blocks that still have their pages
  std::vector<void*> cold_;  // free blocks without
};

}  // namespace engine
