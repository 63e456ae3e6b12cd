// What goes into a skinner in a frame, and what comes out: frames, batches, ranges of instances, counts.
// sinew/vulkan/skinner.h includes this header.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <span>

#include "sinew/asset/compact_matrix.h"
#include "sinew/asset/math.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::vulkan {

/// The identity of a mesh; 0 is no mesh. No two meshes of a process have the same, whichever skinner they are in.
struct MeshId {
  uint32_t value = 0;
};

/// The format of a mesh's palettes, and their common scale.
struct PaletteKind {
  PaletteFormat format = PaletteFormat::kMatrices;
  float scale = 1;  // of all matrices, for PaletteFormat::kCompact; see BakedCharacter::scale
  /// For a mesh that borrows palettes: the morph targets of the mesh whose palettes it reads, see
  /// SkinnerBatch::palettes_of. Both then have the same stride. Fewer than the mesh has itself do not count.
  uint32_t target_count = 0;
};

/// No other batch: see SkinnerBatch::palettes_of.
inline constexpr uint32_t kOwnPalettes = UINT32_MAX;

/// A batch: instances of one mesh, each with its own palette, or with that of an instance of another batch.
///
/// Several meshes over one skeleton, such as a body, a hat and a shield, need one palette for each instance: the batch
/// of the body has them, and the other batches name it. A batch without palettes costs its vertices: its ranges have no
/// palettes to write, and the device copies, converts and expands none for it.
struct SkinnerBatch {
  MeshId mesh;
  uint32_t instance_count = 0;
  /// The index of an earlier batch of the same call, which has palettes of its own. Its mesh has the same format
  /// and scale of palettes, the same blend, and as many palette entries or more. `mesh` then has no morph
  /// targets.
  uint32_t palettes_of = kOwnPalettes;
  /// With `palettes_of`: for each instance of this batch the instance of the other one whose palette it reads, in any
  /// order; one may be there several times. Empty: instance i reads palette i. Read during the call only. Fastest where
  /// neighbors follow each other and both meshes have palettes of one stride: the same palette_size, and
  /// PaletteKind::target_count where the other one has morph targets.
  std::span<const uint32_t> instances = {};
};

/// What SkinnerFrame derives where the host does not say it.
inline constexpr uint32_t kDerivedSlot = UINT32_MAX;
inline constexpr uint64_t kDerivedCompletion = UINT64_MAX;

/// A frame of the host. The commands that record() writes for it must be submitted, in the order of frame numbers; if
/// they are not, call discard_frame().
///
/// The number is enough for a host that has SkinnerInfo::frames_in_flight fences or fewer, takes them in turn, and
/// waits for the next one before it begins a frame: at most frames_in_flight - 1 frames that it submitted are then in
/// flight. Other schemes say slot or completion themselves.
struct SkinnerFrame {
  /// From 1, ascending; numbers may be left out. Where the host says what has completed, it counts each frame that
  /// reads the skinner's buffers, those without a call of the skinner too. A frame that was not recorded may be begun
  /// again.
  uint64_t number = 1;
  /// A frame slot, below frames_in_flight; by default the one whose last recorded frame is the oldest. It is only
  /// checked: the last frame recorded in it must have completed.
  uint32_t slot = kDerivedSlot;
  /// This frame and all before it have finished on the device, the host's reads of vertices included. Memory that only
  /// they used is freed. By default the last frame recorded in the slot: what numbers were left out does not count, and
  /// frames that were not recorded free nothing.
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
  uint32_t palette_size = 0;    // matrices of one palette, as in add_mesh()
  uint32_t palette_stride = 0;  // from one instance to the next, in matrices; a multiple of 4: whole cache lines

  // Of a batch with SkinnerBatch::palettes_of these are empty, null and 0, and so are palette_stride and target_count:
  // the palettes are in the ranges of the other batch.

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
  // i * vertex_count. The offset, and that of previous vertices, is a multiple of `vertex_bytes`, which is one of 4: a
  // shader that binds the buffer from its start counts from vertex vertices_offset / vertex_bytes. Without
  // keep_previous vertices_offset is also a multiple of minStorageBufferOffsetAlignment.
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

  MeshId mesh;
  // The frame whose record() writes `vertices`: this one, or an earlier one if the group is not updated in this frame.
  uint64_t skinned_frame = 0;
};

/// The static data of a mesh on the device, for hosts whose shaders read it: vertices, influences and, behind them,
/// morph targets. Their structs are in docs/renderdoc.md, "Formats for the buffer viewer". `offset` is valid for
/// binding a storage buffer. Valid until remove_mesh(). After an upload record() puts a barrier to compute shaders, and
/// with kLibrary to the consumers.
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

/// The work that the last record() put into its command buffer. A palette that several batches read counts once;
/// `instances` counts those of all batches.
struct SkinnerCounters {
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
  VkDeviceSize size_bytes = 0;
  VkDeviceSize alignment = 0;  // of Page::offset, in bytes: whole vertices, and so seldom a power of two
  VkBufferUsageFlags usage = 0;
};

/// A page of output that the host provides, see PageRequirements. prepare() refuses an offset that is not aligned.
struct Page {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
};

}  // namespace sinew::vulkan
