// The skinning pass: layouts, descriptor sets and dispatches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device_table.h"
#include "job_list.h"
#include "kernels.h"
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

class SkinPass {
 public:
  /// `table` must outlive the pass.
  SkinPass(const DeviceTable& table, const KernelChoice& choice) : table_(&table), choice_(choice) {}
  SkinPass(const SkinPass&) = delete;

  /// Makes the layouts. Call it first. kernels() then builds pipelines as meshes need them, with `cache`.
  Status make_layouts(VkPipelineCache cache);

  const KernelChoice& choice() const { return choice_; }
  Kernels& kernels() { return *kernels_; }

  /// Makes `slot` hold at least `count` sets. On failure `slot` does not change. `slot_index` is for debug names.
  Status ensure_sets(InputSets& slot, size_t count, uint32_t slot_index) const;
  /// No frame in flight may use the set.
  void write_set(VkDescriptorSet set, const BoundPages& pages) const;

  void bind_set(VkCommandBuffer cmd, VkDescriptorSet set) const;
  void dispatch(VkCommandBuffer cmd, const Dispatch& dispatch) const;
  void dispatch(VkCommandBuffer cmd, const Conversion& conversion) const;
  void dispatch(VkCommandBuffer cmd, const Expansion& expansion) const;

 private:
  template <class PushConstants>
  void dispatch_helper(VkCommandBuffer cmd, VkPipeline helper, const PushConstants& push, uint32_t entries) const;
  Result<Owned<VkDescriptorPool>> make_pool(uint32_t sets) const;

  const DeviceTable* table_;
  KernelChoice choice_;
  Owned<VkDescriptorSetLayout> set_layout_;
  Owned<VkPipelineLayout> layout_;
  std::optional<Kernels> kernels_;  // set by make_layouts()
};

}  // namespace sinew::vulkan::internal
