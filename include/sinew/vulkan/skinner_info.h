// The parameters of create_skinner(): the host's device, and how the skinner works. sinew/vulkan/skinner.h includes
// this header.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::vulkan {

/// The stage and the access of record()'s writes of skinned vertices.
inline constexpr VkPipelineStageFlags kWriteStage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
inline constexpr VkAccessFlags kWriteAccess = VK_ACCESS_SHADER_WRITE_BIT;

/// Which side records the two memory barriers around skinning.
///
/// kLibrary: record() records both, for the stages and accesses in SkinnerInfo::consumers.
///
/// kHost: the host records both, for example as part of larger barriers of its own. For vertex input:
///
///   using namespace sinew::vulkan;
///   // 1. Before record(): the draws of earlier frames have read the vertices, and earlier skinning has written them.
///   VkMemoryBarrier before = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, kWriteAccess, kWriteAccess};
///   vkCmdPipelineBarrier(cmd, kVertexInput.stages | kWriteStage, kWriteStage, 0, 1, &before, 0, nullptr, 0, nullptr);
///   skinner.record(cmd);
///   // 2. After record(): the draws of this frame read what it wrote.
///   VkMemoryBarrier after = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, kWriteAccess, kVertexInput.accesses};
///   vkCmdPipelineBarrier(cmd, kWriteStage, kVertexInput.stages, 0, 1, &after, 0, nullptr, 0, nullptr);
///
/// A host that leaves out the first barrier gets wrong vertices now and then, and validation finds it only if it checks
/// synchronization across submissions.
///
/// A barrier may only use stages that its queue supports. On a compute-only queue kLibrary is valid only for consumers
/// that compute, copy, trace rays or build acceleration structures. Vertices that are skinned on one queue and drawn on
/// another need kHost and two semaphores instead of barriers: from skinning to drawing, and from drawing to the next
/// skinning into the same vertices.
enum class Barriers : uint8_t { kLibrary, kHost };

/// Consumers: the stages and accesses in which the host reads skinned vertices. Combine several with `|`.
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

/// What the library uses a buffer for. The host's allocator chooses the memory type by it.
enum class BufferUse : uint8_t {
  kDevice,    // device-local: static meshes and skinned vertices
  kPalettes,  // host-visible, coherent, mapped; device-local too if possible: palettes, job lists
  kStaging,   // host-visible, coherent, mapped: uploads of meshes
};

// Copies of palettes. Each workgroup would read palettes over the bus that are not in device-local memory. So record()
// copies the palettes of the frame to device-local memory, and the kernel reads the copies, if all of this is true:
// - The device is neither an integrated GPU nor a CPU. Those read all memory equally fast.
// - The memory type of the page of palettes is not DEVICE_LOCAL. If the library allocates, that is so where no type is
//   both mapped and device-local, or where the heap of that type is full. A host's allocator reports its memory type in
//   Allocation::memory_properties.
// - There was DEVICE_LOCAL memory for the copy when prepare() made the page. Without it prepare() succeeds, too.
// A copy takes as much memory as its page (MemoryUsage::palette_copy_bytes). In each frame it takes a copy command
// (SkinnerCounters::palette_copies), and all copies together one barrier; both are before Timestamp::kUploaded. Lists
// of jobs are small and read once: they are not copied.

/// The alignment of mapped memory in bytes, whether the library or the host allocates it: one cache line, because
/// CrowdEvaluator writes whole cache lines. Drivers require less (16 and 4 were seen).
inline constexpr size_t kMappedAlignment = 64;

/// A buffer with memory bound. `mapped` is null for BufferUse::kDevice. Otherwise it points to the first byte of the
/// buffer, at a multiple of kMappedAlignment. vkMapMemory() returns such a multiple; the buffer's offset in its memory
/// must be one too (VMA: vmaCreateBufferWithAlignment()). With any other address the library calls `free`, and its own
/// call fails with kInvalidArgument.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  void* mapped = nullptr;
  void* allocation = nullptr;  // for the host's use, passed back to `free`
  // Of the memory type, for BufferUse::kPalettes and kDevice: see copies of palettes, above. 0: unknown; then palettes
  // are read where they are, and kDevice counts as device-local.
  VkMemoryPropertyFlags memory_properties = 0;
};

/// Optional: the host's allocator of buffers, for example VMA. Set both functions or none. `allocate` is called only
/// inside add_mesh() and prepare(), `free` inside these, begin_frame(), the destructor and move assignment, on the
/// calling thread. `free` is called once for each `allocate` that returned VK_SUCCESS, with its Allocation, even if
/// that has no buffer and is refused.
struct AllocatorCallbacks {
  void* user_data = nullptr;
  VkResult (*allocate)(void* user_data, const VkBufferCreateInfo& info, BufferUse use, Allocation* out) = nullptr;
  void (*free)(void* user_data, const Allocation& allocation) = nullptr;
};

/// The layout of a skinned vertex, see sinew/asset/skinned_vertex.h. The value is its size in bytes without tangent.
enum class VertexFormat : uint8_t {
  kPacked = 12,      // PackedSkinnedVertex: 16-bit positions in the box given to add_mesh()
  kOctahedral = 16,  // SkinnedVertex: float positions, octahedral normals
  kFloat = 24,       // FloatSkinnedVertex: normals as floats
};

/// What the matrices of a mesh's palettes can be.
enum class PaletteFormat : uint8_t {
  kMatrices,  // any
  // Rotation, translation, and a scale that is positive and equal in all directions. Their kernel is faster, and does
  // not look for mirrored normals: where the joints of one vertex are turned by more than 90 degrees from its heaviest,
  // its normal may point inward. Matrices that break the promise give wrong normals, nothing worse.
  kRigid,
  // Rotation and translation in 16 bytes, and one scale for all: see sinew/asset/compact_matrix.h. The host writes a
  // third of the bytes; record() expands them once, into device-local memory that then holds the matrices of each frame
  // in flight. Otherwise as kRigid.
  kCompact,
};

/// Limits of SkinnerInfo.
inline constexpr uint32_t kMaxFramesInFlight = 16, kMaxUpdateGroups = 256;

/// Checks of what a host forgets. They cost time in each frame: palettes are filled after prepare(), and a word of each
/// is read from mapped memory after record().
enum class DebugChecks : uint8_t {
  kInDebugBuilds,  // kOn if the library was compiled without NDEBUG, else kOff
  kOn,
  kOff,
};

/// The parameters of create_skinner(). The handles belong to the host.
struct SkinnerInfo {
  // Required. The handles must outlive the skinner.
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;

  // Optional. Pointers and spans are read during create_skinner() only; callbacks and their user data must outlive the
  // skinner.
  PFN_vkGetDeviceProcAddr get_device_proc_addr = nullptr;  // null: from get_instance_proc_addr
  uint32_t api_version = VK_API_VERSION_1_2;               // that the host enabled, at least 1.2
  bool debug_utils = false;  // VK_EXT_debug_utils is enabled: the library sets names and labels
  // The queue families that use the buffers, each once; more than one: VK_SHARING_MODE_CONCURRENT.
  std::span<const uint32_t> queue_families = {};
  // For every Vulkan object of the library; called on the thread of the call, so by prepare_mesh() on several at once.
  const VkAllocationCallbacks* allocation_callbacks = nullptr;
  // Of the pipelines that add_mesh() and prepare_mesh() build; outlives the skinner. Vulkan synchronizes it, unless it
  // was created with EXTERNALLY_SYNCHRONIZED: not for hosts that call prepare_mesh() beside other calls.
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  AllocatorCallbacks allocator = {};  // if not set, the library allocates blocks of at most 256 MiB

  VertexFormat format = VertexFormat::kOctahedral;
  bool tangents = false;          // 4 more bytes per vertex, see encode_tangent(); every mesh needs them, and a
                                  // SkinnedCrowd fills in those that a mesh lacks
  uint32_t frames_in_flight = 2;  // 1 to kMaxFramesInFlight; each frame in flight has its own palettes
  uint32_t update_groups = 1;     // 1 to kMaxUpdateGroups; see Skinner::prepare()
  bool keep_previous = false;     // keep the vertices of the group's last recorded frame: for motion vectors,
                                  // or else to draw them while another queue skins the next frame
  Barriers barriers = Barriers::kLibrary;
  Consumers consumers = kVertexInput;  // for kLibrary
  // The family of the queue that record()'s commands are submitted to. If set, create_skinner() refuses a family
  // without compute, and kLibrary with consumers' stages that the family lacks.
  uint32_t record_family = VK_QUEUE_FAMILY_IGNORED;
  VkBufferUsageFlags vertex_usage = 0;  // added to storage, vertex, transfer source; e.g. for acceleration structures

  // With the checks begin_frame() refuses once what was forgotten in the last recorded frame: palettes or weights that
  // were not written, or record() without a command buffer. check_palettes() says the first before the submission. Such
  // palettes have all bits set: the character disappears or bursts. Without the checks it shows the palette that the
  // memory held before: in new memory that of the bind pose, later that of an earlier frame.
  DebugChecks debug_checks = DebugChecks::kInDebugBuilds;
};

}  // namespace sinew::vulkan
