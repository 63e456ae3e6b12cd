// The skinning backend: palettes in, skinned vertices out, over a device the host owns.
//
//   create_skinner()            once: pipelines
//   add_mesh()                  once a character: its static data, uploaded by the next record()
//   prepare(frame, batches)     each frame: room for every instance; may allocate, may fail
//   ranges()[i].palettes        each frame: the host, or sinew/crowd.h, writes matrices into mapped memory
//   record(cmd)                 each frame: a few dispatches for each page; allocates nothing, cannot fail
//   ranges()[i].vertices        draw them
//
// The host owns instance, device, queues, command buffers, submission and presentation. The library never submits,
// waits, takes a queue or starts a thread, and reaches Vulkan only through the entry point it is handed. It needs
// Vulkan 1.2 and nothing beyond its core. One skinner is externally synchronized; different ones are independent.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::vulkan {

/// Zero is null.
struct MeshId {
  uint32_t value = 0;
};

/// Instances of one mesh.
struct Batch {
  MeshId mesh;
  uint32_t instance_count = 0;
};

/// Which frame is being prepared. What record() writes for it must be submitted, in the order of the frames.
struct Frame {
  uint64_t number = 1;  // ascending, from 1; a frame that was not recorded may be prepared again
  uint32_t slot = 0;    // below SkinnerInfo::frames_in_flight; the frame last recorded with it must have completed
  uint64_t last_completed = 0;  // the last frame whose commands have finished: what only older frames used is freed
};

/// Instances of one batch that lie together in one page. Valid until the group's next successful prepare().
struct InstanceRange {
  uint32_t batch = 0;           // in the batches handed to prepare()
  uint32_t first_instance = 0;  // of the batch
  uint32_t instance_count = 0;
  uint32_t vertex_count = 0;    // of one instance
  uint32_t vertex_bytes = 0;    // of one vertex: SkinnerInfo::format, and 4 with tangents
  uint32_t palette_stride = 0;  // matrices from one instance's palette to the next; a multiple of 4: 64-byte lines

  // instance_count * palette_stride, from a multiple of kMappedAlignment on; mapped, write-only, to be filled before
  // the submission.
  std::span<Matrix3x4> palettes;
  VkBuffer palette_buffer = VK_NULL_HANDLE;
  VkDeviceSize palette_offset = 0;

  // SkinnedVertex[instance_count][vertex_count], or what SkinnerInfo::format says. Instance i's vertices begin at index
  // i * vertex_count. The offset is a multiple of 4, of 16 for vertices of 16 bytes, and without keep_previous of
  // minStorageBufferOffsetAlignment.
  VkBuffer vertices = VK_NULL_HANDLE;
  VkDeviceSize vertices_offset = 0;

  // The vertices of the same instances in the last recorded frame: same index of the batch, same mesh, same index in
  // the batch. Where there are none, or the group is held, the vertices of this frame. Null unless keep_previous. A
  // range ends where its instances were not side by side in that frame.
  VkBuffer previous_vertices = VK_NULL_HANDLE;
  VkDeviceSize previous_vertices_offset = 0;
};

/// The static data of a mesh on the device: vertices and influences, laid out as in shaders/shared/skinning.h. For
/// hosts that read it themselves: the offset is one that a storage buffer may be bound at, and the barrier behind
/// uploads reaches compute shaders, and with kLibrary the consumers.
struct MeshBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
  uint32_t vertex_count = 0, influence_quads = 0;
};

/// Timestamps of the compute stage, written by record() in this order. They do not wait for drawing, except on a CPU
/// device, where everything before each is waited for. With kLibrary kBegin comes after waiting for the consumers. Take
/// differences modulo 2 to the power of the queue family's timestampValidBits; where those are 0, pass no query pool.
enum class Timestamp : uint32_t { kBegin, kUploaded, kSkinned, kCount };

struct RecordInfo {
  VkQueryPool timestamps = VK_NULL_HANDLE;  // optional; reset by the host
  uint32_t first_query = 0;                 // Timestamp::kCount queries from here
};

/// What the last record() put into its command buffer.
struct Counters {
  uint64_t instances = 0, dispatches = 0;
  uint64_t skinned_vertices = 0;
  uint64_t palette_bytes = 0, skinned_bytes = 0, uploaded_bytes = 0;
};

/// What the skinner holds now, in bytes.
struct MemoryUsage {
  VkDeviceSize mesh_bytes = 0, palette_bytes = 0, skinned_bytes = 0, staging_bytes = 0;
  VkDeviceSize job_bytes = 0;       // lists of work
  VkDeviceSize deferred_bytes = 0;  // waiting for their last frame to complete
  VkDeviceSize block_bytes = 0;     // of device memory in blocks of our own, which hold all of the above; 0 with the
                                    // host's allocator
};

/// What the host is asked for when it brings a page of output itself: a part of a buffer with at least this usage. The
/// device alone writes there.
struct PageRequirements {
  VkDeviceSize size_bytes = 0, alignment = 0;  // alignment of Page::offset
  VkBufferUsageFlags usage = 0;
};

/// The host's own page of output, as PageRequirements asks; prepare() refuses other offsets.
struct Page {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
};

class Skinner {
 public:
  Skinner(Skinner&&) noexcept;
  Skinner& operator=(Skinner&&) noexcept;
  ~Skinner();  // no recorded work may be pending

  /// Copies the mesh's static data, to be uploaded by the next record(). The mesh may go after the call.
  /// Fails on a mesh that is not valid or lacks tangents, on more vertices or palette than a page holds, and out of
  /// memory.
  ///
  /// The vertices' order stays. The kernel is fastest where vertices of one number of influences lie together: see
  /// order_by_influences(). With VertexFormat::kPacked `box` must hold every position the mesh is skinned to, in model
  /// space; what is outside is moved to its side. Other formats do not look at it.
  Result<MeshId> add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name = "", const Box& box = {});

  /// Forgets the mesh; its memory is freed when the frames that used it have completed.
  void remove_mesh(MeshId mesh);

  /// Makes room for `batches` in `frame.slot`, and sets ranges(). Cheap where nothing grew. On failure the last frame
  /// prepared is still whole, and may be recorded again as `frame`, into the same vertices; a group that was held stays
  /// held. A batch of zero instances has no ranges.
  /// `pages`, where given, are the host's own output, as page_requirements() asked for it; they must stay until the
  /// frame has completed, with keep_previous until the next recorded one has.
  ///
  /// Update rate: distant instances need not be skinned each frame. `group` is below SkinnerInfo::update_groups; its
  /// batches alone are replaced, and other groups may be prepared for the same frame. A group that is not prepared for
  /// a frame is held: nothing is written for it. Its ranges, palettes and vertices stay to be drawn, as do pages of the
  /// host's, until it is recorded again. In a frame that holds every group there is nothing to prepare() or record(),
  /// and `vertices` are the previous ones as well.
  Status prepare(const Frame& frame, std::span<const Batch> batches, std::span<const Page> pages = {},
                 uint32_t group = 0);

  /// What prepare(frame, batches, pages) would want: one entry a page. Depends on the batches alone.
  Result<std::vector<PageRequirements>> page_requirements(std::span<const Batch> batches) const;

  /// In the order of the group's batches, then of their instances.
  std::span<const InstanceRange> ranges(uint32_t group = 0) const;

  /// Records mesh uploads and the skinning of every range prepared; nothing before the first prepare(). Outside a
  /// render pass, on any queue with compute. Disturbs the bound compute pipeline, compute descriptor set 0 and compute
  /// push constants. Palettes must be written before submission. Under kLibrary it waits, in the command buffer, for
  /// the consumers' reads of the pages it overwrites; under kHost that barrier is the host's too: from its
  /// consumers, or kWriteStage, to kWriteStage.
  void record(VkCommandBuffer cmd, const RecordInfo& info = {});

  /// Replaces the skinning kernel by other SPIR-V with the same interface and specialization constants (valid: drivers
  /// do not check it). The old one goes with its last frame.
  Status reload_kernel(std::span<const uint32_t> spirv);

  MeshBuffer mesh_buffer(MeshId mesh) const;
  Counters counters() const;
  MemoryUsage memory_usage() const;

 private:
  struct Impl;
  explicit Skinner(std::unique_ptr<Impl> impl);
  friend Result<Skinner> create_skinner(const SkinnerInfo& info);
  std::unique_ptr<Impl> impl_;
};

/// Builds the pipelines. Fails with words where the device will not do.
Result<Skinner> create_skinner(const SkinnerInfo& info);

}  // namespace sinew::vulkan
