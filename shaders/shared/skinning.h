// What C++ and GLSL both read about skinning: bindings, specialization constants, jobs and the layout of static meshes.
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

// Set 0 of skin.comp: whole pages, so that one set serves every mesh and instance that lies in them.
SINEW_CONST kBindingMeshes = 0;         // storage: static meshes, below
SINEW_CONST kBindingPalettes = 1;       // storage: 3 vec4 an entry
SINEW_CONST kBindingSkinned = 2;        // storage: output
SINEW_CONST kBindingJobs = 3;           // storage: SkinJob, as uvec4
SINEW_CONST kBindingPaletteTexels = 4;  // uniform texel buffer: the palettes again
SINEW_CONST kSkinBindings = 5;

// Specialization constants of skin.comp.
SINEW_CONST kConstantWorkgroupSize = 0;           // vertices a workgroup
SINEW_CONST kConstantInstancesPerThread = 1;  // a vertex is decoded once for so many
SINEW_CONST kConstantInfluences = 2;          // of every vertex at most, 1 to kMaxFixedInfluences; 0: any number
SINEW_CONST kConstantTexelPalettes = 3;       // 1: palettes are read as texels
SINEW_CONST kConstantFormat = 4;              // kFormat...
SINEW_CONST kConstantTangents = 5;            // 1: vertices end with a tangent
SINEW_CONST kSkinConstants = 6;               // so many; other shaders' own come behind them

// Output formats, by their bytes a vertex without tangents; see sinew/skinned_vertex.h.
SINEW_CONST kFormat12 = 12;
SINEW_CONST kFormat16 = 16;
SINEW_CONST kFormat24 = 24;

SINEW_CONST kInfluencesPerQuad = 4;
SINEW_CONST kMinInfluence = 0x10000;  // anything below weighs nothing
SINEW_CONST kMaxFixedInfluences = 8;

// A static mesh in its page, an array of uvec4:
//   vertex_count                     position as three floats, then the octahedral normal (see sinew/skinned_vertex.h)
//   influence_quads * vertex_count  group-major: four influences, heaviest first, each the palette entry in the low 16
//                                    bits and the weight as unorm16 in the high; weights of a vertex add to exactly
//                                    65,535; what weighs nothing ends the list, and names the heaviest's
//                                    entry again
//   2                                the box of 12-byte output: least corner, then extent; three floats each
//   kChunkElements * chunks          SkinChunk, those of one number of influences together
//   vertex_count / 4, rounded up     with tangents: 32 bits a vertex (see sinew/skinned_vertex.h)
SINEW_CONST kBoxElements = 2;
SINEW_CONST kChunkElements = 2;

// A run of vertices that one workgroup owns. Elements count from the page's first.
struct SkinChunk {
  uint first_element;     // of its vertices
  uint chunk_vertices;    // at most the group's size
  uint mesh_vertices;     // from an instance to the next in the output, and from a group of influences to the next
  uint influence_quads;  // of the mesh
  uint first_vertex;      // in the mesh
  uint palette_stride;    // vec4, from an instance's palette to the next
  uint box_element;
  uint first_tangent;  // of its vertices, in 32 bits from the page's first
};

// A chunk for some instances that follow each other.
struct SkinJob {
  uint chunk_element;  // in the page of meshes
  uint first_row;      // of the first instance's palette, in vec4
  uint first_word;     // of the first instance's vertices in the page of output, in 32 bits
  uint instance_count;
};

// A dispatch: x counts the threads' shares of a job's instances, y the jobs.
struct SkinPushConstants {
  uint first_job;
};

#ifdef __cplusplus
}  // namespace sinew::shared
#endif
#undef SINEW_CONST

#endif
