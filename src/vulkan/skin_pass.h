// The skinning pass: pipeline, descriptor sets, and the dispatch of one run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device_table.h"
#include "sinew/vulkan.h"

namespace sinew::vulkan {

/// Descriptor sets of one slot. They are kept and written anew; more are added as runs need them.
struct SlotSets {
  std::vector<Owned<VkDescriptorPool>> pools;
  std::vector<VkDescriptorSet> sets;
};

/// A part of a buffer, as bound.
struct BufferPart {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// What one run of instances reads and writes.
struct RunBuffers {
  BufferPart mesh, palettes, vertices;
};

struct RunShape {
  uint32_t instance_count = 0, vertex_count = 0, influence_groups = 0, palette_stride = 0;
};

class SkinPass {
 public:
  /// Layouts and the built-in kernel. `table` must outlive the pass.
  static Result<SkinPass> create(const DeviceTable& table, VkPipelineCache cache);

  Result<Owned<VkPipeline>> build_kernel(std::span<const uint32_t> spirv, VkPipelineCache cache) const;
  /// Returns the old one.
  Owned<VkPipeline> exchange_kernel(Owned<VkPipeline> kernel) { return std::exchange(kernel_, std::move(kernel)); }

  /// Makes `slot` hold at least `count` sets. On failure it holds what it held.
  Status ensure_sets(SlotSets& slot, size_t count, uint32_t slot_index) const;
  void write_set(VkDescriptorSet set, const RunBuffers& buffers) const;

  void bind(VkCommandBuffer cmd) const;
  /// Records the run, split where the device's counts of workgroups ask. Returns the number of dispatches.
  uint32_t dispatch(VkCommandBuffer cmd, VkDescriptorSet set, const RunShape& shape) const;

 private:
  explicit SkinPass(const DeviceTable& table) : table_(&table) {}
  Status make_layouts();
  Result<Owned<VkDescriptorPool>> make_pool(uint32_t sets) const;

  const DeviceTable* table_;
  Owned<VkDescriptorSetLayout> set_layout_;
  Owned<VkPipelineLayout> layout_;
  Owned<VkPipeline> kernel_;
};

}  // namespace sinew::vulkan
