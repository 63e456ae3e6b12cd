// What the viewer shows besides the characters themselves.
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/asset/skeleton.h"

namespace sinew::app {

/// What the colors of surfaces mean.
enum class DataColors : uint8_t {
  kMaterials,    // those of the file
  kInfluences,   // how many joints move each vertex
  kLostWeight,   // the weight that a limit of kUsualInfluences would drop
  kJointWeight,  // how much the selected joint moves each vertex
  kLevel,        // the level of detail
};

inline constexpr uint32_t kUsualInfluences = 4;

struct ShownOptions {
  bool bones = false, names = false, axes = false;  // axes: of the selected joint, or of all without one
  bool normals = false, tangents = false;
  bool clip_bounds = false, pose_bounds = false;  // boxes around every pose of the clip, and around this one
  bool wireframe = false;
  DataColors colors = DataColors::kMaterials;
  uint32_t level = 0;                 // of detail
  int32_t selected_joint = kNoJoint;  // of the selected character
  int32_t hovered_joint = kNoJoint;
  bool operator==(const ShownOptions&) const = default;
};

/// Turns on what one word of --show means: bones, names, axes, normals, tangents, clip-bounds, pose-bounds, wireframe;
/// or colors: weights, influences, lost-weight, level. False: no such word.
bool show(ShownOptions& shown, std::string_view word);

/// The words of show(), for messages.
inline constexpr std::string_view kShowWords =
    "bones, names, axes, normals, tangents, clip-bounds, pose-bounds, wireframe, weights, influences, lost-weight, "
    "level";

}  // namespace sinew::app
