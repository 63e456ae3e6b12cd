// From skinning matrices to palettes: writes whole cache lines of 64 bytes, in order. An entry is `kBlocksPerEntry`
// blocks of 16 bytes: three of a matrix, one of a compact matrix. Included once for each instruction set, by
// lane_code.cpp.
#if defined(SINEW_LANE_WRITE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_WRITE_INL_H_
#undef SINEW_LANE_WRITE_INL_H_
#else
#define SINEW_LANE_WRITE_INL_H_
#endif

#include "lanes/lane_compact-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

constexpr size_t kEntriesPerQuad = 4;  // so a quad is as many cache lines as an entry has blocks
constexpr size_t kBlocksPerCacheLine = 4;
constexpr size_t kMatrixBlocks = 3, kCompactBlocks = 1;

/// Four palette entries that are written together, four lanes at a time.
struct EntryQuad {
  const float* states[kEntriesPerQuad];  // the rows of the entry's words, W lanes each
  size_t first_float = 0;                // offset of the first entry in a palette, in floats
  size_t lane = W;                       // the next lane to write

  bool is_writing() const { return lane < W; }
};

/// Writes the cache lines of the next four lanes of a quad.
template <size_t kBlocksPerEntry, bool kStream>
class QuadWriter {
 public:
  HWY_INLINE QuadWriter(const EntryQuad& quad, float* const* palettes) {
    for (size_t i = 0; i < kEntriesPerQuad; ++i) {
      states_[i] = pinned(reinterpret_cast<const uint32_t*>(quad.states[i] + quad.lane));
    }
    for (size_t i = 0; i < 4; ++i) cache_lines_[i] = pinned(palettes[quad.lane + i] + quad.first_float);
  }

  HWY_INLINE void write(size_t cache_line) const {
    for (size_t first = cache_line * kBlocksPerCacheLine; first < (cache_line + 1) * kBlocksPerCacheLine;
         first += kBlocks) {
      Words rows[4];
      for (size_t i = 0; i < 4; ++i) {
        const uint32_t* blocks[kBlocks];
        for (size_t b = 0; b < kBlocks; ++b) blocks[b] = block(first + b, i);
        rows[i] = load_blocks(blocks);
      }
      transpose_blocks(rows);
      for (size_t i = 0; i < 4; ++i) store(rows[i], cache_lines_[i] + first * 4);
    }
  }

 private:
  /// Word `i` of a block, of these four lanes.
  HWY_INLINE const uint32_t* block(size_t b, size_t i) const {
    return states_[b / kBlocksPerEntry] + (b % kBlocksPerEntry * 4 + i) * W;
  }

  static HWY_INLINE void store(Words words, float* out) {
    if constexpr (kStream) {
      hn::Stream(hn::BitCast(kFloat, words), kFloat, out);
    } else {
      hn::Store(hn::BitCast(kFloat, words), kFloat, out);
    }
  }

  const uint32_t* states_[kEntriesPerQuad];  // in each row, the words of these four lanes are a block
  float* cache_lines_[4];
};

/// Writes the remaining lanes of a quad.
template <size_t kBlocksPerEntry, bool kStream>
HWY_INLINE void finish(EntryQuad& quad, float* const* palettes) {
  for (; quad.is_writing(); quad.lane += 4) {
    const QuadWriter<kBlocksPerEntry, kStream> writer(quad, palettes);
    for (size_t cache_line = 0; cache_line < kBlocksPerEntry; ++cache_line) writer.write(cache_line);
  }
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_WRITE_INL_H_
