// EXPERIMENTAL: may change or go in any version. The skinning kernel, for tests, benchmarks and work on the kernel.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::experimental {

/// How the skinning kernel reads palettes.
enum class PaletteFetch : uint8_t {
  kAuto,     // kTexel if the device is a CPU, else kStorage
  kStorage,  // as a storage buffer
  kTexel,    // as a uniform texel buffer; kStorage if maxTexelBufferElements are less than a page
};

/// How the skinning kernel packs the two numbers of a normal.
enum class SnormPacking : uint8_t {
  kAuto,         // kInstruction on AMD's GPUs, which have one for it; else kArithmetic
  kInstruction,  // packSnorm2x16()
  kArithmetic,   // additions that round, and bits
};

/// How the skinning kernel stores vertices whose size is no multiple of 16 bytes. The bytes are the same.
enum class StorePath : uint8_t {
  kAuto,    // kDirect on CPU devices, and on AMD's GPUs, which store 16 bytes at any multiple of 4; else kStaged
  kDirect,  // each thread stores its vertex: in pieces of 4 or 8 bytes, a vertex apart from those of its neighbors
  kStaged,  // through shared memory: neighbors store what lies side by side. kDirect if that memory is too small
};

/// The part of the kernel that runs. All but kAll write useless vertices: they time that part alone.
enum class KernelPart : uint8_t {
  kAll,
  kStores,      // stores of vertices that are not computed
  kGathers,     // loads of palette entries and their weighted sums, without stores
  kArithmetic,  // everything but loads of palettes, and stores
};

/// Specialization of the skinning kernel. All but `part` change speed, not results. 0 chooses the default. docs/gpu.md
/// says what was measured.
struct KernelTuning {
  uint32_t workgroup_size = 0;        // vertices per workgroup and chunk; default 64, limited by the device
  uint32_t instances_per_thread = 0;  // a vertex is decoded once for so many instances; default 8, at most 64; fewer
                                      // in small crowds, see min_workgroups
  PaletteFetch palettes = PaletteFetch::kAuto;
  bool by_influences = true;  // a kernel variant for 1, 2, 3, 4, up to 8, any number of influences; false: one for all
  VkDeviceSize max_page_bytes = 0;  // of one page of vertices or palettes; 0: the limit of the device, at most 256 MiB
  SnormPacking snorms = SnormPacking::kAuto;
  uint32_t min_workgroups = 0;  // in one prepare(); with fewer, threads take fewer instances. Default: 1 if the device
                                // is a CPU, else 4,096, which fills a GPU of 132 multiprocessors, and 16,384 for
                                // more than four instances; a value here replaces both
  StorePath stores = StorePath::kAuto;
  KernelPart part = KernelPart::kAll;
};

/// The severity of a message.
enum class Severity : uint8_t { kInfo, kError };

/// Called on the calling thread: once by create_skinner(), with a line about the device, and for every Error that is
/// returned; by prepare_mesh() on several threads at once. `text` is valid only during the call. `user_data` must
/// outlive the skinner.
struct MessageCallback {
  void (*call)(void* user_data, Severity severity, const char* text) = nullptr;
  void* user_data = nullptr;
};

/// create_skinner() with a choice of kernel, and with messages.
SINEW_API Result<Skinner> create_skinner(const SkinnerInfo& info, const KernelTuning& tuning,
                                         const MessageCallback& message = {});

/// The SPIR-V of the built-in skinning kernel.
SINEW_API std::span<const uint32_t> builtin_kernel();

/// Replaces the skinning kernel by other SPIR-V with the same interface and specialization constants. `spirv` must be
/// valid: drivers do not check it. The old kernel is freed after its last frame. Builds the variants again that meshes
/// needed so far. Those of a mesh that was prepared before are built again by add_mesh(). Errors, with the old kernel
/// kept: kInvalidData (not SPIR-V), kOutOfMemory, kDeviceLost, kDeviceFailure.
SINEW_API Status reload_kernel(Skinner& skinner, std::span<const uint32_t> spirv);

}  // namespace sinew::vulkan::experimental
