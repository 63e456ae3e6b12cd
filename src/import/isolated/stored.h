// A `.sinew` among the files that are imported: as the model, or for its clips.
#pragma once

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew {

/// The joints and clips of a character as a scene without meshes, for add_clips(). Additive clips, whose tracks are no
/// poses, are left out with a warning.
Scene clips_of(Character&& character, ImportReport& report);

/// Adds another file's clips to a character, joint by joint of the same name. What does not match is a warning.
void append_clips(Character& character, Scene&& other, const std::string& other_path, ImportReport& report);

}  // namespace sinew
