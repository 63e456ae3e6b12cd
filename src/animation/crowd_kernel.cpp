#include "crowd_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "baked_sample.h"

// Each target costs compile time; these add nothing to those kept.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "crowd_kernel.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// One copy of what follows for each instruction set. Shapes: W is the number of lanes; a step's state in memory is 16
// rows of W floats (rigid: rotation matrix and translation, row by row, then the quaternion; scaling: the matrix
// alone).
HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_FULL(float) kFloat;
constexpr HWY_FULL(int32_t) kInt;
constexpr HWY_FULL(uint32_t) kWord;
constexpr HWY_FULL(uint64_t) kDouble;
constexpr HWY_FULL(int16_t) kHalf;
using Floats = hn::Vec<decltype(kFloat)>;
using Words = hn::Vec<decltype(kWord)>;
using Halves = hn::Vec<decltype(kHalf)>;

constexpr size_t W = HWY_MIN(HWY_LANES(float), kMaxLanes);
constexpr size_t kStateRows = 16;
constexpr size_t kQuaternionRow = 12;
constexpr size_t kRecordsPerGroup = W / 4;  // of 16 bytes in a vector: a decode fills W words of W lanes
constexpr size_t kEntriesPerGroup = 4;      // of 48 bytes: three lines of 64
constexpr size_t kOutputParts = 3;

HWY_INLINE Words interleave_lower(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveLower(kDouble, hn::BitCast(kDouble, a), hn::BitCast(kDouble, b)));
}
HWY_INLINE Words interleave_upper(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveUpper(kDouble, hn::BitCast(kDouble, a), hn::BitCast(kDouble, b)));
}

/// W rows of W words become columns: within blocks of four first, then whole blocks.
HWY_INLINE void transpose(Words (&rows)[W]) {
  Words quads[W];
  for (size_t r = 0; r < W; r += 4) {
    const Words a = hn::InterleaveLower(kWord, rows[r], rows[r + 1]),
                b = hn::InterleaveUpper(kWord, rows[r], rows[r + 1]);
    const Words c = hn::InterleaveLower(kWord, rows[r + 2], rows[r + 3]),
                d = hn::InterleaveUpper(kWord, rows[r + 2], rows[r + 3]);
    quads[r] = interleave_lower(a, c);
    quads[r + 1] = interleave_upper(a, c);
    quads[r + 2] = interleave_lower(b, d);
    quads[r + 3] = interleave_upper(b, d);
  }
  for (size_t k = 0; k < 4; ++k) {
#if HWY_TARGET <= HWY_AVX3
    const auto a = quads[k].raw, b = quads[4 + k].raw, c = quads[8 + k].raw, d = quads[12 + k].raw;
    const auto low_ab = _mm512_shuffle_i32x4(a, b, 0x44), high_ab = _mm512_shuffle_i32x4(a, b, 0xee);
    const auto low_cd = _mm512_shuffle_i32x4(c, d, 0x44), high_cd = _mm512_shuffle_i32x4(c, d, 0xee);
    rows[k] = Words{_mm512_shuffle_i32x4(low_ab, low_cd, 0x88)};
    rows[4 + k] = Words{_mm512_shuffle_i32x4(low_ab, low_cd, 0xdd)};
    rows[8 + k] = Words{_mm512_shuffle_i32x4(high_ab, high_cd, 0x88)};
    rows[12 + k] = Words{_mm512_shuffle_i32x4(high_ab, high_cd, 0xdd)};
#elif HWY_TARGET == HWY_AVX2
    rows[k] = hn::ConcatLowerLower(kWord, quads[4 + k], quads[k]);
    rows[4 + k] = hn::ConcatUpperUpper(kWord, quads[4 + k], quads[k]);
#else
    rows[k] = quads[k];
#endif
  }
}

/// A layer of a batch, laid out for the loop.
struct Layer {
  const int16_t* frames[W];
  HWY_ALIGN int16_t shares[W][2 * W];  // over a lane's whole vector
  HWY_ALIGN float weights[W];
  HWY_ALIGN uint32_t words[2][W * W];  // decoded groups, the last two: pairs of numbers, a row each
};

HWY_INLINE void prepare(const KernelBatch& batch, size_t layer, Layer& out) {
  for (size_t lane = 0; lane < W; ++lane) {
    const KernelLane& in = batch.lanes[layer][lane];
    out.frames[lane] = in.frame;
    hn::Store(hn::Set(kHalf, in.share), kHalf, out.shares[lane]);
    out.weights[lane] = in.weight;
  }
}

// A call where vectors are widest, in line elsewhere: 3.0 against 3.7 ns a joint with 16 lanes, 4.6 against 3.9 with 8.
#undef SINEW_DECODE_INLINE
#if HWY_TARGET <= HWY_AVX3
#define SINEW_DECODE_INLINE HWY_NOINLINE
#else
#define SINEW_DECODE_INLINE HWY_INLINE
#endif

/// Interpolates a group of records of every lane, and turns them so that each number's lanes lie together.
SINEW_DECODE_INLINE void decode(Layer& layer, size_t frame_stride, size_t group) {
  Words rows[W];
  for (size_t lane = 0; lane < W; ++lane) {
    const int16_t* frame = layer.frames[lane] + group * 2 * W;
    const Halves from = hn::Load(kHalf, frame), difference = hn::Sub(hn::Load(kHalf, frame + frame_stride), from);
    const Halves way = hn::MulFixedPoint15(difference, hn::Load(kHalf, layer.shares[lane]));
    rows[lane] = hn::BitCast(kWord, hn::Add(from, way));
  }
  transpose(rows);
  for (size_t row = 0; row < W; ++row) hn::Store(rows[row], kWord, layer.words[group % 2] + row * W);
}

/// Number `c` of a record, as a float. Even ones are in the lower halves of their words.
HWY_INLINE Floats number(const Layer& layer, size_t record, size_t c, const float* scale, const float* centre) {
  const uint32_t* words = layer.words[record / kRecordsPerGroup % 2] + (record % kRecordsPerGroup * 4 + c / 2) * W;
  const auto pair = hn::BitCast(kInt, hn::Load(kWord, words));
  const auto upper = c % 2 == 0 ? hn::ShiftLeft<16>(pair) : hn::And(pair, hn::Set(kInt, int32_t(0xffff0000)));
  return hn::MulAdd(hn::ConvertTo(kFloat, upper), hn::Set(kFloat, scale[c]), hn::Set(kFloat, centre[c]));
}

/// A step's numbers: a quaternion of any length, where the origin moves to, and the stretch.
struct Numbers {
  Floats rotation[4], place[3], stretch[6];
};

template <bool kScales>
HWY_INLINE Numbers read(const Layer& layer, const KernelRange& range, size_t record) {
  Numbers n;
  for (size_t i = 0; i < 4; ++i) n.rotation[i] = number(layer, record, i, range.scale, range.centre);
  for (size_t i = 0; i < 3; ++i) n.place[i] = number(layer, record, 4 + i, range.scale, range.centre);
  for (size_t i = 0; kScales && i < 6; ++i) {
    n.stretch[i] = number(layer, record + 1, i, range.scale + kBakedComponents, range.centre + kBakedComponents);
  }
  return n;
}

HWY_INLINE Floats weight_of(const KernelBatch& batch, const Layer& layer, size_t index, size_t step) {
  const Floats weight = hn::Load(kFloat, layer.weights);
  if (!batch.masked) return weight;
  HWY_ALIGN float factors[W];
  for (size_t lane = 0; lane < W; ++lane) {
    const float* mask = batch.lanes[index][lane].mask;
    factors[lane] = mask == nullptr ? 1.0f : mask[step];
  }
  return hn::Mul(weight, hn::Load(kFloat, factors));
}

HWY_INLINE Floats dot(const Floats (&a)[4], const Floats (&b)[4]) {
  return hn::MulAdd(a[3], b[3], hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0]))));
}

/// 1 / |q|: what lies between two frames is shorter than they are, and would count for less in a blend.
HWY_INLINE Floats over_length(const Floats (&q)[4]) {
  const Floats square = dot(q, q), estimate = hn::ApproximateReciprocalSqrt(square);
  const Floats half = hn::Mul(estimate, hn::Set(kFloat, 0.5f));
  return hn::Mul(half, hn::NegMulAdd(hn::Mul(square, estimate), estimate, hn::Set(kFloat, 3.0f)));
}

/// About the length of 1, so that products along a chain do not fade; no rotation where nothing is left of it.
HWY_INLINE void normalise(Floats (&q)[4]) {
  q[3] = hn::Add(q[3], hn::Set(kFloat, 1e-15f));
  const Floats scale = hn::ApproximateReciprocalSqrt(dot(q, q));
  for (Floats& v : q) v = hn::Mul(v, scale);
}

/// The weighted mean over the layers. Rotations take the sign of the first layer that has weight.
template <bool kScales>
HWY_INLINE Numbers mean_of(const KernelBatch& batch, const Layer* layers, const KernelRange& range, size_t index,
                           size_t record) {
  // A joint that no layer has weight for follows the first.
  Floats sum = hn::Add(weight_of(batch, layers[0], 0, index), hn::Set(kFloat, 1e-20f));
  Numbers mean = read<kScales>(layers[0], range, record);
  Floats first[4] = {mean.rotation[0], mean.rotation[1], mean.rotation[2], mean.rotation[3]};
  const Floats rotation_weight = hn::Mul(sum, over_length(mean.rotation));
  for (Floats& v : mean.rotation) v = hn::Mul(v, rotation_weight);
  for (Floats& v : mean.place) v = hn::Mul(v, sum);
  for (size_t i = 0; kScales && i < 6; ++i) mean.stretch[i] = hn::Mul(mean.stretch[i], sum);
  for (size_t l = 1; l < batch.layer_count; ++l) {
    const Floats weight = weight_of(batch, layers[l], l, index);
    const Numbers next = read<kScales>(layers[l], range, record);
    if (batch.masked) {
      const auto weightless = hn::Lt(sum, hn::Set(kFloat, 1e-19f));
      for (size_t i = 0; i < 4; ++i) first[i] = hn::IfThenElse(weightless, next.rotation[i], first[i]);
    }
    const Floats signed_weight =
        hn::CopySignToAbs(hn::Mul(weight, over_length(next.rotation)), dot(first, next.rotation));
    for (size_t i = 0; i < 4; ++i) mean.rotation[i] = hn::MulAdd(next.rotation[i], signed_weight, mean.rotation[i]);
    for (size_t i = 0; i < 3; ++i) mean.place[i] = hn::MulAdd(next.place[i], weight, mean.place[i]);
    for (size_t i = 0; kScales && i < 6; ++i) mean.stretch[i] = hn::MulAdd(next.stretch[i], weight, mean.stretch[i]);
    sum = hn::Add(sum, weight);
  }
  const Floats scale = hn::Div(hn::Set(kFloat, 1.0f), sum);
  for (Floats& v : mean.rotation) v = hn::Mul(v, scale);
  for (Floats& v : mean.place) v = hn::Mul(v, scale);
  for (size_t i = 0; kScales && i < 6; ++i) mean.stretch[i] = hn::Mul(mean.stretch[i], scale);
  return mean;
}

HWY_INLINE void multiply_quaternions(const Floats (&a)[4], const Floats (&b)[4], Floats (&c)[4]) {
  c[0] = hn::Add(hn::MulAdd(a[0], b[3], hn::Mul(a[3], b[0])), hn::NegMulAdd(a[2], b[1], hn::Mul(a[1], b[2])));
  c[1] = hn::Add(hn::MulAdd(a[1], b[3], hn::Mul(a[3], b[1])), hn::NegMulAdd(a[0], b[2], hn::Mul(a[2], b[0])));
  c[2] = hn::Add(hn::MulAdd(a[2], b[3], hn::Mul(a[3], b[2])), hn::NegMulAdd(a[1], b[0], hn::Mul(a[0], b[1])));
  c[3] = hn::Sub(hn::NegMulAdd(a[0], b[0], hn::Mul(a[3], b[3])), hn::MulAdd(a[2], b[2], hn::Mul(a[1], b[1])));
}

/// a = a * b, of symmetric matrices xx yy zz xy xz yz along the same axes: symmetric again.
HWY_INLINE void multiply_stretches(Floats (&a)[6], const Floats (&b)[6]) {
  const Floats xx = a[0], yy = a[1], zz = a[2], xy = a[3], xz = a[4], yz = a[5];
  a[0] = hn::MulAdd(xz, b[4], hn::MulAdd(xy, b[3], hn::Mul(xx, b[0])));
  a[1] = hn::MulAdd(yz, b[5], hn::MulAdd(yy, b[1], hn::Mul(xy, b[3])));
  a[2] = hn::MulAdd(zz, b[2], hn::MulAdd(yz, b[5], hn::Mul(xz, b[4])));
  a[3] = hn::MulAdd(xz, b[5], hn::MulAdd(xy, b[1], hn::Mul(xx, b[3])));
  a[4] = hn::MulAdd(xz, b[2], hn::MulAdd(xy, b[5], hn::Mul(xx, b[4])));
  a[5] = hn::MulAdd(yz, b[2], hn::MulAdd(yy, b[5], hn::Mul(xy, b[4])));
}

/// Adds what an additive layer does, as far as its weight goes.
template <bool kScales>
HWY_INLINE void add(const Numbers& addition, Floats weight, Numbers& sum) {
  const Floats one = hn::Set(kFloat, 1.0f), rest = hn::Sub(one, weight);
  const Floats signed_weight = hn::CopySignToAbs(hn::Mul(weight, over_length(addition.rotation)), addition.rotation[3]);
  Floats rotation[4], turned[4];
  for (size_t i = 0; i < 4; ++i) rotation[i] = hn::Mul(addition.rotation[i], signed_weight);
  rotation[3] = hn::Add(rotation[3], rest);
  multiply_quaternions(sum.rotation, rotation, turned);
  for (size_t i = 0; i < 4; ++i) sum.rotation[i] = turned[i];
  for (size_t i = 0; i < 3; ++i) sum.place[i] = hn::MulAdd(addition.place[i], weight, sum.place[i]);
  if constexpr (kScales) {
    Floats stretch[6];
    for (size_t i = 0; i < 6; ++i) stretch[i] = hn::Mul(addition.stretch[i], weight);
    for (size_t i = 0; i < 3; ++i) stretch[i] = hn::Add(stretch[i], rest);
    multiply_stretches(sum.stretch, stretch);
  }
}

/// What several layers make of a step.
template <bool kScales>
HWY_INLINE Numbers blend(const KernelProgram& program, const KernelBatch& batch, const Layer* layers, size_t index,
                         size_t record) {
  Numbers sum = mean_of<kScales>(batch, layers, program.steps[index].range, index, record);
  for (size_t l = batch.layer_count; l < batch.layer_count + batch.additive_count; ++l) {
    const Floats weight = hn::Min(weight_of(batch, layers[l], l, index), hn::Set(kFloat, 1.0f));
    add<kScales>(read<kScales>(layers[l], program.additive_ranges[index], record), weight, sum);
  }
  normalise(sum.rotation);
  return sum;
}

/// 2 / v, by one Newton step from the estimate.
HWY_INLINE Floats two_over(Floats v) {
  const Floats estimate = hn::ApproximateReciprocal(v);
  return hn::Mul(hn::Add(estimate, estimate), hn::NegMulAdd(v, estimate, hn::Set(kFloat, 2.0f)));
}

/// The rotation matrix of a quaternion of any length, times `scale`.
HWY_INLINE void rotation_matrix(const Floats (&q)[4], Floats scale, Floats (&r)[9]) {
  const Floats x = q[0], y = q[1], z = q[2], w = q[3];
  const Floats norm = hn::Add(hn::MulAdd(w, w, hn::Mul(z, z)), hn::MulAdd(y, y, hn::Mul(x, x)));
  const Floats s = hn::Mul(two_over(norm), scale);
  const Floats xs = hn::Mul(x, s), ys = hn::Mul(y, s), zs = hn::Mul(z, s);
  const Floats xx = hn::Mul(x, xs), yy = hn::Mul(y, ys), zz = hn::Mul(z, zs);
  const Floats xy = hn::Mul(x, ys), xz = hn::Mul(x, zs), yz = hn::Mul(y, zs);
  const Floats wx = hn::Mul(w, xs), wy = hn::Mul(w, ys), wz = hn::Mul(w, zs);
  const Floats without_x = hn::Sub(scale, xx);
  r[0] = hn::Sub(hn::Sub(scale, yy), zz), r[1] = hn::Sub(xy, wz), r[2] = hn::Add(xz, wy);
  r[3] = hn::Add(xy, wz), r[4] = hn::Sub(without_x, zz), r[5] = hn::Sub(yz, wx);
  r[6] = hn::Sub(xz, wy), r[7] = hn::Add(yz, wx), r[8] = hn::Sub(without_x, yy);
}

HWY_INLINE Floats row(const float* state, size_t i) { return hn::Load(kFloat, state + i * W); }

/// linear = parent's linear * R * stretch.
HWY_INLINE void stretched(const float* parent, const Numbers& n, Floats (&linear)[9]) {
  Floats r[9], m[9];
  rotation_matrix(n.rotation, hn::Set(kFloat, 1.0f), r);
  const Floats(&k)[6] = n.stretch;
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

/// linear = the rotation of parent's and own quaternions, times the whole's scale; keeps the quaternion for children.
HWY_INLINE void rotated(const float* parent, const Numbers& n, Floats scale, float* state, Floats (&linear)[9]) {
  const Floats above[4] = {row(parent, kQuaternionRow), row(parent, kQuaternionRow + 1),
                           row(parent, kQuaternionRow + 2), row(parent, kQuaternionRow + 3)};
  Floats q[4];
  multiply_quaternions(above, n.rotation, q);
  for (size_t i = 0; i < 4; ++i) hn::Store(q[i], kFloat, state + (kQuaternionRow + i) * W);
  rotation_matrix(q, scale, linear);
}

/// One step of the walk: S = S_parent * M, see sinew/bake.h.
template <bool kScales>
HWY_INLINE void walk(const KernelProgram& program, const KernelStep& step, const Numbers& n, float* states) {
  const float* parent = states + step.parent_slot * kStateRows * W;
  float* state = states + step.slot * kStateRows * W;
  Floats linear[9];
  if constexpr (kScales) {
    stretched(parent, n, linear);
  } else {
    rotated(parent, n, hn::Set(kFloat, program.scale), state, linear);
  }
  for (size_t i = 0; i < 3; ++i) {
    const Floats moved = hn::MulAdd(row(parent, i * 4 + 2), n.place[2],
                                    hn::MulAdd(row(parent, i * 4 + 1), n.place[1],
                                               hn::MulAdd(row(parent, i * 4), n.place[0], row(parent, i * 4 + 3))));
    const Floats translation =
        hn::NegMulAdd(linear[i * 3 + 2], hn::Set(kFloat, step.origin[2]),
                      hn::NegMulAdd(linear[i * 3 + 1], hn::Set(kFloat, step.origin[1]),
                                    hn::NegMulAdd(linear[i * 3], hn::Set(kFloat, step.origin[0]), moved)));
    for (size_t j = 0; j < 3; ++j) hn::Store(linear[i * 3 + j], kFloat, state + (i * 4 + j) * W);
    hn::Store(translation, kFloat, state + (i * 4 + 3) * W);
  }
}

/// Four entries on their way out.
struct Group {
  const float* states[kEntriesPerGroup];
  size_t first_entry;
};

template <bool kStream, size_t kFirstRow>
HWY_INLINE void write_rows(const Group& group, float* const* palettes) {
  Words rows[W];
#pragma GCC unroll 16
  for (size_t i = 0; i < W; ++i) {
    rows[i] = hn::BitCast(kWord, row(group.states[(kFirstRow + i) / 12], (kFirstRow + i) % 12));
  }
  transpose(rows);
#pragma GCC unroll 16
  for (size_t lane = 0; lane < W; ++lane) {
    float* out = palettes[lane] + group.first_entry * 12 + kFirstRow;
    if constexpr (kStream) {
      hn::Stream(hn::BitCast(kFloat, rows[lane]), kFloat, out);
    } else {
      hn::Store(hn::BitCast(kFloat, rows[lane]), kFloat, out);
    }
  }
}

/// A third of a group: one line of each palette. Done between the steps of the next, whose multiplications leave the
/// shuffles idle.
template <bool kStream, size_t kPart>
HWY_NOINLINE void write_part(const Group& group, float* const* palettes) {
  write_rows<kStream, kPart * 16>(group, palettes);
  if constexpr (W <= 8) write_rows<kStream, kPart * 16 + W>(group, palettes);
  if constexpr (W <= 4) {
    write_rows<kStream, kPart * 16 + 2 * W>(group, palettes);
    write_rows<kStream, kPart * 16 + 3 * W>(group, palettes);
  }
}

using WritePart = void (*)(const Group& group, float* const* palettes);
constexpr WritePart kWriteCached[kOutputParts] = {write_part<false, 0>, write_part<false, 1>, write_part<false, 2>};
constexpr WritePart kWriteStreaming[kOutputParts] = {write_part<true, 0>, write_part<true, 1>, write_part<true, 2>};

template <bool kScales, bool kBlends>
HWY_NOINLINE void evaluate(const KernelProgram& program, const KernelBatch& batch, float* states) {
  Layer layers[kBlends ? kMaxKernelLayers : 1];
  const size_t layer_count = kBlends ? batch.layer_count + batch.additive_count : 1;
  for (size_t l = 0; l < layer_count; ++l) prepare(batch, l, layers[l]);

  // Slot 0 is model space itself.
  for (size_t i = 0; i < kStateRows; ++i) {
    const bool diagonal = i == 0 || i == 5 || i == 10;
    hn::Store(hn::Set(kFloat, diagonal ? program.scale : i == kStateRows - 1 ? 1.0f : 0.0f), kFloat, states + i * W);
  }

  constexpr size_t kRecords = kScales ? 2 : 1;
  const WritePart* write = batch.stream ? kWriteStreaming : kWriteCached;
  size_t groups_decoded = 0, filled = 0, part = kOutputParts;
  Group filling{{states, states, states, states}, 0}, leaving = filling;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const KernelStep& step = program.steps[i];
    while (groups_decoded * kRecordsPerGroup < (i + 1) * kRecords) {
      for (size_t l = 0; l < layer_count; ++l) decode(layers[l], batch.frame_stride, groups_decoded);
      ++groups_decoded;
    }
    if constexpr (kBlends) {
      walk<kScales>(program, step, blend<kScales>(program, batch, layers, i, i * kRecords), states);
    } else {
      walk<kScales>(program, step, read<kScales>(layers[0], step.range, i * kRecords), states);
    }
    if (part < kOutputParts) write[part++](leaving, batch.palettes);
    if (!step.has_entry) continue;
    filling.states[filled++] = states + step.slot * kStateRows * W;
    if (filled < kEntriesPerGroup) continue;
    while (part < kOutputParts) write[part++](leaving, batch.palettes);
    leaving = filling;
    filling = {{states, states, states, states}, leaving.first_entry + kEntriesPerGroup};
    filled = part = 0;
  }
  while (part < kOutputParts) write[part++](leaving, batch.palettes);
  for (part = 0; filled > 0 && part < kOutputParts; ++part) write[part](filling, batch.palettes);
}

void evaluate_batch(const KernelProgram& program, const KernelBatch& batch, float* states) {
  const bool blends = batch.layer_count + batch.additive_count > 1;
  if (program.scales) {
    blends ? evaluate<true, true>(program, batch, states) : evaluate<true, false>(program, batch, states);
  } else {
    blends ? evaluate<false, true>(program, batch, states) : evaluate<false, false>(program, batch, states);
  }
}

constexpr size_t kLanes = W;

#endif  // HWY_TARGET != HWY_SCALAR
}  // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {

/// What one instruction set offers, if the machine has it.
struct Target {
  int64_t bit;
  Kernel kernel;
};

constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX3
    {HWY_AVX3, {"avx3", N_AVX3::kLanes, N_AVX3::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_AVX2
    {HWY_AVX2, {"avx2", N_AVX2::kLanes, N_AVX2::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_SSE4
    {HWY_SSE4, {"sse4", N_SSE4::kLanes, N_SSE4::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_NEON
    {HWY_NEON, {"neon", N_NEON::kLanes, N_NEON::evaluate_batch}},
#endif
    {0, {"scalar", 1, evaluate_scalar}},
};

std::vector<Kernel> find_kernels() {
  const char* wanted = std::getenv("SINEW_SIMD");
  const auto named = [&](const Target& target) {
    return wanted != nullptr && std::string_view(target.kernel.name) == wanted;
  };
  bool reached = std::none_of(std::begin(kTargets), std::end(kTargets), named);
  std::vector<Kernel> kernels;
  for (const Target& target : kTargets) {
    reached = reached || named(target);
    const bool supported = target.bit == 0 || (hwy::SupportedTargets() & target.bit) != 0;
    if (reached && supported) kernels.push_back(target.kernel);
  }
  return kernels;
}

}  // namespace

std::span<const Kernel> available_kernels() {
  static const std::vector<Kernel> kernels = find_kernels();
  return kernels;
}

void finish_streaming() { hwy::FlushStream(); }

}  // namespace sinew
#endif  // HWY_ONCE
