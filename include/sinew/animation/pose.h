// The four stages of the exact evaluator, in their order: sample a clip, blend poses, walk the hierarchy, build the
// palette.
//
// The exact evaluator takes one instance at a time and the keys as in the file. It is the reference of every test; for
// crowds see sinew/animation/evaluator.h. All calls may run in parallel on different outputs. Only make_additive()
// allocates. Sizes of spans are asserted.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew {

// --- sample: a clip at a time becomes a local pose ---

/// What playback does at the ends of a clip: stop, start again, or reverse.
enum class Looping : uint8_t { kClamp, kLoop, kPingPong };

/// The clip's own time after `seconds` of playback from its start. `seconds` may be negative, as with a negative speed.
/// Returns the start if the clip has no duration or `seconds` is not finite.
SINEW_API float clip_time(const Clip& clip, double seconds, Looping looping);

/// How two keys of rotation are interpolated: at constant angular speed, or linearly and then normalized (faster).
enum class RotationBlend : uint8_t { kSlerp, kNlerp };

/// Writes the local pose at `time_seconds` of the clip's own time. Before its first key a track has the first value,
/// after its last key the last.
///
/// `pose` receives joint_count transforms, each relative to the parent joint. A property without keys gets its rest
/// value or, in an additive clip, no difference. Rotations take the shorter arc and have unit length. `clip` must be
/// valid for `skeleton`.
SINEW_API void sample_clip(const Clip& clip, const Skeleton& skeleton, float time_seconds, std::span<Transform> pose,
                           RotationBlend rotation_blend = RotationBlend::kSlerp);

// --- blend: local poses become one, then differences are added ---

/// A pose and its weight. The spans must be valid during the call.
struct PoseLayer {
  std::span<const Transform> pose;       // joint_count transforms, local space
  float weight = 1;                      // not negative
  std::span<const float> joint_weights;  // a mask: joint_count factors, not negative; empty: all 1
};

/// Writes the weighted mean of `layers` for every joint. A joint whose masked weights are all 0 gets the transform of
/// the first layer with a weight above 0, or of `rest_pose` if there is none.
///
/// Weights need not add to 1. Rotations are blended as quaternions: signs are aligned to the first layer with a weight
/// above 0, then the sum is normalized. All spans hold joint_count transforms; `pose` may be the pose of a layer.
SINEW_API void blend_poses(std::span<const PoseLayer> layers, std::span<const Transform> rest_pose,
                           std::span<Transform> pose);

/// Adds the pose of differences in `layer` to `pose`: t + w * dt, R * nlerp(1, dR, w), S * (1 + w * (dS - 1)) with t,
/// R, S of `pose`, dt, dR, dS of the differences, and w the masked weight, at most 1.
SINEW_API void add_pose(const PoseLayer& layer, std::span<Transform> pose);

/// Makes an additive clip: its tracks are the differences of `clip` from `reference`, a local pose of joint_count
/// transforms (often the first of the clip). Differences are t - t_ref, conjugate(R_ref) * R and S / S_ref, or 1 if
/// S_ref is 0. Both evaluators add such a clip to the other layers. Errors: kInvalidArgument (`clip` is already
/// additive, `reference` has another size), kInvalidData (`clip` does not fit the skeleton), kOutOfMemory.
///
/// Morph weights become differences from `reference_weights`, one per morph target of the mesh, often the rest weights;
/// empty: 0 each. A target without a track has no difference.
SINEW_API Result<Clip> make_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference,
                                     std::span<const float> reference_weights = {});

// --- walk: a local pose becomes matrices in model space ---

/// Writes model_from_joint(j) = model_from_joint(parent of j) * T * R * S for every joint. For a root,
/// Skeleton::model_from_root takes the parent's place.
///
/// `pose` and `model_from_joint` hold joint_count elements each.
SINEW_API void walk_hierarchy(const Skeleton& skeleton, std::span<const Transform> pose,
                              std::span<Matrix3x4d> model_from_joint);

// --- build: joints in model space become the palette, the matrices that skin vertices ---

/// Writes palette[e] = model_from_joint(joint of e) * joint_from_mesh(e), rounded to float once. A constant entry is
/// written as it is.
///
/// `palette` holds palette_size matrices, 48 bytes each. It is written in order and never read: it may be mapped
/// memory.
SINEW_API void build_palette(const Skin& skin, std::span<const Matrix3x4d> model_from_joint,
                             std::span<Matrix3x4> palette);

/// How the matrices of a character's palettes can scale.
enum class PaletteScaling : uint8_t {
  kNone,     // rotations and translations alone
  kUniform,  // besides, scales that are positive and equal in all directions
  kAny,
};

/// What holds for every mix of `clips` and the rest pose, within 1e-5 of a scale: vulkan::PaletteFormat asks for it. A
/// host that poses joints itself must know what it adds. Additive clips that scale count as kAny or kUniform.
SINEW_API PaletteScaling palette_scaling(const Skeleton& skeleton, const Skin& skin, std::span<const Clip> clips);

}  // namespace sinew
