// `--retarget`: clips of animation files are moved to a character whose joints have other rest rotations or prefixes.
#pragma once

#include <string>

#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// Appends the clips of `animation`, which was read from `path`. The report of `file` gets a line for each joint of
/// both. Fails where the skeletons have no joint name in common.
Status add_retargeted_clips(const CharacterFile& animation, const std::string& path, CharacterFile& file);

}  // namespace sinew::app
