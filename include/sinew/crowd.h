// The crowd evaluator: what many instances of a character play becomes their palettes.
//
// Today it calls the exact stages for each instance in turn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/math.h"

namespace sinew {

/// One clip of what an instance plays. Two layers make a cross-fade.
struct Layer {
  uint32_t clip = 0;       // in Character::clips
  float time_seconds = 0;  // the clip's own time; see clip_time()
  float weight = 0;        // 0: not evaluated
};

/// An instance blends at most this many.
inline constexpr uint32_t kMaxLayers = 2;

/// What one instance plays now. A character without clips, or weights of zero, give the rest pose.
struct Playback {
  Layer layers[kMaxLayers] = {{0, 0, 1}};
};

/// Room for one instance's evaluation; reuse it to avoid allocation. Not to be shared between threads.
struct EvaluationScratch {
  std::vector<Transform> poses[kMaxLayers];
  std::vector<Matrix3x4d> model_from_joint;
};

/// Writes each instance's palette: instance i at `palettes[i * palette_stride]`, palette_size matrices in order.
///
/// `palette_stride` is at least the skin's palette_size; what lies between is left alone. `palettes` is written once,
/// in order, and never read: it may be mapped memory. Calls may run in parallel, each with its own scratch.
void evaluate_crowd(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                    std::span<Matrix3x4> palettes, EvaluationScratch& scratch);

}  // namespace sinew
