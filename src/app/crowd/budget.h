// A budget of memory for a crowd, and what is given up to keep it, in this order: levels of detail get coarser, then
// poses are shared, and only then is the crowd refused.
#pragma once

#include <optional>
#include <span>

#include "crowd/visible_set.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct BudgetInfo {
  uint64_t bytes = 0;                              // 0: no budget, and nothing is given up
  uint32_t palette_copies = 2, vertex_copies = 1;  // kept of each, by the way of skinning: see kept_copies()
};

/// Room for a cast: meshes, and palettes and skinned vertices in as many copies as are kept. Pages that grow take half
/// as much again as they held, which is counted; the old ones, which live for a frame or two longer, are not.
uint64_t needed_bytes(std::span<const Model> models, const VisibleSet& visible_set, const BudgetInfo& info);

/// The next thing to give up: the pixels that a level's surface may be off double, then the unique poses halve. Nothing
/// where all has been.
std::optional<QualityLimits> reduced(const QualityLimits& limits, bool has_levels);

/// Keeps casts within a budget.
class Budget {
 public:
  /// `models` must outlive it.
  Budget(std::span<const Model> models, const BudgetInfo& info);

  /// Makes the frame's cast, again with less until it fits; what was given up stays so in later frames. Fails where
  /// nothing is left to give up, naming the budget and what is needed.
  Status fit(VisibilityPass& visibility_pass, const View& view, double seconds);

  uint64_t bytes() const { return info_.bytes; }
  uint64_t max_needed() const { return max_needed_; }  // of the frames that fitted

 private:
  Error refusal(uint64_t needed, uint32_t visible) const;

  std::span<const Model> models_;
  BudgetInfo info_;
  bool has_levels_ = false;
  uint64_t max_needed_ = 0;
};

}  // namespace sinew::app
