// The skinning backend: palettes in, skinned vertices out, on the host's Vulkan device.
//
//   create_skinner()                 once
//   add_mesh()                       once per mesh: builds the kernels it needs, copies its static data; the next
//                                    record() uploads it. While frames are drawn: prepare_mesh() on another thread,
//                                    then add_mesh() of the result, which takes microseconds
//   begin_frame({.number = number})  each frame: frees what completed frames used
//   prepare(group, batches)          each frame: makes room for every instance of a group; may allocate, may fail
//   ranges()[i].palettes             each frame: the host or evaluate() writes the matrices into mapped memory
//   record(cmd)                      each frame: records a few dispatches per page; allocates nothing, cannot fail
//   ranges()[i].vertices             each frame: the host draws them
//
// The host owns instance, device, queues, command buffers, submission and presentation. The library never submits,
// waits, takes a queue or starts a thread, and calls Vulkan only through the host's get_instance_proc_addr. It needs
// core Vulkan 1.2, no extension and no optional feature. A skinner is externally synchronized: one call at a time, but
// for prepare_mesh(). A call that can fail returns kInvalidArgument, and record() records nothing, where it finds
// another call running, in another thread or around it in a callback. Calls on different skinners may run in parallel.
//
// An instance is one mesh in one pose: a palette in, vertex_count vertices out. It may be drawn several times. An
// update group is a set of batches that are prepared in the same frames; with one group each frame updates everything.
// A page is a buffer, or a part of one, with the palettes or the vertices of many instances; at most 256 MiB.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner_frame.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::vulkan {

class Skinner;
namespace experimental {  // see sinew/experimental/kernel.h
struct KernelTuning;
struct MessageCallback;
SINEW_API Result<Skinner> create_skinner(const SkinnerInfo& info, const KernelTuning& tuning,
                                         const MessageCallback& message);
SINEW_API Status reload_kernel(Skinner& skinner, std::span<const uint32_t> spirv);
}  // namespace experimental

/// A mesh that Skinner::prepare_mesh() made ready for add_mesh(). One that is made by default, was added or was moved
/// from is empty. Holds a copy of the static data in host memory, and kernels. Destroy it on any thread, before or
/// after its skinner, and before the device.
class SINEW_API PreparedMesh {
 public:
  PreparedMesh() noexcept;
  PreparedMesh(PreparedMesh&&) noexcept;
  PreparedMesh& operator=(PreparedMesh&&) noexcept;
  ~PreparedMesh();

 private:
  friend class Skinner;
  struct Impl;
  explicit PreparedMesh(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The skinning backend on one device, for any number of meshes. The destructor frees everything.
///
/// A skinner that was made without create_skinner(), or was moved from, is empty: calls that can fail return
/// kInvalidArgument, the others do nothing and return nothing.
class SINEW_API Skinner {
 public:
  Skinner() noexcept;
  Skinner(Skinner&&) noexcept;
  Skinner& operator=(Skinner&&) noexcept;
  ~Skinner();  // all recorded commands must have completed

  /// Copies the static data of `mesh`; the next record() uploads it. `name` is for messages and debuggers. Allocates,
  /// and builds the variants of the kernel that no mesh before needed: one for each number of influences (1, 2, 3, 4,
  /// up to 8, more), others with morph targets, dual quaternions, and rigid or compact palettes. A driver takes 1 to
  /// 100 ms for each, less with SkinnerInfo::pipeline_cache. Of `mesh` it reads positions, normals, influences, targets
  /// and blend, and tangents with SkinnerInfo::tangents; all else may be empty. Errors: kInvalidData (what it reads is
  /// not valid), kInvalidArgument (no vertices; tangents or box missing; scale of compact palettes), kUnsupported (more
  /// vertices or palette entries than a page holds), kOutOfMemory, kDeviceLost, kDeviceFailure.
  ///
  /// The order of vertices stays. Skinning is fastest if vertices with the same number of influences are neighbors,
  /// see order_by_influences(). Only VertexFormat::kPacked uses `box`: it must contain every skinned position in model
  /// space (see measure_bounds()); positions outside are clamped to it. `palettes` is a promise of the host for all
  /// palettes of the mesh. Palettes of a mesh with Blend::kDualQuaternion are matrices as others are: record() converts
  /// them in a device-local copy, which every page with such a mesh then has.
  Result<MeshId> add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name = "", const Box& box = {},
                          const PaletteKind& palettes = {});

  /// The part of add_mesh() that takes long: validates and packs the static data, and builds the kernels that are
  /// missing. Any number of threads may call it at once and beside every other call of the skinner, while the skinner
  /// lives and is not moved; none waits for another that builds kernels. Two threads that need the same kernel may both
  /// build it; one of the two is freed. SkinnerInfo::allocation_callbacks are then called on these threads, at once;
  /// SkinnerInfo::pipeline_cache must not be EXTERNALLY_SYNCHRONIZED. Parameters and errors as of add_mesh(), and those
  /// of a mesh without a name begin with "mesh". An empty skinner: kInvalidArgument.
  Result<PreparedMesh> prepare_mesh(const Mesh& mesh, uint32_t palette_size, const char* name = "", const Box& box = {},
                                    const PaletteKind& palettes = {}) const;

  /// Adds a prepared mesh, and empties it: finds room on the device, and copies the static data into a staging buffer.
  /// Builds kernels only where reload_kernel() replaced them after prepare_mesh(). The result is that of
  /// add_mesh(mesh, ...), to the bit. Errors, with `mesh` as it was: kInvalidArgument (empty; another skinner prepared
  /// it), kOutOfMemory, kDeviceLost, kDeviceFailure.
  Result<MeshId> add_mesh(PreparedMesh&& mesh);

  /// Removes the mesh. Its memory is freed when the frames that use it have completed. Ignores an unknown id,
  /// as that of another skinner.
  void remove_mesh(MeshId mesh);

  /// Begins a frame: frees what only completed frames used. A group is updated in this frame only if it is prepared
  /// after this call, or was prepared before and not recorded. For any other group nothing is written: its ranges,
  /// palettes and vertices stay valid for drawing, and its previous vertices are `vertices`. Call it in every frame.
  /// Without keep_previous, a frame that updates no group and uploads no mesh may leave it out.
  /// Error: kInvalidArgument (number, slot or last_completed cannot be right; once, what SkinnerInfo::debug_checks
  /// found in the last recorded frame), with nothing changed.
  Status begin_frame(const SkinnerFrame& frame);

  /// For a frame whose commands will not be submitted, such as where a swapchain is out of date. The frame is then as
  /// before record(): it may be recorded again, and what it uploads and skins is due in the next record(), of this
  /// frame or a later one. Error: kInvalidArgument (the last frame that was begun is not recorded), with nothing
  /// changed.
  Status discard_frame();

  /// Makes room for `batches` of an update group in the frame that was begun, and sets ranges(group). Writes a job
  /// list on the threads of `parallel_for`. Allocates only where pages or lists grow. A batch of 0 instances has no
  /// ranges. `pages`, if given, are the host's output pages, one per entry of page_requirements(). The library writes
  /// them in this frame only. They must stay valid as long as a frame draws from them; with keep_previous at least
  /// until the next frame that updates this group has completed.
  ///
  /// Update groups serve update rates: distant instances need not be skinned each frame. `group` is below
  /// SkinnerInfo::update_groups; a host without update rates has group 0 alone. Call it for each group that the frame
  /// updates, between begin_frame() and record(); a second call for a group replaces the first.
  ///
  /// Errors: kInvalidArgument (no frame begun, frame recorded, group, mesh id, pages, SkinnerBatch::palettes_of or its
  /// instances), kUnsupported (job list larger than a buffer; a mesh with morph targets in a batch without palettes of
  /// its own), kOutOfMemory, kDeviceLost, kDeviceFailure. After an error the group is as it was before the call.
  Status prepare(uint32_t group, std::span<const SkinnerBatch> batches, std::span<const Page> pages = {},
                 const ParallelFor& parallel_for = {});

  /// Makes the next prepare() of a group allocate for `batches`, where it needs less. From then on a prepare() with at
  /// most so many instances of each, in the same order, makes no buffer, after frames_in_flight of them: the vertex
  /// buffers stay while a crowd grows. Replaces what was reserved for the group before; without batches nothing is. Not
  /// for pages of the host. SkinnerBatch::instances may differ. Errors as from prepare(), with nothing changed.
  Status reserve(std::span<const SkinnerBatch> batches, uint32_t group = 0);

  /// How many vertex buffers prepare() has made so far, in all groups. Where it has grown, InstanceRange::vertices may
  /// be others, and handles of old ones may come again: a host that keeps descriptor sets of them writes these again.
  uint64_t buffer_changes() const;

  /// The pages that prepare(group, batches, pages) needs, one entry per page. Depends on `batches` only. Errors as from
  /// prepare().
  Result<std::vector<PageRequirements>> page_requirements(std::span<const SkinnerBatch> batches) const;

  /// The ranges of an update group, in the order of its batches, then of instances. Empty if `group` is out of range.
  std::span<const InstanceRange> ranges(uint32_t group = 0) const;

  /// Records mesh uploads, and for the groups that were prepared and not recorded yet copies of palettes and skinning.
  /// Records nothing, not even timestamps, before the first begin_frame(), a second time in a frame, or if `cmd` is
  /// null: see SkinnerCounters::refused_records and SkinnerInfo::debug_checks. `cmd` is outside a render pass, for any
  /// queue with compute. Disturbs the bound compute pipeline, all compute descriptor sets and push constants: bind and
  /// push yours again. Palettes must be written before `cmd` is submitted. With kLibrary it records both barriers: from
  /// the consumers (and kWriteStage) to kWriteStage before skinning, from kWriteStage to the consumers after. With
  /// kHost both are up to the host.
  void record(VkCommandBuffer cmd, const RecordInfo& info = {});

  /// With SkinnerInfo::debug_checks: kInvalidArgument names instances of the frame whose palettes or weights were not
  /// written since prepare(). Call it before the submission. Without the checks there is never an error.
  Status check_palettes() const;

  MeshBuffer mesh_buffer(MeshId mesh) const;  // null for an unknown id
  SkinnerCounters counters() const;
  MemoryUsage memory_usage() const;

 private:
  struct Impl;
  explicit Skinner(std::unique_ptr<Impl> impl);
  friend Result<Skinner> experimental::create_skinner(const SkinnerInfo& info, const experimental::KernelTuning& tuning,
                                                      const experimental::MessageCallback& message);
  friend Status experimental::reload_kernel(Skinner& skinner, std::span<const uint32_t> spirv);
  std::unique_ptr<Impl> impl_;
};

/// Makes a skinner. Builds no pipeline: add_mesh() does. Errors, with the reason in the message:
/// kInvalidArgument, kUnsupported (Vulkan below 1.2), kOutOfMemory, kDeviceLost, kDeviceFailure.
SINEW_API Result<Skinner> create_skinner(const SkinnerInfo& info);

}  // namespace sinew::vulkan
