// The rotations of chains in all lanes: the same as in chain_solver.cpp, in an order that floats can bear. Distances to
// the limits are computed as such, not as differences. Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_SOLVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_SOLVE_INL_H_
#undef SINEW_LANE_SOLVE_INL_H_
#else
#define SINEW_LANE_SOLVE_INL_H_
#endif

#include "chain_solver.h"
#include "lanes/lane_chains.h"
#include "lanes/lane_turn-inl.h"
#include "sinew/asset/mesh.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

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

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_SOLVE_INL_H_
