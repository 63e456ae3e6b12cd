// Import of `.sinew` files: as the model that clips are added to, or as a file of clips.
#pragma once

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Converts the joints and clips of a character into a scene without meshes, for add_clips(). Additive clips are left
/// out with a warning: their tracks are differences, not poses.
Scene clips_of(Character&& character, ImportReport& report);

/// Adds another file's clips to a character. Each track goes to the joint of the same name. Tracks without such a joint
/// are dropped with a warning.
void append_clips(Character& character, Scene&& other, const std::string& other_path, ImportReport& report);

}  // namespace sinew::internal
