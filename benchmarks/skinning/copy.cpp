#include "copy.h"

#include <algorithm>
#include <vector>

#include "compute.h"
#include "gpu/host.h"

namespace sinew::bench {
namespace {

constexpr uint32_t kKernel[] = {
#include "copy.comp.inc"
};
constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;
constexpr VkDeviceSize kPartBytes = 128 * kMiB;  // any device can bind this as a storage buffer: 32,768 workgroups
constexpr VkDeviceSize kWorkgroupBytes = 256 * 16;
constexpr uint32_t kCopies = 9;

struct Buffers {
  app::Buffer from, to;
};

Result<Buffers> make_buffers(const app::Device& device, VkDeviceSize size_bytes) {
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  auto from = app::create_buffer(device, size_bytes, kUsage, app::MemoryKind::kDevice, "sinew.copy_source");
  if (!from) return from.error();
  auto to = app::create_buffer(device, size_bytes, kUsage, app::MemoryKind::kDevice, "sinew.copy_target");
  if (!to) return to.error();
  // Memory that was never written may have no physical pages yet.
  const Status filled = app::run_once(device, "filling", [&](VkCommandBuffer cmd) {
    vkCmdFillBuffer(cmd, from->get(), 0, VK_WHOLE_SIZE, 0x3f800000);
    vkCmdFillBuffer(cmd, to->get(), 0, VK_WHOLE_SIZE, 0);
  });
  if (!filled) return filled.error();
  return Buffers{std::move(*from), std::move(*to)};
}

/// The median of kCopies copies, after one that is not measured.
template <class Record>
Result<double> median_seconds(const app::Device& device, const Timer& timer, const Record& record_copy) {
  const Status run = app::run_once(device, "copies", [&](VkCommandBuffer cmd) {
    timer.reset(cmd);
    for (uint32_t i = 0; i <= kCopies; ++i) {
      record_copy(cmd);
      timer.write(cmd, i);
    }
  });
  if (!run) return run.error();
  std::vector<double> seconds;
  for (uint32_t i = 0; i < kCopies; ++i) seconds.push_back(timer.seconds(i, i + 1));
  std::nth_element(seconds.begin(), seconds.begin() + kCopies / 2, seconds.end());
  return seconds[kCopies / 2];
}

}  // namespace

Result<CopySpeed> measure_copy(const app::Device& device) {
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

  const uint32_t parts = uint32_t(size_bytes / kPartBytes);
  auto kernel = ComputeKernel::create(device, kKernel, 2, 0, parts);
  if (!kernel) return kernel.error();
  std::vector<VkDescriptorSet> sets;
  for (uint32_t i = 0; i < parts; ++i) {
    const BufferPart bound[] = {{buffers->from.get(), i * kPartBytes, kPartBytes},
                                {buffers->to.get(), i * kPartBytes, kPartBytes}};
    const auto set = kernel->make_set(bound);
    if (!set) return set.error();
    sets.push_back(*set);
  }
  const auto computed = median_seconds(device, *timer, [&](VkCommandBuffer cmd) {
    for (const VkDescriptorSet set : sets) {
      kernel->bind(cmd, set);
      vkCmdDispatch(cmd, uint32_t(kPartBytes / kWorkgroupBytes), 1, 1);
    }
  });
  if (!computed) return computed.error();
  const double gigabytes = 2 * double(size_bytes) / 1e9;
  return CopySpeed{gigabytes / *command, gigabytes / *computed};
}

}  // namespace sinew::bench
