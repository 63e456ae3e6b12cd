#include "compute.h"

#include <array>

#include "gpu/descriptors.h"
#include "gpu/device_clock.h"
#include "gpu/resources.h"

namespace sinew::bench {
namespace {

Result<app::ShaderModuleHandle> make_module(const app::Device& device, std::span<const uint32_t> spirv) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = spirv.size_bytes();
  info.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  const VkResult result = vkCreateShaderModule(device.handle, &info, nullptr, &module);
  if (result != VK_SUCCESS) return app::vulkan_error("shader module", result);
  return app::ShaderModuleHandle(device.handle, module);
}

Result<app::DescriptorSetLayoutHandle> make_set_layout(const app::Device& device, uint32_t bindings) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (uint32_t i = 0; i < bindings; ++i) {
    list.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = bindings;
  info.pBindings = list.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  const VkResult result = vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &layout);
  if (result != VK_SUCCESS) return app::vulkan_error("descriptor set layout", result);
  return app::DescriptorSetLayoutHandle(device.handle, layout);
}

Result<app::PipelineLayoutHandle> make_layout(const app::Device& device, VkDescriptorSetLayout sets, uint32_t bytes) {
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &sets;
  info.pushConstantRangeCount = bytes != 0 ? 1 : 0;
  info.pPushConstantRanges = &push;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const VkResult result = vkCreatePipelineLayout(device.handle, &info, nullptr, &layout);
  if (result != VK_SUCCESS) return app::vulkan_error("pipeline layout", result);
  return app::PipelineLayoutHandle(device.handle, layout);
}

Result<app::PipelineHandle> make_pipeline(const app::Device& device, VkPipelineLayout layout, VkShaderModule module) {
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateComputePipelines(device.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  if (result != VK_SUCCESS) return app::vulkan_error("compute pipeline", result);
  return app::PipelineHandle(device.handle, pipeline);
}

Result<app::DescriptorPoolHandle> make_pool(const app::Device& device, uint32_t sets, uint32_t bindings) {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * bindings};
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = sets;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  const VkResult result = vkCreateDescriptorPool(device.handle, &info, nullptr, &pool);
  if (result != VK_SUCCESS) return app::vulkan_error("descriptor pool", result);
  return app::DescriptorPoolHandle(device.handle, pool);
}

}  // namespace

Result<ComputeKernel> ComputeKernel::create(const app::Device& device, std::span<const uint32_t> spirv,
                                            uint32_t bindings, uint32_t push_bytes, uint32_t max_sets) {
  auto module = make_module(device, spirv);
  if (!module) return module.error();
  auto set_layout = make_set_layout(device, bindings);
  if (!set_layout) return set_layout.error();
  auto layout = make_layout(device, set_layout->get(), push_bytes);
  if (!layout) return layout.error();
  auto pipeline = make_pipeline(device, layout->get(), module->get());
  if (!pipeline) return pipeline.error();
  auto pool = make_pool(device, max_sets, bindings);
  if (!pool) return pool.error();
  ComputeKernel kernel;
  kernel.device_ = device.handle;
  kernel.set_layout_ = std::move(*set_layout);
  kernel.layout_ = std::move(*layout);
  kernel.pipeline_ = std::move(*pipeline);
  kernel.pool_ = std::move(*pool);
  return kernel;
}

Result<VkDescriptorSet> ComputeKernel::make_set(std::span<const BufferPart> buffers) {
  const VkDescriptorSetLayout layout = set_layout_.get();
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool_.get();
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  const VkResult result = vkAllocateDescriptorSets(device_, &info, &set);
  if (result != VK_SUCCESS) return app::vulkan_error("descriptor set", result);
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo part{buffers[i].buffer, buffers[i].offset, buffers[i].size_bytes};
    app::write_buffer(device_, set, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, part);
  }
  return set;
}

void ComputeKernel::bind(VkCommandBuffer cmd, VkDescriptorSet set) const {
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set, 0, nullptr);
}

Result<Timer> Timer::create(const app::Device& device, uint32_t queries) {
  if (!device.info.timestamps) return Error{ErrorCode::kUnsupported, device.info.name + " has no timestamps"};
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = queries;
  VkQueryPool pool = VK_NULL_HANDLE;
  const VkResult result = vkCreateQueryPool(device.handle, &info, nullptr, &pool);
  if (result != VK_SUCCESS) return app::vulkan_error("query pool", result);
  Timer timer;
  timer.device_ = &device;
  timer.count_ = queries;
  timer.queries_ = app::QueryPoolHandle(device.handle, pool);
  return timer;
}

void Timer::reset(VkCommandBuffer cmd) const { vkCmdResetQueryPool(cmd, queries_.get(), 0, count_); }

void Timer::write(VkCommandBuffer cmd, uint32_t query) const {
  app::full_barrier(cmd);
  vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), query);
  if (device_->info.is_cpu()) app::full_barrier(cmd);  // such a driver runs later commands before it reads the clock
}

double Timer::seconds(uint32_t from, uint32_t to) const {
  std::array<uint64_t, 2> ticks{};
  const auto read = [&](uint32_t query, uint64_t& tick) {
    vkGetQueryPoolResults(device_->handle, queries_.get(), query, 1, sizeof tick, &tick, sizeof tick,
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  };
  read(from, ticks[0]);
  read(to, ticks[1]);
  return app::device_clock(*device_).ms_between(ticks[0], ticks[1]) / 1e3;
}

}  // namespace sinew::bench
