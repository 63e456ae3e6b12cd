// The skinning pass: kernel pipelines, descriptor sets and dispatches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_table.h"
#include "job_list.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

/// The descriptor sets of one Input of a group. Each frame writes the sets again; sets are added as pages need them.
struct InputSets {
  std::vector<Owned<VkDescriptorPool>> pools;
  std::vector<VkDescriptorSet> sets;
};

/// A part of a buffer that a descriptor binds, in bytes.
struct BufferPart {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// What one descriptor set binds.
struct BoundPages {
  BufferPart meshes, palettes, vertices, jobs;
  VkBufferView palette_texels = VK_NULL_HANDLE;
};

/// The host's tuning within the device's limits. Zeros become the values that measured best.
KernelChoice choose_kernel(const SkinnerInfo& info, const DeviceTable& table);

/// What a helper of the kernel does to the palettes of consecutive instances.
template <class PushConstants>
struct PaletteWork {
  uint32_t set = 0;  // index in FramePlan::sets
  PushConstants push = {};
};

/// Palettes to convert for dual quaternions, in the page of a descriptor set: split matrices take the place of
/// matrices.
using Conversion = PaletteWork<shared::ConvertPushConstants>;

/// Compact palettes to expand to matrices. The descriptor set has the page of the compact palettes in the place of
/// palettes, and the page of the matrices in the place of vertices.
using Expansion = PaletteWork<shared::ExpandPushConstants>;

/// The pipelines of the kernel variants, by their index. Null where KernelChoice does without the variant.
using Kernels = std::array<Owned<VkPipeline>, kKernelCount>;

class SkinPass {
 public:
  /// Creates the layouts, and the pipelines of the built-in kernel. `table` must outlive the pass.
  static Result<SkinPass> create(const DeviceTable& table, const KernelChoice& choice, VkPipelineCache cache);

  const KernelChoice& choice() const { return choice_; }
  /// Fails with kInvalidData where `spirv` has no SPIR-V header; checks nothing else of it.
  Result<Kernels> build_kernels(std::span<const uint32_t> spirv, VkPipelineCache cache) const;
  /// Returns the old pipelines: frames in flight may still use them.
  Kernels exchange_kernels(Kernels kernels) { return std::exchange(kernels_, std::move(kernels)); }

  /// Makes `slot` hold at least `count` sets. On failure `slot` does not change. `slot_index` is for debug names.
  Status ensure_sets(InputSets& slot, size_t count, uint32_t slot_index) const;
  /// No frame in flight may use the set.
  void write_set(VkDescriptorSet set, const BoundPages& pages) const;

  void bind_set(VkCommandBuffer cmd, VkDescriptorSet set) const;
  void dispatch(VkCommandBuffer cmd, const Dispatch& dispatch) const;
  void dispatch(VkCommandBuffer cmd, const Conversion& conversion) const;
  void dispatch(VkCommandBuffer cmd, const Expansion& expansion) const;

 private:
  SkinPass(const DeviceTable& table, const KernelChoice& choice) : table_(&table), choice_(choice) {}
  Status make_layouts();
  Status make_helpers(VkPipelineCache cache);
  Status make_helper(std::span<const uint32_t> spirv, const char* name, VkPipelineCache cache,
                     Owned<VkPipeline>& helper) const;
  template <class PushConstants>
  void dispatch_helper(VkCommandBuffer cmd, VkPipeline helper, const PushConstants& push, uint32_t entries) const;

  struct PipelineSource {
    VkShaderModule module = VK_NULL_HANDLE;
    VkPipelineCache cache = VK_NULL_HANDLE;
    KernelVariant variant;
    std::string name;
  };
  Result<Owned<VkPipeline>> build_pipeline(const PipelineSource& source) const;
  Result<Owned<VkDescriptorPool>> make_pool(uint32_t sets) const;

  const DeviceTable* table_;
  KernelChoice choice_;
  Owned<VkDescriptorSetLayout> set_layout_;
  Owned<VkPipelineLayout> layout_;
  Kernels kernels_;
  Owned<VkPipeline> converter_, expander_;  // null without KernelChoice::dual_quaternions, ::compact_palettes
};

}  // namespace sinew::vulkan::internal
