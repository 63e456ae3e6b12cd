// Conversion of the scene's clips into clips of the skeleton.
#pragma once

#include <string>
#include <vector>

#include "joints.h"
#include "morph_targets.h"
#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Moves the clips of another file into `scene`. Each track goes to the node that pair_nodes() pairs with its own.
/// Tracks of nodes that `scene` does not have are dropped, with one warning per clip; another warning says if the two
/// are unlike at rest. A clip without a name gets the file's name. Throws ImportFailure if a name pairs in several
/// ways.
void add_clips(Scene& scene, Scene&& other, const std::string& other_path, ImportReport& report);

/// Adds to the report what the reader said of a scene's motion; each warning begins with `prefix`.
void add_motion_report(const Scene& scene, const std::string& prefix, ImportReport& report);

/// Converts the scene's clips, and consumes their tracks. Keys are sorted by time. Keys that are not finite are
/// dropped. Rotations get unit length. Tracks of nodes that are not joints, and weights of morph targets that no mesh
/// has, are dropped. A clip without a name becomes `clip_N`.
std::vector<Clip> convert_clips(Scene& scene, const Joints& joints, const TargetBuilder& targets, ImportReport& report);

}  // namespace sinew::internal
