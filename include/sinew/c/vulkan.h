// The skinner: palettes in, skinned vertices out, on the host's Vulkan device.
//
//   sinew_skinner_create()         once
//   sinew_skinner_add_mesh()       once per mesh: builds the kernels it needs; the next record uploads it. While frames
//                                  are drawn: sinew_skinner_prepare_mesh() on another thread, then
//                                  sinew_skinner_add_prepared_mesh(), which takes microseconds
//   sinew_skinner_begin_frame()    each frame: frees what completed frames used
//   sinew_skinner_prepare()        each frame: room for every instance; may allocate, may fail
//   SinewRange::palettes           each frame: written by the host or sinew_evaluator_evaluate()
//   sinew_skinner_record()         each frame: a few dispatches; allocates nothing
//   SinewRange::vertices           each frame: the host draws them
//
// The host owns instance, device, queues, command buffers, submission and presentation. The library never submits,
// waits, takes a queue or starts a thread, and calls Vulkan only through the host's get_instance_proc_addr. It needs
// core Vulkan 1.2 on instance and device, no extension and no optional feature: there is nothing to ask for, and no
// feature to chain. sinew/vulkan/skinner.h has the whole contract, in the same words and order.
#pragma once

#include "sinew/c/asset.h"
#include "sinew/c/vulkan_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The skinning backend on one device, for any number of meshes. One call at a time, but for
/// sinew_skinner_prepare_mesh(); different ones in parallel.
typedef struct SinewSkinner SinewSkinner;

/// A mesh that is ready to be added. Once added it is empty.
typedef struct SinewPreparedMesh SinewPreparedMesh;

/// Makes a skinner. Errors: INVALID_ARGUMENT, UNSUPPORTED (Vulkan below 1.2), OUT_OF_MEMORY,
/// DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinner_create(const SinewSkinnerInfo* info, SinewSkinner** out, SinewError* error);

/// Destroys a skinner. All recorded commands must have completed. NULL is ignored.
SINEW_C_API void sinew_skinner_destroy(SinewSkinner* skinner);

/// Adds a mesh and sets `*out` to its number, which no other mesh of the process has; 0 is none. Builds the kernels
/// that no mesh before needed, which may take a while. Errors: INVALID_DATA (mesh not valid), INVALID_ARGUMENT (no
/// vertices; tangents or box missing), UNSUPPORTED (too large for a page), OUT_OF_MEMORY, DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinner_add_mesh(SinewSkinner* skinner, const SinewAddMesh* info, uint32_t* out,
                                               SinewError* error);

/// The part of sinew_skinner_add_mesh() that takes long: validates and packs the mesh, and builds the kernels that are
/// missing. Any number of threads may call it at once and beside every other call of the skinner, until that is
/// destroyed. allocation_callbacks are then called on these threads, at once; a pipeline_cache must not be
/// EXTERNALLY_SYNCHRONIZED. Errors as from sinew_skinner_add_mesh(); `*out` is then NULL.
SINEW_C_API SinewResult sinew_skinner_prepare_mesh(const SinewSkinner* skinner, const SinewAddMesh* info,
                                                   SinewPreparedMesh** out, SinewError* error);

/// Adds a prepared mesh, which is empty then and still to be destroyed, and sets `*out` to its number, as
/// sinew_skinner_add_mesh() does. Errors, with the prepared mesh as it was: INVALID_ARGUMENT (it is empty; another
/// skinner prepared it), OUT_OF_MEMORY, DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinner_add_prepared_mesh(SinewSkinner* skinner, SinewPreparedMesh* mesh, uint32_t* out,
                                                        SinewError* error);

/// Destroys a prepared mesh, on any thread, before or after its skinner, and before the device. A mesh that was made
/// from it stays. NULL is ignored.
SINEW_C_API void sinew_prepared_mesh_destroy(SinewPreparedMesh* mesh);

/// Removes a mesh. Its memory is freed when the frames that use it have completed. An unknown number is ignored.
SINEW_C_API SinewResult sinew_skinner_remove_mesh(SinewSkinner* skinner, uint32_t mesh, SinewError* error);

/// Begins a frame. Error: INVALID_ARGUMENT, with nothing changed; with debug_checks once what the host forgot in the
/// last recorded frame.
SINEW_C_API SinewResult sinew_skinner_begin_frame(SinewSkinner* skinner, const SinewSkinnerFrame* frame,
                                                  SinewError* error);

/// For a frame whose commands will not be submitted: it is as before record, and what it uploads and skins is due in
/// the next one. Error: INVALID_ARGUMENT (the last frame that was begun is not recorded).
SINEW_C_API SinewResult sinew_skinner_discard_frame(SinewSkinner* skinner, SinewError* error);

/// Makes the next prepare of a group allocate for these batches, where it needs less: the vertex buffers then stay
/// while a crowd grows. Replaces what was reserved before; without batches nothing is. Errors as from prepare, such as
/// INVALID_ARGUMENT (no such `group`).
SINEW_C_API SinewResult sinew_skinner_reserve(SinewSkinner* skinner, uint32_t group, const SinewSkinnerBatch* batches,
                                              uint32_t batch_count, SinewError* error);

/// Sets `*out` to the number of vertex buffers that prepare has made so far. Where it has grown, a host that keeps
/// descriptor sets of SinewRange::vertices writes these again.
SINEW_C_API SinewResult sinew_skinner_buffer_changes(const SinewSkinner* skinner, uint64_t* out, SinewError* error);

/// With debug_checks. Error: INVALID_ARGUMENT names instances whose palettes or weights were not written since
/// prepare. Call it before the submission.
SINEW_C_API SinewResult sinew_skinner_check_palettes(const SinewSkinner* skinner, SinewError* error);

/// Makes room for the batches of an update group in the frame that was begun. Errors: INVALID_ARGUMENT, UNSUPPORTED,
/// OUT_OF_MEMORY, DEVICE_LOST, DEVICE_FAILURE; then the group is as it was before.
SINEW_C_API SinewResult sinew_skinner_prepare(SinewSkinner* skinner, const SinewPrepareInfo* info, SinewError* error);

/// The pages that the host must provide for these batches, if it provides them. `*count` is the room in `out`, and
/// becomes their number; `out` may be NULL: only the number is set. Error besides those of prepare: INVALID_ARGUMENT,
/// if there is too little room.
SINEW_C_API SinewResult sinew_skinner_page_requirements(const SinewSkinner* skinner, const SinewSkinnerBatch* batches,
                                                        uint32_t batch_count, SinewPageRequirements* out,
                                                        uint32_t* count, SinewError* error);

/// The number of ranges of an update group, in the order of its batches, then of instances.
SINEW_C_API SinewResult sinew_skinner_range_count(const SinewSkinner* skinner, uint32_t group, uint32_t* out,
                                                  SinewError* error);
/// Range `index` of an update group. Error: INVALID_ARGUMENT (no such `group`, no such `index`).
SINEW_C_API SinewResult sinew_skinner_range(const SinewSkinner* skinner, uint32_t group, uint32_t index,
                                            SinewRange* out, SinewError* error);

/// Records uploads and the skinning of the prepared groups, outside a render pass, for a queue with compute. Disturbs
/// the bound compute pipeline, compute descriptor sets and push constants. Palettes must be written before the
/// submission. `info` may be NULL. Error: INVALID_ARGUMENT (a null handle, a wrong struct), with nothing recorded;
/// nothing else can fail.
SINEW_C_API SinewResult sinew_skinner_record(SinewSkinner* skinner, VkCommandBuffer cmd, const SinewRecordInfo* info,
                                             SinewError* error);

/// The static data of a mesh on the device. Error: INVALID_ARGUMENT (no such `mesh`).
SINEW_C_API SinewResult sinew_skinner_mesh_buffer(const SinewSkinner* skinner, uint32_t mesh, SinewMeshBuffer* out,
                                                  SinewError* error);
/// The work of the last recorded frame.
SINEW_C_API SinewResult sinew_skinner_counters(const SinewSkinner* skinner, SinewSkinnerCounters* out,
                                               SinewError* error);
/// The memory of the skinner.
SINEW_C_API SinewResult sinew_skinner_memory_usage(const SinewSkinner* skinner, SinewMemoryUsage* out,
                                                   SinewError* error);

/// The vertex input of a pipeline that draws skinned vertices: `format` is one of SINEW_FORMAT_..., `tangents` 0 or 1.
SINEW_C_API SinewResult sinew_vertex_input(uint32_t format, uint32_t tangents, uint32_t binding,
                                           uint32_t first_location, SinewVertexInput* out, SinewError* error);

/// Writes a draw command for each instance of a range: a part of its mesh, at the vertices of the instance, with
/// firstInstance = first_instance + its index in the range. For vkCmdDrawIndexedIndirect(), with the device features
/// drawIndirectFirstInstance and, for more than one command, multiDrawIndirect, or as the arguments of
/// vkCmdDrawIndexed(). `count` is the room in `out`, which is never read: it may be mapped memory. Error:
/// INVALID_ARGUMENT (room for fewer than SinewRange::instance_count), with nothing written.
///
/// Hosts with a plan use sinew_planner_write_draws() instead: there several instances may share a posed mesh.
SINEW_C_API SinewResult sinew_write_draws(const SinewRange* range, const SinewPart* part, uint32_t first_instance,
                                          VkDrawIndexedIndirectCommand* out, uint32_t count, SinewError* error);

#ifdef __cplusplus
}
#endif
