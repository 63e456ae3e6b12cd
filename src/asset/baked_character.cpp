#include "sinew/asset/baked_character.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "exceptions.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kValuesPerCacheLine = 32;

/// A node's parent must come before the node. The nodes must write every palette entry once, in order.
Status validate_nodes(const BakedCharacter& baked) {
  uint32_t next_entry = 0;
  for (size_t i = 0; i < baked.nodes.size(); ++i) {
    const BakedNode& node = baked.nodes[i];
    const bool in_range = node.joint >= kNoJoint && node.joint < int64_t(baked.joint_count) && node.parent >= -1 &&
                          node.parent < int64_t(i);
    const bool in_order = node.entry == -1 || node.entry == int64_t(next_entry);
    if (!in_range || !in_order || !is_finite(node.origin)) {
      return invalid("bake: step " + std::to_string(i) + " names what is not there, or is not finite");
    }
    next_entry += node.entry >= 0;
  }
  if (next_entry == baked.palette_size) return {};
  return invalid("bake: its steps write " + std::to_string(next_entry) + " palette entries of " +
                 std::to_string(baked.palette_size));
}

bool is_finite(const BakedQuantization& quantization) {
  const auto finite = [](float value) { return std::isfinite(value); };
  return std::all_of(std::begin(quantization.center), std::end(quantization.center), finite) &&
         std::all_of(std::begin(quantization.scale), std::end(quantization.scale), finite);
}

Status validate_quantizations(const BakedCharacter& baked, std::span<const BakedQuantization> quantizations) {
  if (quantizations.size() != baked.nodes.size() * baked.blocks_per_node) {
    return invalid("bake: it has " + std::to_string(quantizations.size()) + " ranges for " +
                   std::to_string(baked.nodes.size()) + " steps");
  }
  if (!std::all_of(quantizations.begin(), quantizations.end(),
                   [](const BakedQuantization& quantization) { return is_finite(quantization); })) {
    return invalid("bake: its ranges are not finite");
  }
  return {};
}

/// A frame must be as long as the channel blocks of all nodes. The two frames of the rest pose must exist.
Status validate_frames(const BakedCharacter& baked) {
  const size_t values = baked.nodes.size() * baked.blocks_per_node * kChannelsPerBlock;
  const size_t cache_lines = std::max<size_t>((values + kValuesPerCacheLine - 1) / kValuesPerCacheLine, 1);
  if (baked.cache_lines_per_frame != cache_lines || baked.frames.size() % cache_lines != 0 ||
      baked.frames.size() < 2 * cache_lines) {
    return invalid("bake: its frames are not as long as their numbers");
  }
  return {};
}

/// Frames that have times must have one each, in order, between the ends of the clip.
bool are_in_order(const BakedTimes& times, const BakedClip& clip) {
  const std::vector<float>& seconds = times.frame_seconds;
  if (!std::isfinite(times.frames_per_second) || times.frames_per_second < 0) return false;
  if (seconds.empty()) return true;
  const auto is_finite = [](float value) { return std::isfinite(value); };
  return seconds.size() == times.frame_count && std::all_of(seconds.begin(), seconds.end(), is_finite) &&
         std::is_sorted(seconds.begin(), seconds.end()) && seconds.front() == clip.start_seconds &&
         seconds.back() == clip.end_seconds;
}

Status validate_clip(const BakedCharacter& baked, const BakedClip& clip) {
  const auto refuse = [&](const char* what) { return invalid("bake: clip '" + clip.name + "' " + what); };
  const uint64_t frames = baked.frames.size() / baked.cache_lines_per_frame;
  if (clip.times.frame_count < 2 || uint64_t(clip.first_frame) + clip.times.frame_count > frames) {
    return refuse("has frames that are not there");
  }
  const bool finite = std::isfinite(clip.start_seconds) && std::isfinite(clip.end_seconds) &&
                      std::isfinite(clip.error) && std::isfinite(clip.error_seconds);
  if (!finite || !(clip.start_seconds <= clip.end_seconds) || !are_in_order(clip.times, clip) ||
      !(clip.times.frames_per_second > 0) || clip.error < 0) {
    return refuse("has times or an error that are out of order or not finite");
  }
  if (clip.error_joint < kNoJoint || clip.error_joint >= int64_t(baked.joint_count))
    return refuse("names a joint that is not there");
  if (clip.additive && baked.additive_quantizations.empty() && !baked.nodes.empty())
    return refuse("lacks additive ranges");
  return {};
}

Status validate_clip_weights(const BakedCharacter& baked, const BakedWeights& weights, const BakedClip& clip) {
  const auto refuse = [&](const char* what) {
    return invalid("bake: the weights of clip '" + clip.name + "' " + what);
  };
  if (uint64_t(weights.first_target) + weights.target_count > baked.weight_targets.size()) {
    return refuse("name targets that are not there");
  }
  const auto targets = std::span(baked.weight_targets).subspan(weights.first_target, weights.target_count);
  for (size_t i = 0; i < targets.size(); ++i) {
    const bool ascends = i == 0 || targets[i] > targets[i - 1];
    if (!ascends || targets[i] >= baked.target_count()) return refuse("have targets out of range or out of order");
  }
  const uint32_t frames = weights.times.frame_count;
  const uint64_t values = uint64_t(weights.target_count) * frames;
  if (weights.first_value + values > baked.weight_values.size() || (!targets.empty() && frames < 2)) {
    return refuse("have frames that are not there");
  }
  if (!are_in_order(weights.times, clip) || !std::isfinite(weights.error) || weights.error < 0) {
    return refuse("have times or an error that are out of range");
  }
  return {};
}

Status validate_weights(const BakedCharacter& baked) {
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(baked.rest_weights.begin(), baked.rest_weights.end(), finite) ||
      !std::all_of(baked.weight_values.begin(), baked.weight_values.end(), finite)) {
    return invalid("bake: its morph weights are not finite");
  }
  if (baked.clip_weights.size() != (baked.rest_weights.empty() ? 0 : baked.clips.size())) {
    return invalid("bake: it has morph weights of " + std::to_string(baked.clip_weights.size()) + " clips");
  }
  for (size_t i = 0; i < baked.clip_weights.size(); ++i) {
    Status status = validate_clip_weights(baked, baked.clip_weights[i], baked.clips[i]);
    if (!status) return status;
  }
  return {};
}

}  // namespace

Status validate(const BakedCharacter& baked) SINEW_TRY {
  if (baked.blocks_per_node != 1 && baked.blocks_per_node != 2) return invalid("bake: it has no records");
  if (!std::isfinite(baked.scale)) return invalid("bake: its scale is not finite");
  if (Status status = validate_nodes(baked); !status) return status;
  if (Status status = validate_quantizations(baked, baked.quantizations); !status) return status;
  if (!baked.additive_quantizations.empty()) {
    if (Status status = validate_quantizations(baked, baked.additive_quantizations); !status) return status;
  }
  if (Status status = validate_frames(baked); !status) return status;
  for (const BakedClip& clip : baked.clips) {
    if (Status status = validate_clip(baked, clip); !status) return status;
  }
  return validate_weights(baked);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const BakedCharacter& baked, const Character& character) SINEW_TRY {
  return validate(baked, character, character.skin, character.mesh.target_count());
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const BakedCharacter& baked, const Character& character, const Skin& skin,
                uint32_t target_count) SINEW_TRY {
  const auto refuse = [&](const std::string& what, size_t has, size_t wants) {
    return Error{ErrorCode::kInvalidArgument, "bake: it has " + std::to_string(has) + " " + what + ", character '" +
                                                  character.name + "' " + std::to_string(wants)};
  };
  const uint32_t joints = character.skeleton.joint_count(), entries = skin.palette_size();
  if (baked.joint_count != joints) return refuse("joints", baked.joint_count, joints);
  if (baked.palette_size != entries) return refuse("palette entries", baked.palette_size, entries);
  if (baked.target_count() != target_count) return refuse("morph targets", baked.target_count(), target_count);
  if (baked.clips.size() != character.clips.size()) return refuse("clips", baked.clips.size(), character.clips.size());
  for (size_t i = 0; i < baked.clips.size(); ++i) {
    const BakedClip& a = baked.clips[i];
    const Clip& b = character.clips[i];
    if (a.start_seconds == b.start_seconds && a.end_seconds == b.end_seconds && a.additive == b.additive) continue;
    return Error{ErrorCode::kInvalidArgument, "bake: clip '" + a.name + "' is not the character's '" + b.name + "'"};
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
