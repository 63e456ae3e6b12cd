// Layers of the viewer, such as one for the arms over a run: the option that adds one, and the playback and masks that
// show them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// What a layer does to the pose below it.
enum class LayerMode : uint8_t {
  kOverride,  // replaces it
  kAdditive,  // adds the differences of the clip from its first pose
};

/// A layer over the base clip. The fields of the first group may change at any time.
struct ViewLayer {
  uint32_t clip = 0;         // of the file, in Character::clips; an additive clip is added in both modes
  float weight = 1;          // 0 to 1
  int32_t joint = kNoJoint;  // the layer moves this joint and all below it; kNoJoint: all joints
  LayerMode mode = LayerMode::kOverride;
  double seconds = 0;  // playback time; it loops over the clip
  /// In place of `seconds`: the phase of the base clip, the share of its range that has been played.
  bool in_phase = false;

  float presence = 1;       // multiplies the weight: grows to 1, or shrinks to 0 once the layer is dropped
  double fade_seconds = 0;  // that a full change of presence takes
  bool dropped = false;     // it is removed when its presence is 0

  friend bool operator==(const ViewLayer&, const ViewLayer&) = default;
};

/// A clip of a stack, at one moment.
struct StackedClip {
  uint32_t clip = 0;  // additive if and only if `mode` is kAdditive
  float time_seconds = 0;
  float weight = 1;  // 0 to 1
  int32_t joint = kNoJoint;
  LayerMode mode = LayerMode::kOverride;
};

/// The playback that shows a stack of at most kMaxLayers clips, from the lowest. The lowest should be a clip with
/// weight 1 and without a joint: it gets what is left on each joint.
///
/// A clip with weight w replaces the share w of what is below it, on each of its joints. Of what is below, additive
/// clips included, the share 1 - w remains. Layer i of the playback is clip i. If its share is the same on all joints,
/// the share is the weight of the layer. Else the weight is 1, the mask has number i + 1, and masks[i] holds the share
/// on each joint. `masks` are kMaxLayers vectors of joint_count elements.
Playback playback_of(const Skeleton& skeleton, std::span<const StackedClip> stack, std::span<NamedMask> masks);

/// An option that adds a layer, as written: clip=NAME,joint=NAME,weight=W,mode=override|additive,time=S|phase.
struct LayerOption {
  std::string clip;
  std::optional<std::string> joint;
  ViewLayer layer;  // without clip and joint, which are not looked up yet
};

/// Parses the option. Keys come in any order, each once; only `clip` is required. A name may contain ':' and '=', and
/// commas too: in a name, a comma begins a new key only before a key of the list above and '='. Errors:
/// kInvalidArgument with the word at fault.
Result<LayerOption> parse_layer(std::string_view option);

/// The layer, with names looked up among the clips and joints of the character. Call it before clips are derived.
/// Errors: kNotFound with the nearest names.
Result<ViewLayer> resolve_layer(const LayerOption& option, const Character& character);

}  // namespace sinew::app
