// Clips of the scene become clips of the skeleton.
#pragma once

#include <string>
#include <vector>

#include "joints.h"
#include "scene.h"
#include "sinew/import/import.h"

namespace sinew {

/// Moves the clips of another file to `scene`, node by node of the same name. What does not match is a warning.
void add_clips(Scene& scene, Scene&& other, const std::string& other_path, ImportReport& report);

/// Keys in order, finite, rotations of unit length; a clip without a name becomes `clip_N`.
std::vector<Clip> convert_clips(Scene& scene, const Joints& joints, ImportReport& report);

}  // namespace sinew
