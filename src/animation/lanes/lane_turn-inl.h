// Vectors and rotations of all lanes, for chains. Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_TURN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_TURN_INL_H_
#undef SINEW_LANE_TURN_INL_H_
#else
#define SINEW_LANE_TURN_INL_H_
#endif

#include "lanes/lane_write-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

constexpr float kTiny = 1e-30f;

struct Point {
  Floats x, y, z;
};

HWY_INLINE Floats all(float value) { return hn::Set(kFloat, value); }
HWY_INLINE Point all(const float (&a)[3]) { return {all(a[0]), all(a[1]), all(a[2])}; }

HWY_INLINE Point operator+(const Point& a, const Point& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Point operator-(const Point& a, const Point& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Point operator*(const Point& a, Floats s) { return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)}; }
/// a * s + b
HWY_INLINE Point mul_add(const Point& a, Floats s, const Point& b) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}
HWY_INLINE Floats dot(const Point& a, const Point& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Point cross(const Point& a, const Point& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
// Of what is not negative; 0 counts as kTiny in denominators. Newton steps are several times as fast as divisions.
HWY_INLINE Floats over(Floats factor, Floats v) { return quotient(factor, hn::Max(v, all(kTiny))); }
HWY_INLINE Floats over_root(Floats v) { return reciprocal_root(hn::Max(v, all(kTiny))); }
HWY_INLINE Floats root(Floats v) { return hn::Mul(v, over_root(v)); }

HWY_INLINE Floats length(const Point& a) { return root(dot(a, a)); }
HWY_INLINE Point unit(const Point& a) { return a * over_root(dot(a, a)); }

template <class Mask>
HWY_INLINE Point choose(Mask mask, const Point& yes, const Point& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}

/// A quaternion of unit length, with a real part that is not negative: `v` is its imaginary part.
struct Turn {
  Point v;
  Floats w;
};

HWY_INLINE Turn unit_turn(const Point& v, Floats w) {
  const Floats scale = over_root(hn::MulAdd(w, w, dot(v, v)));
  return {v * scale, hn::Mul(w, scale)};
}

/// The part of a rotation that a weight leaves.
HWY_INLINE Turn weighted(const Turn& turn, Floats weight) {
  return unit_turn(turn.v * weight, hn::MulAdd(hn::Sub(turn.w, all(1)), weight, all(1)));
}

HWY_INLINE Turn inverse(const Turn& turn) { return {turn.v * all(-1), turn.w}; }

/// `b` is applied first.
HWY_INLINE Turn operator*(const Turn& a, const Turn& b) {
  return {mul_add(b.v, a.w, mul_add(a.v, b.w, cross(a.v, b.v))),
          hn::NegMulAdd(a.v.x, b.v.x, hn::NegMulAdd(a.v.y, b.v.y, hn::NegMulAdd(a.v.z, b.v.z, hn::Mul(a.w, b.w))))};
}

HWY_INLINE Point rotate(const Turn& turn, const Point& a) {
  const Point once = cross(turn.v, a), twice = once + once;
  return mul_add(twice, turn.w, cross(turn.v, twice)) + a;
}

/// As in chain_solver.cpp. `limit`: the square of the tangent of half the largest angle. Writes which lanes are
/// limited.
template <class Mask>
HWY_INLINE Turn between(const Point& from, const Point& to, Floats limit, Mask& is_limited) {
  const Point v = cross(from, to);
  const Floats one = all(1), cosine = dot(from, to);
  const Floats less = hn::Sub(one, cosine), more = hn::Add(one, cosine);
  is_limited = hn::Gt(less, hn::Mul(limit, more));
  // The square of the sine is less * more. Where `from` or `to` is 0 0 0, so is `v`, and weighted() makes it nothing.
  const Floats limited_square = hn::Mul(less, hn::MulAdd(hn::Mul(limit, limit), more, less));
  const Floats scale = over_root(hn::IfThenElse(is_limited, limited_square, hn::Add(more, more)));
  return {v * hn::IfThenElse(is_limited, hn::Mul(limit, scale), scale),
          hn::Mul(hn::IfThenElse(is_limited, less, more), scale)};
}
HWY_INLINE Turn between(const Point& from, const Point& to, float limit) {
  auto is_limited = hn::Gt(all(0), all(0));
  return between(from, to, all(limit), is_limited);
}

// --- states ---

HWY_INLINE Point place_of(const float* state, const float (&origin)[3]) {
  const auto along = [&](size_t i) {
    return hn::MulAdd(row(state, i * 4 + 2), all(origin[2]),
                      hn::MulAdd(row(state, i * 4 + 1), all(origin[1]),
                                 hn::MulAdd(row(state, i * 4), all(origin[0]), row(state, i * 4 + 3))));
  };
  return {along(0), along(1), along(2)};
}

HWY_INLINE Point direction_of(const float* state, const float (&a)[3]) {
  const auto along = [&](size_t i) {
    return hn::MulAdd(row(state, i * 4 + 2), all(a[2]),
                      hn::MulAdd(row(state, i * 4 + 1), all(a[1]), hn::Mul(row(state, i * 4), all(a[0]))));
  };
  return {along(0), along(1), along(2)};
}

/// The linear part of a state, turned. Turns the quaternion of a rigid state in memory too.
template <bool kScales, class Mask>
HWY_INLINE void turned_linear(const Turn& turn, Mask turns, Floats scale, float* state, Floats (&linear)[9]) {
  const Floats q[4] = {turn.v.x, turn.v.y, turn.v.z, turn.w};
  if constexpr (kScales) {
    Floats r[9];
    rotation_matrix(q, all(1), all(2), r);
    for (size_t i = 0; i < 9; ++i) {
      const float* column = state + i % 3 * W;
      linear[i] = hn::MulAdd(r[i / 3 * 3 + 2], row(column, 8),
                             hn::MulAdd(r[i / 3 * 3 + 1], row(column, 4), hn::Mul(r[i / 3 * 3], row(column, 0))));
    }
  } else {
    const Floats before[4] = {row(state, kQuaternionRow), row(state, kQuaternionRow + 1),
                              row(state, kQuaternionRow + 2), row(state, kQuaternionRow + 3)};
    const Floats s = quotient(hn::Add(scale, scale), squared_length(before));  // a turn changes no length
    Floats after[4];
    multiply_quaternions(q, before, after);
    for (size_t i = 0; i < 4; ++i)
      hn::Store(hn::IfThenElse(turns, after[i], before[i]), kFloat, state + (kQuaternionRow + i) * W);
    rotation_matrix(after, scale, s, linear);
  }
}

/// Turns a node about the place of its joint, which stays. A turn by nothing changes no bit: so the palette of an
/// instance does not depend on the targets of the others in its set.
template <bool kScales>
HWY_INLINE void turn_state(const Turn& turn, const ProgramNode& node, Floats scale, float* state) {
  const Floats largest = hn::Max(hn::Max(hn::Abs(turn.v.x), hn::Abs(turn.v.y)), hn::Abs(turn.v.z));
  const auto turns = hn::Gt(largest, all(0));
  Floats linear[9];
  turned_linear<kScales>(turn, turns, scale, state, linear);
  for (size_t i = 0; i < 3; ++i) {
    const Floats before = row(state, i * 4 + 3);
    Floats translation = before;
    for (size_t j = 0; j < 3; ++j) {
      const Floats old = row(state, i * 4 + j);
      translation = hn::MulAdd(hn::Sub(old, linear[i * 3 + j]), all(node.origin[j]), translation);
      hn::Store(hn::IfThenElse(turns, linear[i * 3 + j], old), kFloat, state + (i * 4 + j) * W);
    }
    hn::Store(hn::IfThenElse(turns, translation, before), kFloat, state + (i * 4 + 3) * W);
  }
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_TURN_INL_H_
