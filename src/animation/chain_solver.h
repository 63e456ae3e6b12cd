// The rotations of chains, in double precision, for the exact evaluator and the scalar lane code. lane_chain-inl.h has
// them for vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "sinew/animation/inverse_kinematics.h"

namespace sinew::internal {

struct Vec3d {
  double x = 0, y = 0, z = 0;
};

inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }
inline Vec3d to_double(Vec3 a) { return {double(a.x), double(a.y), double(a.z)}; }

/// A rotation as a quaternion: `v` is its imaginary part.
struct Rotation {
  Vec3d v;
  double w = 1;
};

Vec3d rotate(const Rotation& rotation, Vec3d a);
/// `b` is applied first.
Rotation operator*(const Rotation& a, const Rotation& b);
Rotation inverse(const Rotation& rotation);

/// `matrix` after a rotation of model space about `place`.
Matrix3x4d rotated(const Matrix3x4d& matrix, const Rotation& rotation, Vec3d place);

/// A target without the values that cannot be used; see ChainTarget.
struct CleanTarget {
  Vec3 position;
  float weight = 0;
  Vec3 normal;  // 0 0 0: none
};

/// Nothing where `target` has no effect.
std::optional<CleanTarget> clean(const ChainTarget& target);

// Limits of sinew/animation/inverse_kinematics.h.
inline constexpr double kFadeShare = 0.2;                      // of a chain's length
inline constexpr double kMaxSwingTangent = 2.414213562373095;  // of half of 135 degrees
inline constexpr double kMinBoneShare = 1e-3;                  // of a chain's length: a shorter bone has no direction
inline constexpr double kUprightFade = 4;                      // 1 / sin(30 degrees)^2

/// A two-bone chain of one pose, in model space.
struct TwoBonePose {
  Vec3d upper, middle, end;  // the joints' places
  Vec3d pole;                // a direction
};

/// Rotations of model space, each about the place of its joint after those before.
struct TwoBoneRotations {
  Rotation upper, middle, end;
};

/// `up`: of model space.
TwoBoneRotations solve_two_bone(const TwoBonePose& pose, const TwoBoneChain& chain, const CleanTarget& target, Vec3 up);

/// The last joint of an aim chain in one pose: model space, directions of any length.
struct AimPose {
  Vec3d place, axis, offset, up;
};

/// What an aim chain does, as its first joint finds it.
struct AimPlan {
  Rotation total;     // what all joints together turn, at full weight
  Vec3d target;       // what the last joint aims at: within the limit
  double weight = 0;  // faded
};

AimPlan plan_aim(const AimPose& pose, const AimChain& chain, const CleanTarget& target);
/// The rotation of a joint with this share, not of the last one.
Rotation share_of(const AimPlan& plan, double share);
/// The rotation of the last joint. `pose`: after the rotations of the others; `share`: its own, of 1; `up`: of model
/// space.
Rotation finish_aim(const AimPose& pose, const AimChain& chain, const AimPlan& plan, double share, Vec3 up);

/// The shares of a chain's joints, divided by their sum.
double share_of(const AimChain& chain, size_t joint);

/// The joint at which a chain begins, and the one where it ends: all between them are its own.
uint32_t first_joint(const Chain& chain);
uint32_t last_joint(const Chain& chain);

// The targets of one call: their check, and those of one instance.

/// Checks that instances ascend, and that instances and chains exist.
inline Status check_targets(std::span<const ChainTarget> targets, size_t instances, size_t chains) {
  const auto refuse = [](size_t i, const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, "target " + std::to_string(i) + ": " + why};
  };
  for (size_t i = 0; i < targets.size(); ++i) {
    const ChainTarget& target = targets[i];
    if (target.instance >= instances) return refuse(i, "there is no instance " + std::to_string(target.instance));
    if (target.chain >= chains) return refuse(i, "there is no chain " + std::to_string(target.chain));
    if (i > 0 && target.instance < targets[i - 1].instance) return refuse(i, "instances do not ascend");
  }
  return {};
}

/// The targets from those of `instance` on.
inline std::span<const ChainTarget> targets_from(std::span<const ChainTarget> targets, uint32_t instance) {
  const auto first = std::partition_point(targets.begin(), targets.end(),
                                          [&](const ChainTarget& target) { return target.instance < instance; });
  return {first, targets.end()};
}

/// Those of `instance`, which may be none.
inline std::span<const ChainTarget> targets_of(std::span<const ChainTarget> targets, uint32_t instance) {
  const std::span<const ChainTarget> rest = targets_from(targets, instance);
  size_t count = 0;
  while (count < rest.size() && rest[count].instance == instance) ++count;
  return rest.first(count);
}

}  // namespace sinew::internal
