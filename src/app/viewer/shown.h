// What `sinew view` shows besides characters: the words of --show, the check boxes of the panel, and their values.
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
  bool handles = false;  // of hands and feet, which can be dragged
  DataColors colors = DataColors::kMaterials;
  uint32_t level = 0;                                           // of detail
  bool own_size = false;                                        // see Viewer::set_own_size()
  bool crowd_evaluator = false;                                 // else the exact one
  uint32_t character = 0;                                       // the selected one, which keys and panels are about
  int32_t selected_joint = kNoJoint, hovered_joint = kNoJoint;  // of the selected character

  friend bool operator==(const Shown&, const Shown&) = default;
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
    {"handles", "handles of limbs", &Shown::handles},
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
bool show(Shown& shown, std::string_view word);

/// The words of show(), for messages.
std::string show_words();

}  // namespace sinew::app
