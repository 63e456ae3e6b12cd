// What the viewer shows besides the characters themselves: a table of switches, and one of colors.
#pragma once

#include <cstdint>
#include <string>
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

struct Shown {
  bool bones = false, names = false, axes = false;  // axes: of the selected joint, or of all without one
  bool normals = false, tangents = false;
  bool clip_bounds = false, pose_bounds = false;  // boxes around every pose of the clip, and around this one
  bool wireframe = false;
  DataColors colors = DataColors::kMaterials;
  uint32_t level = 0;                 // of detail
  int32_t selected_joint = kNoJoint;  // of the selected character
  int32_t hovered_joint = kNoJoint;
  bool operator==(const Shown&) const = default;
};

/// A word of --show, and the name of its check box.
struct ShownSwitch {
  const char* word;
  const char* name;
  bool Shown::*flag;
};
inline constexpr ShownSwitch kShownSwitches[] = {
    {"bones", "bones", &Shown::bones},
    {"names", "names", &Shown::names},
    {"axes", "axes", &Shown::axes},
    {"normals", "normals", &Shown::normals},
    {"tangents", "tangents", &Shown::tangents},
    {"clip-bounds", "bounds of the clip", &Shown::clip_bounds},
    {"pose-bounds", "bounds of the pose", &Shown::pose_bounds},
    {"wireframe", "wireframe", &Shown::wireframe},
};

/// The same for colors, by DataColors. Materials have no word: they are there without one.
struct ShownColors {
  const char* word;
  const char* name;
};
inline constexpr ShownColors kShownColors[] = {{"", "materials"},
                                               {"influences", "influences"},
                                               {"lost-weight", "lost weight"},
                                               {"weights", "weight of joint"},
                                               {"level", "level of detail"}};

/// Turns on what one word of --show means. False: no such word.
inline bool show(Shown& shown, std::string_view word) {
  for (const ShownSwitch& each : kShownSwitches) {
    if (each.word == word) return shown.*each.flag = true;
  }
  for (size_t colors = 1; colors < std::size(kShownColors); ++colors) {
    if (kShownColors[colors].word != word) continue;
    shown.colors = DataColors(colors);
    return true;
  }
  return false;
}

/// The words of show(), for messages.
inline std::string show_words() {
  std::string words;
  for (const ShownSwitch& each : kShownSwitches) words += std::string(each.word) + ", ";
  for (size_t colors = 1; colors < std::size(kShownColors); ++colors)
    words += (colors > 1 ? ", " : "") + std::string(kShownColors[colors].word);
  return words;
}

}  // namespace sinew::app
