// A crowd of skinned characters on the host's Vulkan device: models in; each frame instances and views in, draws out.
//
//   load_model(), load_model_file()   once per model: sinew/import/model.h, sinew/asset/model.h
//   SkinnedCrowd::create()            once: uploads nothing yet, builds pipelines
//   make_streams()                    once: indices and texture coordinates of all models, for the host's buffers
//   update(frame, instances, views)   each frame: plans, makes room, writes palettes; CPU only
//   record(cmd)                       each frame: a few dispatches; cannot fail
//   draws()                           each frame: what to draw, opaque parts first
//
// It owns a planner, evaluators, a skinner and the sockets, and derives everything that they need from the models. A
// host that wants to place each of these pieces uses them itself: sinew/crowd/planner.h, sinew/animation/evaluator.h,
// sinew/vulkan/skinner.h. The host's part is as there: device, command buffers, submission and waiting are the host's.
#pragma once

#include <vulkan/vulkan_core.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/model.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/planner.h"
#include "sinew/runtime/pick.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan {

/// How a crowd uses one of its models. The defaults are right for models of load_model() in a world of meters.
struct ModelUse {
  float world_per_unit = 1;  // world units of a unit of the model, of an instance of scale 1; above 0
  /// The clips that instances may share or keep poses of: see crowd::ModelInfo::clips. Their motion is measured in
  /// create() or prepare_model(), in some milliseconds for each second of a clip. Without: all that are not additive.
  std::optional<std::span<const uint32_t>> clips = {};
};

/// How a crowd works. The defaults are right for most hosts.
struct CrowdOptions {
  /// One for each model, or none. Read during create() only.
  std::span<const ModelUse> uses = {};
  /// The optimizations of the planner. Of its memory budget only `bytes` counts: the rest follows from SkinnerInfo.
  /// With `previous_poses` the crowd keeps the vertices of the frame before: Draw::record_with_previous().
  crowd::PlanOptions planner = {};
  /// Palettes of 16 bytes a joint instead of 48, where no joint of a model scales and it has no sockets.
  bool compact_palettes = false;
  /// One command for each draw, for vertex shaders that read skinned vertices from a storage buffer: see
  /// SkinnedCrowd::write_first_vertices(). With Barriers::kLibrary create() refuses SkinnerInfo::consumers without
  /// kVertexPulling: draws would race with skinning.
  bool vertex_pulling = false;
  /// As `vertex_pulling`, but of small meshes only: those with at most so many vertices, such as the last levels of
  /// detail. A draw call costs more than such a mesh. SkinnerInfo::consumers must have kVertexInput and kVertexPulling.
  uint32_t max_pulled_vertices = 0;
  /// The host's threads, or those of sinew::ThreadPool. Used in create(), update(), and calls that write arrays; must
  /// outlive the crowd.
  ParallelFor parallel_for = {};
};

/// A frame of the host.
struct CrowdFrame {
  uint64_t number = 0;  // ascending, see vulkan::SkinnerFrame; 0: the crowd counts its frames, from 1
  double seconds = 0;   // the host's time: see crowd::PlanFrame
  std::optional<crowd::SunShadows> shadows = {};
  Vec3 up{0, 1, 0};
  /// This frame and all before it have finished on the device. 0: the host has SkinnerInfo::frames_in_flight fences,
  /// takes them in turn, and has waited for the one that this frame signals: see vulkan::SkinnerFrame.
  uint64_t last_completed = 0;
  /// Optional: what is hidden. See crowd::PlanFrame, and sinew/crowd/occlusion.h.
  crowd::OcclusionSource occlusion = {};
};

/// The static data of the meshes of models, their levels of detail and their wearables, for the host's buffers.
/// Draw::first_index and Draw::first_stream_vertex count in these buffers.
struct MeshStreams {
  uint32_t first_index = 0, first_vertex = 0;  // where the data goes in the host's buffers: 0 for all models
  std::vector<uint32_t> indices;  // counted from the first vertex of their mesh; parts with one material are together
  std::vector<Vec2> base_color_uvs;  // one per vertex, see sinew::base_color_uvs(): for hosts that draw one texture
  std::vector<Vec2> uvs;             // as Mesh::uvs, for hosts that draw the other textures of a material too
  std::vector<Vec2> second_uvs;      // as Mesh::second_uvs; empty if no mesh of these models has them
  std::vector<VertexColor> colors;   // white where a mesh has none; empty if none of these has. Coarse levels of detail
                                     // have colors in place of textures: multiply them in
};

/// Skinned vertices in a buffer of the crowd. Null: there are none.
struct VertexSlice {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;

  friend bool operator==(const VertexSlice&, const VertexSlice&) = default;
};

/// When the stages of an update() ended, by the CPU: what to look at first where a frame takes long.
struct UpdateTimes {
  using Time = std::chrono::steady_clock::time_point;
  Time begin;     // of the call
  Time planned;   // which instances are seen, at which level of detail, in which pose
  Time prepared;  // room for the poses
  Time posed;     // palettes, morph weights, sockets
  Time skinned;   // always `posed` but for backends of experimental::CrowdParts
  Time end;       // draws
};

class SkinnedCrowd;
namespace experimental {  // see sinew/experimental/crowd_parts.h
struct CrowdParts;
SINEW_API Result<SkinnedCrowd> create_crowd(const SkinnerInfo& info, std::span<const SharedModel> models,
                                            const CrowdOptions& options, const CrowdParts& parts);
SINEW_API Status reload_kernel(SkinnedCrowd& crowd, std::span<const uint32_t> spirv);
}  // namespace experimental
namespace internal {
struct CrowdImpl;
}

/// One draw: skinned meshes that lie together, and of these the triangles of one material. Valid until the next
/// update(). Default-made, it is empty.
struct Draw {
  uint32_t model = 0;                // index of the model
  uint32_t level = 0;                // of detail, see Model::mesh()
  uint32_t material = 0;             // in Character::materials
  uint32_t vertex_count = 0;         // of the mesh: for sinew_mesh_vertex() of sinew/vulkan/skinned_vertex.glsl
  uint32_t first_stream_vertex = 0;  // where the mesh begins in the other MeshStreams
  uint32_t first_index = 0, index_count = 0;        // in MeshStreams::indices
  uint32_t first_instance = 0, instance_count = 0;  // in SkinnedCrowd::instances()
  /// The skinned vertices: `first_vertex` counts from the start of the buffer, and the vertexOffset of commands from
  /// `first_vertex`. The vertices of the next mesh follow those of the first.
  VkBuffer vertex_buffer = VK_NULL_HANDLE;
  uint32_t first_vertex = 0;
  /// The draw as commands for indirect drawing: in SkinnedCrowd::commands(). Their firstInstance counts in
  /// SkinnedCrowd::instances().
  uint32_t first_command = 0, command_count = 0;
  uint32_t pulled = 0;              // 1: for shaders that read the vertices from a storage buffer; there is one command
  uint32_t wearable = kNoWearable;  // in Model::wearables; kNoWearable: the body
  /// Of the skinner: where the palettes lie, for hosts that read them too. That of a wearable has none.
  const InstanceRange* range = nullptr;

  /// Binds `vertex_buffer` at `first_vertex` as vertex buffer `binding`, and records the commands one by one:
  /// command_count draw calls. The host has bound pipeline, descriptor sets and an index buffer with
  /// MeshStreams::indices. Where `pulled` is set nothing is bound, and there is one command. Not with previous
  /// vertices: record_with_previous(). An empty draw records nothing.
  SINEW_API void record(VkCommandBuffer cmd, uint32_t binding = 0) const;

  /// The same with the previous vertices as vertex buffer `binding` + 1: one command for each group of instances that
  /// agree in both. An instance that was not drawn in the frame before has its present vertices there: it does not move
  /// in its own space. Errors: kInvalidArgument (an empty draw; without crowd::PlanOptions::previous_poses; a pulled
  /// draw, for which SkinnedCrowd::write_previous_vertices() is), with nothing recorded.
  SINEW_API Status record_with_previous(VkCommandBuffer cmd, uint32_t binding = 0) const;

  const internal::CrowdImpl* crowd = nullptr;  // that made the draw
};

/// The pose of one instance that the host writes itself: crowd::Instances::host_posed. Mapped, write-only memory: write
/// it between update() and the submission. What is not written shows the rest pose. The palette is always that of the
/// character: a host-posed instance gets no level of detail that has a palette of its own.
struct HostPose {
  std::span<Matrix3x4> palette;              // palette_size matrices model_from_mesh; empty with compact palettes
  std::span<CompactMatrix> compact_palette;  // in its place
  std::span<float> weights;                  // one per morph target
  std::span<Matrix3x4> sockets;              // model_from_socket; memory of the host, which may be read
};

/// A posed mesh of the frame, and where it is skinned: for hosts that do more with vertices than draw them, such as
/// acceleration structures (sinew/vulkan/acceleration.h). Valid until the next update().
struct PlacedMesh {
  uint32_t posed_mesh = 0;               // in crowd::Plan::posed_meshes
  uint32_t group = 0;                    // in crowd::Plan::groups
  uint32_t model = 0, level = 0;         // see Model::mesh()
  uint32_t wearable = kNoWearable;       // in Model::wearables; kNoWearable: the body
  uint32_t instance_count = 0;           // that are drawn with it; 0: in this frame none is
  const InstanceRange* range = nullptr;  // its skinned_frame says which frame's vertices they are
  uint32_t index = 0;                    // of its instance in the range
};

/// A model whose slow part is done: made by SkinnedCrowd::prepare_model() on any thread, for
/// SkinnedCrowd::add_model(). Default-made or moved from, it is empty.
class SINEW_API PreparedModel {
 public:
  PreparedModel() noexcept;
  PreparedModel(PreparedModel&&) noexcept;
  PreparedModel& operator=(PreparedModel&&) noexcept;
  ~PreparedModel();

 private:
  friend class SkinnedCrowd;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A crowd. One call at a time, except where a call says so: a call that changes the crowd returns kInvalidArgument
/// where another one is running, in another thread or around it in a callback. Default-made or moved from, it is empty:
/// calls that can fail return kInvalidArgument, the others do nothing.
class SINEW_API SkinnedCrowd {
 public:
  /// Shares the models. `info` is that of a skinner; update_groups is derived, and keep_previous is set for previous
  /// poses. With SkinnerInfo::tangents a mesh that has none gets (1, 0, 0, 1). Builds the kernels that the meshes need.
  /// Measures the motion of the clips: some milliseconds for each second of a clip. Errors: those of Planner::create(),
  /// create_skinner() and Skinner::add_mesh(); kInvalidArgument (no model, a null one, consumers that
  /// CrowdOptions::vertex_pulling needs).
  static Result<SkinnedCrowd> create(const SkinnerInfo& info, std::span<const SharedModel> models,
                                     const CrowdOptions& options = {});
  SkinnedCrowd() noexcept;
  SkinnedCrowd(SkinnedCrowd&&) noexcept;
  SkinnedCrowd& operator=(SkinnedCrowd&&) noexcept;
  ~SkinnedCrowd();  // all recorded commands must have completed

  /// The models by number, as Instances::models counts them; null where there is no model. One that was removed is here
  /// as long as a frame in flight may show it.
  std::span<const SharedModel> models() const;

  /// Does the slow part of adding a model: some milliseconds, as in create(). May run beside all other calls of the
  /// crowd but its move and its end, on any thread. Errors: as from create().
  Result<PreparedModel> prepare_model(const SharedModel& model, const ModelUse& use = {}) const;

  /// Adds a model between two frames. Returns its number, for Instances::models: that of a removed model, where no
  /// frame in flight shows it any more, or the next one. Others keep their numbers, poses and places in the streams;
  /// the host makes the streams of this one: make_streams(). The next record() uploads it. Errors, with the crowd
  /// unchanged and the prepared model used up: kInvalidArgument (it is empty; prepared by another crowd), those of
  /// Skinner::add_mesh().
  Result<uint32_t> add_model(PreparedModel model);

  /// Removes a model between two frames: no instance of it is drawn from the next update() on. Frames in flight may
  /// show it: its number and its places in the streams stay taken for that long. Error: kInvalidArgument (there is no
  /// such model).
  Status remove_model(uint32_t model);

  /// The streams of all models, or of one, which other models do not change. Makes them in each call. Errors:
  /// kInvalidArgument (there is no such model), kOutOfMemory.
  Result<MeshStreams> make_streams() const;
  Result<MeshStreams> make_streams(uint32_t model) const;

  /// Plans a frame and writes what it needs into mapped memory: palettes, morph weights, sockets. Instances and views
  /// are read during the call only; Instances::models has the numbers of models(). Errors: those of Planner::plan(),
  /// Skinner::prepare() and CrowdEvaluator::evaluate(). After an error nothing is to be recorded or drawn in this
  /// frame; the next one may be updated as any.
  Status update(const CrowdFrame& frame, const crowd::Instances& instances, std::span<const crowd::View> views);

  /// Records uploads and skinning of the frame, outside a render pass, for a queue with compute. See Skinner::record().
  void record(VkCommandBuffer cmd, const RecordInfo& info = {});

  /// For a frame whose commands will not be submitted, see Skinner::discard_frame(): its uploads are due again. It has
  /// no draws any more; the next update() updates every pose, and no instance has a previous one there. Error:
  /// kInvalidArgument (the last frame is not recorded), with nothing changed.
  Status discard_frame();

  /// What to draw: first what is opaque, then what masks, then what blends. Valid until the next update().
  std::span<const Draw> draws() const;

  /// The instances that are drawn, as indices of the host's arrays: firstInstance of a draw counts here. A host writes
  /// its data of each instance in this order into a buffer of the frame. An instance is here once for its body, and
  /// once more for each wearable that is drawn on it: these are Plan::instances.
  std::span<const uint32_t> instances() const;
  /// Writes world_from_model of each of instances(): without wearables at most Instances::count(). `instances` are
  /// those of the last update(). `out` has room for all of them, and may be mapped memory.
  void write_transforms(const crowd::Instances& instances, std::span<Matrix3x4> out) const;

  /// All commands of draws(), with the layout of VkDrawIndexedIndirectCommand.
  std::span<const crowd::DrawCommand> commands() const;
  /// The first vertex of each of instances(), in vertices from the start of Draw::vertex_buffer, for vertex shaders
  /// that read them from a storage buffer. `out` has room for all of instances(), and may be mapped memory.
  void write_first_vertices(std::span<uint32_t> out) const;
  /// The vertices that each of instances() was drawn with in the frame before, in the mesh of this frame; null where it
  /// has none, see crowd::PreviousPose. Valid until the next update(). `out` has room for all of instances(). Error:
  /// kInvalidArgument (without crowd::PlanOptions::previous_poses), with nothing written.
  Status write_previous_vertices(std::span<VertexSlice> out) const;

  /// The pose of a host-posed instance in this frame; all empty if the instance is not drawn, not host-posed or not
  /// updated. `previous`: as it was in the frame before, where motion vectors need it at another level of detail.
  HostPose host_pose(uint32_t instance, bool previous = false);

  /// Writes world_from_socket of each request, for instances that share or keep a pose too; zeros for an instance that
  /// is not drawn, or whose model has no such socket. Socket numbers are those of find_socket(). The matrix has the
  /// scale of model space: normalize its columns to attach a thing that has world units. `instances` are those of the
  /// last update(). `out` has one element per request, and may be mapped memory.
  void place_sockets(const crowd::Instances& instances, std::span<const crowd::SocketRequest> requests,
                     std::span<Matrix3x4> out) const;

  /// What a drawn instance shows: the playback of its posed mesh, which other instances may share, or which may be some
  /// frames old. Nothing if it is not drawn.
  std::optional<Playback> playback_of(uint32_t instance) const;

  /// Posed mesh `index`, below plan().posed_meshes.size(); nothing beyond. A binary search in the ranges.
  std::optional<PlacedMesh> posed_mesh(uint32_t index) const;

  /// The body that an instance is drawn with, in crowd::Plan::posed_meshes: the same for all that share a pose. Nothing
  /// if it is not drawn. The first call after an update() makes the list of all instances.
  std::optional<uint32_t> posed_mesh_of(uint32_t instance) const;

  /// The nearest triangle that the ray hits within `max_distance` world units, in the pose that is drawn since the last
  /// update(): shared, kept from an earlier frame, at its level of detail, morphed, or the host's. Triangles of all
  /// materials count, from both sides, as if they had no holes; those of wearables too. Of hits at one distance the one
  /// with the lowest instance, the body first, then the lowest triangle. Only drawn instances are hit: what is culled
  /// has no pose. Host-posed ones are hit inside their spheres, see Instances::host_posed. Masks are those of now.
  /// Poses are evaluated again, and only near the ray are vertices skinned. The first call that meets a mesh prepares
  /// it, and later ones allocate nothing more. Errors: kInvalidArgument (no frame is updated; a ray that is not finite
  /// or has no direction; a distance that is not above 0; not the instances of the last update()), kOutOfMemory.
  Result<std::optional<crowd::PickHit>> pick(const crowd::Instances& instances, const crowd::Ray& ray,
                                             float max_distance = INFINITY) const;

  /// All instances whose sphere is within `radius` of the path, drawn or not, ascending, in `near`. A sphere contains
  /// the instance in all its poses: Instances::spheres, or crowd::bounding_sphere(). An infinite one is always near.
  /// Whether a thing hits the body in it, pick() tells. Errors: kInvalidArgument (no frame is updated; a path that is
  /// not finite, a radius that is negative or NaN; arrays of different sizes), kOutOfMemory; then `near`
  /// is not to be used.
  Status instances_near(const crowd::Instances& instances, const crowd::Segment& path, float radius,
                        std::vector<uint32_t>& near) const;

  /// world_from_joint of any joint of Character::skeleton, without a socket: of a drawn instance in the pose as drawn,
  /// of another one in the pose that it plays at the time of the last update(). From the keys of its clips: within the
  /// bake's error of what is drawn. Errors: kInvalidArgument (no frame is updated; no such instance or joint),
  /// kUnsupported (a host-posed instance that is not drawn, or whose joint moves no vertex), kOutOfMemory.
  Result<Matrix3x4> joint_transform(const crowd::Instances& instances, uint32_t instance, uint32_t joint) const;

  /// Replaces the factors of a mask of a model, numbered as in Layer::mask. Errors: kInvalidArgument.
  Status set_mask(uint32_t model, uint32_t mask, std::span<const float> factors);

  /// Sets the chains of a model, for crowd::Instances::targets: see CrowdEvaluator::set_chains(). Without, there are
  /// none, and a target is an error of update(). Culling and picking know how far chains reach: the call measures it,
  /// some milliseconds. PackedSkinnedVertex clamps what leaves Model::vertex_box(). Errors: kInvalidArgument (no such
  /// model, and those of validate()), kOutOfMemory.
  Status set_chains(uint32_t model, std::span<const Chain> chains);

  /// For what is not above: the limits of quality, counters, memory.
  crowd::Planner& planner();
  const crowd::Planner& planner() const;
  const crowd::Plan& plan() const;
  const Skinner& skinner() const;
  const UpdateTimes& times() const;  // of the last update() without an error

 private:
  friend Result<SkinnedCrowd> experimental::create_crowd(const SkinnerInfo& info, std::span<const SharedModel> models,
                                                         const CrowdOptions& options,
                                                         const experimental::CrowdParts& parts);
  friend Status experimental::reload_kernel(SkinnedCrowd& crowd, std::span<const uint32_t> spirv);
  explicit SkinnedCrowd(std::unique_ptr<internal::CrowdImpl> impl);
  std::unique_ptr<internal::CrowdImpl> impl_;
};

}  // namespace sinew::vulkan
