// What a host hands to the skinning backend when it creates a skinner: its device, and how it wants things. With
// sinew/vulkan.h, which includes it.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::vulkan {

/// Who puts the barrier behind the skinned vertices.
///
/// A barrier may name stages only that its queue has. A queue for compute alone has neither vertices nor fragments:
/// there kLibrary is valid for consumers that compute, copy, trace rays or build acceleration structures. Vertices that
/// are skinned there and drawn from another queue need kHost and two semaphores, from skinning to drawing and from
/// drawing to the next skinning into the same vertices, and no barrier.
enum class Barriers : uint8_t {
  kHost,     // the host: writes end in kWriteStage with kWriteAccess
  kLibrary,  // the library: memory barriers from the consumers to skinning, and from skinning to them
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

/// Where mapped memory begins, whoever allocates it: at a multiple of so many bytes, a cache line. Drivers ask for less
/// (16 and 4 were seen), and palettes are written line by line.
inline constexpr size_t kMappedAlignment = 64;

/// A buffer with memory bound. `mapped` is null for BufferUse::kDevice; otherwise it points at the buffer's first byte,
/// which lies at a multiple of kMappedAlignment. What vkMapMemory() returns does; the buffer's offset in its memory
/// must then be such a multiple, too (VMA: vmaCreateBufferWithAlignment()). Any other address is given back to `free`,
/// and the call fails with kInvalidArgument.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  void* mapped = nullptr;
  void* allocation = nullptr;  // the host's own, handed back to `free`
};

/// Optional: the host's allocator, as with VMA. Both are called from create, add_mesh, prepare and destruction only.
/// `free` is called once for each VK_SUCCESS of `allocate`, with what it gave, even where that is refused for having no
/// buffer; and for nothing else.
struct AllocatorCallbacks {
  void* user_data = nullptr;
  VkResult (*allocate)(void* user_data, const VkBufferCreateInfo& info, BufferUse use, Allocation* out) = nullptr;
  void (*free)(void* user_data, const Allocation& allocation) = nullptr;
};

/// What a skinned vertex is: its bytes. See sinew/skinned_vertex.h.
enum class VertexFormat : uint8_t {
  kPacked = 12,      // PackedSkinnedVertex: positions in 65,535ths of the mesh's box
  kOctahedral = 16,  // SkinnedVertex
  kFloat = 24,       // FloatSkinnedVertex
};

/// How the kernel reads palettes.
enum class PaletteFetch : uint8_t {
  kAuto,     // texels where the device is a CPU
  kStorage,  // a storage buffer
  kTexel,    // a uniform texel buffer; a storage buffer where maxTexelBufferElements are less than a page
};

/// The kernel's specialization. The results do not depend on it. Zeros: as measured best on this kind of device.
struct KernelTuning {
  uint32_t workgroup_size = 0;        // vertices a workgroup, and in a chunk; at most what the device allows
  uint32_t instances_per_thread = 0;  // a vertex is decoded once for so many; at most 64
  PaletteFetch palettes = PaletteFetch::kAuto;
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
  std::span<const uint32_t> queue_families;                // more than one: buffers are VK_SHARING_MODE_CONCURRENT
  const VkAllocationCallbacks* allocation_callbacks = nullptr;
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  AllocatorCallbacks allocator;  // none: blocks of at most 256 MiB, the library's own

  VertexFormat format = VertexFormat::kOctahedral;
  bool tangents = false;  // 4 bytes more behind each vertex, see sinew/skinned_vertex.h; all meshes must have them
  KernelTuning tuning;
  uint32_t frames_in_flight = 2;  // frames in flight, at least 1; each has palettes of its own
  uint32_t update_groups = 1;     // at least 1; sets of batches that are prepared apart, see Skinner::prepare()
  bool keep_previous = false;  // the last recorded frame's vertices stay readable: for motion vectors, or to be drawn
                               // from while the next are skinned on another queue
  Barriers barriers = Barriers::kHost;
  Consumers consumers = kVertexInput;  // with kLibrary
  // Of the queue that records are submitted to, where the host says it: kLibrary is refused where it lacks the
  // consumers' stages, and so is a family without compute.
  uint32_t record_family = VK_QUEUE_FAMILY_IGNORED;
  VkBufferUsageFlags vertex_usage = 0;  // added to storage, vertex, and transfer source (acceleration structures, say)

  // Limits, for tests and for hosts that share a budget. 0: the device's own.
  VkDeviceSize max_page_bytes = 0;  // of one buffer of vertices or palettes; at most 256 MiB in any case

  // Optional. Called on the thread of the call, once by create_skinner() and for every Error that is returned. `text`
  // is valid during the call alone.
  void (*message)(void* user_data, Severity severity, const char* text) = nullptr;
  void* message_user_data = nullptr;
};

}  // namespace sinew::vulkan
