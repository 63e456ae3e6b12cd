// What C++ and GLSL both read about skinning: bindings, push constants and the layout of the static mesh.
// Data only; each side has its own logic.
#ifndef SINEW_SHADERS_SHARED_SKINNING_H
#define SINEW_SHADERS_SHARED_SKINNING_H

#ifdef __cplusplus
#include <cstdint>
namespace sinew::shared {
using uint = std::uint32_t;
#define SINEW_CONST inline constexpr uint
#else
#define SINEW_CONST const uint
#endif

// Set 0 of skin.comp, storage buffers all.
SINEW_CONST kBindingMesh = 0;      // the static mesh, below
SINEW_CONST kBindingPalettes = 1;  // palettes of the range: 3 vec4 an entry, palette_stride entries an instance
SINEW_CONST kBindingSkinned = 2;   // output: SkinnedVertex[instance][vertex]

SINEW_CONST kSkinGroupSize = 64;  // vertices a workgroup; y counts instances

// The static mesh, an array of uvec4:
//   [0, vertex_count)   position as three floats, then the octahedral normal (see sinew/skinned_vertex.h)
//   then influence_groups * vertex_count, group-major: four influences, heaviest first, each the palette entry in the
//   low 16 bits and the weight as unorm16 in the high; weights of a vertex add to exactly 65,535; 0 ends the list.
SINEW_CONST kInfluencesPerGroup = 4;

// One dispatch: instances of one mesh that lie together in one page of output.
struct SkinPushConstants {
  uint first_vertex;  // of this dispatch
  uint vertex_count;      // of the mesh
  uint influence_groups;
  uint palette_stride;  // entries
  uint first_instance;  // of this dispatch, counted from the bound palettes and output
};

#ifdef __cplusplus
}  // namespace sinew::shared
#endif
#undef SINEW_CONST

#endif
