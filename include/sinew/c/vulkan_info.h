// The structs of the skinner: sinew/c/vulkan.h includes this header.
//
// It includes Vulkan's own header, so that the compiler checks handles: a host that calls Vulkan has it. So do
// vulkan.h, runtime.h, pick.h and acceleration.h; the others need only C's own. Bindings of other languages declare
// dispatchable handles as pointers, and VkBuffer, VkQueryPool and VkPipelineCache as 64-bit integers.
#pragma once

#include <vulkan/vulkan_core.h>

#include "sinew/c/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The layout of a skinned vertex.
enum {
  SINEW_FORMAT_OCTAHEDRAL = 0,  // 16 bytes: 3 floats of position, normal as octahedral 2 x snorm16
  SINEW_FORMAT_PACKED = 1,      // 12 bytes: 4 unorm16 of position in the box of the mesh, normal as above
  SINEW_FORMAT_FLOAT = 2        // 24 bytes: 3 floats of position, 3 floats of normal
};

/// What the matrices of a palette can be: SINEW_PALETTE_RIGID are rotation, translation, and a scale that is positive
/// and equal in all directions; SINEW_PALETTE_COMPACT the same in 16 bytes each, with one scale for all.
enum { SINEW_PALETTE_MATRICES = 0, SINEW_PALETTE_RIGID = 1, SINEW_PALETTE_COMPACT = 2 };

/// Which side records the two memory barriers around skinning; `enum class Barriers` in sinew/vulkan/skinner_info.h has
/// those of the host as code.
enum { SINEW_BARRIERS_LIBRARY = 0, SINEW_BARRIERS_HOST = 1 };

/// Checks of what a host forgets, as palettes that it does not write. They cost time in each frame.
enum {
  SINEW_CHECKS_IN_DEBUG_BUILDS = 0,  // on if the library was compiled without NDEBUG
  SINEW_CHECKS_ON = 1,
  SINEW_CHECKS_OFF = 2
};

/// What a buffer is for; SinewSkinnerInfo::allocate chooses the memory type by it.
enum {
  SINEW_BUFFER_DEVICE = 0,    // device-local
  SINEW_BUFFER_PALETTES = 1,  // host-visible, coherent, mapped; device-local too if possible
  SINEW_BUFFER_STAGING = 2    // host-visible, coherent, mapped
};

/// A buffer with memory bound. `mapped` is null for SINEW_BUFFER_DEVICE; otherwise a multiple of 64. An output of the
/// host's allocator.
typedef struct SinewAllocation {
  VkBuffer buffer;
  void* mapped;
  void* allocation;  // for the host's use
  // Of the memory type, for palettes and SINEW_BUFFER_DEVICE, as in C++; 0: unknown.
  VkMemoryPropertyFlags memory_properties;
} SinewAllocation;

/// The parameters of sinew_skinner_create(). The handles belong to the host and must outlive the skinner, as must
/// functions and their user data. Other pointers are read during the call only.
typedef struct SinewSkinnerInfo {
  uint32_t size;
  uint32_t api_version;  // that the host enabled; 0: VK_API_VERSION_1_2
  // Required.
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;  // the loader's, or the host's own

  // Optional.
  PFN_vkGetDeviceProcAddr get_device_proc_addr;
  const uint32_t* queue_families;  // [queue_family_count]: that use the buffers, each once; needed if there are several
  uint32_t queue_family_count;
  uint32_t debug_utils;                               // 1: VK_EXT_debug_utils is enabled: sets names and labels
  const VkAllocationCallbacks* allocation_callbacks;  // for every Vulkan object of the library
  VkPipelineCache pipeline_cache;                     // must outlive the skinner: adding meshes uses it
  uint32_t format;                                    // SINEW_FORMAT_...
  uint32_t tangents;                                  // 1: 4 more bytes per vertex; every mesh must have tangents
  uint32_t frames_in_flight;                          // 1 to 16; 0: 2
  uint32_t update_groups;                             // 1 to 256; 0: 1
  uint32_t keep_previous;                             // 1: keep the vertices of the group's last recorded frame
  uint32_t barriers;                                  // SINEW_BARRIERS_...
  VkPipelineStageFlags consumer_stages;               // that read skinned vertices, for SINEW_BARRIERS_LIBRARY;
  VkAccessFlags consumer_accesses;                    // both 0: vertex input
  const uint32_t* record_family;                      // of the queue that the commands go to; null: not checked
  VkBufferUsageFlags vertex_usage;                    // besides storage, vertex and transfer source
  // SINEW_CHECKS_...: what the host forgets is an error, see sinew/vulkan/skinner_info.h.
  uint32_t debug_checks;

  // The host's allocator of buffers: both functions or none. `allocation_user_data` is passed to both.
  void* allocation_user_data;
  VkResult (*allocate)(void* user_data, const VkBufferCreateInfo* info, uint32_t use, SinewAllocation* out);
  void (*free)(void* user_data, const SinewAllocation* allocation);
} SinewSkinnerInfo;

/// How a mesh is added.
typedef struct SinewAddMesh {
  uint32_t size;
  uint32_t palette_size;     // matrices of one palette
  const SinewMesh* mesh;     // copied
  const char* name;          // for messages and debuggers; may be null
  SinewBox box;              // for SINEW_FORMAT_PACKED: contains every skinned position, in model space
  uint32_t palette_format;   // SINEW_PALETTE_...: a promise for all palettes of the mesh
  float palette_scale;       // of all matrices, for SINEW_PALETTE_COMPACT; 0: 1
  uint32_t palette_targets;  // of a mesh that borrows palettes: the morph targets of the mesh that it borrows from
} SinewAddMesh;

/// Instances of one mesh, each with its own palette, or with that of an instance of another batch: several meshes over
/// one skeleton need one palette for each instance. The element of an array; zero what you do not set.
typedef struct SinewSkinnerBatch {
  uint32_t mesh;
  uint32_t instance_count;
  uint32_t borrows_palettes;  // 1: it reads palettes of batch `palettes_of`, and its ranges have none
  uint32_t palettes_of;       // an earlier batch of the call with palettes of its own, of the same format and blend
  /// [instance_count]: the instances of that batch whose palettes are read, in any order. Null: instance i reads
  /// palette i. Read during the call only.
  const uint32_t* instances;
} SinewSkinnerBatch;

/// A frame of the host. The number is enough for a host that has frames_in_flight fences, takes them in turn, and waits
/// for the next one before it begins a frame.
typedef struct SinewSkinnerFrame {
  uint32_t size;
  uint32_t slot;            // below frames_in_flight; the last frame recorded in it must have completed
  uint64_t number;          // from 1, ascending; numbers may be left out
  uint64_t last_completed;  // this frame and all before it have finished on the device
  uint32_t explicit_slot;   // 1: slot and last_completed are the host's; 0: both follow from the recorded frames
} SinewSkinnerFrame;

/// Where a page of output needs room, and where the host has it. Elements of arrays.
typedef struct SinewPageRequirements {
  VkDeviceSize size_bytes;
  VkDeviceSize alignment;  // of the offset, in bytes; seldom a power of two
  VkBufferUsageFlags usage;
} SinewPageRequirements;

/// See SinewPageRequirements.
typedef struct SinewPage {
  VkBuffer buffer;
  VkDeviceSize offset;
} SinewPage;

/// What a frame skins in one update group.
typedef struct SinewPrepareInfo {
  uint32_t size;
  uint32_t group;                    // below update_groups
  const SinewSkinnerBatch* batches;  // [batch_count]
  uint32_t batch_count;
  uint32_t page_count;
  const SinewPage* pages;                // the host's output pages, one per requirement; or null: the library's own
  const SinewParallelFor* parallel_for;  // or null
} SinewPrepareInfo;

/// Consecutive instances of one batch whose data is contiguous. Valid until the group is prepared again. Bind
/// `vertices` as a vertex buffer (sinew_vertex_input()) and draw instance i with vertexOffset = i * vertex_count and
/// the indices of the mesh, or of one of its parts. Or bind them as a storage buffer and draw all instances at once:
/// with a plan, sinew_planner_instanced_draw().
typedef struct SinewRange {
  uint32_t size;
  uint32_t batch, first_instance, instance_count;
  uint32_t vertex_count;     // of one instance
  uint32_t vertex_bytes;     // of one vertex
  uint32_t palette_stride;   // from one instance's palette to the next, in matrices
  uint32_t palette_count;    // matrices in `palettes`: instance_count * palette_stride
  SinewMatrix3x4* palettes;  // mapped, write-only: written after prepare, before the submission
  VkBuffer palette_buffer;   // the same memory
  VkDeviceSize palette_offset;
  VkBuffer vertices;             // [instance_count][vertex_count] skinned vertices
  VkDeviceSize vertices_offset;  // a multiple of vertex_bytes, as previous_vertices_offset is
  VkBuffer previous_vertices;    // of the group's last recorded frame; null without keep_previous
  VkDeviceSize previous_vertices_offset;
  // Morph weights, of a mesh with targets; null and 0 else. Mapped, write-only; those of instance i begin
  // at i * weight_stride, one per target: write all of them.
  float* weights;
  uint32_t weight_count;   // floats in `weights`
  uint32_t weight_stride;  // from one instance to the next, in floats
  uint32_t target_count;   // of one instance
  // In place of `palettes`, which is null then, for SINEW_PALETTE_COMPACT: stride and count are of these.
  SinewCompactMatrix* compact_palettes;
  uint32_t palette_size;  // matrices of one palette
  uint32_t mesh;          // as sinew_skinner_add_mesh() numbers it
  // The frame whose record writes `vertices`: an earlier one if this frame does not update them.
  uint64_t skinned_frame;
} SinewRange;

/// Options of sinew_skinner_record().
typedef struct SinewRecordInfo {
  uint32_t size;
  uint32_t first_query;    // 3 timestamps: begin, uploaded, skinned; the host resets them before
  VkQueryPool timestamps;  // or null
} SinewRecordInfo;

/// The work of the last recorded frame.
typedef struct SinewSkinnerCounters {
  uint32_t size;
  uint64_t instances, dispatches, skinned_vertices, palette_bytes, skinned_bytes, uploaded_bytes;
  uint64_t palette_copies, palette_copy_bytes;  // to device-local memory
  uint64_t mesh_bytes, job_bytes;               // that the dispatches read; of a mesh once for each batch
  uint64_t refused_records;  // calls that recorded nothing since the skinner was made: a second one in a frame
} SinewSkinnerCounters;

/// The memory of a skinner, in bytes; `struct MemoryUsage` in sinew/vulkan/skinner_frame.h says what is counted where.
typedef struct SinewMemoryUsage {
  uint32_t size;
  VkDeviceSize mesh_bytes, palette_bytes, skinned_bytes, staging_bytes, job_bytes, deferred_bytes, block_bytes;
  VkDeviceSize palette_copy_bytes, expanded_bytes;
} SinewMemoryUsage;

/// The static data of a mesh on the device.
typedef struct SinewMeshBuffer {
  uint32_t size;
  uint32_t vertex_count;
  VkBuffer buffer;
  VkDeviceSize offset, size_bytes;
  uint32_t influence_quads;  // per vertex: influences divided by 4, rounded up
  // With morph targets, else 0, in units of 16 bytes: where the first block begins, from `offset`; where the weights
  // of an instance begin, from its palette in the buffer of its range.
  uint32_t morph_blocks, weights_row;
} SinewMeshBuffer;

/// The vertex input of skinned vertices: position, normal, and with tangents tangent, at consecutive locations.
typedef struct SinewVertexInput {
  uint32_t size;
  uint32_t attribute_count;
  VkVertexInputBindingDescription binding;
  VkVertexInputAttributeDescription attributes[3];
} SinewVertexInput;

#ifdef __cplusplus
}
#endif
