// Levels of detail: the coarsest level whose error is too small to see.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/crowd/character.h"

namespace sinew::crowd::internal {

/// The level at which each instance was last drawn, and the choice of the next one.
class LevelsOfDetail {
 public:
  /// New instances begin at the finest level.
  void set_instance_count(uint32_t count) { levels_.resize(count); }

  /// Chooses a level whose error is at most `error_pixels`. A coarser one replaces the last one only at 80 % of that,
  /// so that an instance at the border between two levels does not flicker. Calls for different instances may run in
  /// parallel.
  uint32_t choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit, float error_pixels);

 private:
  static constexpr float kHysteresis = 0.8f;  // part of the allowed error below which a coarser level is chosen

  std::vector<uint8_t> levels_;
};

inline uint32_t LevelsOfDetail::choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit,
                                       float error_pixels) {
  const auto error = [&](size_t level) { return levels[level].error * pixels_per_unit; };
  size_t level = std::min<size_t>(levels_[instance], levels.size() - 1);
  while (level > 0 && error(level) > error_pixels) --level;
  while (level + 1 < levels.size() && error(level + 1) <= error_pixels * kHysteresis) ++level;
  levels_[instance] = uint8_t(level);
  return uint32_t(level);
}

}  // namespace sinew::crowd::internal
