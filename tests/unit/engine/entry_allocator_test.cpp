#include "engine/entry_allocator.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

TEST(EntryAllocator, pieces_do_not_overlap) {
  engine::EntryAllocator allocator;
  struct Piece {
    unsigned char* bytes;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Piece> pieces;
  for (std::size_t round = 0; round < 20'000; ++round) {
    const std::size_t size = 41 + round * 7 % 600;
    auto* bytes = static_cast<unsigned char*>(allocator.allocate(size));
    const auto mark = static_cast<unsigned char>(round);
    std::memset(bytes, mark, size);
    pieces.push_back({bytes, size, mark});
    if (round % 3 == 2) {
      std::swap(pieces[round * 31 % pieces.size()], pieces.back());
      allocator.free(pieces.back().bytes, pieces.back().size);
      pieces.pop_back();
    }
  }
  for (const Piece& piece : pieces) {
    EXPECT_EQ(piece.bytes[0], piece.mark);
    EXPECT_EQ(piece.bytes[piece.size - 1], piece.mark);
    allocator.free(piece.bytes, piece.size);
  }
}

TEST(EntryAllocator, rounds_in_small_steps) {
  EXPECT_EQ(engine::EntryAllocator::rounded(97), 104U);
  EXPECT_EQ(engine::EntryAllocator::rounded(104), 104U);
  EXPECT_EQ(engine::EntryAllocator::rounded(512), 512U);
  EXPECT_EQ(engine::EntryAllocator::rounded(513), 528U);
}

}  // namespace
