#include "chain_solver.h"

#include <algorithm>

#include "sinew/asset/mesh.h"

namespace sinew::internal {
namespace {

constexpr double kTiny = 1e-30;

Vec3d unit(Vec3d a) { return a * (1 / std::max(length(a), kTiny)); }

Rotation normalized(Vec3d v, double w) {
  const double size = std::sqrt(dot(v, v) + w * w);
  if (!(size > kTiny)) return {};
  return {v * (1 / size), w / size};
}

/// The part of a rotation that a weight leaves.
Rotation weighted(const Rotation& rotation, double weight) {
  return normalized(rotation.v * weight, 1 + (rotation.w - 1) * weight);
}

/// The shortest rotation from one unit vector to another. `max_tangent`: of half the largest angle A. From there on
/// the tangent of half the angle is max_tangent^2 over what it would be: 0 again for opposite vectors.
Rotation turn_between(Vec3d from, Vec3d to, double max_tangent, bool* is_limited = nullptr) {
  const Vec3d v = cross(from, to);
  const double cosine = dot(from, to), limit = max_tangent * max_tangent;
  const bool limited = 1 - cosine > limit * (1 + cosine);
  if (is_limited != nullptr) *is_limited = limited;
  return limited ? normalized(v * limit, 1 - cosine) : normalized(v, 1 + cosine);
}

double faded(double weight, double distance, double fade_distance) {
  return distance < fade_distance ? weight * distance / fade_distance : weight;
}

/// The distance that the end gets where the target is at `distance`. `shortest`, `longest`: what the bones allow.
double softened(double distance, double shortest, double longest, double soft) {
  const double above = distance - (longest - soft), below = shortest + soft - distance;
  if (above > 0) return longest - soft * soft / (soft + above);
  return below > 0 ? shortest + soft * soft / (soft + below) : distance;
}

/// How a chain's middle joint bends, and where the end is from the upper joint then.
struct Bend {
  Rotation rotation;
  Vec3d end;
};

Bend bend(const TwoBonePose& pose, const TwoBoneChain& chain, double distance) {
  const Vec3d first = pose.middle - pose.upper, second = pose.end - pose.middle;
  const double first_length = length(first), whole = first_length + length(second);
  const Vec3d normal = cross(first, pose.pole);
  const Bend straight{{}, pose.end - pose.upper};
  if (!(length(normal) > 1e-4 * first_length * length(pose.pole))) return straight;
  const Vec3d hinge = unit(normal), along = unit(first), towards = cross(hinge, along);
  const double x = dot(second, along), y = dot(second, towards), beside = dot(second, hinge);
  const double second_length = std::hypot(x, y);  // in the plane of the bend
  if (std::min(first_length, second_length) < kMinBoneShare * whole) return straight;

  const double shortest = std::hypot(first_length - second_length, beside);
  const double longest = std::max(shortest, double(chain.reach) * std::hypot(first_length + second_length, beside));
  const double soft = std::max(std::min(double(chain.soft) * whole, (longest - shortest) / 4), 1e-6 * whole);
  const double reached = softened(distance, shortest, longest, soft);
  const double cosine =
      (reached * reached - beside * beside - first_length * first_length - second_length * second_length) /
      (2 * first_length * second_length);
  const double angle = -std::acos(std::clamp(cosine, -1.0, 1.0));
  const double half = (angle - std::atan2(y, x)) / 2;
  const Vec3d bent = along * (second_length * std::cos(angle)) + towards * (second_length * std::sin(angle));
  const double sign = std::cos(half) < 0 ? -1 : 1;
  return {{hinge * (std::sin(half) * sign), std::cos(half) * sign}, first + bent + hinge * beside};
}

Rotation aligned(Vec3 normal, Vec3 up, double weight) {
  const Vec3d to = to_double(normal);
  if (!(length(to) > 0)) return {};
  return weighted(turn_between(unit(to_double(up)), unit(to), 1), weight);
}

/// From where the axis begins to as far along it as the target is away from the joint: what must come to the target.
Vec3d aiming(const AimPose& pose, double distance) {
  const double along = dot(pose.axis, pose.axis), beside = dot(pose.axis, pose.offset);
  const double missing = dot(pose.offset, pose.offset) - distance * distance;
  const double root = std::sqrt(std::max(beside * beside - along * missing, 0.0));
  return pose.offset + pose.axis * ((root - beside) / std::max(along, kTiny));
}

/// The rotation about `along`, of unit length, that turns `joint_up` upwards.
Rotation upright(Vec3d along, Vec3d joint_up, Vec3d up) {
  const Vec3d from = joint_up - along * dot(joint_up, along), to = up - along * dot(up, along);
  const double share = std::min(1.0, kUprightFade * dot(to, to) / std::max(dot(up, up), kTiny));
  return weighted(turn_between(unit(from), unit(to), 1), share);
}

}  // namespace

Vec3d rotate(const Rotation& rotation, Vec3d a) {
  const Vec3d twice = cross(rotation.v, a) * 2;
  return a + twice * rotation.w + cross(rotation.v, twice);
}

Rotation operator*(const Rotation& a, const Rotation& b) {
  return {b.v * a.w + a.v * b.w + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}

Rotation inverse(const Rotation& rotation) { return {rotation.v * -1, rotation.w}; }

Matrix3x4d rotated(const Matrix3x4d& matrix, const Rotation& rotation, Vec3d place) {
  Matrix3x4d result;
  for (int column = 0; column < 4; ++column) {
    const Vec3d origin = column == 3 ? place : Vec3d();
    const Vec3d moved =
        rotate(rotation, Vec3d{matrix.m[0][column], matrix.m[1][column], matrix.m[2][column]} - origin) + origin;
    result.m[0][column] = moved.x, result.m[1][column] = moved.y, result.m[2][column] = moved.z;
  }
  return result;
}

std::optional<CleanTarget> clean(const ChainTarget& target) {
  const auto is_number = [](Vec3 a) { return !std::isnan(a.x) && !std::isnan(a.y) && !std::isnan(a.z); };
  if (!(target.weight > 0) || !is_number(target.position)) return std::nullopt;
  const auto within = [](float value) { return std::clamp(value, -kMaxCoordinate, kMaxCoordinate); };
  const Vec3 position{within(target.position.x), within(target.position.y), within(target.position.z)};
  return CleanTarget{position, std::min(target.weight, 1.0f), normalize(target.normal, {})};
}

TwoBoneRotations solve_two_bone(const TwoBonePose& pose, const TwoBoneChain& chain, const CleanTarget& target,
                                Vec3 up) {
  const Vec3d to = to_double(target.position) - pose.upper;
  const double distance = length(to);
  const double whole = length(pose.middle - pose.upper) + length(pose.end - pose.middle);
  const double weight = faded(double(target.weight), distance, kFadeShare * whole);
  const Bend bent = bend(pose, chain, distance);

  TwoBoneRotations result;
  result.upper = weighted(turn_between(unit(bent.end), unit(to), kMaxSwingTangent), weight);
  const Rotation middle = weighted(bent.rotation, weight);
  result.middle = {rotate(result.upper, middle.v), middle.w};  // the hinge has swung with the upper joint
  if (chain.end_orientation == EndOrientation::kFollow) return result;
  result.end = inverse(result.middle * result.upper);
  if (chain.end_orientation == EndOrientation::kAlign) result.end = aligned(target.normal, up, weight) * result.end;
  return result;
}

AimPlan plan_aim(const AimPose& pose, const AimChain& chain, const CleanTarget& target) {
  const Vec3d to = to_double(target.position) - pose.place;
  const double distance = length(to);
  const Vec3d from = aiming(pose, distance);
  AimPlan plan;
  bool is_limited = false;
  plan.total = turn_between(unit(from), unit(to), std::tan(double(chain.max_angle) / 2), &is_limited);
  plan.target = is_limited ? pose.place + rotate(plan.total, unit(from)) * distance : to_double(target.position);
  plan.weight = faded(double(target.weight), distance, double(chain.fade_distance));
  return plan;
}

Rotation share_of(const AimPlan& plan, double share) { return weighted(plan.total, share * plan.weight); }

Rotation finish_aim(const AimPose& pose, const AimChain& chain, const AimPlan& plan, double share, Vec3 up) {
  const Vec3d to = plan.target - pose.place;
  const Vec3d from = unit(aiming(pose, length(to)));
  const Rotation whole = turn_between(from, unit(to), kMaxSwingTangent);
  // The others have turned by their shares of the weight: what is left counts for more.
  const Rotation turn = weighted(whole, plan.weight * share / (1 - plan.weight * (1 - share)));
  if (!(length(to_double(chain.up)) > 0)) return turn;
  const Rotation roll = upright(rotate(turn, from), rotate(turn, pose.up), to_double(up));
  return weighted(roll, plan.weight) * turn;
}

double share_of(const AimChain& chain, size_t joint) {
  double sum = 0;
  for (const AimJoint& each : chain.joints) sum += double(each.share);
  return double(chain.joints[joint].share) / sum;
}

uint32_t first_joint(const Chain& chain) {
  if (const auto* two_bone = std::get_if<TwoBoneChain>(&chain.kind)) return two_bone->upper;
  return std::get<AimChain>(chain.kind).joints.front().joint;
}

uint32_t last_joint(const Chain& chain) {
  if (const auto* two_bone = std::get_if<TwoBoneChain>(&chain.kind)) return two_bone->end;
  return std::get<AimChain>(chain.kind).joints.back().joint;
}

}  // namespace sinew::internal
