#include "gpu/compute.h"

#include <utility>

#include "host/device_clock.h"
#include "host/pipeline.h"
#include "host/resources.h"

namespace sinew::app {

Result<ComputeKernel> ComputeKernel::create(const host::Device& device, std::span<const uint32_t> spirv,
                                            uint32_t bindings, uint32_t push_bytes, uint32_t max_sets) {
  const std::vector<VkDescriptorType> types(bindings, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (uint32_t i = 0; i < bindings; ++i) list.push_back({i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  auto set_layout = host::create_set_layout(device, list, "kernel");
  if (!set_layout) return set_layout.error();
  const VkDescriptorSetLayout handle = set_layout->get();
  auto layout =
      host::create_pipeline_layout(device, {&handle, 1}, {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes}, "kernel");
  if (!layout) return layout.error();
  auto pipeline = host::create_compute_pipeline(device, layout->get(), spirv, "kernel");
  if (!pipeline) return pipeline.error();
  auto sets = host::create_descriptor_sets(device, max_sets, types, handle, "kernel set");
  if (!sets) return sets.error();
  ComputeKernel kernel;
  kernel.device_ = device.handle;
  kernel.set_layout_ = std::move(*set_layout);
  kernel.layout_ = std::move(*layout);
  kernel.pipeline_ = std::move(*pipeline);
  kernel.sets_ = std::move(*sets);
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
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = queries;
  VkQueryPool pool = VK_NULL_HANDLE;
  const VkResult result = vkCreateQueryPool(device.handle, &info, nullptr, &pool);
  if (result != VK_SUCCESS) return host::vulkan_error("query pool", result);
  Timer timer;
  timer.device_ = &device;
  timer.count_ = queries;
  timer.queries_ = host::QueryPoolHandle(device.handle, pool);
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

}  // namespace sinew::app
