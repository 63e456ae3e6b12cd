// The skinning pass: pipelines, descriptor sets, and dispatches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "device_table.h"
#include "job_list.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan {

/// Descriptor sets of one slot. They are kept and written anew; more are added as pages need them.
struct SlotSets {
  std::vector<Owned<VkDescriptorPool>> pools;
  std::vector<VkDescriptorSet> sets;
};

/// A part of a buffer, as bound.
struct BufferPart {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// What one descriptor set shows.
struct BoundPages {
  BufferPart meshes, palettes, vertices, jobs;
  VkBufferView palette_texels = VK_NULL_HANDLE;
};

/// What the host wants, within the device's limits, or what was measured best on its kind.
KernelChoice choose_kernel(const SkinnerInfo& info, const DeviceTable& table);

using Kernels = std::array<Owned<VkPipeline>, kKernelCount>;

class SkinPass {
 public:
  /// Layouts and the built-in kernels. `table` must outlive the pass.
  static Result<SkinPass> create(const DeviceTable& table, const KernelChoice& choice, VkPipelineCache cache);

  const KernelChoice& choice() const { return choice_; }
  Result<Kernels> build_kernels(std::span<const uint32_t> spirv, VkPipelineCache cache) const;
  /// Returns the old ones.
  Kernels exchange_kernels(Kernels kernels) { return std::exchange(kernels_, std::move(kernels)); }

  /// Makes `slot` hold at least `count` sets. On failure it holds what it held.
  Status ensure_sets(SlotSets& slot, size_t count, uint32_t slot_index) const;
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

}  // namespace sinew::vulkan
