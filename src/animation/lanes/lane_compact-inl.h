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

/// Three components of a unit quaternion, without the largest, with the sign that makes the largest positive.
struct SmallestThree {
  Floats components[3];
  Ints left_out;
};

HWY_INLINE SmallestThree smallest_three(const Floats (&q)[4]) {
  const Floats norm = hn::MulAdd(q[3], q[3], hn::MulAdd(q[2], q[2], hn::MulAdd(q[1], q[1], hn::Mul(q[0], q[0]))));
  const Floats inverse = hn::Sqrt(hn::Mul(two_over(norm), hn::Set(kFloat, 0.5f)));
  const Floats x = hn::Abs(q[0]), y = hn::Abs(q[1]), z = hn::Abs(q[2]), w = hn::Abs(q[3]);
  const Floats largest = hn::Max(hn::Max(x, y), hn::Max(z, w));
  const auto is_x = hn::Eq(x, largest), is_y = hn::AndNot(is_x, hn::Eq(y, largest));
  const auto is_xy = hn::Or(is_x, is_y), is_z = hn::AndNot(is_xy, hn::Eq(z, largest)), is_xyz = hn::Or(is_xy, is_z);
  SmallestThree result;
  result.components[0] = hn::IfThenElse(is_x, q[1], q[0]);
  result.components[1] = hn::IfThenElse(is_xy, q[2], q[1]);
  result.components[2] = hn::IfThenElse(is_xyz, q[3], q[2]);
  const Floats with_sign = hn::IfThenElse(is_x, q[0], hn::IfThenElse(is_y, q[1], hn::IfThenElse(is_z, q[2], q[3])));
  const Floats factor = hn::CopySign(inverse, with_sign);
  for (Floats& component : result.components) component = hn::Mul(component, factor);
  const Floats left_out = hn::IfThenElse(
      is_x, hn::Zero(kFloat),
      hn::IfThenElse(is_y, hn::Set(kFloat, 1.0f), hn::IfThenElse(is_z, hn::Set(kFloat, 2.0f), hn::Set(kFloat, 3.0f))));
  result.left_out = hn::ConvertTo(kInt, left_out);
  return result;
}

/// Rounded, in 20 signed bits.
HWY_INLINE Ints quantized(Floats value) {
  const Floats most = hn::Set(kFloat, 524287.0f);
  return hn::NearestInt(hn::Min(hn::Max(value, hn::Neg(most)), most));
}

/// `state`: the rows of a rigid node's state. Writes four rows of words.
HWY_INLINE void store_compact(const float* state, float* out) {
  const Floats q[4] = {row(state, kQuaternionRow), row(state, kQuaternionRow + 1), row(state, kQuaternionRow + 2),
                       row(state, kQuaternionRow + 3)};
  const SmallestThree rotation = smallest_three(q);
  const Floats t[3] = {row(state, 3), row(state, 7), row(state, 11)};
  const Floats largest = hn::Max(hn::Max(hn::Abs(t[0]), hn::Abs(t[1])), hn::Abs(t[2]));
  // The exponent of 2 above the largest, by the bits of the float: biased by 126 there, by 24 in the result.
  const Ints exponent =
      hn::Min(hn::Max(hn::Sub(hn::ShiftRight<23>(hn::BitCast(kInt, largest)), hn::Set(kInt, 126 - 24)), hn::Zero(kInt)),
              hn::Set(kInt, 63));
  const Floats units = hn::BitCast(kFloat, hn::ShiftLeft<23>(hn::Sub(hn::Set(kInt, 127 + 19 + 24), exponent)));
  const Ints low = hn::Set(kInt, 0xfffff);
  Ints last = hn::Or(hn::ShiftLeft<24>(rotation.left_out), hn::ShiftLeft<26>(exponent));
  Ints upper[3];
  for (size_t i = 0; i < 3; ++i) {
    const Ints component = quantized(hn::Mul(rotation.components[i], hn::Set(kFloat, 741453.7f)));  // 524287 * sqrt(2)
    const Ints translation = quantized(hn::Mul(t[i], units));
    const Ints word = hn::Or(hn::And(component, low), hn::ShiftLeft<20>(translation));
    hn::Store(hn::BitCast(kFloat, word), kFloat, out + i * W);
    upper[i] = hn::And(hn::ShiftRight<12>(translation), hn::Set(kInt, 0xff));
  }
  last = hn::Or(last, hn::Or(upper[0], hn::Or(hn::ShiftLeft<8>(upper[1]), hn::ShiftLeft<16>(upper[2]))));
  hn::Store(hn::BitCast(kFloat, last), kFloat, out + 3 * W);
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_COMPACT_INL_H_
