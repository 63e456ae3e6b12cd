// Acceleration structures over skinned vertices: what they are built from, when they are refitted or built again, and
// whether they hold the vertices that rays are to meet. The same as sinew/vulkan/acceleration.h, and as the posed
// meshes of sinew/runtime/skinned_crowd.h. docs/ray_tracing.md has the rules.
#pragma once

#include "sinew/c/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The usage of buffers that structures are built from: for SinewSkinnerInfo::vertex_usage, and for the indices.
#define SINEW_STRUCTURE_INPUT \
  (VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/// The skinned vertices of one posed mesh. It has no size, because it never changes.
typedef struct SinewPosedVertices {
  uint32_t mesh;            // as sinew_skinner_add_mesh() numbers it; each level of detail is a mesh of its own
  uint32_t vertex_count;    // of the mesh
  uint32_t vertex_bytes;    // from one vertex to the next
  VkDeviceAddress address;  // of the first vertex
  uint64_t skinned_frame;   // that wrote them
} SinewPosedVertices;

/// What a structure holds; one for each bottom-level structure. Zeros: nothing. It has no size, because it never
/// changes.
typedef struct SinewStructureState {
  SinewPosedVertices holds;  // it was built or refitted from last
  uint64_t written_frame;    // the frame of the host that did so
  uint32_t refits;           // since its build. Structure i begins with i % (max_refits + 1): then builds are spread
  uint32_t is_built;         // 0 or 1
} SinewStructureState;

/// The triangles of one geometry: all of a mesh, or a part with a material of its own.
typedef struct SinewStructureTriangles {
  uint32_t size;
  uint32_t first_index, index_count;  // three per triangle
  uint32_t alpha_mode;                // SINEW_ALPHA_...; only geometries of opaque materials have the flag OPAQUE
  VkDeviceAddress indices;            // of 32 bits each, counted from the first vertex of the mesh
} SinewStructureTriangles;

/// The arguments of a build for one geometry.
typedef struct SinewStructureGeometry {
  uint32_t size;
  VkAccelerationStructureGeometryKHR geometry;
  VkAccelerationStructureBuildRangeInfoKHR triangles;
} SinewStructureGeometry;

/// What a host does with a structure in a frame.
enum { SINEW_STRUCTURE_KEEP = 0, SINEW_STRUCTURE_REFIT = 1, SINEW_STRUCTURE_BUILD = 2 };

/// The vertices of `instance`, counted from 0 in the range. `buffer` is the address of SinewRange::vertices. Error:
/// INVALID_ARGUMENT (no such `instance`, no vertices, no address).
SINEW_C_API SinewResult sinew_posed_vertices(const SinewRange* range, uint32_t instance, VkDeviceAddress buffer,
                                             SinewPosedVertices* out, SinewError* error);

/// The triangles of a posed mesh. `format` is one of SINEW_FORMAT_.... For the sizes of a structure only vertex_count
/// and vertex_bytes of `posed` need be set. Errors: INVALID_ARGUMENT (no vertices; no triangles, or a part of one;
/// vertex_bytes of another format), UNSUPPORTED (SINEW_FORMAT_PACKED: its positions are no floats).
SINEW_C_API SinewResult sinew_structure_geometry(const SinewPosedVertices* posed, uint32_t format,
                                                 const SinewStructureTriangles* triangles, SinewStructureGeometry* out,
                                                 SinewError* error);

/// Sets `*out` to SINEW_STRUCTURE_...: a build if the structure is not built, was built for another mesh, or was
/// refitted `max_refits` times; KEEP if it holds these vertices.
SINEW_C_API SinewResult sinew_structure_next_step(const SinewStructureState* state, const SinewPosedVertices* posed,
                                                  uint32_t max_refits, uint32_t* out, SinewError* error);

/// Notes that a step was recorded from these vertices in `frame`. `step` is one of SINEW_STRUCTURE_.... Error:
/// INVALID_ARGUMENT (no such step).
SINEW_C_API SinewResult sinew_structure_note_step(SinewStructureState* state, const SinewPosedVertices* posed,
                                                  uint32_t step, uint64_t frame, SinewError* error);

/// For a frame that is not submitted: what it recorded for the structure is to be built again.
SINEW_C_API SinewResult sinew_structure_discard_step(SinewStructureState* state, uint64_t frame, SinewError* error);

/// Whether rays that meet the structure meet `posed`. Error: INVALID_ARGUMENT, with a message that says how not: never
/// built, another mesh, late, a discarded frame, the pose of another instance.
SINEW_C_API SinewResult sinew_structure_check(const SinewStructureState* state, const SinewPosedVertices* posed,
                                              SinewError* error);

/// The number of posed meshes of the frame; 0 before the first update, and after one that failed.
SINEW_C_API SinewResult sinew_skinned_crowd_posed_mesh_count(const SinewSkinnedCrowd* crowd, uint32_t* out,
                                                             SinewError* error);

/// A posed mesh of the frame: a body, or a wearable on a body.
typedef struct SinewPlacedMesh {
  uint32_t size;
  uint32_t group;  // in SinewPlan::groups
  uint32_t model, level;
  uint32_t instance_count;  // that are drawn with it; 0: in this frame none is
  VkBuffer buffer;          // with its vertices
  uint32_t wearable;        // UINT32_MAX: the body
} SinewPlacedMesh;
/// Posed mesh `index` of the frame. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_skinned_crowd_posed_mesh(const SinewSkinnedCrowd* crowd, uint32_t index,
                                                       SinewPlacedMesh* out, SinewError* error);

/// Sets `*out` to the posed mesh of the body that an instance is drawn with: the same for all that share a pose;
/// UINT32_MAX if it is not drawn.
SINEW_C_API SinewResult sinew_skinned_crowd_posed_mesh_of(const SinewSkinnedCrowd* crowd, uint32_t instance,
                                                          uint32_t* out, SinewError* error);

/// The vertices of posed mesh `index`. `buffer` is the address of SinewPlacedMesh::buffer. Error: INVALID_ARGUMENT (no
/// such `index`, no address).
SINEW_C_API SinewResult sinew_skinned_crowd_posed_vertices(const SinewSkinnedCrowd* crowd, uint32_t index,
                                                           VkDeviceAddress buffer, SinewPosedVertices* out,
                                                           SinewError* error);

#ifdef __cplusplus
}
#endif
