// Options of drawing, and what follows from them.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew::app {

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

}  // namespace sinew::app
