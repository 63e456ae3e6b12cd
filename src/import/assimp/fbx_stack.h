// An FBX file's clips are its animation stacks, each with a start and a stop of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene.h"

namespace sinew {

/// Lays the clip from 0 to the stack's duration: keys before and after become one at either end. After
/// collapse_pivots(). Does nothing where the duration is no number or below 0.
void fit_to_stack(SceneClip& clip, double duration_seconds);

/// Takes clips without a key out, with a warning.
void drop_clips_without_keys(Scene& scene, std::vector<std::string>& warnings);

/// The names of all stacks in a file, text or binary, in its order: Assimp is silent about those without keys.
std::vector<std::string> fbx_stack_names(std::span<const uint8_t> file);

}  // namespace sinew
