// Compares a frame's palettes with the exact evaluator, and its skinned vertices with the CPU skinner.
#pragma once

#include <span>

#include "crowd/report/report.h"
#include "gpu/host.h"
#include "scene/scene.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// Compares the last frame that `skinning` evaluated. That frame must be complete, and `plan` must be its
/// plan. Errors above a bound end in Comparison::first_failure; fails only where vertices cannot be read back.
///
/// Palettes are compared with the exact stages: within kMaxPaletteError, or, where the model is baked, within
/// allowed_error(), but for blends at a level whose joints are folded. Vertices are compared with the CPU skinner,
/// within kMaxPositionError beyond the rounding of packed positions, and kMaxNormalDegrees beyond the rounding of morph
/// targets. It skins with the exact palettes or, where the model is baked, with the palettes that the frame used.
///
/// Compares every palette and vertex of every posed mesh; a posed mesh that was not updated at the time that it shows.
/// A plan of 20 million vertices or more is sampled: about 100 posed meshes chosen by `seed`, at least one of
/// each range. Where the vertex shader skins, only palettes are compared. Waits for the device, and runs on the calling
/// thread only.
Result<Comparison> compare_frame(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const crowd::Plan& plan, const Skinning& skinning, uint64_t seed);

/// Copies the skinned vertices of a range of a completed frame to a buffer that the CPU reads. Waits for the device.
Result<Buffer> read_back(const Device& device, const vulkan::InstanceRange& range);

}  // namespace sinew::app
