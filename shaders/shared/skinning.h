// The data that C++ and GLSL share for skinning: bindings, specialization constants, jobs, and the layout of static
// data. Data only; each side has its own logic.
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

// Set 0 of skin.comp. It binds whole pages, so that one set serves all meshes and instances in these pages.
SINEW_CONST kBindingMeshes = 0;         // storage: static data of meshes, see below
SINEW_CONST kBindingPalettes = 1;       // storage: 3 vec4 for each palette entry, its rows
SINEW_CONST kBindingSkinned = 2;        // storage: output, skinned vertices
SINEW_CONST kBindingJobs = 3;           // storage: SkinJob, as uvec4
SINEW_CONST kBindingPaletteTexels = 4;  // uniform texel buffer: the same palettes
SINEW_CONST kSkinBindings = 5;

// Specialization constants of skin.comp.
SINEW_CONST kConstantWorkgroupSize = 0;       // threads, one for each vertex of a chunk
SINEW_CONST kConstantInstancesPerThread = 1;  // a thread decodes its vertex once for all of them
SINEW_CONST kConstantInfluences = 2;          // maximum for each vertex, 1 to kMaxFixedInfluences; 0: any number
SINEW_CONST kConstantTexelPalettes = 3;       // 1: palettes are read as texels
SINEW_CONST kConstantFormat = 4;              // kFormatPacked, kFormatOctahedral or kFormatFloat
SINEW_CONST kConstantTangents = 5;            // 1: an encoded tangent follows each vertex
SINEW_CONST kConstantMorphs = 6;              // 1: morph targets are added before the blend
SINEW_CONST kConstantDualQuaternions = 7;     // 1: palettes are split matrices, see shared/dual_quaternion.glsl
SINEW_CONST kConstantRigid = 8;               // 1: palettes are rigid, see PaletteKind
SINEW_CONST kConstantSnormInstruction = 9;    // 1: the device packs two snorms by one instruction
SINEW_CONST kConstantStagedStores = 10;       // 1: vertices pass through shared memory, see shared/store.glsl
SINEW_CONST kConstantPart = 11;               // kPartAll, or what is left of the kernel to measure it alone
SINEW_CONST kSkinConstants = 12;              // their number; constants of other shaders have greater ids

// Values of kConstantPart. What is not kPartAll writes no useful vertices.
SINEW_CONST kPartAll = 0;
SINEW_CONST kPartStores = 1;      // stores of vertices that are not computed
SINEW_CONST kPartGathers = 2;     // loads of palette entries, and their weighted sums
SINEW_CONST kPartArithmetic = 3;  // all but loads of palettes and stores

// Output formats: the values of VertexFormat, in bytes per vertex without tangent; see sinew/asset/skinned_vertex.h.
SINEW_CONST kFormatPacked = 12;
SINEW_CONST kFormatOctahedral = 16;
SINEW_CONST kFormatFloat = 24;

SINEW_CONST kInfluencesPerQuad = 4;
SINEW_CONST kMinInfluence = 0x10000;  // a smaller value has weight 0
SINEW_CONST kMaxFixedInfluences = 8;
SINEW_CONST kRowsPerEntry = 3;  // of a palette

// The static data of a mesh in its page is an array of uvec4, called elements. In this order:
//   vertex_count                     position as three floats, octahedral normal (see sinew/asset/skinned_vertex.h)
//   influence_quads * vertex_count   the first influence quad of all vertices, then the second quad of all, and so on.
//                                    An influence: palette entry in the low 16 bits, weight as unorm16 in the high 16.
//                                    By ascending entry; of dual quaternions the heaviest first. The weights of a
//                                    vertex add up to exactly 65,535. Influences with weight 0 are last, and repeat the
//                                    entry of the first.
//   kBoxElements                     the box of kFormatPacked: low corner, then extent; three floats each
//   kChunkElements * chunks          SkinChunk; the chunks of one kernel variant are adjacent
//   vertex_count / 4, rounded up     only with tangents: 32 bits for each vertex (see sinew/asset/skinned_vertex.h)
//   vertex_count / 64, rounded up    only with morph targets, as the next two: MorphBlock, of 64 vertices each
//   4 * quads                        MorphRef of four morph targets, for each quad that moves vertices of a block
//   differences                      position as three floats, packed normal: target after target, by vertex
//   differences / 4, rounded up      only with morph targets and tangents: packed tangents of the differences
// A packed normal or tangent: three signed numbers of 10 bits, from the lowest; the high 2 bits e scale them by 4^-e.
SINEW_CONST kBoxElements = 2;
SINEW_CONST kChunkElements = 3;
SINEW_CONST kMorphBlockVertices = 64;
SINEW_CONST kTargetsPerQuad = 4;

// Consecutive vertices of a mesh that one workgroup skins. Elements are counted from the start of the page.
struct SkinChunk {
  uint first_element;     // of the chunk's vertices
  uint chunk_vertices;    // at most the workgroup size
  uint mesh_vertices;     // of the mesh: from an instance to the next in the output, from an influence quad to the next
  uint influence_quads;   // for each vertex of the mesh
  uint first_vertex;      // of the chunk in the mesh
  uint palette_stride;    // from an instance's palette to the next, in vec4
  uint box_element;       // first of the box
  uint first_tangent;     // of the chunk's vertices, in 32-bit words from the start of the page
  uint morph_blocks;      // the first MorphBlock of the mesh, in elements from the start of the mesh
  uint weights_row;       // from an instance's palette to its morph weights, in vec4: four weights each
  uint morph_tangents;    // the tangents of differences, in 32-bit words from the start of the page
  uint first_difference;  // of the mesh, in elements from the start of the mesh
};

// The morph targets that move vertices of a block.
struct MorphBlock {
  uint first_ref;  // in elements from the start of the mesh
  uint quads;      // of refs
  uint unused[2];
};

// What one morph target moves in a block. The refs of a quad are of targets 4 * row to 4 * row + 3.
struct MorphRef {
  uint low_vertices, high_vertices;  // a bit for each vertex that moves
  uint first_difference;             // of these vertices, in elements from the start of the mesh
  uint row;                          // from the first vec4 of an instance's weights
};

// One chunk for consecutive instances.
struct SkinJob {
  uint chunk_element;  // of the SkinChunk in the page of meshes
  uint first_row;      // of the first instance's palette in the page of palettes, in vec4
  uint first_word;     // of the first instance's vertices in the page of output, in 32-bit words
  uint instance_count;
};

// Of one dispatch. Workgroups in y are jobs. Workgroups in x divide the instances of a job.
struct SkinPushConstants {
  uint first_job;             // of the dispatch in the job list
  uint instances_per_thread;  // at most kConstantInstancesPerThread; fewer for small crowds
};

// Of a dispatch of convert_palette.comp: the palettes of consecutive instances, rows in vec4.
struct ConvertPushConstants {
  uint first_row, row_stride;  // of the first instance's palette; from one to the next
  uint palette_size, instance_count;
};

// Of a dispatch of expand_palette.comp: the compact palettes of consecutive instances, elements of 16 bytes.
struct ExpandPushConstants {
  uint first_element, element_stride;  // of the first instance's palette; from one to the next
  uint first_row, row_stride;          // of the palettes that it writes, in vec4
  uint palette_size, instance_count;
  uint split;        // 1: split matrices
  float scale;       // of all matrices
  uint weight_rows;  // morph weights behind each palette, in vec4: they are copied
};

#ifdef __cplusplus
}  // namespace sinew::shared
#endif
#undef SINEW_CONST

#endif
