// Levels of detail: the coarsest level whose error is too small to see.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/crowd/model_info.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd::internal {

/// The coarsest level up to `wanted`; for an instance that the host poses one with the palette of the character.
inline uint32_t nearest_level(std::span<const Level> levels, uint32_t wanted, bool host_posed) {
  uint32_t level = std::min(wanted, uint32_t(levels.size() - 1));
  while (host_posed && levels[level].palette_size > 0) --level;
  return level;
}

/// The level at which each instance was last drawn, and the choice of the next one.
class LevelsOfDetail {
 public:
  void set_instance_count(uint32_t count) { levels_.resize(count, kNone); }
  /// Every instance gets the level that it would have if it were new.
  void forget() { levels_.assign(levels_.size(), kNone); }
  /// The same for one. Calls for different instances may run in parallel.
  void forget(uint32_t instance) { levels_[instance] = kNone; }

  /// Chooses a level whose error is at most `error_pixels`; for an instance that the host poses one with the palette of
  /// the character. A coarser one replaces the last one only at kLevelHysteresis of that. Calls for different instances
  /// may run in parallel.
  uint32_t choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit, float error_pixels,
                  bool host_posed);

 private:
  static constexpr uint8_t kNone = 0xff;  // there are at most 255 levels

  std::vector<uint8_t> levels_;
};

inline uint32_t LevelsOfDetail::choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit,
                                       float error_pixels, bool host_posed) {
  const auto error = [&](size_t level) { return levels[level].error * pixels_per_unit; };
  const auto usable = [&](size_t level) { return !host_posed || levels[level].palette_size == 0; };
  const bool is_new = levels_[instance] == kNone;
  size_t level = is_new ? 0 : std::min<size_t>(levels_[instance], levels.size() - 1);
  while (level > 0 && (error(level) > error_pixels || !usable(level))) --level;
  const float coarser_pixels = error_pixels * (is_new ? 1 : kLevelHysteresis);
  for (size_t next = level + 1; next < levels.size() && error(next) <= coarser_pixels; ++next) {
    if (usable(next)) level = next;
  }
  levels_[instance] = uint8_t(level);
  return uint32_t(level);
}

}  // namespace sinew::crowd::internal
