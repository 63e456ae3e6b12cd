// Morph weights: what instances play becomes the weights of their morph targets.
//
// Weights are a channel of their own beside the joints: no hierarchy, no masks. The weight of a target is the weighted
// mean over the layers of a Playback, in which a clip without a track for the target counts with the rest weight; then
// additive layers are added. Pass the weights to the skinner (InstanceRange::weights) or to skin_on_cpu(). All calls
// may run in parallel on different outputs. Sizes of spans are asserted where a call returns no Status.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/animation/evaluator.h"
#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"

namespace sinew {

/// Writes the weight of every morph target at `time_seconds` of the clip's own time; `weights` holds one per target.
/// Before its first key a track has the first value, after its last key the last. A target without keys gets its rest
/// weight or, in an additive clip, 0. `clip` must be valid for a mesh with these targets.
SINEW_API void sample_weights(const Clip& clip, std::span<const MorphTarget> targets, float time_seconds,
                              std::span<float> weights);

/// Evaluates the weights of `instances` exactly, from the keys. Writes those of instance i to
/// `weights[i * weight_stride]` and on, one per target of the mesh; floats between them are not touched.
///
/// `weights` is never read: it may be mapped memory. Layers with a weight that is not above 0, or a clip out of range,
/// are ignored. `character` must be valid. Allocates nothing. Errors, with nothing written: kInvalidArgument
/// (`weight_stride` or `weights` too small), kOutOfMemory (of the message).
SINEW_API Status evaluate_weights_exact(const Character& character, std::span<const Playback> instances,
                                        uint32_t weight_stride, std::span<float> weights);

/// The same from the baked clips, within BakedWeights::error. For crowds: call it beside CrowdEvaluator::evaluate().
/// `baked` must be valid. The result does not depend on `parallel_for`. Errors as above.
SINEW_API Status evaluate_weights(const BakedCharacter& baked, std::span<const Playback> instances,
                                  uint32_t weight_stride, std::span<float> weights,
                                  const ParallelFor& parallel_for = {});

}  // namespace sinew
