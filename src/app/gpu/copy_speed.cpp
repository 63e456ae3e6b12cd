#include "gpu/copy_speed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/compute.h"
#include "host/clock.h"

namespace sinew::app {
namespace {

constexpr uint32_t kKernel[] = {
#include "copy.comp.inc"
};
constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;
constexpr VkDeviceSize kPartBytes = 128 * kMiB;  // any device can bind this as a storage buffer: 32,768 workgroups
constexpr VkDeviceSize kWorkgroupBytes = 256 * 16;
constexpr uint32_t kCopies = 5;

struct Buffers {
  Buffer from, to;
};

Result<Buffers> make_buffers(const Device& device, VkDeviceSize size_bytes) {
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  auto from = create_buffer(device, size_bytes, kUsage, MemoryKind::kDevice, "sinew.copy_source");
  if (!from) return from.error();
  auto to = create_buffer(device, size_bytes, kUsage, MemoryKind::kDevice, "sinew.copy_target");
  if (!to) return to.error();
  if (!from->device_local || !to->device_local)
    return Error{ErrorCode::kUnsupported, "too little device memory to measure copies"};
  // Memory that was never written may have no physical pages yet.
  const Status filled = run_once(device, "filling", [&](VkCommandBuffer cmd) {
    vkCmdFillBuffer(cmd, from->get(), 0, VK_WHOLE_SIZE, 0x3f800000);
    vkCmdFillBuffer(cmd, to->get(), 0, VK_WHOLE_SIZE, 0);
  });
  if (!filled) return filled.error();
  return Buffers{std::move(*from), std::move(*to)};
}

/// The median of kCopies copies, after one that is not measured.
template <class Record>
Result<double> median_seconds(const Device& device, const Timer& timer, const Record& record_copy) {
  const host::Stopwatch watch;
  const Status run = run_once(device, "copies that are timed", [&](VkCommandBuffer cmd) {
    timer.reset(cmd);
    for (uint32_t i = 0; i <= kCopies; ++i) {
      record_copy(cmd);
      timer.write(cmd, i);
    }
  });
  if (!run) return run.error();
  if (!timer.is_credible(watch.elapsed_ms()))
    return Error{ErrorCode::kUnsupported, "the device's timestamps are not credible"};
  std::vector<double> seconds;
  for (uint32_t i = 0; i < kCopies; ++i) seconds.push_back(timer.seconds(i, i + 1));
  std::nth_element(seconds.begin(), seconds.begin() + kCopies / 2, seconds.end());
  return seconds[kCopies / 2];
}

double gb_per_second(VkDeviceSize copied_bytes, double seconds) {
  return seconds > 0 ? 2 * double(copied_bytes) / 1e9 / seconds : 0;
}

Result<double> kernel_seconds(const Device& device, const Timer& timer, const Buffers& buffers,
                              VkDeviceSize size_bytes) {
  const uint32_t parts = uint32_t(size_bytes / kPartBytes);
  auto kernel = ComputeKernel::create(device, kKernel, 2, 0, parts);
  if (!kernel) return kernel.error();
  std::vector<VkDescriptorSet> sets;
  for (uint32_t i = 0; i < parts; ++i) {
    const BufferPart bound[] = {{buffers.from.get(), i * kPartBytes, kPartBytes},
                                {buffers.to.get(), i * kPartBytes, kPartBytes}};
    const auto set = kernel->make_set(bound);
    if (!set) return set.error();
    sets.push_back(*set);
  }
  return median_seconds(device, timer, [&](VkCommandBuffer cmd) {
    for (const VkDescriptorSet set : sets) {
      kernel->bind(cmd, set);
      vkCmdDispatch(cmd, uint32_t(kPartBytes / kWorkgroupBytes), 1, 1);
    }
  });
}

}  // namespace

Result<CopySpeed> measure_copy(const Device& device, bool by_kernel) {
  const VkDeviceSize size_bytes = (device.info.is_cpu() ? 256 : 1024) * kMiB;
  auto timer = Timer::create(device, kCopies + 1);
  if (!timer) return timer.error();
  auto buffers = make_buffers(device, size_bytes);
  if (!buffers) return buffers.error();
  const VkBufferCopy whole{0, 0, size_bytes};
  const auto command = median_seconds(device, *timer, [&](VkCommandBuffer cmd) {
    vkCmdCopyBuffer(cmd, buffers->from.get(), buffers->to.get(), 1, &whole);
  });
  if (!command) return command.error();
  CopySpeed speed{gb_per_second(size_bytes, *command), 0};
  if (!by_kernel) return speed;
  const auto kernel = kernel_seconds(device, *timer, *buffers, size_bytes);
  if (!kernel) return kernel.error();
  speed.kernel_gb_per_second = gb_per_second(size_bytes, *kernel);
  return speed;
}

}  // namespace sinew::app
