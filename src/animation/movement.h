// What baking stores of a joint: its movement relative to the bind pose, taken apart.
#pragma once

#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace sinew {

/// M = [ rotation * stretch | place - rotation * stretch * origin ], in double precision until it is quantised.
/// Of an additive clip, what it adds: a rotation on the right, an offset of the place, a stretch to multiply with.
struct Movement {
  double rotation[4] = {0, 0, 0, 1};       // x y z w
  double place[3] = {0, 0, 0};             // where the joint's origin moves to
  double stretch[6] = {1, 1, 1, 0, 0, 0};  // xx yy zz xy xz yz
};

Movement take_apart(const Matrix3x4d& movement, Vec3 origin);
Matrix3x4d put_together(const Movement& movement, Vec3 origin);

/// What plays on top of `base`, whole.
Movement add(const Movement& base, const Movement& additive);

/// What a step's movement is measured from.
struct StepFrames {
  Matrix3x4d model_from_parent;  // B of the parent, the root transform above roots: rotation, uniform scale and place
  Matrix3x4d frame_from_model;   // inverse(B), likewise
  double left[4] = {0, 0, 0, 1}, right[4] = {0, 0, 0, 1};  // the rotations of both
  double scale = 1;                                        // the scales of both, multiplied
  Matrix3x4d constant;                                     // of a step without a joint: its movement...
  Movement constant_movement;                              // ... taken apart
};

/// How the walk of one character is laid out.
struct BakePlan {
  double scale = 1;  // of the whole: every root's movement is measured after dividing by it
  std::vector<BakedJoint> joints;
  std::vector<StepFrames> frames;  // of each of them
};

/// Leaves out joints that move no palette entry.
BakePlan plan_bake(const Character& character);

/// The movement of every step in the local pose `pose`.
void measure_movements(const BakePlan& plan, std::span<const Transform> pose, std::span<Movement> movements);

/// The same of a pose of differences, as an additive clip has them.
void measure_additions(const BakePlan& plan, std::span<const Transform> pose, std::span<Movement> movements);

/// The skinning matrix of every step, exactly.
void walk_pose(const BakePlan& plan, std::span<const Transform> pose, std::span<Matrix3x4d> skinning);

/// The same from movements.
void walk_movements(const BakePlan& plan, std::span<const Movement> movements, std::span<Matrix3x4d> skinning);

}  // namespace sinew
