// The skinning pass: kernel pipelines, descriptor sets and dispatches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
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

/// The pipelines of the kernel variants, by their index. Those with morph targets are null without
/// KernelChoice::morph_targets.
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

 private:
  SkinPass(const DeviceTable& table, const KernelChoice& choice) : table_(&table), choice_(choice) {}
  Status make_layouts();
  Result<Owned<VkPipeline>> build_kernel(VkShaderModule module, uint32_t kernel, VkPipelineCache cache) const;
  Result<Owned<VkDescriptorPool>> make_pool(uint32_t sets) const;

  const DeviceTable* table_;
  KernelChoice choice_;
  Owned<VkDescriptorSetLayout> set_layout_;
  Owned<VkPipelineLayout> layout_;
  Kernels kernels_;
};

}  // namespace sinew::vulkan::internal
