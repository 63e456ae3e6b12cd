// The skinning backend: palettes in, skinned vertices out, on the host's Vulkan device.
//
//   create_skinner()                 once
//   add_mesh()                       once per mesh: builds the kernels it needs, copies its static data; the next
//                                    record() uploads it
//   begin_frame({.number = number})  each frame: frees what completed frames used
//   prepare(group, batches)          each frame: makes room for every instance of an update group; may allocate and
//   fail ranges()[i].palettes             each frame: the host or evaluate() writes the matrices into mapped memory
//   record(cmd)                      each frame: records a few dispatches per page; allocates nothing, cannot fail
//   ranges()[i].vertices             each frame: the host draws them
//
// The host owns instance, device, queues, command buffers, submission and presentation. The library never submits,
// waits, takes a queue or starts a thread, and calls Vulkan only through the host's get_instance_proc_addr. It needs
// core Vulkan 1.2, no extension and no optional feature. A skinner is externally synchronized: one call at a time. A
// call that can fail returns kInvalidArgument, and record() records nothing, where it finds another call running, in
// another thread or around it in a callback. Calls on different skinners may run in parallel.
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
#include "sinew/asset/compact_matrix.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
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

/// The identity of a mesh; 0 is no mesh. No two meshes of a process have the same, whichever skinner they are in.
struct MeshId {
  uint32_t value = 0;
};

/// The format of a mesh's palettes, and their common scale.
struct PaletteKind {
  PaletteFormat format = PaletteFormat::kMatrices;
  float scale = 1;  // of all matrices, for PaletteFormat::kCompact; see BakedCharacter::scale
};

/// A batch: instances of one mesh, each with its own palette.
struct Batch {
  MeshId mesh;
  uint32_t instance_count = 0;
};

/// What Frame derives where the host does not say it.
inline constexpr uint32_t kDerivedSlot = UINT32_MAX;
inline constexpr uint64_t kDerivedCompletion = UINT64_MAX;

/// A frame of the host. The commands that record() writes for it must be submitted, in the order of frame numbers; if
/// they are not, call discard_frame().
///
/// The number is enough for a host that has SkinnerInfo::frames_in_flight slots, takes them in turn, and waits for the
/// fence of slot number % frames_in_flight before it begins a frame. Other schemes say slot or completion themselves.
struct Frame {
  /// From 1, ascending. Counts each frame that reads the skinner's buffers, those without a call of the skinner too. A
  /// frame that was not recorded may be begun again.
  uint64_t number = 1;
  /// A frame slot, below frames_in_flight; by default number % frames_in_flight. It is only checked: the last frame
  /// recorded in it must have completed.
  uint32_t slot = kDerivedSlot;
  /// This frame and all before it have finished on the device, the host's reads of vertices included. Memory that only
  /// they used is freed. By default number - frames_in_flight; with a slot of the host's, the last frame recorded in
  /// it.
  uint64_t last_completed = kDerivedCompletion;
};

/// Consecutive instances of one batch whose data is contiguous in one page. Valid until the next successful prepare()
/// of the update group.
struct InstanceRange {
  uint32_t batch = 0;           // index in the batches given to prepare()
  uint32_t first_instance = 0;  // index in the batch
  uint32_t instance_count = 0;
  uint32_t vertex_count = 0;    // of one instance
  uint32_t vertex_bytes = 0;    // of one vertex: of SkinnerInfo::format, plus 4 with tangents
  uint32_t palette_size = 0;    // matrices of one palette
  uint32_t palette_stride = 0;  // from one instance to the next, in matrices; a multiple of 4: whole cache lines

  // instance_count * palette_stride elements. The palette of instance i begins at element i * palette_stride: its
  // matrices model_from_mesh, then padding. Aligned to kMappedAlignment. Mapped, write-only memory; fill it between
  // prepare() of the group and the submission, not later: the device reads it then. The same memory is in
  // palette_buffer, at palette_offset bytes.
  std::span<Matrix3x4> palettes;
  VkBuffer palette_buffer = VK_NULL_HANDLE;
  VkDeviceSize palette_offset = 0;

  // In place of `palettes` for a mesh with PaletteFormat::kCompact: the stride then counts these.
  std::span<CompactMatrix> compact_palettes;

  // Morph weights, of a mesh with targets; else empty. Mapped, write-only memory too, between the palettes: those of
  // instance i begin at i * weight_stride, one per target. Write all of them: evaluate_weights() does. The device reads
  // only the targets whose weight is not 0.
  std::span<float> weights;
  uint32_t weight_stride = 0, target_count = 0;  // from one instance to the next, in floats; of one instance

  // The skinned vertices, [instance_count][vertex_count] of SkinnerInfo::format: those of instance i begin at vertex
  // i * vertex_count. The offset is a multiple of 4 bytes, and of 16 if a vertex has 16 bytes. Without keep_previous it
  // is also a multiple of minStorageBufferOffsetAlignment.
  VkBuffer vertices = VK_NULL_HANDLE;
  VkDeviceSize vertices_offset = 0;

  // Previous vertices: those of the same instances in the group's last recorded frame. Same means: equal batch index,
  // mesh and index in the batch. If there are no such instances, or the group is not updated this frame, they are
  // `vertices`. Null without keep_previous. Ranges are split where instances were not contiguous before.
  //
  // With keep_previous the next update of the group does not write to the memory of `vertices`; the one after it does.
  // So a host whose instances change places, as in a crowd::Plan, notes where they are in one frame and reads there in
  // the next.
  VkBuffer previous_vertices = VK_NULL_HANDLE;
  VkDeviceSize previous_vertices_offset = 0;
};

/// The static data of a mesh on the device, for hosts whose shaders read it: vertices, influences and, behind them,
/// morph targets in the layout of shaders/shared/skinning.h. `offset` is valid for binding a storage buffer. Valid
/// until remove_mesh(). After an upload record() puts a barrier to compute shaders, and with kLibrary to the consumers.
struct MeshBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
  uint32_t vertex_count = 0, influence_quads = 0;  // per vertex: influences divided by 4, rounded up
  // With morph targets, else 0, in units of 16 bytes: where the first MorphBlock begins, from `offset`; where the
  // weights of an instance begin, from its palette in InstanceRange::palette_buffer.
  uint32_t morph_blocks = 0, weights_row = 0;
};

/// Timestamps that record() writes, in this order, at the compute stage. With kHost none waits for drawing. With
/// kLibrary all come after the barrier that waits for the consumers of earlier frames, so that no difference contains
/// this wait. On a CPU device they wait for all commands before them. Uploads of meshes, and copies, conversions and
/// expansions of palettes, are before kUploaded. Compute differences modulo 2 to the power of the queue family's
/// timestampValidBits; if that is 0, pass no query pool.
enum class Timestamp : uint32_t { kBegin, kUploaded, kSkinned, kCount };

/// Options of record().
struct RecordInfo {
  VkQueryPool timestamps = VK_NULL_HANDLE;  // optional; the host resets the queries before
  uint32_t first_query = 0;                 // the first of Timestamp::kCount queries
};

/// The work that the last record() put into its command buffer.
struct Counters {
  uint64_t instances = 0, dispatches = 0;
  uint64_t skinned_vertices = 0;
  uint64_t palette_bytes = 0, skinned_bytes = 0, uploaded_bytes = 0;
  // What the dispatches read besides palettes: static data of the mesh, once for each batch, and job lists.
  uint64_t mesh_bytes = 0, job_bytes = 0;
  // Copies of palettes to device-local memory, see sinew/vulkan/skinner_info.h. The bytes include gaps between ranges.
  uint64_t palette_copies = 0, palette_copy_bytes = 0;
  // Calls of record() since create_skinner() that recorded nothing: without a command buffer, before the first frame,
  // or a second time in a frame.
  uint64_t refused_records = 0;
};

/// The memory of the skinner, in bytes. Pages of the host are not counted.
struct MemoryUsage {
  VkDeviceSize mesh_bytes = 0, palette_bytes = 0, skinned_bytes = 0, staging_bytes = 0;
  VkDeviceSize job_bytes = 0;           // job lists, the input of the dispatches
  VkDeviceSize deferred_bytes = 0;      // deferred frees: memory that a frame in flight may still use
  VkDeviceSize palette_copy_bytes = 0;  // device-local copies of palettes that are not in device-local memory
  VkDeviceSize expanded_bytes = 0;      // device-local: the matrices of compact palettes
  VkDeviceSize block_bytes = 0;         // device memory in the library's own blocks, which hold all of the above; 0
                                        // with the host's allocator
};

/// What prepare() needs if the host provides a page of output: a part of a buffer with at least this size and usage.
/// Only the device writes it.
struct PageRequirements {
  VkDeviceSize size_bytes = 0, alignment = 0;  // of Page::offset, in bytes
  VkBufferUsageFlags usage = 0;
};

/// A page of output that the host provides, see PageRequirements. prepare() refuses an offset that is not aligned.
struct Page {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
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

  /// Removes the mesh. Its memory is freed when the frames that use it have completed. Ignores an unknown id,
  /// as that of another skinner.
  void remove_mesh(MeshId mesh);

  /// Begins a frame: frees what only completed frames used. A group is updated in this frame only if it is prepared
  /// after this call, or was prepared before and not recorded. For any other group nothing is written: its ranges,
  /// palettes and vertices stay valid for drawing, and its previous vertices are `vertices`. Call it in every frame.
  /// Without keep_previous, a frame that updates no group and uploads no mesh may leave it out.
  /// Error: kInvalidArgument (number, slot or last_completed cannot be right; once, what SkinnerInfo::debug_checks
  /// found in the last recorded frame), with nothing changed.
  Status begin_frame(const Frame& frame);

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
  /// Errors: kInvalidArgument (no frame begun, frame recorded, group, mesh id, pages), kUnsupported (job
  /// list larger than a buffer), kOutOfMemory, kDeviceLost, kDeviceFailure. After an error the group is as it was
  /// before the call.
  Status prepare(uint32_t group, std::span<const Batch> batches, std::span<const Page> pages = {},
                 const ParallelFor& parallel_for = {});

  /// Makes the next prepare() of a group allocate for `batches`, where it needs less. From then on a prepare() with at
  /// most so many instances of each, in the same order, makes no buffer, after frames_in_flight of them: the vertex
  /// buffers stay while a crowd grows. Replaces what was reserved for the group before; without batches nothing is. Not
  /// for pages of the host. Errors as from prepare(), with nothing changed.
  Status reserve(std::span<const Batch> batches, uint32_t group = 0);

  /// How many vertex buffers prepare() has made so far, in all groups. Where it has grown, InstanceRange::vertices may
  /// be others, and handles of old ones may come again: a host that keeps descriptor sets of them writes these again.
  uint64_t buffer_changes() const;

  /// The pages that prepare(group, batches, pages) needs, one entry per page. Depends on `batches` only. Errors as from
  /// prepare().
  Result<std::vector<PageRequirements>> page_requirements(std::span<const Batch> batches) const;

  /// The ranges of an update group, in the order of its batches, then of instances. Empty if `group` is out of range.
  std::span<const InstanceRange> ranges(uint32_t group = 0) const;

  /// Records mesh uploads, and for the groups that were prepared and not recorded yet copies of palettes and skinning.
  /// Records nothing, not even timestamps, before the first begin_frame(), a second time in a frame, or if `cmd` is
  /// null: see Counters::refused_records and SkinnerInfo::debug_checks. `cmd` is outside a render pass, for any queue
  /// with compute. Disturbs the bound compute pipeline, all compute descriptor sets and push constants: bind and push
  /// yours again. Palettes must be written before `cmd` is submitted. With kLibrary it records both barriers: from the
  /// consumers (and kWriteStage) to kWriteStage before skinning, from kWriteStage to the consumers after. With kHost
  /// both are up to the host.
  void record(VkCommandBuffer cmd, const RecordInfo& info = {});

  /// With SkinnerInfo::debug_checks: kInvalidArgument names instances of the frame whose palettes or weights nobody has
  /// written since prepare(). Call it before the submission. Without the checks there is never an error.
  Status check_palettes() const;

  MeshBuffer mesh_buffer(MeshId mesh) const;  // null for an unknown id
  Counters counters() const;
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
