// The conversion of a scene into a character. It is the same for every reader.
#pragma once

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Converts and consumes `scene`. Throws ImportFailure if the scene has no mesh (see ImportOptions::allow_no_mesh), or
/// too many vertices, palette entries or levels of nodes.
Character convert(Scene&& scene, const ImportOptions& options, ImportReport& report);

/// Writes the counts of the character's joints, clips, vertices and so on into `report`.
void count(const Character& character, ImportReport& report);

}  // namespace sinew::internal
