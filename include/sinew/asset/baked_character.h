// The baked character: clips as uniform frames of 16-bit numbers. Plain data, made by bake() and read by the crowd
// evaluator; see sinew/bake.h for what the numbers are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

struct BakeOptions {
  /// The largest error allowed, in meters on a character whose largest extent is 1.8 m...
  float max_error = 1e-4f;
  /// ... of points this far from each joint, in the same meters.
  float error_radius = 0.1f;
  float min_frames_per_second = 30;
  float max_frames_per_second = 240;

  bool operator==(const BakeOptions&) const = default;
};

inline constexpr uint32_t kChannelsPerBlock = 8;  // of a record: quaternion x y z w, place x y z, and one unused

/// A cache line of frames.
struct alignas(64) BakedCacheLine {
  int16_t values[32] = {};
};

/// How a record's 16-bit numbers become floats: center + scale * n, per component, the same for every clip.
struct BakedQuantization {
  float center[kChannelsPerBlock];
  float scale[kChannelsPerBlock];
};

/// One step of the hierarchy walk: a joint, or a palette entry that is a constant away from its joint.
struct BakedNode {
  int32_t joint = kNoJoint;  // in the skeleton; kNoJoint where the step is constant
  int32_t parent = -1;       // in BakedCharacter::joints; -1: model space itself
  int32_t entry = -1;        // in the palette, or -1: it only moves others
  Vec3 origin;               // of B, in model space
};

struct BakedClip {
  std::string name;
  float start_seconds = 0, end_seconds = 0;
  double frames_per_second = 0;  // such that the last frame falls on the end
  uint32_t first_frame = 0;      // of BakedCharacter::frames
  uint32_t frame_count = 0;      // at least two; a still clip repeats its only one
  float error = 0;               // meters as of BakeOptions::max_error, see bake(); additive: on the rest pose
  bool additive = false;         // its numbers are differences, in additive_quantizations
};

/// Everything the crowd evaluator reads. Plain data; share it between crowds and threads.
struct BakedCharacter {
  std::vector<BakedNode> nodes;                           // parents first, in the skeleton's order; entries ascend
  std::vector<BakedQuantization> quantizations;           // blocks_per_node for each joint
  std::vector<BakedQuantization> additive_quantizations;  // likewise, of additive clips; empty where there are none
  std::vector<BakedCacheLine> frames;  // [frame][joint][record][8], each frame cache_lines_per_frame long
  std::vector<BakedClip> clips;        // as Character::clips
  float scale = 1;                     // of the whole: model space is this times what the walk gives
  uint32_t joint_count = 0;            // of the skeleton it was baked from
  uint32_t palette_size = 0;
  uint32_t blocks_per_node = 1;  // 2 where something scales: the second holds the stretch xx yy zz xy xz yz
  uint32_t cache_lines_per_frame = 0;
  BakeOptions options;  // as they were asked for

  std::span<const BakedQuantization> quantizations_of(const BakedClip& clip) const {
    return clip.additive ? additive_quantizations : quantizations;
  }
  bool scales() const { return blocks_per_node == 2; }
  const int16_t* values_of(uint32_t frame) const { return frames[size_t(frame) * cache_lines_per_frame].values; }
  int16_t* values_of(uint32_t frame) { return frames[size_t(frame) * cache_lines_per_frame].values; }
};

/// Every index and count is in range, so that the crowd evaluator stays within its arrays; what it computes with is
/// finite. Whether the frames are those of a character's clips, and their error what they say, only baking again could
/// tell.
Status validate(const BakedCharacter& baked);

/// Refuses a bake that is not of this character: another number of joints, palette entries or clips, or other times.
Status validate(const BakedCharacter& baked, const Character& character);

}  // namespace sinew
