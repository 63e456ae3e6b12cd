#include "level_of_detail.h"

#include <algorithm>

namespace sinew::crowd::internal {
namespace {

constexpr float kHysteresis = 0.8f;  // part of the allowed error below which a coarser level is chosen

}  // namespace

uint32_t LevelsOfDetail::choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit,
                                float error_pixels, bool host_posed) {
  const auto error = [&](size_t level) { return levels[level].error * pixels_per_unit; };
  const auto usable = [&](size_t level) { return !host_posed || levels[level].palette_size == 0; };
  size_t level = std::min<size_t>(levels_[instance], levels.size() - 1);
  while (level > 0 && (error(level) > error_pixels || !usable(level))) --level;
  for (size_t next = level + 1; next < levels.size() && error(next) <= error_pixels * kHysteresis; ++next) {
    if (usable(next)) level = next;
  }
  levels_[instance] = uint8_t(level);
  return uint32_t(level);
}

}  // namespace sinew::crowd::internal
