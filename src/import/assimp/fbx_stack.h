// Clips of FBX files: each animation stack is a clip, with its own start and stop time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew::internal {

/// Cuts the clip to [0, duration_seconds]: keys outside are replaced by one interpolated key at each end. Call it after
/// collapse_pivots(). Does nothing if the duration is negative or not finite.
void fit_to_stack(SceneClip& clip, double duration_seconds);

/// Removes clips without keys, with a warning for each.
void drop_clips_without_keys(Scene& scene, std::vector<std::string>& warnings);

/// The names of all animation stacks in a file, text or binary, in the file's order. Found by text search, because
/// Assimp drops stacks without keys.
std::vector<std::string> fbx_stack_names(std::span<const uint8_t> file);

}  // namespace sinew::internal
