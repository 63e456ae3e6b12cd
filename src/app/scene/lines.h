// Lines in a frame, such as bones and boxes. World space; widths are in pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/crowd.h"
#include "sinew/asset/math.h"

namespace sinew::app {

using Line = shared::LineAttributes;

/// A color as Line has it, from 0xRRGGBB.
constexpr uint32_t line_color(uint32_t rgb, uint32_t alpha = 255) {
  return (rgb >> 16 & 255) | (rgb & 0xff00) | (rgb & 255) << 16 | alpha << 24;
}

inline Line make_line(Vec3 from, Vec3 to, uint32_t color, float width) {
  return {{from.x, from.y, from.z}, {to.x, to.y, to.z}, color, width};
}
inline Line make_dot(Vec3 at, uint32_t color, float width) { return make_line(at, at, color, width); }

struct Lines {
  std::vector<Line> tested;   // hidden by what is in front of them
  std::vector<Line> through;  // drawn after those, over everything

  void clear() { tested.clear(), through.clear(); }
};

}  // namespace sinew::app
