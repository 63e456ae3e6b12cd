// The baked character: clips resampled to frames, as 16-bit values. It is plain data, made by bake() and read by
// CrowdEvaluator. sinew/animation/bake.h says what the values mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// How precise a bake is. All values are positive and finite.
struct BakeOptions {
  /// The largest allowed distance between a baked point and the exact one. The unit is the meter after scaling the
  /// character so that the largest extent of its rest pose is 1.8 m.
  float max_error = 1e-4f;
  /// The distance from each joint to the points that are compared, in the same meters.
  float error_radius = 0.1f;
  float min_frames_per_second = 30;   // the rate that is tried first
  float max_frames_per_second = 240;  // the highest rate of equal steps; other frames are at most twice as many

  bool operator==(const BakeOptions&) const = default;
};

/// An optional callback, called from time to time on the thread that asked for the bake. `share` is the estimated part
/// of the work that is done, from 0 to 1.
struct BakeProgress {
  void* user_data = nullptr;
  void (*report)(void* user_data, double share) = nullptr;
};

/// Channels of a channel block. The first block of a node: quaternion x y z w, translation x y z, one unused. A second
/// block, if any: scale xx yy zz xy xz yz, two unused.
inline constexpr uint32_t kChannelsPerBlock = 8;

/// 64 bytes of frame data.
struct alignas(64) BakedCacheLine {
  int16_t values[32] = {};
  bool operator==(const BakedCacheLine&) const = default;
};

/// How the 16-bit values n of a channel block become floats: center + scale * n per channel, the same for all frames.
struct BakedQuantization {
  float center[kChannelsPerBlock];
  float scale[kChannelsPerBlock];
  bool operator==(const BakedQuantization&) const = default;
};

/// One node of the hierarchy walk: a joint, or a constant matrix below its parent. Constant nodes are further palette
/// entries of a joint, entries without a joint, and a root transform that is more than rotation, translation and
/// uniform scale.
struct BakedNode {
  int32_t joint = kNoJoint;  // in the skeleton; kNoJoint if the node is constant
  int32_t parent = -1;       // in BakedCharacter::nodes; -1: model space
  int32_t entry = -1;        // the palette entry that the node writes; -1: none, it only moves its children
  Vec3 origin;               // the translation of the bind pose B, in model space; see bake.h
  bool operator==(const BakedNode&) const = default;
};

/// The times of a clip's frames, from its start to its end: at equal steps, or each its own.
struct BakedTimes {
  uint32_t frame_count = 0;      // at least 2: a clip of no duration has its frame twice
  double frames_per_second = 0;  // on average, where frames have times of their own
  /// One per frame, ascending. Of two equal times the first frame holds the value just before a jump, the second the
  /// value from it on; at the clip's end a third follows. Empty: equal steps.
  std::vector<float> frame_seconds;

  bool operator==(const BakedTimes&) const = default;
};

/// One clip and where its frames are.
struct BakedClip {
  std::string name;
  float start_seconds = 0, end_seconds = 0;
  BakedTimes times;
  uint32_t first_frame = 0;        // in BakedCharacter::frames, counted in frames
  float error = 0;                 // in meters of BakeOptions::max_error, see bake(); additive: on top of the rest pose
  bool additive = false;           // the values are differences, in additive_quantizations
  int32_t error_joint = kNoJoint;  // where the error was measured: near this joint, at this time of the clip
  float error_seconds = 0;
  bool operator==(const BakedClip&) const = default;
};

/// The morph weights of one clip: frames at times of their own, and only the targets that the clip moves. Values are
/// differences: of an additive clip those of its tracks, else from the rest weights.
struct BakedWeights {
  BakedTimes times;                             // no frames without targets
  uint32_t first_target = 0, target_count = 0;  // in BakedCharacter::weight_targets
  uint32_t first_value = 0;                     // in BakedCharacter::weight_values
  float error = 0;  // meters of BakeOptions::max_error: how far wrong weights move a vertex in the rest pose, at most
  bool operator==(const BakedWeights&) const = default;
};

/// All that CrowdEvaluator reads of a character. Share it between evaluators and threads.
struct BakedCharacter {
  std::vector<BakedNode> nodes;                           // parents first, joints as in the skeleton, entries ascending
  std::vector<BakedQuantization> quantizations;           // [node][block]
  std::vector<BakedQuantization> additive_quantizations;  // the same for additive clips; empty if there are none
  std::vector<BakedCacheLine> frames;      // [frame][node][block][channel]; frames 0 and 1 are the rest pose
  std::vector<BakedClip> clips;            // in the order of Character::clips
  float scale = 1;                         // uniform, above all roots: palettes are this times the result of the walk
  uint32_t joint_count = 0;                // of the skeleton
  uint32_t palette_size = 0;               // entries of the palette, all written by nodes
  uint32_t blocks_per_node = 1;            // 2 if a scale is stored, else 1
  uint32_t cache_lines_per_frame = 0;      // a frame is padded to whole cache lines
  std::vector<float> rest_weights;         // one per morph target of the mesh
  std::vector<BakedWeights> clip_weights;  // one per clip; empty without morph targets
  std::vector<uint32_t> weight_targets;    // of each clip, ascending
  std::vector<float> weight_values;        // of each clip: [frame][target]
  BakeOptions options;                     // the options of the bake() call

  uint32_t target_count() const { return uint32_t(rest_weights.size()); }

  /// The quantizations of a clip's frames.
  std::span<const BakedQuantization> quantizations_of(const BakedClip& clip) const {
    return clip.additive ? additive_quantizations : quantizations;
  }
  /// True if channel blocks of scale are stored.
  bool scales() const { return blocks_per_node == 2; }
  /// The values of a frame: [node][block][channel].
  const int16_t* values_of(uint32_t frame) const { return frames[size_t(frame) * cache_lines_per_frame].values; }
  int16_t* values_of(uint32_t frame) { return frames[size_t(frame) * cache_lines_per_frame].values; }
  bool operator==(const BakedCharacter&) const = default;
};

/// Checks that every index and count is in range and every float is finite, so that CrowdEvaluator stays within its
/// arrays. Does not check that the frames and errors are those of a character's clips: that would need another bake.
/// Errors: kInvalidData, kOutOfMemory.
SINEW_API Status validate(const BakedCharacter& baked);

/// Checks that the bake can be of this character: the same numbers of joints, palette entries, morph targets and clips,
/// the same start, end and kind of every clip. Errors: kInvalidArgument, kOutOfMemory.
SINEW_API Status validate(const BakedCharacter& baked, const Character& character);

/// The same for the bake of a level of detail: with the palette of `skin`, and as many morph targets as its mesh has.
SINEW_API Status validate(const BakedCharacter& baked, const Character& character, const Skin& skin,
                          uint32_t target_count);

}  // namespace sinew
