// What a pipeline must know of a material: its alpha mode, which sides of its triangles are seen, and whether it
// has more than a base color.
#pragma once

#include <cstdint>

#include "render/draw_options.h"
#include "sinew/asset/character.h"

namespace sinew::app {

struct SurfaceKind {
  AlphaMode alpha = AlphaMode::kOpaque;
  bool double_sided = false;
  bool maps = false;  // more than a base color: other textures, metal, gloss or emission
};

inline constexpr uint32_t kSurfaceCount = 12;
constexpr uint32_t index_of(SurfaceKind surface) {
  return 4 * uint32_t(surface.alpha) + 2 * surface.double_sided + surface.maps;
}
constexpr SurfaceKind surface_kind_at(uint32_t index) {
  return {AlphaMode(index / 4), index / 2 % 2 != 0, index % 2 != 0};
}

/// How a surface is drawn. Where colors show data, what blends is drawn as a mask; velocity has no holes.
constexpr SurfaceKind drawn_as(SurfaceKind surface, Coloring coloring) {
  if (coloring == Coloring::kVelocity) surface.alpha = AlphaMode::kOpaque;
  if (coloring != Coloring::kLit && surface.alpha == AlphaMode::kBlend) surface.alpha = AlphaMode::kMask;
  return surface;
}

/// Below it, a surface that blends casts no shadow: hair does, glass does not.
inline constexpr float kBlendCutoff = 0.5f;

}  // namespace sinew::app
