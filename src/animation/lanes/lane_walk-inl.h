// From the delta of a node to its skinning matrix.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_WALK_INL_H_
#undef SINEW_LANE_WALK_INL_H_
#else
#define SINEW_LANE_WALK_INL_H_
#endif

#include "lanes/lane_blend-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

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

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_WALK_INL_H_
