// From skinning matrices to palettes: whole lines of 64 bytes, in order.
// Included once for each instruction set, by lane code.cpp.
#if defined(SINEW_LANE_WRITE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_WRITE_INL_H_
#undef SINEW_LANE_WRITE_INL_H_
#else
#define SINEW_LANE_WRITE_INL_H_
#endif

#include "lanes/lane_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

constexpr size_t kEntriesPerQuad = 4;  // of 48 bytes: three lines of 64
constexpr size_t kBlocksPerLine = 4;

/// Four entries on their way out, four lanes at a time.
struct EntryQuad {
  const float* states[kEntriesPerQuad];
  size_t first_float = 0;  // in a palette
  size_t lane = W;         // the next to be written

  bool is_writing() const { return lane < W; }
};

/// The lines of the next four lanes of a group.
template <bool kStream>
class QuadWriter {
 public:
  HWY_INLINE QuadWriter(const EntryQuad& group, float* const* palettes) {
    for (size_t i = 0; i < kEntriesPerQuad; ++i) {
      states_[i] = pinned(reinterpret_cast<const uint32_t*>(group.states[i] + group.lane));
    }
    for (size_t i = 0; i < 4; ++i) lines_[i] = pinned(palettes[group.lane + i] + group.first_float);
  }

  HWY_INLINE void write(size_t line) const {
    for (size_t first = line * kBlocksPerLine; first < (line + 1) * kBlocksPerLine; first += kBlocks) {
      Words rows[4];
      for (size_t i = 0; i < 4; ++i) {
        const uint32_t* blocks[kBlocks];
        for (size_t b = 0; b < kBlocks; ++b) blocks[b] = states_[(first + b) / 3] + ((first + b) % 3 * 4 + i) * W;
        rows[i] = load_blocks(blocks);
      }
      transpose_blocks(rows);
      for (size_t i = 0; i < 4; ++i) store(rows[i], lines_[i] + first * 4);
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

  const uint32_t* states_[kEntriesPerQuad];  // a row's words for these lanes are a block
  float* lines_[4];
};

template <bool kStream>
HWY_INLINE void finish(EntryQuad& group, float* const* palettes) {
  for (; group.is_writing(); group.lane += 4) {
    const QuadWriter<kStream> lines(group, palettes);
    for (size_t line = 0; line < 3; ++line) lines.write(line);
  }
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_WRITE_INL_H_
