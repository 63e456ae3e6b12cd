// Acceleration structures over skinned vertices: what a bottom-level structure is built from, when it is refitted and
// when it is built again, and whether it holds the vertices that rays are to meet. docs/ray_tracing.md has the rules.
//
//   kStructureInput    once: for SkinnerInfo::vertex_usage and the indices; the consumers: kAccelerationStructureBuild
//   posed_vertices()   each frame: the vertices of a posed mesh
//   next_step()        each frame: keep its structure, refit it or build it
//   make_geometry()    for a refit or a build, with build_info(): what vkCmdBuildAccelerationStructuresKHR() reads
//   note_step()        when the build is recorded
//   check_structure()  before rays are traced: finds structures in the rest pose, late ones, those of another instance
//
// A silent error elsewhere: a structure that was built once keeps its pose, and no validation layer says so. Here the
// state of each structure says which frame's vertices it holds, and of which instance.
//
// Pure functions on small values. The host owns structures, memory, scratch memory and states, and records the builds
// after record(). Nothing here calls Vulkan, and nothing allocates but the message of an error. Calls on different
// states may run in parallel.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/material.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner_frame.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::vulkan {

/// The usage of buffers that structures are built from: for SkinnerInfo::vertex_usage, and for the host's indices. It
/// needs the device feature bufferDeviceAddress. The host's allocator allocates with
/// VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT; the library's own does so.
inline constexpr VkBufferUsageFlags kStructureInput =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

/// The skinned vertices of one posed mesh: all instances that are drawn with it share its structure.
struct PosedVertices {
  MeshId mesh;                  // each level of detail is a mesh of its own
  uint32_t vertex_count = 0;    // of the mesh
  uint32_t vertex_bytes = 0;    // from one vertex to the next
  VkDeviceAddress address = 0;  // of the first vertex
  uint64_t skinned_frame = 0;   // that wrote them: InstanceRange::skinned_frame
};

/// Those of `instance`, counted from 0 in `range`. `buffer` is the address of InstanceRange::vertices, which
/// vkGetBufferDeviceAddress() gives; it changes with the buffer, see Skinner::buffer_changes(). All zero if the range
/// has no such instance or no vertices, or without an address.
SINEW_API PosedVertices posed_vertices(const InstanceRange& range, uint32_t instance, VkDeviceAddress buffer);

/// The triangles of one geometry: all of a mesh, or a part with a material of its own. Parts that are opaque and parts
/// that are not are geometries of their own in one structure; the primitive index of a hit counts in its geometry.
struct StructureTriangles {
  VkDeviceAddress indices = 0;  // of 32 bits each, counted from the first vertex of the mesh: Mesh::indices, or
                                // MeshStreams::indices. In a buffer with kStructureInput
  uint32_t first_index = 0, index_count = 0;  // three per triangle; MeshPart, or Draw
  AlphaMode alpha_mode = AlphaMode::kOpaque;  // of the material; others need an any-hit shader, or a ray query that
                                              // asks for each candidate
};

/// The arguments of a build for one geometry.
struct StructureGeometry {
  VkAccelerationStructureGeometryKHR geometry = {};
  VkAccelerationStructureBuildRangeInfoKHR triangles = {};
};

/// The triangles of a posed mesh. `format` is that of SkinnerInfo. For vkGetAccelerationStructureBuildSizesKHR() only
/// vertex_count and vertex_bytes of `posed` need be set. Errors: kInvalidArgument (no vertices; no triangles, or a
/// part of one, or beyond 4 GiB of indices; vertex_bytes of another format), kUnsupported (VertexFormat::kPacked: its
/// positions are no floats).
SINEW_API Result<StructureGeometry> make_geometry(const PosedVertices& posed, VertexFormat format,
                                                  const StructureTriangles& triangles);

/// What a host does with the structure of a posed mesh in a frame.
enum class StructureStep : uint8_t {
  kKeep,   // nothing: it holds these vertices
  kRefit,  // an update in place
  kBuild,
};

/// What a structure holds. The host keeps one for each bottom-level structure. As made: nothing.
struct StructureState {
  PosedVertices holds;         // it was built or refitted from last
  uint64_t written_frame = 0;  // the frame of the host that did so
  uint32_t refits = 0;         // since its build
  bool is_built = false;
};

/// The state of structure `index` of many, before its build. They begin at different counts of refits, so that their
/// later builds are spread over the frames: of n structures that are refitted in each frame, at most
/// n / (max_refits + 1), rounded up, are built in one.
SINEW_API StructureState first_state(uint32_t index, uint32_t max_refits);

/// What the structure needs to hold `posed`: a build if it is not built, was built for another mesh or level of detail,
/// or was refitted `max_refits` times (0: always builds; 31 is a good number); nothing if it holds these vertices. A
/// refit may go to another address, and to the pose of another instance of this mesh. The host that changes the
/// geometries of a mesh, or compacts a structure into one that cannot be updated, sets the state to {}.
SINEW_API StructureStep next_step(const StructureState& state, const PosedVertices& posed, uint32_t max_refits);

/// The arguments of a build or a refit of `structure` with these geometries, which must live until the build is
/// recorded; the host adds scratchData. Structures that are refitted have the flag ALLOW_UPDATE, which is set. For the
/// sizes: kBuild and no structure. All geometries of a mesh, in the same order each time.
SINEW_API VkAccelerationStructureBuildGeometryInfoKHR
build_info(StructureStep step, VkAccelerationStructureKHR structure,
           std::span<const VkAccelerationStructureGeometryKHR> geometries);

/// Notes that `step` was recorded from these vertices in `frame`, the number that was given to begin_frame() or
/// SkinnedCrowd::update(). kKeep changes nothing.
SINEW_API void note_step(StructureState& state, const PosedVertices& posed, StructureStep step, uint64_t frame);

/// After discard_frame(): what `frame` recorded for the structure was not submitted; it is to be built again.
SINEW_API void discard_step(StructureState& state, uint64_t frame);

/// Whether rays that meet the structure meet `posed`. Call it for the structure of each instance with the vertices that
/// the instance is drawn with; some nanoseconds. Errors: kInvalidArgument, with a message that tells the cases apart:
/// never built from skinned vertices (rays meet the rest pose, or nothing); another mesh or level; late, vertices of an
/// earlier frame; vertices of a later or discarded frame; the pose of another instance of the same frame.
SINEW_API Status check_structure(const StructureState& state, const PosedVertices& posed);

}  // namespace sinew::vulkan
