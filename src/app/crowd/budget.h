// The memory budget of a crowd. Quality is reduced until a frame fits: first coarser levels of detail, then shared
// poses. A frame that still does not fit is refused.
#pragma once

#include <optional>
#include <span>

#include "crowd/visible_set.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct BudgetInfo {
  uint64_t bytes = 0;                             // device memory; 0: no budget, quality is never reduced
  uint32_t kept_palettes = 2, kept_vertices = 1;  // of how many frames: see KeptFrames
};

/// An estimate of the device memory in bytes for the meshes of `models`, and for the palettes and skinned vertices of a
/// visible set. Includes the room of pages that grow: half as much again. Old pages, whose deferred free takes a frame
/// or two, are not included.
uint64_t needed_bytes(std::span<const Model> models, const VisibleSet& visible_set, const BudgetInfo& info);

/// The next lower quality: first error_pixels doubles, then poses are shared, then unique_poses halves. Empty where
/// nothing is left to reduce. Without levels of detail (`has_levels`) only the poses are reduced.
std::optional<QualityLimits> reduced(const QualityLimits& limits, bool has_levels);

/// Keeps the visible sets of a crowd within a memory budget. One call at a time.
class Budget {
 public:
  /// `models` must outlive the budget.
  Budget(std::span<const Model> models, const BudgetInfo& info);

  /// Computes the visible set of a frame, again with lower quality until it fits. Reduced limits stay for later frames.
  /// Fails (kOutOfMemory) where nothing is left to reduce; the message names the budget and the memory needed.
  Status fit(VisibilityPass& visibility_pass, const View& view, double seconds);

  uint64_t bytes() const { return info_.bytes; }
  uint64_t max_needed() const { return max_needed_; }  // bytes; of the frames that fitted

 private:
  Error refusal(uint64_t needed, uint32_t visible) const;

  std::span<const Model> models_;
  BudgetInfo info_;
  bool has_levels_ = false;
  uint64_t max_needed_ = 0;
};

}  // namespace sinew::app
