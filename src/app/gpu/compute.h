// A compute pipeline with storage buffers, and a timer: for measurements beside the crowd. The device's copy speed is
// the measure for the skinning kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gpu/host.h"
#include "host/pipeline.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct BufferPart {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
};

/// A compute pipeline with storage buffers at bindings 0, 1, ... and push constants. The device must outlive it.
class ComputeKernel {
 public:
  static Result<ComputeKernel> create(const host::Device& device, std::span<const uint32_t> spirv, uint32_t bindings,
                                      uint32_t push_bytes, uint32_t max_sets);

  /// A descriptor set with `buffers[i]` at binding i. At most `max_sets` sets. The kernel owns the sets.
  Result<VkDescriptorSet> make_set(std::span<const BufferPart> buffers);

  void bind(VkCommandBuffer cmd, VkDescriptorSet set) const;
  VkPipelineLayout layout() const { return layout_.get(); }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  host::DescriptorSetLayoutHandle set_layout_;
  host::PipelineLayoutHandle layout_;
  host::PipelineHandle pipeline_;
  host::DescriptorSets sets_;
  size_t used_ = 0;  // of the sets
};

/// Measures commands with timestamp queries, which are read after the commands have completed. The device must outlive
/// it.
class Timer {
 public:
  /// Fails with kUnsupported if the device has no timestamps.
  static Result<Timer> create(const host::Device& device, uint32_t queries);

  VkQueryPool queries() const { return queries_.get(); }
  void reset(VkCommandBuffer cmd) const;
  /// Records a timestamp that is written after all previous commands are done.
  void write(VkCommandBuffer cmd, uint32_t query) const;
  /// The time between two queries, 0 if the device is lost or has not written them.
  double seconds(uint32_t from, uint32_t to) const;
  /// Whether the timestamps of all queries were written, ascend, and span no more than the time that passed on the
  /// CPU's clock.
  bool is_credible(double wall_ms) const;

 private:
  std::optional<uint64_t> ticks(uint32_t query) const;

  const host::Device* device_ = nullptr;
  uint32_t count_ = 0;
  host::QueryPoolHandle queries_;
};

/// Bytes read plus bytes written, in 1e9 bytes per second, by vkCmdCopyBuffer and by a kernel that copies 16 bytes per
/// thread. Either may be the faster one: on an H100 the command reaches 850 and the kernel 3,000. Medians over copies
/// of 1 GiB, or 256 MiB if the device is a CPU.
struct CopySpeed {
  double command_gb_per_second = 0, kernel_gb_per_second = 0;

  double best() const {
    return command_gb_per_second > kernel_gb_per_second ? command_gb_per_second : kernel_gb_per_second;
  }
};

/// Allocates both buffers in device memory, and waits for the device. Without `by_kernel` that speed stays 0. Errors:
/// kUnsupported (no timestamps, or none that are credible), and those of Vulkan, as for too little memory.
Result<CopySpeed> measure_copy(const Device& device, bool by_kernel);

}  // namespace sinew::app
