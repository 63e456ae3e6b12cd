// The one conversion: a scene, whichever reader it came from, becomes a character.
#pragma once

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew {

/// Throws ImportFailure where the scene has no mesh, or too much of anything.
Character convert(Scene&& scene, const ImportOptions& options, ImportReport& report);

/// Fills in how many there are of everything.
void count(const Character& character, ImportReport& report);

}  // namespace sinew
