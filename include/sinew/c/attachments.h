// Attachments: where the sockets of instances are in the world, for instances that share a pose, keep the pose of an
// earlier frame or are drawn with a coarse level too.
//
//   sinew_evaluator_set_sockets()  once per character
//   sinew_attachments_begin()      each frame, after sinew_planner_plan()
//   sinew_attachments_of()         each frame: output of sinew_evaluator_evaluate(), for what is updated
//   sinew_attachments_place()      each frame: a matrix for each request
#pragma once

#include "sinew/c/crowd.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Keeps the socket matrices of posed meshes as long as they are drawn. It shares the planner and reads its last plan:
/// calls of both are one at a time.
typedef struct SinewAttachments SinewAttachments;

/// A socket of an instance of the host. The element of an array.
typedef struct SinewSocketRequest {
  uint32_t instance;
  uint32_t socket;  // number of a socket of its character
} SinewSocketRequest;

/// What to place, and where to.
typedef struct SinewPlaceInfo {
  uint32_t size;
  uint32_t instance_count;
  const SinewMatrix3x4* world_from_model;  // [instance_count], as in SinewInstances
  const SinewSocketRequest* requests;      // [request_count]
  SinewMatrix3x4* world_from_socket;       // [request_count]; only written: may be mapped memory
  uint32_t request_count;
  const SinewParallelFor* parallel_for;  // or null
  void* world_from_model_user_data;      // with the function, in place of the array: of instances that are drawn
  void (*world_from_model_at)(void* user_data, uint32_t instance, SinewMatrix3x4* out);
} SinewPlaceInfo;

/// Makes attachments for the characters of a planner: `socket_counts` has the number of sockets of each, `count`
/// characters. Errors: INVALID_ARGUMENT (the planner has another number of characters), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_attachments_create(const SinewPlanner* planner, const uint32_t* socket_counts,
                                                 uint32_t count, SinewAttachments** out, SinewError* error);

/// Destroys attachments. NULL is ignored.
SINEW_C_API void sinew_attachments_destroy(SinewAttachments* attachments);

/// Sets the number of sockets of a model that was added to the planner: between two frames, before the first plan with
/// it. Its number may be that of a model that is gone. Errors: INVALID_ARGUMENT (the planner has had no such `model`),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_attachments_set_socket_count(SinewAttachments* attachments, uint32_t model,
                                                           uint32_t socket_count, SinewError* error);

/// Begins a frame: makes room for the sockets of all posed meshes, and keeps those of groups that are not updated. Call
/// it for every plan. `parallel_for` may be NULL. Errors: INVALID_ARGUMENT (no plan; a model without a socket
/// count), OUT_OF_MEMORY: then call sinew_planner_update_all() before the next plan.
SINEW_C_API SinewResult sinew_attachments_begin(SinewAttachments* attachments, const SinewParallelFor* parallel_for,
                                                SinewError* error);

/// Sets `*out` to model_from_socket of the posed meshes of SinewPlan::batches[batch], [mesh_count][number of sockets],
/// and `*count` to their number. To be written for batches of updated groups: by sinew_evaluator_evaluate(), or by the
/// host for host-posed ones. Valid until the next frame is begun. Error: INVALID_ARGUMENT (no such `batch`; the last
/// plan was not begun).
SINEW_C_API SinewResult sinew_attachments_of(SinewAttachments* attachments, uint32_t batch, SinewMatrix3x4** out,
                                             uint64_t* count, SinewError* error);

/// Writes world_from_socket of each request: world_from_model of the instance times the socket of its posed mesh. An
/// instance that is not drawn in this frame, or has no such socket, gets a matrix of zeros. Error: INVALID_ARGUMENT
/// (the last plan was not begun).
SINEW_C_API SinewResult sinew_attachments_place(const SinewAttachments* attachments, const SinewPlaceInfo* info,
                                                SinewError* error);

#ifdef __cplusplus
}
#endif
