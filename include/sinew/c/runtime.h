// A crowd of skinned characters in three calls a frame: models in; each frame instances and views in, draws out. The
// same as sinew/runtime/skinned_crowd.h.
//
//   sinew_model_load()             once per model
//   sinew_skinned_crowd_create()   once
//   sinew_skinned_crowd_streams()  once: indices and texture coordinates of all models, for the host's buffers
//   sinew_skinned_crowd_update()   each frame: plans, makes room, writes palettes; CPU only
//   sinew_skinned_crowd_record()   each frame: a few dispatches
//   sinew_skinned_crowd_draws()    each frame: what to draw, opaque parts first; sinew_draw_record() draws one
//
// Models may come and go between two frames: sinew_skinned_crowd_prepare_model() on any thread,
// sinew_skinned_crowd_add_model() and sinew_skinned_crowd_model_streams(), sinew_skinned_crowd_remove_model().
#pragma once

#include <vulkan/vulkan_core.h>

#include "sinew/c/attachments.h"
#include "sinew/c/crowd.h"
#include "sinew/c/import.h"
#include "sinew/c/vulkan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Everything that is made once from a file: bake, bounds, levels of detail, sockets, masks. Immutable; crowds share
/// it.
typedef struct SinewModel SinewModel;

/// A socket to be made: a name, the joint that it follows, and its offset from the joint. The element of an array.
typedef struct SinewSocketOptions {
  const char *name, *joint;
  const SinewMatrix3x4* joint_from_socket;  // or null
} SinewSocketOptions;

/// A mask to be made: factor 1 for a joint and all below it, 0 for all others; with `inverted` 1 the other way round.
/// The element of an array.
typedef struct SinewMaskOptions {
  const char *name, *joint;
  uint32_t inverted;
} SinewMaskOptions;

/// A wearable to be made: a mesh over the skeleton of the model that an instance may wear, such as a hat. It is made of
/// parts of the file, which leave the body, or of another character, whose joints are found in the file by name. The
/// element of an array.
typedef struct SinewWearableOptions {
  const char* name;
  const char* choice;        // what one chooses it for, such as hats; or null
  const char* const* parts;  // [part_count]: names of parts of the file, or of `from`, of which none means all
  uint32_t part_count;
  const SinewCharacter* from;                 // copied; or null
  const char* joint;                          // with `from`, for a thing without joints: what it follows; or null
  const SinewMatrix3x4* joint_from_wearable;  // and where; or null
} SinewWearableOptions;

/// How a model is made.
typedef struct SinewModelOptions {
  uint32_t size;
  uint32_t keep_space;  // 1: model space stays that of the file; 0: it becomes meters, y up, z front
  float extent;  // finite, not negative; if it is not 0, the model is scaled so that its rest pose has this extent
                 // along its longest axis
  uint32_t socket_count, mask_count;
  const SinewSocketOptions* sockets;  // [socket_count]
  const SinewMaskOptions* masks;      // [mask_count]
  const SinewImportOptions* import;   // or null
  const SinewBakeOptions* bake;       // or null
  uint32_t wearable_count;
  const SinewWearableOptions* wearables;  // [wearable_count]
} SinewModelOptions;

/// Makes a model of a file; a `.sinew` file that holds a whole model is only opened. Without import in this library
/// only such files load. `options` may be NULL. Errors: NOT_FOUND, UNREADABLE, UNSUPPORTED, INVALID_DATA,
/// INVALID_ARGUMENT (options; a joint or a part that is not there), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_model_load(const char* path, const SinewModelOptions* options, SinewModel** out,
                                         SinewError* error);

/// Writes a `.sinew` file that holds the model. Errors: UNREADABLE, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_model_write(const SinewModel* model, const char* path, SinewError* error);

/// Destroys the handle. NULL is ignored. The model lives as long as crowds share it.
SINEW_C_API void sinew_model_destroy(SinewModel* model);

/// A copy of the model's character with its bake and its levels of detail, for the calls of sinew/c/asset.h: materials,
/// images, names. Destroy it. Error: OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_model_character(const SinewModel* model, SinewCharacter** out, SinewError* error);

/// The number of a socket, for SinewSocketRequest::socket. Error: INVALID_ARGUMENT (no such name).
SINEW_C_API SinewResult sinew_model_find_socket(const SinewModel* model, const char* name, uint32_t* out,
                                                SinewError* error);
/// The number of a mask, for SinewLayer::mask. Error: INVALID_ARGUMENT (no such name).
SINEW_C_API SinewResult sinew_model_find_mask(const SinewModel* model, const char* name, uint32_t* out,
                                              SinewError* error);

/// The number of a wearable: its bit in SinewInstances::outfits. Error: INVALID_ARGUMENT (no such name).
SINEW_C_API SinewResult sinew_model_find_wearable(const SinewModel* model, const char* name, uint32_t* out,
                                                  SinewError* error);

/// A wearable of a model.
typedef struct SinewWearable {
  uint32_t size;
  const char *name, *choice;  // valid as long as the model
} SinewWearable;
/// Wearable `index`. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_model_wearable(const SinewModel* model, uint32_t index, SinewWearable* out,
                                             SinewError* error);

/// A crowd. One call at a time. It shares its models.
typedef struct SinewSkinnedCrowd SinewSkinnedCrowd;

/// How a crowd uses one of its models. Zeros are right for models of sinew_model_load() in a world of meters.
typedef struct SinewModelUse {
  uint32_t size;
  uint32_t clip_count;
  const uint32_t* clips;  // that instances may share or keep poses of, none of them additive; null: all
  float world_per_unit;   // above 0; world units of a unit of the model, of an instance of scale 1; 0: 1
} SinewModelUse;

/// The parameters of sinew_skinned_crowd_create().
typedef struct SinewSkinnedCrowdInfo {
  uint32_t size;
  uint32_t model_count;
  const SinewModel* const* models;       // [model_count]
  const SinewSkinnerInfo* skinner;       // the host's device; update_groups is derived
  uint32_t without;                      // SINEW_WITHOUT_..., combined with |; 0: all optimizations
  uint32_t unique_poses;                 // small instances share about so many poses; 0: they share none
  uint32_t previous_poses;               // 1: keeps the vertices of the frame before: sinew_draw_record_with_previous()
  uint32_t compact_palettes;             // 1: 16 bytes a joint where no joint scales and there are no sockets
  uint32_t vertex_pulling;               // 1: one command for each draw. Needs consumer_stages and consumer_accesses
  uint64_t budget_bytes;                 // device memory for meshes, palettes and skinned vertices; 0: no limit
  const SinewParallelFor* parallel_for;  // the host's threads, used in create, update and calls that write
                                         // arrays; copied; or null
  float error_pixels;                    // above 0; of the surface of a level of detail; 0: 1
  uint32_t max_pulled_vertices;          // as vertex_pulling, for meshes with at most so many vertices; 0: none
  const SinewModelUse* uses;             // [model_count], or null: all zeros
  const uint32_t* level;                 // all are drawn at it, or at the coarsest that they have; null: each at its
                                         // own. Not with SINEW_WITHOUT_LEVELS
} SinewSkinnedCrowdInfo;

/// Makes a crowd. Errors: INVALID_ARGUMENT, UNSUPPORTED, OUT_OF_MEMORY, DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinned_crowd_create(const SinewSkinnedCrowdInfo* info, SinewSkinnedCrowd** out,
                                                   SinewError* error);

/// Destroys a crowd, after all recorded commands have completed. NULL is ignored.
SINEW_C_API void sinew_skinned_crowd_destroy(SinewSkinnedCrowd* crowd);

/// A model whose slow part is done: for sinew_skinned_crowd_add_model(). It shares the SinewModel.
typedef struct SinewPreparedModel SinewPreparedModel;

/// Does the slow part of adding a model: some milliseconds, as in sinew_skinned_crowd_create(). May run beside all
/// other calls of the crowd but sinew_skinned_crowd_destroy(), on any thread. `use` may be NULL. Errors: those of
/// sinew_skinned_crowd_create().
SINEW_C_API SinewResult sinew_skinned_crowd_prepare_model(const SinewSkinnedCrowd* crowd, const SinewModel* model,
                                                          const SinewModelUse* use, SinewPreparedModel** out,
                                                          SinewError* error);

/// Destroys the handle, added or not. NULL is ignored. A model that was added stays.
SINEW_C_API void sinew_prepared_model_destroy(SinewPreparedModel* prepared);

/// Adds a model between two frames. `*out` becomes its number, for SinewInstances::models: that of a removed model
/// which no frame in flight shows any more, or the next one. Others keep their numbers, poses and places in the
/// streams; sinew_skinned_crowd_model_streams() makes those of this one. The next record uploads it. The crowd takes
/// what `prepared` holds, where the call fails too: the handle is empty then, and the host destroys it. A NULL argument
/// leaves all as it is. Errors, with the crowd unchanged: INVALID_ARGUMENT (it is empty; another crowd has prepared
/// it), OUT_OF_MEMORY, UNSUPPORTED, DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinned_crowd_add_model(SinewSkinnedCrowd* crowd, SinewPreparedModel* prepared,
                                                      uint32_t* out, SinewError* error);

/// Removes a model between two frames: no instance of it is drawn from the next update on. Frames in flight may show
/// it: its number and its places in the streams stay taken for that long. Errors: INVALID_ARGUMENT (no such `model`),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_remove_model(SinewSkinnedCrowd* crowd, uint32_t model, SinewError* error);

/// Sets the chains of a model, for SinewInstances::targets. Errors: INVALID_ARGUMENT (no such `model`, a chain that
/// cannot be one), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_set_chains(SinewSkinnedCrowd* crowd, uint32_t model,
                                                       const SinewChain* chains, uint32_t count, SinewError* error);

/// The static data of the meshes of models, their levels of detail and their wearables. Arrays that no mesh has are
/// null. SinewDraw::first_index and first_stream_vertex count in the host's buffers, of the streams of all models.
typedef struct SinewMeshStreams {
  uint32_t size;
  uint32_t index_count, vertex_count;
  const uint32_t* indices;             // [index_count], counted from the first vertex of their mesh
  const float* base_color_uvs;         // [vertex_count][2]: with set and transform of the base color's texture
  const float* uvs;                    // [vertex_count][2]: as SinewMesh::uvs
  const float* second_uvs;             // [vertex_count][2]
  const uint16_t* colors;              // [vertex_count][4], as SinewMesh::colors
  uint32_t first_index, first_vertex;  // where they go in the host's buffers: 0 for all models
} SinewMeshStreams;

/// Makes the streams of all models, which are valid until the next call for streams or the end of the crowd. Error:
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_streams(SinewSkinnedCrowd* crowd, SinewMeshStreams* out, SinewError* error);

/// The same of one model, which other models do not change. Errors: INVALID_ARGUMENT (no such `model`),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skinned_crowd_model_streams(SinewSkinnedCrowd* crowd, uint32_t model,
                                                          SinewMeshStreams* out, SinewError* error);

/// Plans frame `number`, from 1, ascending, and writes what it needs into mapped memory. `last_completed`: this frame
/// and all before it have finished on the device; 0: the host has frames_in_flight fences, takes them in turn, and
/// waited for the next one. Instances and frame are read during the call only. After an error nothing is to be recorded
/// or drawn in this frame. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, UNSUPPORTED, DEVICE_LOST, DEVICE_FAILURE.
SINEW_C_API SinewResult sinew_skinned_crowd_update(SinewSkinnedCrowd* crowd, uint64_t number, uint64_t last_completed,
                                                   const SinewInstances* instances, const SinewCrowdFrame* frame,
                                                   SinewError* error);

/// Records uploads and skinning, outside a render pass, for a queue with compute. `info` may be NULL. Error:
/// INVALID_ARGUMENT (a null handle).
SINEW_C_API SinewResult sinew_skinned_crowd_record(SinewSkinnedCrowd* crowd, VkCommandBuffer cmd,
                                                   const SinewRecordInfo* info, SinewError* error);

/// For a frame whose commands will not be submitted: its uploads are due again. It has no draws any more; the next
/// update updates every pose, and no instance has a previous one there. Error: INVALID_ARGUMENT (the last frame is not
/// recorded), with nothing changed.
SINEW_C_API SinewResult sinew_skinned_crowd_discard_frame(SinewSkinnedCrowd* crowd, SinewError* error);

/// Skinned vertices in a buffer of the crowd.
typedef struct SinewVertexSlice {
  VkBuffer buffer;
  VkDeviceSize offset;
} SinewVertexSlice;

/// One draw: skinned meshes that lie together, and of these the triangles of one material. The element of an array.
typedef struct SinewDraw {
  uint32_t model, level, material;
  uint32_t vertex_count;                    // of the mesh: for sinew_mesh_vertex() of skinned_vertex.glsl
  uint32_t first_stream_vertex;             // where the mesh begins in the streams of vertices
  uint32_t first_index, index_count;        // in SinewMeshStreams::indices
  uint32_t first_instance, instance_count;  // in the drawn instances
  VkBuffer vertex_buffer;                   // the vertices of the next mesh follow those of the first
  uint32_t first_vertex;                    // in it, of the first mesh: commands count from there
  uint32_t first_command, command_count;    // in the commands of the crowd
  uint32_t pulled;                          // 1: for shaders that read the vertices from a storage buffer
  uint32_t wearable;                        // of the model; UINT32_MAX: the body
  const void *range, *crowd;                // of the library
} SinewDraw;

/// The draws of the frame, its drawn instances as indices of the host's arrays, to which firstInstance refers, and all
/// commands. An instance is there once for its body, and once more for each wearable that is drawn on it. Valid until
/// the next update.
typedef struct SinewDraws {
  uint32_t size;
  uint32_t draw_count, instance_count, command_count;
  const SinewDraw* draws;            // first what is opaque, then what masks, then what blends
  const uint32_t* instances;         // [instance_count]
  const SinewDrawCommand* commands;  // [command_count]
} SinewDraws;
/// Fills `out`. Before the first update, and after one that failed, there are no draws.
SINEW_C_API SinewResult sinew_skinned_crowd_draws(const SinewSkinnedCrowd* crowd, SinewDraws* out, SinewError* error);

/// Binds the vertices as vertex buffer `binding` and records the commands of a draw. The host has bound pipeline,
/// descriptor sets and index buffer. Error: INVALID_ARGUMENT (a draw of zeros).
SINEW_C_API SinewResult sinew_draw_record(const SinewDraw* draw, VkCommandBuffer cmd, uint32_t binding,
                                          SinewError* error);
/// The same with the vertices of the frame before as vertex buffer `binding` + 1. Errors: INVALID_ARGUMENT (a draw of
/// zeros; without previous_poses; a pulled draw).
SINEW_C_API SinewResult sinew_draw_record_with_previous(const SinewDraw* draw, VkCommandBuffer cmd, uint32_t binding,
                                                        SinewError* error);

/// Writes the first vertex of each drawn instance, counted from the start of its buffer. `count` elements are in `out`.
/// Error: INVALID_ARGUMENT (too few).
SINEW_C_API SinewResult sinew_skinned_crowd_write_first_vertices(const SinewSkinnedCrowd* crowd, uint32_t* out,
                                                                 uint32_t count, SinewError* error);

/// Writes the vertices that each drawn instance was drawn with in the frame before; null where it has none. `count`
/// elements are in `out`. Valid until the next update. Errors: INVALID_ARGUMENT (too few; without previous_poses).
SINEW_C_API SinewResult sinew_skinned_crowd_write_previous_vertices(const SinewSkinnedCrowd* crowd,
                                                                    SinewVertexSlice* out, uint32_t count,
                                                                    SinewError* error);

/// The pose of an instance that the host writes itself: see SinewInstances::host_posed. Mapped, write-only memory:
/// write it between update and submission. What is not written shows the rest pose. All null if the instance is not
/// drawn, not host-posed or not updated in this frame.
typedef struct SinewHostPose {
  uint32_t size;
  uint32_t palette_size, weight_count, socket_count;
  SinewMatrix3x4* palette;              // [palette_size]
  SinewCompactMatrix* compact_palette;  // in its place
  float* weights;                       // [weight_count]
  SinewMatrix3x4* sockets;              // [socket_count]
} SinewHostPose;
/// `previous` 1: the pose as it was in the frame before, where previous_poses needs it at another level of detail.
SINEW_C_API SinewResult sinew_skinned_crowd_host_pose(SinewSkinnedCrowd* crowd, uint32_t instance, uint32_t previous,
                                                      SinewHostPose* out, SinewError* error);

/// Writes world_from_socket of each request; zeros for an instance that is not drawn. `out` has `count` elements, and
/// may be mapped memory.
SINEW_C_API SinewResult sinew_skinned_crowd_place_sockets(const SinewSkinnedCrowd* crowd,
                                                          const SinewInstances* instances,
                                                          const SinewSocketRequest* requests, uint32_t count,
                                                          SinewMatrix3x4* out, SinewError* error);

#ifdef __cplusplus
}
#endif
