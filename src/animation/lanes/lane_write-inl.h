// From skinning matrices to palettes: writes whole cache lines of 64 bytes, in order.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_WRITE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_WRITE_INL_H_
#undef SINEW_LANE_WRITE_INL_H_
#else
#define SINEW_LANE_WRITE_INL_H_
#endif

#include "lanes/lane_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

constexpr size_t kEntriesPerQuad = 4;  // entries of 48 bytes: three cache lines of 64 bytes
constexpr size_t kBlocksPerCacheLine = 4;

/// Four palette entries that are written together, four lanes at a time.
struct EntryQuad {
  const float* states[kEntriesPerQuad];
  size_t first_float = 0;  // offset of the first entry in a palette, in floats
  size_t lane = W;         // the next lane to write

  bool is_writing() const { return lane < W; }
};

/// Writes the cache lines of the next four lanes of a quad.
template <bool kStream>
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
        for (size_t b = 0; b < kBlocks; ++b) blocks[b] = states_[(first + b) / 3] + ((first + b) % 3 * 4 + i) * W;
        rows[i] = load_blocks(blocks);
      }
      transpose_blocks(rows);
      for (size_t i = 0; i < 4; ++i) store(rows[i], cache_lines_[i] + first * 4);
    }
  }

 private:
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
template <bool kStream>
HWY_INLINE void finish(EntryQuad& quad, float* const* palettes) {
  for (; quad.is_writing(); quad.lane += 4) {
    const QuadWriter<kStream> writer(quad, palettes);
    for (size_t cache_line = 0; cache_line < 3; ++cache_line) writer.write(cache_line);
  }
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_WRITE_INL_H_
