// The plan of a frame: what to play, what to skin and what to draw, as contiguous lists.
//
//   playbacks      one per pose: input of CrowdEvaluator::evaluate()
//   batches        posed meshes of one mesh, by update group: input of Skinner::prepare()
//   posed_meshes   what to draw: each with its instances
//
// A posed mesh is a body, or a wearable on a body. Bodies come first: posed mesh i below playbacks.size() has palette
// and playback i. A wearable reads the palette of its body.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/api.h"
#include "sinew/asset/wearable.h"

namespace sinew::crowd {

/// Update groups of a plan with update rates. Group 0 is updated in every frame, 1 and 2 in every second, 3 to 6 in
/// every fourth. Without update rates there is one group.
inline constexpr uint32_t kUpdateGroups = 1 + 2 + 4;

/// No posed mesh: see PreviousPose.
inline constexpr uint32_t kNoPosedMesh = UINT32_MAX;

/// One mesh skinned with one palette, and the instances drawn with it.
struct PosedMesh {
  uint32_t instance = 0;                            // of the host: the owner of the pose
  uint32_t first_instance = 0, instance_count = 1;  // in Plan::instances; count 0: not drawn in this frame
  bool shared = false;                              // the pose is that of a range of times, not exactly the owner's
  bool operator==(const PosedMesh&) const = default;
};

/// Posed meshes of one mesh: a slice of Plan::posed_meshes. The mesh is a level of detail of a model, or of one of its
/// wearables.
struct PosedBatch {
  uint32_t model = 0, level = 0;
  uint32_t wearable = kNoWearable;          // in Level::wearable_vertices; kNoWearable: bodies
  uint32_t first_mesh = 0, mesh_count = 0;  // in Plan::posed_meshes
  uint32_t group = 0;                       // in Plan::groups
  uint32_t bodies = 0;          // in Plan::batches: the batch whose palettes these read, see Plan::wearers; of bodies
                                // their own. An earlier one of the same group
  bool host_posed = false;      // the host writes the palettes; nothing is to be evaluated
  bool previous_poses = false;  // poses of the frame before: skinned, not drawn; see PreviousPose

  bool is_worn() const { return wearable != kNoWearable; }
  bool operator==(const PosedBatch&) const = default;
};

/// The posed mesh that an instance was drawn with in the frame before, at the level of detail of this frame: its
/// vertices are the previous positions of those that are drawn now.
///
/// Where the level did not change, it is a posed mesh of the previous plan. Its vertices lie where they were drawn, if
/// the host keeps them for one more frame (SkinnerInfo::keep_previous). Where the level changed, it is a posed mesh of
/// this plan, in a batch with PosedBatch::previous_poses. The host writes its palette, as it was in the frame before,
/// if it wrote the previous one.
///
/// An instance has none if it was not drawn in the frame before, or as another model, or did not wear this; if the
/// frame before was not planned successfully, or Planner::update_all() was called since; and if it changes its level,
/// but the memory budget has no room.
struct PreviousPose {
  uint32_t posed_mesh = kNoPosedMesh;  // kNoPosedMesh: the instance has none
  bool in_this_plan = false;           // index in Plan::posed_meshes of this plan; otherwise of the previous one
};

/// Batches that are evaluated and skinned in the same frames.
struct UpdateGroup {
  uint32_t first_batch = 0, batch_count = 0;  // in Plan::batches
  /// Time of its poses: the middle of the frames that show them. Batches with PosedBatch::previous_poses have poses of
  /// the previous frame.
  double seconds = 0;
  bool updated = true;  // false: its posed meshes are those of the previous frame
  bool operator==(const UpdateGroup&) const = default;
};

/// Counts of instances in one frame; wearables do not count. `visible` and `culled` add up to all instances. Of the
/// visible, `shared` are drawn with a posed mesh that another instance owns, `not_updated` with a posed mesh that this
/// frame does not update, and `shadow_only` are outside all views, but their shadow may be inside. Of the culled,
/// `occluded` would be visible without PlanFrame::occlusion.
struct PlanCounters {
  uint32_t visible = 0, culled = 0, shared = 0, not_updated = 0, shadow_only = 0, occluded = 0;
  uint32_t updated_meshes = 0;         // bodies that are evaluated and skinned in this frame
  std::vector<uint32_t> levels;        // of the visible, at each level of detail
  std::array<uint32_t, 3> rates = {};  // of the visible, updated in every frame, every second, every fourth
  bool operator==(const PlanCounters&) const = default;
};

/// The plan of a frame.
struct Plan {
  double seconds = 0;                   // PlanFrame::seconds
  std::vector<UpdateGroup> groups;      // kUpdateGroups, or one
  std::vector<PosedBatch> batches;      // by group; in a group bodies, then what they wear
  std::vector<PosedMesh> posed_meshes;  // bodies, then wearables
  std::vector<Playback> playbacks;      // of each body; of a shared pose: of the middle of its range of times
  /// Of each posed mesh of a wearable, in turn, from posed mesh playbacks.size() on: the body that wears it, counted in
  /// the batch PosedBatch::bodies. So a slice is what SkinnerBatch::instances of the skinner takes: wearers_of().
  std::vector<uint32_t> wearers;
  /// Of the host, in the order of the posed meshes that they are drawn with: each drawn instance once for its body, of
  /// which there are PlanCounters::visible, and once more for each wearable.
  std::vector<uint32_t> instances;
  std::vector<PreviousPose> previous_poses;  // of each of `instances`; empty without PlanOptions::previous_poses
  PlanCounters counters;

  std::span<const uint32_t> wearers_of(const PosedBatch& batch) const {
    if (!batch.is_worn()) return {};
    return std::span(wearers).subspan(batch.first_mesh - playbacks.size(), batch.mesh_count);
  }

  /// The posed mesh of the body that wears posed mesh `mesh` of a batch; of a body itself.
  uint32_t body_of(const PosedBatch& batch, uint32_t mesh) const {
    return batch.is_worn() ? batches[batch.bodies].first_mesh + wearers[mesh - playbacks.size()] : mesh;
  }
};

/// The layout of VkDrawIndexedIndirectCommand.
struct DrawCommand {
  uint32_t index_count = 0, instance_count = 0, first_index = 0;
  int32_t vertex_offset = 0;
  uint32_t first_instance = 0;  // in Plan::instances
};

/// What a draw of posed meshes reads.
struct DrawInfo {
  uint32_t first_index = 0, index_count = 0;    // of the whole mesh, or of one material
  uint32_t first_vertex = 0, vertex_count = 0;  // of the first posed mesh; the vertices of the next one follow
};

/// The posed meshes of a range of the skinner: `count` of batch `batch` of update group `group`, from `first` on, as in
/// vulkan::InstanceRange. Empty if they are not in the plan.
SINEW_API std::span<const PosedMesh> posed_meshes_of(const Plan& plan, uint32_t group, uint32_t batch, uint32_t first,
                                                     uint32_t count);

/// The number of draw commands that write_draws() writes.
SINEW_API uint32_t count_draws(std::span<const PosedMesh> posed_meshes);

/// Writes one draw command for each of `posed_meshes` that has instances, in their order. `commands` has room for
/// count_draws(); draws beyond it are left out. It is never read, so it may be mapped memory.
SINEW_API void write_draws(std::span<const PosedMesh> posed_meshes, const DrawInfo& info,
                           std::span<DrawCommand> commands);

/// One draw command for all instances of `posed_meshes`, for vertex shaders that read skinned vertices from a storage
/// buffer: thousands of draws become one. The posed meshes are consecutive in the plan, such as those of a range
/// (posed_meshes_of()). The command's vertex_offset is 0: gl_VertexIndex is the vertex of the mesh, and
/// write_first_vertices() tells where those of the instance begin. Of `info` only the indices are used. Without
/// instances instance_count is 0.
SINEW_API DrawCommand instanced_draw(std::span<const PosedMesh> posed_meshes, const DrawInfo& info);

/// Writes the first vertex of each instance of `posed_meshes`: element i is that of Plan::instances[i], so that
/// `first_vertices`, with Plan::instances.size() elements, can be an attribute at instance rate. Vertices count from
/// info.first_vertex, in vertices. Instances beyond the span are left out. The span is only written, and may be mapped
/// memory; calls for different ranges may run in parallel.
SINEW_API void write_first_vertices(std::span<const PosedMesh> posed_meshes, const DrawInfo& info,
                                    std::span<uint32_t> first_vertices);

}  // namespace sinew::crowd
