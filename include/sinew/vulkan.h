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
// Vulkan 1.2 and nothing beyond its core. One skinner is externally synchronised; different ones are independent.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/math.h"
#include "sinew/mesh.h"
#include "sinew/result.h"

namespace sinew::vulkan {

/// Who puts the barrier behind the skinned vertices.
enum class Synchronisation : uint8_t {
  kExternal,  // the host: writes end in kWriteStage with kWriteAccess
  kRelease,   // the library: one memory barrier towards SkinnerInfo::consumers, no wider
};

/// Where record()'s writes of skinned vertices end.
inline constexpr VkPipelineStageFlags kWriteStage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
inline constexpr VkAccessFlags kWriteAccess = VK_ACCESS_SHADER_WRITE_BIT;

/// Who reads the skinned vertices, as stages and accesses. Combine with `|`.
struct Consumers {
  VkPipelineStageFlags stages = 0;
  VkAccessFlags accesses = 0;

  friend constexpr Consumers operator|(Consumers a, Consumers b) {
    return {a.stages | b.stages, a.accesses | b.accesses};
  }
};
inline constexpr Consumers kVertexInput{VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};
inline constexpr Consumers kVertexPulling{VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
inline constexpr Consumers kFragmentRead{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
inline constexpr Consumers kComputeRead{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
inline constexpr Consumers kTransferRead{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT};
inline constexpr Consumers kAccelerationStructureBuild{VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                                                       VK_ACCESS_SHADER_READ_BIT};
inline constexpr Consumers kRayTracing{VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR, VK_ACCESS_SHADER_READ_BIT};

/// What a buffer of the library's is for; the host's allocator chooses the memory by it.
enum class BufferUse : uint8_t {
  kDevice,    // device-local: meshes and skinned vertices
  kPalettes,  // host-visible, coherent and mapped; device-local too where there is such memory
  kStaging,   // host-visible, coherent and mapped
};

/// A buffer with memory bound. `mapped` is null for BufferUse::kDevice and points at the buffer's first byte otherwise.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  void* mapped = nullptr;
  void* allocation = nullptr;  // the host's own, handed back to `free`
};

/// Optional: the host's allocator, as with VMA. Both are called from create, add_mesh, prepare and destruction only.
struct AllocatorCallbacks {
  void* user_data = nullptr;
  VkResult (*allocate)(void* user_data, const VkBufferCreateInfo& info, BufferUse use, Allocation* out) = nullptr;
  void (*free)(void* user_data, const Allocation& allocation) = nullptr;
};

/// What a skinned vertex is: its bytes. See sinew/skinned_vertex.h.
enum class VertexFormat : uint8_t {
  k12 = 12,  // PackedSkinnedVertex: positions in 65,535ths of the mesh's box
  k16 = 16,  // SkinnedVertex
  k24 = 24,  // FloatSkinnedVertex
};

/// How the kernel reads palettes.
enum class PaletteFetch : uint8_t {
  kChoose,   // texels where the device is a CPU
  kStorage,  // a storage buffer
  kTexel,    // a uniform texel buffer; a storage buffer where maxTexelBufferElements are less than a page
};

/// The kernel's specialisation. The results do not depend on it. Zeros: as measured best on this kind of device.
struct KernelTuning {
  uint32_t group_size = 0;            // vertices a workgroup, and in a chunk; at most what the device allows
  uint32_t instances_per_thread = 0;  // a vertex is decoded once for so many; at most 64
  PaletteFetch palettes = PaletteFetch::kChoose;
  bool by_influences = true;  // a kernel for 1, 2, 3, 4, up to 8 and any number of influences; false: one for all
};

enum class Severity : uint8_t { kInfo, kError };

struct SkinnerInfo {
  // Required; the handles must outlive the skinner.
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;

  // Optional; borrowed for the call, but for callbacks and their user data, which must outlive the skinner.
  PFN_vkGetDeviceProcAddr get_device_proc_addr = nullptr;  // null: asked of the instance
  uint32_t api_version = VK_API_VERSION_1_2;               // what the host enabled, at least 1.2
  bool debug_utils = false;                                // VK_EXT_debug_utils is enabled: names and labels
  std::span<const uint32_t> queue_families;                // more than one: buffers are shared between them
  const VkAllocationCallbacks* allocation_callbacks = nullptr;
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  AllocatorCallbacks allocator;  // none: blocks of at most 256 MiB, the library's own

  VertexFormat format = VertexFormat::k16;
  bool tangents = false;  // 4 bytes more behind each vertex, see sinew/skinned_vertex.h; all meshes must have them
  KernelTuning tuning;
  uint32_t slots = 2;          // frames in flight: palettes are kept that often
  uint32_t update_groups = 1;  // sets of batches that are prepared apart; see Skinner::prepare()
  bool keep_previous = false;  // the last recorded frame's vertices stay readable: for motion vectors, or to be drawn
                               // from while the next are skinned on another queue
  Synchronisation synchronisation = Synchronisation::kExternal;
  Consumers consumers = kVertexInput;   // with kRelease
  VkBufferUsageFlags vertex_usage = 0;  // added to storage, vertex, and transfer source (acceleration structures, say)

  // Limits, for tests and for hosts that share a budget. 0: the device's own.
  VkDeviceSize max_page_bytes = 0;  // of one buffer of vertices or palettes; at most 256 MiB in any case

  void (*message)(void* user_data, Severity severity, const char* text) = nullptr;
  void* message_user_data = nullptr;
};

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
  uint64_t number = 1;     // ascending, from 1; a frame that was not recorded may be prepared again
  uint32_t slot = 0;       // below SkinnerInfo::slots; the frame last recorded with it must have completed
  uint64_t completed = 0;  // the last frame whose commands have finished: what only older frames used is freed
};

/// Instances of one batch that lie together in one page. Valid until the group's next successful prepare().
struct Range {
  uint32_t batch = 0;           // in the batches handed to prepare()
  uint32_t first_instance = 0;  // of the batch
  uint32_t instance_count = 0;
  uint32_t vertex_count = 0;    // of one instance
  uint32_t vertex_bytes = 0;    // of one vertex: SkinnerInfo::format, and 4 with tangents
  uint32_t palette_stride = 0;  // matrices from one instance's palette to the next; a multiple of 4: 64-byte lines

  std::span<Matrix3x4> palettes;  // instance_count * palette_stride; mapped, write-only, to be filled before record()
  VkBuffer palette_buffer = VK_NULL_HANDLE;
  VkDeviceSize palette_offset = 0;

  // SkinnedVertex[instance_count][vertex_count], or what SkinnerInfo::format says. Instance i's vertices begin at index
  // i * vertex_count. The offset is a multiple of 4, of 16 for vertices of 16 bytes, and without keep_previous of
  // minStorageBufferOffsetAlignment.
  VkBuffer vertices = VK_NULL_HANDLE;
  VkDeviceSize vertices_offset = 0;

  // The same instances in the last recorded frame: same index of the batch, same mesh, same index in the batch. This
  // frame's where there is none, or the group is held. Null unless keep_previous. Ranges end where instances part ways.
  VkBuffer previous_vertices = VK_NULL_HANDLE;
  VkDeviceSize previous_vertices_offset = 0;
};

/// The static data of a mesh on the device: vertices and influences, laid out as in shaders/shared/skinning.h. For
/// hosts that read it themselves: the offset is one that a storage buffer may be bound at, and the barrier behind
/// uploads reaches compute shaders, and with kRelease the consumers.
struct MeshBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
  uint32_t vertex_count = 0, influence_groups = 0;
};

/// Timestamps written by record(), in this order.
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
  VkDeviceSize job_bytes = 0;      // lists of work
  VkDeviceSize retired_bytes = 0;  // waiting for their last frame to complete
  VkDeviceSize block_bytes = 0;    // of device memory in blocks of our own, which hold all of the above; 0 with the
                                   // host's allocator
};

/// What the host is asked for when it brings a page of output itself: a part of a buffer with at least this usage.
struct PageRequirements {
  VkDeviceSize size_bytes = 0, alignment = 0;  // alignment of Page::offset
  VkBufferUsageFlags usage = 0;
};

/// The host's own page of output, as PageRequirements asks.
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
  /// order_by_influences(). With VertexFormat::k12 `box` must hold every position the mesh is skinned to, in model
  /// space; what is outside is moved to its side. Other formats do not look at it.
  Result<MeshId> add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name = "", const Box& box = {});

  /// Forgets the mesh; its memory is freed when the frames that used it have completed.
  void remove_mesh(MeshId mesh);

  /// Makes room for `batches` in `frame.slot`, and sets ranges(). Cheap where nothing grew. On failure the last frame
  /// prepared is still whole, and may be recorded again as `frame`; a group that was held stays held. A batch of zero
  /// instances has no ranges.
  /// `pages`, where given, are the host's own output, as page_requirements() asked for it; they must stay until the
  /// frame has completed, with keep_previous until the next recorded one has.
  ///
  /// Update rate: what is far need not be skinned each frame. `group` is below SkinnerInfo::update_groups; its batches
  /// alone are replaced, and others may be prepared for the same frame. A group that is not is held: nothing is written
  /// for it, and its ranges, palettes and vertices stay to be drawn, as do pages of the host's, until it is recorded
  /// again. In a frame that holds every group there is nothing to prepare() or record(), and `vertices` are the
  /// previous ones as well.
  Status prepare(const Frame& frame, std::span<const Batch> batches, std::span<const Page> pages = {},
                 uint32_t group = 0);

  /// What prepare(frame, batches, pages) would want: one entry a page. Depends on the batches alone.
  Result<std::vector<PageRequirements>> page_requirements(std::span<const Batch> batches) const;

  /// In the order of the group's batches, then of their instances.
  std::span<const Range> ranges(uint32_t group = 0) const;

  /// Records mesh uploads and the skinning of every range prepared; nothing before the first prepare(). Outside a
  /// render pass, on any queue with compute. Disturbs the bound compute pipeline, compute descriptor set 0 and compute
  /// push constants. Palettes must be written before submission. Under kRelease it waits, in the command buffer, for
  /// the consumers' reads of the pages it overwrites; under kExternal that barrier is the host's too: from its
  /// consumers, or kWriteStage, to kWriteStage.
  void record(VkCommandBuffer cmd, const RecordInfo& info = {});

  /// Replaces the skinning kernel by other SPIR-V with the same interface and specialisation constants (valid: drivers
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
