// From a node's quaternion and translation to its compact matrix, in the layout of sinew/asset/compact_matrix.h.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_COMPACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_COMPACT_INL_H_
#undef SINEW_LANE_COMPACT_INL_H_
#else
#define SINEW_LANE_COMPACT_INL_H_
#endif

#include "lanes/lane_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

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

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_COMPACT_INL_H_
