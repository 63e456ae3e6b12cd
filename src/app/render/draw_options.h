// How a frame is drawn, as options and panels say it; what a pipeline must know of a material; a magnified part of the
// picture.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/character.h"

namespace sinew::app {

// Options of drawing, and what follows from them.

/// What the colors of the crowd show.
enum class Coloring : uint8_t {
  kLit,
  kVelocity,     // motion on the picture since the frame before, see velocity.frag; without ground and soft shadows
  kLevel,        // the level of detail of each instance
  kUpdateGroup,  // the update group of each instance
  kVertices,     // what Renderer::set_vertex_colors() has set
};

/// A color for a small number, such as a level of detail, rgba8. Repeats after 8.
constexpr uint32_t data_color(uint32_t number) {
  constexpr uint32_t kColors[] = {0xff4d9a33, 0xffb3a126, 0xffd9842e, 0xff8c4dd9,
                                  0xff3d5ce6, 0xff2eb8e6, 0xffb36bb3, 0xff8c8c8c};
  return kColors[number % 8];
}

/// How vertex shaders get vertices that are skinned already.
enum class VertexFetch : uint8_t {
  kAuto,     // kPulling, but on CPU devices kInput for meshes with more than kMaxPulledVertices
  kInput,    // by vertex input: one draw for each posed mesh and mesh part
  kPulling,  // from a storage buffer: one instanced draw for each range and mesh part
};

/// A CPU device draws meshes that are not larger faster with pulling: 14 % with 10 vertices. From about 200 on input is
/// faster, by a tenth.
inline constexpr uint32_t kMaxPulledVertices = 64;

/// Where the crowd's vertex shaders get vertices from.
enum class VertexSource : uint8_t {
  kInput,     // skinned vertices by vertex input
  kPulling,   // skinned vertices from a storage buffer
  kSkinning,  // they skin themselves; draws are instanced
};

/// How the crowd is drawn.
struct DrawOptions {
  uint32_t passes = 1;    // over the crowd, 1 to kMaxPasses; the last writes color, the others depth only
  bool rasterize = true;  // false: vertices of the crowd are shaded, but not rasterized
  Coloring coloring = Coloring::kLit;
  VertexFetch fetch = VertexFetch::kAuto;
  bool wireframe = false;  // edges of triangles only, where the device can
};

/// The second pass adds a shadow map, the third a depth pass of the camera, each further one a shadow map.
inline constexpr uint32_t kMaxPasses = 6;
constexpr uint32_t shadow_map_count(const DrawOptions& options) {
  return options.passes < 3 ? options.passes - 1 : options.passes - 2;
}
constexpr bool draws_depth_first(const DrawOptions& options) { return options.passes >= 3; }

/// Whether the depth pass is timed apart. It and the color pass are one render pass, which a CPU device cannot time in
/// parts.
bool times_depth(const DrawOptions& options, bool cpu_device);

/// The passes whose ends are timed: shadow maps, depth if it is timed apart, color.
std::vector<const char*> timed_passes(const DrawOptions& options, bool cpu_device);

/// What a pipeline must know of a material: its alpha mode, which sides of its triangles are seen, and whether it
/// has more than a base color.
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

/// A part of the picture, magnified at another place of it: two rectangles within the picture that do not overlap, in
/// pixels.
struct Inset {
  VkRect2D from{}, to{};
};

/// Records the copy of an inset, each pixel as a square. `picture` is as the pass that draws it leaves it, see Target;
/// afterwards it is so again.
void record_inset(VkCommandBuffer cmd, VkImage picture, const Inset& inset);

}  // namespace sinew::app
