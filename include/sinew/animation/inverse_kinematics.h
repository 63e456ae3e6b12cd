// Inverse kinematics: chains of joints that reach for a target, or aim at it, on top of what the clips play.
//
// A character's chains are named once. Each instance gives targets for those chains that it wants to move, or none.
// Both evaluators of sinew/animation/evaluator.h turn the joints of a chain in model space, each about its own place,
// with all that hangs on it. Lengths never change, and any target is safe. What a target does is continuous: no joint
// of a two-bone chain moves further than kMaxChainGain times the step of the target, wherever the target is, and within
// reach and away from the limits below much less. No joint of an aim chain turns further than kMaxChainGain times the
// step over AimChain::fade_distance, in radians. docs/inverse_kinematics.md shows how to use chains, and their cost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// What becomes of the orientation of a two-bone chain's end joint.
enum class EndOrientation : uint8_t {
  kFollow,  // it turns with the chain
  kKeep,    // as the clips have it in model space
  kAlign,   // kept, then turned by the rotation from the up axis of model space to ChainTarget::normal
};

/// Three joints, each below the one before, such as thigh, shin and foot. Other joints may lie between them, and
/// follow. The middle joint bends like a hinge, then the upper joint swings the end to the target by the shortest way.
///
/// - The chain is straight at the length of both bones together, times `reach`. Towards it, and towards the shortest
///   distance, the end lags behind the target: within the last `soft` of the chain's length it slows down, and it
///   reaches the end of that only for a target infinitely far away.
/// - Where the target is nearer to the upper joint than a fifth of the chain's length, the weight fades to 0 with the
///   distance.
/// - The upper joint swings by 135 degrees at most; for targets behind that, back to 0.
/// - A chain with a bone without length swings, and does not bend.
struct TwoBoneChain {
  uint32_t upper = 0, middle = 0, end = 0;  // joints
  Vec3 pole{};  // where the middle joint bends to, in the space of the upper joint: it turns with the thigh
  EndOrientation end_orientation = EndOrientation::kFollow;
  float reach = 1;     // from 0.1 to 1
  float soft = 0.02f;  // from 0.02 to 0.5
};

/// A joint of an aim chain, and its share of the rotation. Shares are positive; they are divided by their sum.
struct AimJoint {
  uint32_t joint = 0;
  float share = 1;
};

/// Joints, each below the one before, such as neck and head. The last one has the axis that aims; those above take
/// their share of its rotation first, each by the shortest way, and the last one the rest.
///
/// - The rotation from the direction that the clips give is at most `max_angle`. For targets further behind it shrinks
///   to 0 again.
/// - With an `up`, the last joint is then turned about the line to the target until `up` points up in model space, as
///   far as that line allows; within 30 degrees of the vertical less and less, and so beyond a turn of 90 degrees.
/// - Where the target is nearer than `fade_distance`, the weight fades to 0 with the distance.
struct AimChain {
  std::vector<AimJoint> joints;  // at most kMaxAimJoints; the last one's share is at least a tenth
  Vec3 axis{};                   // what points at the target, in the space of the last joint; any length
  Vec3 offset{};                 // where the axis begins, in the same space; such as between the eyes
  Vec3 up{};                     // in the same space; 0 0 0: the roll is what the rotation makes of it
  float max_angle = 1.4f;        // radians, from 0.01 to 2.3
  float fade_distance = 0;       // model units
};

inline constexpr uint32_t kMaxChains = 32, kMaxAimJoints = 8;  // of a character; of a chain

/// See the top of this file. It holds for targets whose weight stays.
inline constexpr float kMaxChainGain = 40;

/// A chain with its name.
struct Chain {
  std::string name;
  std::variant<TwoBoneChain, AimChain> kind;
};

/// Where a chain of one instance shall be. Without weight, or where a coordinate or the weight is NaN, there is no
/// target. A position beyond kMaxCoordinate counts as one at that distance along each axis.
struct ChainTarget {
  uint32_t instance = 0;  // of the call; targets ascend by it
  uint32_t chain = 0;     // of the last several targets of an instance and chain the last one counts
  Vec3 position{};        // model space
  float weight = 1;       // above 1 counts as 1; 0 is the pose of the clips
  Vec3 normal{};          // EndOrientation::kAlign: of the ground, in model space; 0 0 0 or NaN: up
};

/// The chains of a character, and the targets of the instances of one call.
struct ChainTargets {
  std::span<const Chain> chains;         // valid for the character
  std::span<const ChainTarget> targets;  // ascending by instance; only of instances that have any
};

/// Checks that joints exist and are below each other, that no two chains have a joint in common, not even one that lies
/// between theirs, and that every number is in its range. Errors: kInvalidArgument with the chain's name, kOutOfMemory.
SINEW_API Status validate(std::span<const Chain> chains, const Character& character);

/// The chains of a humanoid, found by the names of joints: "left leg", "right leg", "left arm", "right arm" and "head",
/// those that there are. Names as from Mixamo, Rigify, VRM, Unreal, Unity, 3ds Max, and of the built-in characters.
/// Feet are aligned, hands follow; knees bend to the front and elbows to the back, or as they do in the rest pose. The
/// head looks to the front of model space, with the neck's help. Error: kOutOfMemory.
SINEW_API Result<std::vector<Chain>> find_chains(const Character& character);

/// A stage of the exact evaluator, after walk_hierarchy(): moves `model_from_joint`, one matrix for each joint, by the
/// targets of one instance. `chains` must be valid for `character`. ChainTarget::instance is not looked at; targets of
/// chains that do not exist are left out.
SINEW_API void apply_chains(const Character& character, std::span<const Chain> chains,
                            std::span<const ChainTarget> targets, std::span<Matrix3x4d> model_from_joint);

}  // namespace sinew
