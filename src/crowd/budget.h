// The memory budget of a crowd: what a plan needs, and which quality limit is reduced next.
#pragma once

#include <optional>
#include <span>

#include "sinew/crowd/model_info.h"
#include "sinew/crowd/plan.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd::internal {

/// An estimate of the device memory in bytes for the meshes of `models`, and for the palettes and skinned vertices of a
/// plan. Includes the room of pages that grow: half as much again. Old pages, whose deferred free takes a frame or two,
/// are not included.
uint64_t needed_bytes(std::span<const ModelInfo> models, const Plan& plan, const MemoryBudget& budget);

/// The next lower quality: first error_pixels doubles, then poses are shared, then unique_poses halves. Empty where
/// nothing is left to reduce. Without levels of detail (`has_levels`) only the poses are reduced.
std::optional<QualityLimits> reduced(const QualityLimits& limits, bool has_levels);

}  // namespace sinew::crowd::internal
