// From the delta of a node to its entry in the palettes.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_PALETTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_PALETTE_INL_H_
#undef SINEW_LANE_PALETTE_INL_H_
#else
#define SINEW_LANE_PALETTE_INL_H_
#endif

#include "lanes/lane_pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

// From the delta of a node to its skinning matrix.

// A node's state in memory is 16 rows of W floats: the matrix row by row, then, for a rigid character, the quaternion.
constexpr size_t kStateRows = 16;
constexpr size_t kQuaternionRow = 12;

/// factor / v, by Newton steps from the estimate. One step doubles the bits that are right: 12 to 14 on x86, 8 on ARM.
HWY_INLINE Floats quotient(Floats factor, Floats v) {
  Floats estimate = hn::ApproximateReciprocal(v);
  const Floats two = hn::Set(kFloat, 2.0f);
  if constexpr (HWY_ARCH_ARM != 0) estimate = hn::Mul(estimate, hn::NegMulAdd(v, estimate, two));
  return hn::Mul(hn::Mul(estimate, factor), hn::NegMulAdd(v, estimate, two));
}

HWY_INLINE Floats squared_length(const Floats (&q)[4]) {
  return hn::Add(hn::MulAdd(q[3], q[3], hn::Mul(q[2], q[2])), hn::MulAdd(q[1], q[1], hn::Mul(q[0], q[0])));
}

/// The rotation matrix of a quaternion, times `scale`. `s`: 2 * scale / |q|^2. It comes last, so that the products do
/// not wait for it.
HWY_INLINE void rotation_matrix(const Floats (&q)[4], Floats scale, Floats s, Floats (&r)[9]) {
  const Floats x = q[0], y = q[1], z = q[2], w = q[3];
  const Floats xx = hn::Mul(x, x), yy = hn::Mul(y, y), zz = hn::Mul(z, z);
  const Floats xy = hn::Mul(x, y), xz = hn::Mul(x, z), yz = hn::Mul(y, z);
  const Floats wx = hn::Mul(w, x), wy = hn::Mul(w, y), wz = hn::Mul(w, z);
  r[0] = hn::NegMulAdd(hn::Add(yy, zz), s, scale);
  r[4] = hn::NegMulAdd(hn::Add(xx, zz), s, scale);
  r[8] = hn::NegMulAdd(hn::Add(xx, yy), s, scale);
  r[1] = hn::Mul(hn::Sub(xy, wz), s), r[3] = hn::Mul(hn::Add(xy, wz), s);
  r[2] = hn::Mul(hn::Add(xz, wy), s), r[6] = hn::Mul(hn::Sub(xz, wy), s);
  r[5] = hn::Mul(hn::Sub(yz, wx), s), r[7] = hn::Mul(hn::Add(yz, wx), s);
}

HWY_INLINE Floats row(const float* state, size_t i) { return hn::Load(kFloat, state + i * W); }

/// The linear part of a node's matrix: the parent's linear part * R * scale.
HWY_INLINE void scaled_linear(const float* parent, const Channels& n, Floats (&linear)[9]) {
  Floats r[9], m[9];
  const Floats s = quotient(hn::Set(kFloat, 2.0f), squared_length(n.rotation));
  rotation_matrix(n.rotation, hn::Set(kFloat, 1.0f), s, r);
  const Floats(&k)[6] = n.scale;
  for (size_t i = 0; i < 9; i += 3) {
    m[i] = hn::MulAdd(r[i + 2], k[4], hn::MulAdd(r[i + 1], k[3], hn::Mul(r[i], k[0])));
    m[i + 1] = hn::MulAdd(r[i + 2], k[5], hn::MulAdd(r[i + 1], k[1], hn::Mul(r[i], k[3])));
    m[i + 2] = hn::MulAdd(r[i + 2], k[2], hn::MulAdd(r[i + 1], k[5], hn::Mul(r[i], k[4])));
  }
  for (size_t i = 0; i < 3; ++i) {
    const Floats a = row(parent, i * 4), b = row(parent, i * 4 + 1), c = row(parent, i * 4 + 2);
    for (size_t j = 0; j < 3; ++j) {
      linear[i * 3 + j] = hn::MulAdd(c, m[6 + j], hn::MulAdd(b, m[3 + j], hn::Mul(a, m[j])));
    }
  }
}

/// The linear part of a rigid node: the product of the parent's and the node's quaternions as a matrix, times `scale`.
/// Stores that product for the children, and returns its squared length.
template <class Meanwhile>
HWY_INLINE Floats rotated_linear(const float* parent, const Channels& n, Floats scale, float* state,
                                 Floats (&linear)[9], const Meanwhile& meanwhile) {
  const Floats above[4] = {row(parent, kQuaternionRow), row(parent, kQuaternionRow + 1),
                           row(parent, kQuaternionRow + 2), row(parent, kQuaternionRow + 3)};
  Floats q[4];
  multiply_quaternions(above, n.rotation, q);
  for (size_t i = 0; i < 4; ++i) hn::Store(q[i], kFloat, state + (kQuaternionRow + i) * W);
  meanwhile();
  const Floats norm = squared_length(q);
  const Floats s = quotient(hn::Add(scale, scale), norm);
  meanwhile();
  rotation_matrix(q, scale, s, linear);
  return norm;
}

/// One node of the walk: K = K_parent * M, see sinew/animation/bake.h. Calls `meanwhile` twice, while results are due.
/// Returns the squared length of a rigid node's quaternion.
template <bool kScales, class Meanwhile>
HWY_INLINE Floats walk(const LaneProgram& program, const ProgramNode& node, const Channels& n, float* states,
                       const Meanwhile& meanwhile) {
  const float* parent = pinned(states + node.parent_state * kStateRows * W);
  float* state = pinned(states + node.state * kStateRows * W);
  Floats linear[9], norm = hn::Zero(kFloat);
  if constexpr (kScales) {
    meanwhile();
    scaled_linear(parent, n, linear);
    meanwhile();
  } else {
    const Floats scale = hn::Set(kFloat, program.scale);
    norm = rotated_linear(parent, n, scale, state, linear, meanwhile);
  }
  for (size_t i = 0; i < 3; ++i) {
    const Floats moved =
        hn::MulAdd(row(parent, i * 4 + 2), n.translation[2],
                   hn::MulAdd(row(parent, i * 4 + 1), n.translation[1],
                              hn::MulAdd(row(parent, i * 4), n.translation[0], row(parent, i * 4 + 3))));
    const Floats translation =
        hn::NegMulAdd(linear[i * 3 + 2], hn::Set(kFloat, node.origin[2]),
                      hn::NegMulAdd(linear[i * 3 + 1], hn::Set(kFloat, node.origin[1]),
                                    hn::NegMulAdd(linear[i * 3], hn::Set(kFloat, node.origin[0]), moved)));
    for (size_t j = 0; j < 3; ++j) hn::Store(linear[i * 3 + j], kFloat, state + (i * 4 + j) * W);
    hn::Store(translation, kFloat, state + (i * 4 + 3) * W);
  }
  return norm;
}

// From a node's quaternion and translation to its compact matrix, in the layout of sinew/asset/compact_matrix.h.

using Ints = hn::Vec<decltype(kInt)>;

// Added to a float of at most 2^22, this rounds it to an integer, in two's complement in the lower 22 bits of the sum.
constexpr float kRounding = 1.5f * (1 << 23);
constexpr int32_t kUnbiased = 126 - 24;  // a float's biased exponent, less the one of a compact matrix

/// 1 / sqrt(v), by Newton steps from the estimate, as in quotient().
HWY_INLINE Floats reciprocal_root(Floats v) {
  const Floats half = hn::Mul(v, hn::Set(kFloat, 0.5f));
  Floats estimate = hn::ApproximateReciprocalSqrt(v);
  for (int step = 0; step < (HWY_ARCH_ARM != 0 ? 2 : 1); ++step) {
    const Floats correction = hn::NegMulAdd(hn::Mul(half, estimate), estimate, hn::Set(kFloat, 1.5f));
    estimate = hn::Mul(estimate, correction);
  }
  return estimate;
}

/// Three components of a unit quaternion in units of the format, without the largest, with the sign that makes the
/// largest positive. They need no clamping: none is above sqrt(1/2). `left_out`: bits 24 and 25 of the last word.
struct SmallestThree {
  Ints components[3];
  Ints left_out;
};

HWY_INLINE SmallestThree smallest_three(const Floats (&q)[4], Floats norm) {
  const Floats largest_xy = hn::Max(hn::Abs(q[0]), hn::Abs(q[1])), largest_xyz = hn::Max(largest_xy, hn::Abs(q[2]));
  const Floats largest = hn::Max(largest_xyz, hn::Abs(q[3]));
  const auto is_x = hn::Eq(hn::Abs(q[0]), largest), is_xy = hn::Eq(largest_xy, largest),
             is_xyz = hn::Eq(largest_xyz, largest);
  const auto choose = [&](auto x, auto y, auto z, auto w) {
    return hn::IfThenElse(is_x, x, hn::IfThenElse(is_xy, y, hn::IfThenElse(is_xyz, z, w)));
  };
  const Floats three[3] = {hn::IfThenElse(is_x, q[1], q[0]), hn::IfThenElse(is_xy, q[2], q[1]),
                           hn::IfThenElse(is_xyz, q[3], q[2])};
  const Floats units = hn::Mul(reciprocal_root(norm), hn::Set(kFloat, 741453.7f));  // 524287 * sqrt(2)
  const Floats factor = hn::CopySignToAbs(units, choose(q[0], q[1], q[2], q[3]));
  SmallestThree result;
  for (size_t i = 0; i < 3; ++i) {
    result.components[i] = hn::BitCast(kInt, hn::MulAdd(three[i], factor, hn::Set(kFloat, kRounding)));
  }
  const auto number = [](int32_t i) { return hn::BitCast(kFloat, hn::Set(kInt, i << 24)); };
  result.left_out = hn::BitCast(kInt, choose(number(0), number(1), number(2), number(3)));
  return result;
}

/// The exponent of 2 above the largest translation, as a float's: from the bits of that float. Where the largest
/// would be rounded up to that power of 2, the exponent is one more.
HWY_INLINE Ints shared_exponent(const Floats (&t)[3]) {
  const Floats largest = hn::Max(hn::Max(hn::Abs(t[0]), hn::Abs(t[1])), hn::Abs(t[2]));
  const Ints bits = hn::And(hn::Add(hn::BitCast(kInt, largest), hn::Set(kInt, 16)), hn::Set(kInt, 0xff << 23));
  return hn::Min(hn::Max(bits, hn::Set(kInt, kUnbiased << 23)), hn::Set(kInt, (kUnbiased + 63) << 23));
}

/// `state`: the rows of a rigid node's state; `norm`: the squared length of its quaternion. Writes four rows of words.
HWY_INLINE void store_compact(const float* state, Floats norm, float* out) {
  const Floats q[4] = {row(state, kQuaternionRow), row(state, kQuaternionRow + 1), row(state, kQuaternionRow + 2),
                       row(state, kQuaternionRow + 3)};
  const SmallestThree rotation = smallest_three(q, norm);
  const Floats t[3] = {row(state, 3), row(state, 7), row(state, 11)};
  const Ints exponent = shared_exponent(t);
  // 2^19 over the power of 2.
  const Floats units = hn::BitCast(kFloat, hn::Sub(hn::Set(kInt, int32_t((127u + 126 + 19) << 23)), exponent));
  Ints translation[3];
  for (size_t i = 0; i < 3; ++i) {
    translation[i] = hn::BitCast(kInt, hn::MulAdd(t[i], units, hn::Set(kFloat, kRounding)));
    const Ints word = hn::OrAnd(hn::ShiftLeft<20>(translation[i]), rotation.components[i], hn::Set(kInt, 0xfffff));
    hn::Store(hn::BitCast(kFloat, word), kFloat, out + i * W);
  }
  Ints last = hn::ShiftLeft<3>(hn::Sub(exponent, hn::Set(kInt, kUnbiased << 23)));
  last = hn::Or(last, rotation.left_out);
  last = hn::OrAnd(last, hn::ShiftRight<12>(translation[0]), hn::Set(kInt, 0xff));
  last = hn::OrAnd(last, hn::ShiftRight<4>(translation[1]), hn::Set(kInt, 0xff00));
  last = hn::OrAnd(last, hn::ShiftLeft<4>(translation[2]), hn::Set(kInt, 0xff0000));
  hn::Store(hn::BitCast(kFloat, last), kFloat, out + 3 * W);
}

// From skinning matrices to palettes: writes whole cache lines of 64 bytes, in order. An entry is `kBlocksPerEntry`
// blocks of 16 bytes: three of a matrix, one of a compact matrix.

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
template <size_t kBlocksPerEntry>
class QuadWriter {
 public:
  /// `stream`: past the caches.
  HWY_INLINE QuadWriter(const EntryQuad& quad, float* const* palettes, bool stream) : stream_(stream) {
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
      if (stream_) {
        for (size_t i = 0; i < 4; ++i) hn::Stream(hn::BitCast(kFloat, rows[i]), kFloat, cache_lines_[i] + first * 4);
      } else {
        for (size_t i = 0; i < 4; ++i) hn::Store(hn::BitCast(kFloat, rows[i]), kFloat, cache_lines_[i] + first * 4);
      }
    }
  }

 private:
  /// Word `i` of a block, of these four lanes.
  HWY_INLINE const uint32_t* block(size_t b, size_t i) const {
    return states_[b / kBlocksPerEntry] + (b % kBlocksPerEntry * 4 + i) * W;
  }

  const bool stream_;                        // no template argument: that doubled all code, and was no faster
  const uint32_t* states_[kEntriesPerQuad];  // in each row, the words of these four lanes are a block
  float* cache_lines_[4];
};

/// Writes the remaining lanes of a quad.
template <size_t kBlocksPerEntry>
HWY_INLINE void finish(EntryQuad& quad, float* const* palettes, bool stream) {
  for (; quad.is_writing(); quad.lane += 4) {
    const QuadWriter<kBlocksPerEntry> writer(quad, palettes, stream);
    for (size_t cache_line = 0; cache_line < kBlocksPerEntry; ++cache_line) writer.write(cache_line);
  }
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_PALETTE_INL_H_
