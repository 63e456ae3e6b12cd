// Chains of instances with targets.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_CHAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_CHAIN_INL_H_
#undef SINEW_LANE_CHAIN_INL_H_
#else
#define SINEW_LANE_CHAIN_INL_H_
#endif

#include <cstddef>
#include <utility>

#include "chain_solver.h"
#include "lanes/lane_chains.h"
#include "lanes/lane_palette-inl.h"
#include "sinew/asset/mesh.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

// Vectors and rotations of all lanes, for chains.

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

// The rotations of chains in all lanes: the same as in chain_solver.cpp, in an order that floats can bear. Distances to
// the limits are computed as such, not as differences.

constexpr float kSwingLimit = float(kMaxSwingTangent * kMaxSwingTangent);

struct Target {
  Point position;
  Floats weight;
  Point normal;  // unit length, or 0 0 0
};

/// As clean() in chain_solver.h.
HWY_INLINE Target clean(const Target& raw) {
  const Point& at = raw.position;
  const auto is_usable =
      hn::And(hn::And(hn::Eq(at.x, at.x), hn::Eq(at.y, at.y)), hn::And(hn::Eq(at.z, at.z), hn::Gt(raw.weight, all(0))));
  const auto within = [&](Floats value) {
    const Floats limit = all(kMaxCoordinate);
    return hn::Min(hn::Max(hn::IfThenElseZero(is_usable, value), hn::Neg(limit)), limit);
  };
  const Floats squared = dot(raw.normal, raw.normal), size = over_root(squared);
  const auto is_direction = hn::And(hn::Gt(squared, all(kTiny)), hn::Lt(squared, all(INFINITY)));
  const auto along = [&](Floats value) { return hn::IfThenElseZero(is_direction, hn::Mul(value, size)); };
  return {{within(at.x), within(at.y), within(at.z)},
          hn::IfThenElseZero(is_usable, hn::Min(raw.weight, all(1))),
          {along(raw.normal.x), along(raw.normal.y), along(raw.normal.z)}};
}

HWY_INLINE Floats faded(Floats weight, Floats distance, Floats fade_distance) {
  return hn::Mul(weight, hn::Min(over(distance, fade_distance), all(1)));
}

struct TwoBones {
  Point upper, middle, end;  // places
  Point pole;
};

struct TwoBoneTurns {
  Turn upper, middle, end;
};

/// The bones of a chain in the plane of their bend.
struct BendPlane {
  Point hinge, along, towards;  // unit vectors; `along` the first bone
  Floats first, second;         // lengths, of the second bone that in the plane
  Floats over_second;           // 1 / second
  Floats x, y, beside;          // of the second bone: along, towards, hinge
  Floats whole;                 // the length of both bones
  hn::Mask<decltype(kFloat)> bends;
};

/// The order keeps roots beside each other, not one after the other: their latency is most of what a chain costs.
HWY_INLINE BendPlane bend_plane(const TwoBones& bones) {
  BendPlane plane;
  const Point first = bones.middle - bones.upper, second = bones.end - bones.middle;
  const Point normal = cross(first, bones.pole), across = cross(normal, first);
  const Floats squared_first = dot(first, first), squared_normal = dot(normal, normal);
  const Floats over_first = over_root(squared_first), over_normal = over_root(squared_normal);
  const Floats over_across = hn::Mul(over_first, over_normal);
  plane.x = hn::Mul(dot(second, first), over_first), plane.y = hn::Mul(dot(second, across), over_across);
  plane.beside = hn::Mul(dot(second, normal), over_normal);
  const Floats squared_second = hn::MulAdd(plane.x, plane.x, hn::Mul(plane.y, plane.y));
  plane.over_second = over_root(squared_second);
  plane.first = hn::Mul(squared_first, over_first), plane.second = hn::Mul(squared_second, plane.over_second);
  plane.hinge = normal * over_normal, plane.along = first * over_first, plane.towards = across * over_across;
  plane.whole = hn::Add(plane.first, length(second));
  const Floats squared_pole = hn::Mul(dot(bones.pole, bones.pole), squared_first);
  const auto has_pole = hn::Gt(squared_normal, hn::Mul(squared_pole, all(1e-8f)));
  const auto has_bones = hn::Ge(hn::Min(plane.first, plane.second), hn::Mul(plane.whole, all(float(kMinBoneShare))));
  plane.bends = hn::And(has_pole, has_bones);
  return plane;
}

/// What puts the end at a distance.
struct HalfBend {
  Floats squared_sine, squared_cosine;  // of half the angle between both bones, straight being 0
  Floats reached;                       // the distance that the end gets
};

HWY_INLINE HalfBend bend_for(const BendPlane& plane, const TwoBoneChain& chain, Floats distance) {
  const Floats squared = hn::Mul(plane.beside, plane.beside);
  const Floats sum = hn::Add(plane.first, plane.second), difference = hn::Sub(plane.first, plane.second);
  const Floats shortest = root(hn::MulAdd(difference, difference, squared));
  const Floats straight = root(hn::MulAdd(sum, sum, squared));
  const Floats longest = hn::Max(shortest, hn::Mul(straight, all(chain.reach)));
  const Floats wanted = hn::Min(hn::Mul(plane.whole, all(chain.soft)), hn::Mul(hn::Sub(longest, shortest), all(0.25f)));
  const Floats soft = hn::Max(wanted, hn::Mul(plane.whole, all(1e-6f)));

  // Softly from either end: `lag` is what remains to it.
  const Floats above = hn::Sub(distance, hn::Sub(longest, soft)), below = hn::Sub(hn::Add(shortest, soft), distance);
  const auto is_above = hn::Gt(above, all(0)), is_below = hn::AndNot(is_above, hn::Gt(below, all(0)));
  const Floats lag = over(hn::Mul(soft, soft), hn::Add(soft, hn::IfThenElse(is_above, above, below)));
  const Floats missing = hn::IfThenElse(is_above, lag, hn::Sub(longest, distance));
  const Floats left = hn::IfThenElse(is_below, lag, hn::Sub(distance, shortest));
  HalfBend half;
  half.reached = hn::IfThenElse(is_below, hn::Add(shortest, lag), hn::Sub(longest, missing));
  const Floats to_longest = hn::IfThenElse(is_below, hn::Sub(longest, half.reached), missing);
  const Floats from_shortest = hn::IfThenElse(is_above, hn::Sub(half.reached, shortest), left);

  const Floats scale = over(all(0.25f), hn::Mul(plane.first, plane.second));
  const auto share = [&](Floats from, Floats limit) {
    return hn::Min(hn::Max(hn::Mul(hn::Mul(from, hn::Add(half.reached, limit)), scale), all(0)), all(1));
  };
  half.squared_sine = share(hn::Add(hn::Sub(straight, longest), to_longest), straight);
  half.squared_cosine = share(from_shortest, shortest);
  return half;
}

/// How the middle joint bends, and in which direction the end is from the upper joint then.
struct LaneBend {
  Turn turn;
  Point towards;  // unit length
};

HWY_INLINE LaneBend bend(const TwoBones& bones, const BendPlane& plane, const TwoBoneChain& chain, Floats distance) {
  // Half the angle that the second bone has now, from the first one towards the pole.
  const Floats now_x = hn::Mul(plane.x, plane.over_second), now_y = hn::Mul(plane.y, plane.over_second);
  const Floats squared_larger = hn::MulAdd(hn::Abs(now_x), all(0.5f), all(0.5f));
  const Floats over_larger = over_root(squared_larger), larger = hn::Mul(squared_larger, over_larger);
  const Floats smaller = hn::Mul(hn::Abs(now_y), hn::Mul(all(0.5f), over_larger));
  const auto is_ahead = hn::Ge(now_x, all(0));
  const Floats now_cosine = hn::IfThenElse(is_ahead, larger, smaller);
  const Floats now_sine = hn::CopySignToAbs(hn::IfThenElse(is_ahead, smaller, larger), now_y);

  // From there to the wanted angle on the other side.
  const HalfBend half = bend_for(plane, chain, distance);
  const Floats sine = root(half.squared_sine), cosine = root(half.squared_cosine);
  const Floats half_cosine = hn::NegMulAdd(sine, now_sine, hn::Mul(cosine, now_cosine));
  const Floats half_sine = hn::Neg(hn::MulAdd(sine, now_cosine, hn::Mul(cosine, now_sine)));
  const Floats sign = hn::CopySignToAbs(all(1), half_cosine);
  const Turn turn{plane.hinge * hn::Mul(half_sine, sign), hn::Mul(half_cosine, sign)};

  const Floats over_reached = over(all(1), half.reached), second = hn::Mul(plane.second, over_reached);
  const Floats bent_x =
      hn::MulAdd(plane.first, over_reached, hn::Mul(second, hn::Sub(half.squared_cosine, half.squared_sine)));
  const Floats bent_y = hn::Mul(second, hn::Mul(hn::Mul(sine, cosine), all(-2)));
  const Point bent =
      mul_add(plane.along, bent_x, mul_add(plane.towards, bent_y, plane.hinge * hn::Mul(plane.beside, over_reached)));
  const Point none = all({0, 0, 0});
  return {{choose(plane.bends, turn.v, none), hn::IfThenElse(plane.bends, turn.w, all(1))},
          choose(plane.bends, bent, unit(bones.end - bones.upper))};
}

HWY_INLINE TwoBoneTurns solve(const TwoBones& bones, const TwoBoneChain& chain, const Target& target,
                              const float (&up)[3]) {
  const BendPlane plane = bend_plane(bones);
  const Point to = target.position - bones.upper;
  const Floats squared_distance = dot(to, to), over_distance = over_root(squared_distance);
  const Floats distance = hn::Mul(squared_distance, over_distance);
  const Floats weight = faded(target.weight, distance, hn::Mul(plane.whole, all(float(kFadeShare))));
  const LaneBend bent = bend(bones, plane, chain, distance);

  TwoBoneTurns turns;
  turns.upper = weighted(between(bent.towards, to * over_distance, kSwingLimit), weight);
  const Turn middle = weighted(bent.turn, weight);
  turns.middle = {rotate(turns.upper, middle.v), middle.w};  // the hinge has swung with the upper joint
  if (chain.end_orientation == EndOrientation::kFollow) return turns;
  turns.end = inverse(turns.middle * turns.upper);
  if (chain.end_orientation == EndOrientation::kAlign)
    turns.end = weighted(between(all(up), target.normal, 1), weight) * turns.end;
  return turns;
}

/// The last joint of an aim chain.
struct Aim {
  Point place, axis, offset, up;
};

struct LaneAimPlan {
  Turn total;
  Point target;
  Floats weight;
};

/// From where the axis begins to as far along it as the target is away from the joint.
HWY_INLINE Point aiming(const Aim& aim, Floats squared_distance) {
  const Floats along = dot(aim.axis, aim.axis), beside = dot(aim.axis, aim.offset);
  const Floats missing = hn::Sub(dot(aim.offset, aim.offset), squared_distance);
  const Floats reach = root(hn::Max(hn::NegMulAdd(along, missing, hn::Mul(beside, beside)), all(0)));
  return mul_add(aim.axis, over(hn::Sub(reach, beside), along), aim.offset);
}

HWY_INLINE LaneAimPlan plan(const Aim& aim, const LaneChain& chain, const Target& target) {
  const Point to = target.position - aim.place;
  const Floats squared_distance = dot(to, to), over_distance = over_root(squared_distance);
  const Floats distance = hn::Mul(squared_distance, over_distance);
  const Point from = unit(aiming(aim, squared_distance));
  LaneAimPlan plan;
  auto is_limited = hn::Gt(all(0), all(0));
  plan.total = between(from, to * over_distance, all(chain.swing_limit), is_limited);
  plan.target = choose(is_limited, mul_add(rotate(plan.total, from), distance, aim.place), target.position);
  plan.weight = faded(target.weight, distance, all(chain.aim->fade_distance));
  return plan;
}

/// The rotation about `along`, of unit length, that turns `joint_up` upwards.
HWY_INLINE Turn upright(const Point& along, const Point& joint_up, const Point& up) {
  const Point from = joint_up - along * dot(joint_up, along), to = up - along * dot(up, along);
  const Floats share = hn::Min(hn::Mul(dot(to, to), all(float(kUprightFade))), all(1));
  return weighted(between(unit(from), unit(to), 1), share);
}

HWY_INLINE Turn finish(const Aim& aim, const LaneChain& chain, const LaneAimPlan& plan, float share,
                       const float (&up)[3]) {
  const Point to = plan.target - aim.place;
  const Point from = unit(aiming(aim, dot(to, to)));
  const Turn whole = between(from, unit(to), kSwingLimit);
  const Floats others = hn::NegMulAdd(plan.weight, all(1 - share), all(1));
  const Turn turn = weighted(whole, over(hn::Mul(plan.weight, all(share)), others));
  if (!chain.is_upright) return turn;
  return weighted(upright(rotate(turn, from), rotate(turn, aim.up), all(up)), plan.weight) * turn;
}

// Chains inside the walk of the hierarchy.
//
// A chain has to know where it ends before its first node is turned, so that node's children are walked ahead as they
// would be without the chain, along the path to the end only. Then each node of the chain is turned as it is walked:
// its children and its entry in the palette never see another state.

/// The chains of one set.
template <bool kScales, Layers kLayers>
class ChainWalk {
 public:
  HWY_INLINE ChainWalk(const LaneProgram& program, const LaneSet& set, float* states)
      : program_(program), set_(set), states_(states), step_(set.chains->steps.data()) {
    for (size_t l = 0; l < layer_count(); ++l) prepare(set, l, layers_[l]);
  }

  /// Whether the next step is of this node.
  HWY_INLINE bool stops_at(size_t node) const { return step_->node == node; }

  /// Takes that step. `walked` has the layers of the walk, of which the vector `ahead` is decoded up to
  /// `ahead_lane_blocks`.
  HWY_NOINLINE void take(Layer* walked, size_t ahead, size_t ahead_lane_blocks) {
    const ChainStep& step = *step_++;
    if ((set_.targeted >> step.chain & 1) == 0) return;
    walked_ = walked, ahead_ = ahead, ahead_lane_blocks_ = ahead_lane_blocks;
    take(step);
  }

 private:
  static constexpr size_t kChannelBlocks = kScales ? 2 : 1;

  HWY_INLINE size_t layer_count() const { return kLayers == Layers::kOne ? 1 : set_.layer_count + set_.additive_count; }

  HWY_INLINE void take(const ChainStep& step) {
    const LaneChain& chain = set_.chains->chains[step.chain];
    const ProgramNode& node = program_.nodes[step.node];
    float* const state = state_of(node.state);
    float* const carried = set_.carried + step.chain * kCarriedRows * W;
    Turn turn;
    switch (step.job) {
      case ChainJob::kUpper:
        turn = begin_two_bone(step, chain, node, carried);
        break;
      case ChainJob::kTurn:
        turn = load_turn(carried + step.carried_row * W);
        break;
      case ChainJob::kFirstAim:
        turn = begin_aim(step, chain, carried);
        break;
      case ChainJob::kNextAim:
        turn = share_of(load_plan(carried), step.share);
        break;
      case ChainJob::kLastAim:
        turn = finish(aim_of(chain, node, state), chain, load_plan(carried), step.share, set_.chains->up);
        break;
      case ChainJob::kOnlyAim:
        turn = aim_alone(step, chain, aim_of(chain, node, state));
        break;
    }
    turn_state<kScales>(turn, node, all(program_.scale), state);
  }

  HWY_INLINE float* state_of(size_t state) const { return states_ + state * kStateRows * W; }

  HWY_INLINE Turn begin_two_bone(const ChainStep& step, const LaneChain& chain, const ProgramNode& node,
                                 float* carried) {
    const float* state = state_of(node.state);
    TwoBones bones;
    bones.upper = place_of(state, node.origin);
    bones.middle = bones.upper;  // replaced in the loop, which g++ does not see
    bones.pole = direction_of(state, chain.pole);
    for (size_t i = 0; i + 1 < chain.path.size(); ++i) {
      const ProgramNode& walked = chain.path[i].walked;
      walk_ahead(chain.path[i]);
      if (i == chain.middle) bones.middle = place_of(state_of(walked.state), walked.origin);
    }
    bones.end = place_ahead(chain.path.back());
    const TwoBoneTurns turns = solve(bones, *chain.two_bone, target_of(step), set_.chains->up);
    store_turn(turns.middle, carried);
    if (chain.two_bone->end_orientation != EndOrientation::kFollow) store_turn(turns.end, carried + 4 * W);
    return turns.upper;
  }

  HWY_INLINE Turn begin_aim(const ChainStep& step, const LaneChain& chain, float* carried) {
    for (const PathNode& node : chain.path) walk_ahead(node);
    const ProgramNode& last = chain.path.back().walked;
    const LaneAimPlan made = plan(aim_of(chain, last, state_of(last.state)), chain, target_of(step));
    store_turn(made.total, carried);
    store_point(made.target, carried + 4 * W);
    hn::Store(made.weight, kFloat, carried + 7 * W);
    return share_of(made, step.share);
  }

  HWY_INLINE Turn aim_alone(const ChainStep& step, const LaneChain& chain, const Aim& aim) const {
    return finish(aim, chain, plan(aim, chain, target_of(step)), 1, set_.chains->up);
  }

  static HWY_INLINE Turn share_of(const LaneAimPlan& plan, float share) {
    return weighted(plan.total, hn::Mul(plan.weight, all(share)));
  }

  static HWY_INLINE Aim aim_of(const LaneChain& chain, const ProgramNode& node, const float* state) {
    return {place_of(state, node.origin), direction_of(state, chain.axis), direction_of(state, chain.offset),
            direction_of(state, chain.up)};
  }

  HWY_INLINE Target target_of(const ChainStep& step) const {
    static_assert(offsetof(ChainTarget, position) == 8 && offsetof(ChainTarget, weight) == 20 &&
                  offsetof(ChainTarget, normal) == 24);
    const ChainTarget* const* targets = set_.targets + step.chain * kMaxLanes;
    Words at[4], normal[4];
    load_targets(targets, 2, at);      // x y z weight
    load_targets(targets, 5, normal);  // weight x y z
    const auto floats = [](Words words) { return hn::BitCast(kFloat, words); };
    return clean({{floats(at[0]), floats(at[1]), floats(at[2])},
                  floats(at[3]),
                  {floats(normal[1]), floats(normal[2]), floats(normal[3])}});
  }

  /// Four words of each lane's target, from `first` on.
  static HWY_INLINE void load_targets(const ChainTarget* const* targets, size_t first, Words (&words)[4]) {
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t* blocks[kBlocks];
      for (size_t b = 0; b < kBlocks; ++b) blocks[b] = reinterpret_cast<const uint32_t*>(targets[b * 4 + i]) + first;
      words[i] = load_blocks<false>(blocks);
    }
    transpose_blocks(words);
  }

  static HWY_INLINE Point load_point(const float* rows) { return {row(rows, 0), row(rows, 1), row(rows, 2)}; }
  static HWY_INLINE void store_point(const Point& point, float* rows) {
    hn::Store(point.x, kFloat, rows), hn::Store(point.y, kFloat, rows + W), hn::Store(point.z, kFloat, rows + 2 * W);
  }
  static HWY_INLINE Turn load_turn(const float* rows) { return {load_point(rows), row(rows, 3)}; }
  static HWY_INLINE void store_turn(const Turn& turn, float* rows) {
    store_point(turn.v, rows);
    hn::Store(turn.w, kFloat, rows + 3 * W);
  }
  static HWY_INLINE LaneAimPlan load_plan(const float* rows) {
    return {load_turn(rows), load_point(rows + 4 * W), row(rows, 7)};
  }

  /// Walks a node of a path, as it would be without the chain.
  HWY_INLINE void walk_ahead(const PathNode& path) {
    walk<kScales>(program_, path.walked, values_of(path), states_, [] {});
  }

  /// The place of a node of a path, of which no more is needed.
  HWY_INLINE Point place_ahead(const PathNode& path) {
    const Channels channels = values_of(path);
    const float* parent = state_of(path.walked.parent_state);
    const auto along = [&](size_t i) {
      return hn::MulAdd(row(parent, i * 4 + 2), channels.translation[2],
                        hn::MulAdd(row(parent, i * 4 + 1), channels.translation[1],
                                   hn::MulAdd(row(parent, i * 4), channels.translation[0], row(parent, i * 4 + 3))));
    };
    return {along(0), along(1), along(2)};
  }

  HWY_INLINE Channels values_of(const PathNode& path) {
    const size_t first = path.node * kChannelBlocks;
    const Layer* layers = decoded((first + kChannelBlocks - 1) / kBlocks, first / kBlocks);
    if constexpr (kLayers == Layers::kOne) {
      return read<kScales>(layers[0], path.walked.range, first);
    } else {
      return blend<kScales, kLayers>(program_, set_, layers, path.node, first);
    }
  }

  /// Layers with the vectors `first` and `last`, which may be the same, decoded. Those of the walk have what comes
  /// next.
  HWY_INLINE const Layer* decoded(size_t last, size_t first) {
    if (last <= ahead_) {
      if (last == ahead_) decode_from(walked_, last, std::exchange(ahead_lane_blocks_, kBlocks));
      return walked_;
    }
    for (size_t vector = first; vector <= last; ++vector) {
      if (std::exchange(decoded_[vector % 2], vector) != vector) decode_from(layers_, vector, 0);
    }
    return layers_;
  }

  HWY_INLINE void decode_from(Layer* layers, size_t vector, size_t lane_block) const {
    for (; lane_block < kBlocks; ++lane_block) {
      for (size_t l = 0; l < layer_count(); ++l) decode(layers[l], set_.frame_stride, vector, lane_block);
    }
  }

  const LaneProgram& program_;
  const LaneSet& set_;
  float* states_;
  const ChainStep* step_;
  Layer* walked_ = nullptr;
  size_t ahead_ = 0, ahead_lane_blocks_ = 0;  // see take()
  size_t decoded_[2] = {SIZE_MAX, SIZE_MAX};  // the vectors in the words of layers_
  Layer layers_[kLayers == Layers::kOne ? 1 : kMaxBlendedLayers];
};

/// Of sets without targets.
struct NoChains {
  static constexpr bool stops_at(size_t) { return false; }
  static void take(Layer*, size_t, size_t) {}
};

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_CHAIN_INL_H_
