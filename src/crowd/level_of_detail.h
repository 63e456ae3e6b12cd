// Levels of detail: the coarsest level whose error is too small to see.
#pragma once

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

  /// Chooses a level whose error is at most `error_pixels`; for an instance that the host poses one with the palette of
  /// the character. A coarser one replaces the last one only at 80 % of that,
  /// so that an instance at the border between two levels does not flicker. Calls for different instances may run in
  /// parallel.
  uint32_t choose(uint32_t instance, std::span<const Level> levels, float pixels_per_unit, float error_pixels,
                  bool host_posed);

 private:
  std::vector<uint8_t> levels_;
};

}  // namespace sinew::crowd::internal
