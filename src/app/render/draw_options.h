// Options of drawing, and what follows from them.
#pragma once

#include <cstdint>

namespace sinew::app {

/// What the colors of the crowd show.
enum class Coloring : uint8_t {
  kLit,
  kVelocity,  // motion on the picture since the frame before, see velocity.frag; without ground and soft shadows
};

/// How the crowd is drawn.
struct DrawOptions {
  uint32_t passes = 1;    // over the crowd, 1 to kMaxPasses; the last writes color, the others depth only
  bool rasterize = true;  // false: vertices of the crowd are shaded, but not rasterized
  Coloring coloring = Coloring::kLit;
};

/// The second pass adds a shadow map, the third a depth pre-pass of the camera, each further one a shadow map.
inline constexpr uint32_t kMaxPasses = 6;
constexpr uint32_t shadow_map_count(const DrawOptions& options) {
  return options.passes < 3 ? options.passes - 1 : options.passes - 2;
}
constexpr bool draws_depth_first(const DrawOptions& options) { return options.passes >= 3; }

}  // namespace sinew::app
