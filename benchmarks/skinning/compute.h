// A compute kernel that reads and writes storage buffers, as the benchmark has two of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/handle.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

struct BufferPart {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// Storage buffers at the bindings from 0, and push constants. The device must outlive it.
class ComputeKernel {
 public:
  static Result<ComputeKernel> create(const app::Device& device, std::span<const uint32_t> spirv, uint32_t bindings,
                                      uint32_t push_bytes, uint32_t max_sets);

  Result<VkDescriptorSet> make_set(std::span<const BufferPart> buffers);

  void bind(VkCommandBuffer cmd, VkDescriptorSet set) const;
  VkPipelineLayout layout() const { return layout_.get(); }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  app::DescriptorSetLayoutHandle set_layout_;
  app::PipelineLayoutHandle layout_;
  app::PipelineHandle pipeline_;
  app::DescriptorPoolHandle pool_;
};

/// The device's ticks around some commands, in seconds.
class Timer {
 public:
  static Result<Timer> create(const app::Device& device, uint32_t queries);

  VkQueryPool queries() const { return queries_.get(); }
  void reset(VkCommandBuffer cmd) const;
  /// When everything before it is done.
  void write(VkCommandBuffer cmd, uint32_t query) const;
  /// Between two queries of commands that have completed.
  double seconds(uint32_t from, uint32_t to) const;

 private:
  const app::Device* device_ = nullptr;
  uint32_t count_ = 0;
  app::QueryPoolHandle queries_;
};

}  // namespace sinew::bench
