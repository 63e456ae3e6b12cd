// Vector types, and vectors as blocks of four 32-bit words. W is the number of lanes.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_VECTORS_INL_H_
#undef SINEW_LANE_VECTORS_INL_H_
#else
#define SINEW_LANE_VECTORS_INL_H_
#endif

#include "hwy/highway.h"
#include "lanes/lane_code.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_FULL(float) kFloat;
constexpr HWY_FULL(int32_t) kInt;
constexpr HWY_FULL(uint32_t) kWord;
constexpr HWY_FULL(uint64_t) kLong;
constexpr HWY_FULL(int16_t) kHalf;
using Floats = hn::Vec<decltype(kFloat)>;
using Words = hn::Vec<decltype(kWord)>;
using Halves = hn::Vec<decltype(kHalf)>;

constexpr size_t W = HWY_MIN(HWY_LANES(float), kMaxLanes);
constexpr size_t kBlocks = W / 4;  // blocks in a vector

/// Hides an address from the optimizer, which would otherwise keep more addresses per node than there are registers.
template <class T>
HWY_INLINE T* pinned(T* address) {
  __asm__("" : "+r"(address));
  return address;
}

/// Loads a vector with one block from each address. Blocks change their position in the vector during the load, which
/// costs no shuffle.
template <bool kAligned = true>
HWY_INLINE Words load_blocks(const uint32_t* const (&from)[kBlocks]) {
#if HWY_TARGET <= HWY_AVX2
  const auto pair = [&](size_t i) {
    const auto block = [&](size_t k) {
      const __m128i* address = reinterpret_cast<const __m128i*>(from[k]);
      return kAligned ? _mm_load_si128(address) : _mm_loadu_si128(address);
    };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(block(i)), block(i + 1), 1);
  };
#endif
#if HWY_TARGET <= HWY_AVX3
  return Words{_mm512_inserti64x4(_mm512_castsi256_si512(pair(0)), pair(2), 1)};
#elif HWY_TARGET == HWY_AVX2
  return Words{pair(0)};
#else
  return kAligned ? hn::Load(kWord, from[0]) : hn::LoadU(kWord, from[0]);
#endif
}

HWY_INLINE Words interleave_lower(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveLower(kLong, hn::BitCast(kLong, a), hn::BitCast(kLong, b)));
}
HWY_INLINE Words interleave_upper(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveUpper(kLong, hn::BitCast(kLong, a), hn::BitCast(kLong, b)));
}

/// Transposes the four rows of words to columns, in each block by itself.
HWY_INLINE void transpose_blocks(Words (&rows)[4]) {
  const Words a = hn::InterleaveLower(kWord, rows[0], rows[1]), b = hn::InterleaveUpper(kWord, rows[0], rows[1]);
  const Words c = hn::InterleaveLower(kWord, rows[2], rows[3]), d = hn::InterleaveUpper(kWord, rows[2], rows[3]);
  rows[0] = interleave_lower(a, c);
  rows[1] = interleave_upper(a, c);
  rows[2] = interleave_lower(b, d);
  rows[3] = interleave_upper(b, d);
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_VECTORS_INL_H_
