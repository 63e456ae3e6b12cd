// The planner of crowds: which instances of a frame are drawn, at which level of detail, in whose pose. It knows
// nothing of Vulkan.
//
//   sinew_planner_create()         once; measures the motion of the clips
//   sinew_planner_plan()           each frame
//   sinew_planner_last()           each frame: what to play, to skin and to draw
//   sinew_planner_write_draws()    each frame: draw commands, for vertices of the skinner
//
// Models may come and go between two plans: sinew_planner_measure(), sinew_planner_add_model(),
// sinew_planner_remove_model().
#pragma once

#include "sinew/c/animation.h"
#include "sinew/c/inverse_kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model of a crowd.
typedef struct SinewPlannerModel {
  uint32_t size;
  uint32_t clip_count;
  const SinewCharacter* character;  // after sinew_character_bake(), with its levels of detail; shared
  const uint32_t* clips;            // that instances play, none of them additive; null: all
  float scale;                      // above 0; world units per unit of model space, of an instance of scale 1; 0: 1
  float height;                     // above 0; in world units; 0: the largest extent of the rest pose
  float middle[3];                  // in model space, that distances are measured from; zeros: that of the rest pose
} SinewPlannerModel;

/// Optimizations, to be left out: SinewPlannerInfo::without.
enum { SINEW_WITHOUT_CULLING = 1, SINEW_WITHOUT_LEVELS = 2, SINEW_WITHOUT_UPDATE_RATES = 4 };

/// The parameters of sinew_planner_create().
typedef struct SinewPlannerInfo {
  uint32_t size;
  uint32_t model_count;
  const SinewPlannerModel* models;       // [model_count]
  uint32_t without;                      // SINEW_WITHOUT_..., combined with |; 0: all optimizations
  uint32_t unique_poses;                 // small instances share about so many poses; 0: they share none
  uint32_t previous_poses;               // 1: SinewPlan::previous_poses
  uint32_t kept_palettes;                // for the budget: of how many frames the host keeps palettes; 0: 2
  uint32_t kept_vertices;                // and skinned vertices; 0: 1
  uint32_t vertex_bytes;                 // of a skinned vertex; 0: 16
  uint64_t budget_bytes;                 // device memory for meshes, palettes and skinned vertices; 0: no limit
  const SinewParallelFor* parallel_for;  // or null
  float error_pixels;                    // above 0; of the surface of a level of detail; 0: 1
  const uint32_t* level;  // all are drawn at it, or at the coarsest level that they have; null: each at its own. Not
                          // with SINEW_WITHOUT_LEVELS
} SinewPlannerInfo;

/// A sphere in world space. The element of an array.
typedef struct SinewSphere {
  float center[3], radius;
} SinewSphere;

/// The host's instances, as arrays with `count` elements; those that are optional may be null. Read during the call.
typedef struct SinewInstances {
  uint32_t size;
  uint32_t count;
  const uint32_t* models;                  // numbers of the planner's models: indices in SinewPlannerInfo::models,
                                           // or what sinew_planner_add_model() returns; with a SinewSkinnedCrowd
                                           // those of its models. Others are never drawn
  const SinewMatrix3x4* world_from_model;  // or the function `world_from_model_at`
  const SinewPlayback* playbacks;          // what each plays now; or the function:
  void* playback_user_data;
  void (*playback_at)(void* user_data, uint32_t instance, double seconds, SinewPlayback* out);
  const float* speeds;               // optional: clip seconds per second; 1 without
  const float* positions;            // optional: [count][3], of the feet
  const float* scales;               // optional: factor on the sizes of its model
  const SinewSphere* extra_spheres;  // optional: what else is visible with an instance
  const SinewSphere* spheres;        // optional: the spheres around the instances in all poses, to save time
  const uint8_t* phases;             // optional: in which frames of its update rate it is updated
  const uint8_t* host_posed;         // optional: not 0: the host writes its palette
  // world_from_model as a function, of instances that may be visible (without `spheres`: of all): used if it is set.
  void* world_from_model_user_data;
  void (*world_from_model_at)(void* user_data, uint32_t instance, SinewMatrix3x4* out);
  // extra_spheres as a function, called likewise: used if it is set.
  void* extra_sphere_user_data;
  void (*extra_sphere_at)(void* user_data, uint32_t instance, SinewSphere* out);
  // Optional: of the chains of sinew_skinned_crowd_set_chains(), ascending by instance; only of those that have any.
  const SinewChainTarget* targets;
  uint32_t target_count;
  const uint64_t* outfits;  // optional: what each wears; bit w is wearable w of its model. For a SinewSkinnedCrowd
  // Optional: which instance this is, of those that have had its index one after another. One whose number differs from
  // the one that was visible last is new: it has no previous pose, keeps no pose, and its level is chosen anew.
  const uint32_t* generations;
} SinewInstances;

/// SinewView::pixels_per_radian of a view that needs no detail, as of a shadow map.
#define SINEW_NO_DETAIL (-1.0f)

/// A view into the world. The element of an array.
typedef struct SinewView {
  float clip_from_world[16];  // finite; column-major; clip space of Vulkan: depth from 0 to 1, or from 1 to 0
  float eye[3];
  float pixels_per_radian;  // finite, above 0: picture height / (2 * tan(field of view / 2)); or SINEW_NO_DETAIL
} SinewView;

/// What a depth image hides: sinew/c/occlusion.h.
typedef struct SinewDepthPyramid SinewDepthPyramid;

/// One frame of the host.
typedef struct SinewCrowdFrame {
  uint32_t size;
  uint32_t view_count;
  double seconds;
  const SinewView* views;  // [view_count], at least one, the first of the camera; what no view sees is culled
  float up[3];             // of unit length; zeros: 0 1 0
  // Shadows of the sun: an instance whose shadow may be seen is kept.
  uint32_t shadows;     // 1: the following fields hold
  float to_sun[3];      // direction, of any length, above the horizon: dot(to_sun, up) > 0
  float lowest_ground;  // height along `up` below which no surface receives a shadow
  float shadow_margin;  // world units by which a shadow may be displaced
  // What hides instances: the function, else the pyramid of sinew/c/occlusion.h. Both are optional.
  void* occlusion_user_data;
  uint32_t (*is_hidden)(void* user_data, const SinewSphere* sphere, uint32_t view);  // 1: all of a sphere, in `view`
  const SinewDepthPyramid* depth_pyramid;
} SinewCrowdFrame;

/// Batches that are evaluated and skinned in the same frames. The element of an array.
typedef struct SinewUpdateGroup {
  uint32_t first_batch, batch_count;
  double seconds;   // time of its poses
  uint8_t updated;  // 0: its posed meshes are those of the previous frame
} SinewUpdateGroup;

/// Posed meshes of one mesh. The element of an array.
typedef struct SinewPosedBatch {
  uint32_t model, level;
  uint32_t wearable;                // UINT32_MAX: bodies; with a SinewPlanner always
  uint32_t first_mesh, mesh_count;  // in `posed_meshes`
  uint32_t group;
  uint32_t bodies;         // in `batches`: whose palettes these read; of bodies their own
  uint8_t host_posed;      // the host writes the palettes; nothing is to be evaluated
  uint8_t previous_poses;  // poses of the frame before: skinned, not drawn
} SinewPosedBatch;

/// One mesh skinned with one palette, and the instances drawn with it: firstInstance and instanceCount of a draw. Posed
/// mesh first_mesh + i of a batch is instance i of that batch of the skinner. The element of an array.
typedef struct SinewPosedMesh {
  uint32_t instance;                        // of the host: the owner of the pose
  uint32_t first_instance, instance_count;  // in SinewPlan::instances
  uint8_t shared;                           // the pose is that of a range of times
} SinewPosedMesh;

/// The posed mesh that an instance was drawn with in the frame before. The element of an array.
typedef struct SinewPreviousPose {
  uint32_t posed_mesh;   // UINT32_MAX: none
  uint8_t in_this_plan;  // else in that of the frame before
} SinewPreviousPose;

/// The plan of a frame. Its arrays are valid until the next plan.
typedef struct SinewPlan {
  uint32_t size;
  uint32_t group_count, batch_count, posed_mesh_count, instance_count;
  uint32_t previous_pose_count;               // instance_count, or 0 without SinewPlannerInfo::previous_poses
  const SinewUpdateGroup* groups;             // each is an update group of the skinner; at most 7
  const SinewPosedBatch* batches;             // by group
  const SinewPosedMesh* posed_meshes;         // [posed_mesh_count]
  const SinewPlayback* playbacks;             // [posed_mesh_count]: to be evaluated, if the group is updated
  const uint32_t* instances;                  // of the host, in the order of the posed meshes that they are drawn with
  const SinewPreviousPose* previous_poses;    // of each of `instances`
  uint32_t visible, culled;                   // instances
  uint32_t shared, not_updated, shadow_only;  // of the visible
  uint32_t updated_meshes;                    // posed meshes that this frame evaluates and skins
  uint64_t needed_bytes;                      // device memory, estimated; 0 without a budget
  uint32_t occluded;                          // of the culled: those that the frame's occlusion hides
} SinewPlan;

/// Plans the frames of one crowd. One call at a time.
typedef struct SinewPlanner SinewPlanner;

/// Makes a planner. Errors: INVALID_ARGUMENT (no model, one without a bake, a clip out of range or additive),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_planner_create(const SinewPlannerInfo* info, SinewPlanner** out, SinewError* error);

/// Destroys a planner. NULL is ignored.
SINEW_C_API void sinew_planner_destroy(SinewPlanner* planner);

/// Plans a frame. `parallel_for` may be NULL. Errors: INVALID_ARGUMENT, with the last plan unchanged; OUT_OF_MEMORY,
/// also of the budget: then there is no plan.
SINEW_C_API SinewResult sinew_planner_plan(SinewPlanner* planner, const SinewInstances* instances,
                                           const SinewCrowdFrame* frame, const SinewParallelFor* parallel_for,
                                           SinewError* error);

/// The last plan. Where there is none, its arrays are empty; the counts of instances and `needed_bytes` are those of
/// the frame that was planned last.
SINEW_C_API SinewResult sinew_planner_last(const SinewPlanner* planner, SinewPlan* out, SinewError* error);

/// A model with all measurements that take long: for sinew_planner_add_model().
/// It shares the SinewCharacter.
typedef struct SinewMeasuredModel SinewMeasuredModel;

/// Measures a model: some milliseconds for a clip and second, where an option of the planner needs it. May run beside
/// all other calls of the planner but sinew_planner_destroy(), on any thread. `parallel_for` may be NULL. Errors: those
/// of sinew_planner_create().
SINEW_C_API SinewResult sinew_planner_measure(const SinewPlanner* planner, const SinewPlannerModel* model,
                                              const SinewParallelFor* parallel_for, SinewMeasuredModel** out,
                                              SinewError* error);

/// Destroys the handle, added or not. NULL is ignored. A model that was added stays.
SINEW_C_API void sinew_measured_model_destroy(SinewMeasuredModel* measured);

/// Adds a model between two plans. `*out` becomes its number, for SinewInstances::models: that of a model that is gone,
/// else the next one. The planner takes what `measured` holds, where the call fails too: the handle is empty then, and
/// the host destroys it. A NULL argument leaves all as it is. Errors, with the planner unchanged: INVALID_ARGUMENT (it
/// is empty; measured by a planner with other options), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_planner_add_model(SinewPlanner* planner, SinewMeasuredModel* measured, uint32_t* out,
                                                SinewError* error);

/// Removes a model between two plans: no instance of it is drawn from the next plan on. Its number stays taken, and
/// the planner shares its SinewCharacter, until it is gone: for `kept_plans` plans, such as those of frames in flight,
/// or some more. Others keep their numbers and poses. Errors: INVALID_ARGUMENT (no such `model`), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_planner_remove_model(SinewPlanner* planner, uint32_t model, uint32_t kept_plans,
                                                   SinewError* error);

/// Sets `*out` to 1 if the number is that of no model, and no plan has batches of the one that had it; else to 0.
SINEW_C_API SinewResult sinew_planner_is_gone(const SinewPlanner* planner, uint32_t model, uint32_t* out,
                                              SinewError* error);

/// The draws of posed meshes of one range of the skinner, see SinewRange, and what they read.
typedef struct SinewDrawInfo {
  uint32_t size;
  uint32_t group, batch;                // update group, and batch in it
  uint32_t first_mesh, mesh_count;      // posed meshes of that batch: SinewRange::first_instance, instance_count
  uint32_t first_index, index_count;    // of the whole mesh, or of one of its parts
  uint32_t first_vertex, vertex_count;  // of the first posed mesh; the vertices of the next one follow
} SinewDrawInfo;

/// A draw command, with the layout of VkDrawIndexedIndirectCommand. The element of an array.
typedef struct SinewDrawCommand {
  uint32_t index_count, instance_count, first_index;
  int32_t vertex_offset;
  uint32_t first_instance;  // in SinewPlan::instances
} SinewDrawCommand;

/// Writes one draw command for each of these posed meshes of the last plan that has instances, in their order. `*count`
/// is the room in `out`, and becomes their number; `out` may be NULL: only the number is set. `out` is never read, so
/// it may be mapped memory. Error: INVALID_ARGUMENT (no plan; there are no such posed meshes; too little room), with
/// nothing written.
SINEW_C_API SinewResult sinew_planner_write_draws(const SinewPlanner* planner, const SinewDrawInfo* info,
                                                  SinewDrawCommand* out, uint32_t* count, SinewError* error);

/// One draw command for all instances of these posed meshes, for vertex shaders that read skinned vertices from a
/// storage buffer. Its vertex_offset is 0: gl_VertexIndex is the vertex of the mesh. Of `info` only the posed meshes
/// and the indices are used. Without instances its instance_count is 0. Error: INVALID_ARGUMENT (no plan; `out` NULL;
/// there are no such posed meshes), with nothing written.
SINEW_C_API SinewResult sinew_planner_instanced_draw(const SinewPlanner* planner, const SinewDrawInfo* info,
                                                     SinewDrawCommand* out, SinewError* error);

/// Writes the first vertex of each instance of these posed meshes: element i is that of SinewPlan::instances[i], so
/// that it can be an attribute at instance rate. Vertices count from info->first_vertex. The other elements stay.
/// `count` elements are in `out`: at least SinewPlan::instance_count. `out` is only written, and may be mapped memory.
/// Error: INVALID_ARGUMENT (no plan; `out` NULL; there are no such posed meshes; too few elements), with nothing
/// written.
SINEW_C_API SinewResult sinew_planner_write_first_vertices(const SinewPlanner* planner, const SinewDrawInfo* info,
                                                           uint32_t* out, uint32_t count, SinewError* error);

/// The next plan updates every group: call it if a plan could not be evaluated or skinned. Until then there is no plan.
SINEW_C_API SinewResult sinew_planner_update_all(SinewPlanner* planner, SinewError* error);

#ifdef __cplusplus
}
#endif
