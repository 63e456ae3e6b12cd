#include "gpu/compute.h"

#include <algorithm>
#include <vector>

#include "host/clock.h"
#include "host/device_clock.h"
#include "host/pipeline.h"
#include "host/resources.h"

namespace sinew::app {

Result<ComputeKernel> ComputeKernel::create(const host::Device& device, std::span<const uint32_t> spirv,
                                            uint32_t bindings, uint32_t push_bytes, uint32_t max_sets) {
  const std::vector<VkDescriptorType> types(bindings, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (uint32_t i = 0; i < bindings; ++i) list.push_back({i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  ComputeKernel kernel;
  kernel.device_ = device.handle;
  Status made = put(create_set_layout(device, list, "kernel"), kernel.set_layout_);
  const VkDescriptorSetLayout handle = kernel.set_layout_.get();
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
  if (made) made = put(create_pipeline_layout(device, {&handle, 1}, push, "kernel"), kernel.layout_);
  if (made) made = put(host::create_compute_pipeline(device, kernel.layout(), spirv, "kernel"), kernel.pipeline_);
  if (made) made = put(create_descriptor_sets(device, max_sets, types, handle, "kernel set"), kernel.sets_);
  if (!made) return made.error();
  return kernel;
}

Result<VkDescriptorSet> ComputeKernel::make_set(std::span<const BufferPart> buffers) {
  if (used_ == sets_.sets.size()) return Error{ErrorCode::kInvalidArgument, "the kernel has no descriptor set left"};
  const VkDescriptorSet set = sets_.sets[used_++];
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo part{buffers[i].buffer, buffers[i].offset, buffers[i].size_bytes};
    host::write_buffer(device_, set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, part);
  }
  return set;
}

void ComputeKernel::bind(VkCommandBuffer cmd, VkDescriptorSet set) const {
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set, 0, nullptr);
}

Result<Timer> Timer::create(const host::Device& device, uint32_t queries) {
  if (!device.info.timestamps) return Error{ErrorCode::kUnsupported, device.info.name + " has no timestamps"};
  Timer timer;
  timer.device_ = &device;
  timer.count_ = queries;
  Status made = put(create_timestamps(device, device_clock(device), queries, "sinew.timer"), timer.queries_);
  if (!made) return made.error();
  return timer;
}

void Timer::reset(VkCommandBuffer cmd) const { vkCmdResetQueryPool(cmd, queries_.get(), 0, count_); }

void Timer::write(VkCommandBuffer cmd, uint32_t query) const {
  host::full_barrier(cmd);
  vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), query);
  if (device_->info.is_cpu()) host::full_barrier(cmd);  // such a driver runs later commands before it reads the clock
}

/// Does not wait: a driver may lose the device while it waits for a timestamp that was never written.
std::optional<uint64_t> Timer::ticks(uint32_t query) const {
  uint64_t tick = 0;
  const VkResult read = vkGetQueryPoolResults(device_->handle, queries_.get(), query, 1, sizeof tick, &tick,
                                              sizeof tick, VK_QUERY_RESULT_64_BIT);
  return read == VK_SUCCESS ? std::optional(tick) : std::nullopt;
}

double Timer::seconds(uint32_t from, uint32_t to) const {
  const auto first = ticks(from), last = ticks(to);
  return first && last ? host::device_clock(*device_).ms_between(*first, *last) / 1e3 : 0;
}

bool Timer::is_credible(double wall_ms) const {
  std::vector<uint64_t> all;
  for (uint32_t query = 0; query < count_; ++query) {
    const auto tick = ticks(query);
    if (!tick) return false;
    all.push_back(*tick);
  }
  return host::is_credible(host::device_clock(*device_), all, wall_ms);
}

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
  Buffers buffers;
  auto& [from, to] = buffers;
  Status made = put(create_buffer(device, size_bytes, kUsage, MemoryKind::kDevice, "sinew.copy_source"), from);
  if (made) made = put(create_buffer(device, size_bytes, kUsage, MemoryKind::kDevice, "sinew.copy_target"), to);
  if (!made) return made.error();
  if (!from.device_local || !to.device_local)
    return Error{ErrorCode::kUnsupported, "too little device memory to measure copies"};
  // Memory that was never written may have no physical pages yet.
  const Status filled = run_once(device, "filling", [&](VkCommandBuffer cmd) {
    vkCmdFillBuffer(cmd, buffers.from.get(), 0, VK_WHOLE_SIZE, 0x3f800000);
    vkCmdFillBuffer(cmd, buffers.to.get(), 0, VK_WHOLE_SIZE, 0);
  });
  if (!filled) return filled.error();
  return buffers;
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
