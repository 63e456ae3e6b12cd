#include "skin_pass.h"

#include <algorithm>
#include <array>
#include <string>

#include "shared/skinning.h"

namespace sinew::vulkan {
namespace {

constexpr uint32_t kBuiltInKernel[] = {
#include "spirv/skin.comp.inc"
};
constexpr uint32_t kSpirvMagic = 0x07230203;
constexpr size_t kSpirvHeaderWords = 5;
constexpr uint32_t kBindings = 3;
constexpr size_t kSmallestPool = 16;

std::array<VkDescriptorSetLayoutBinding, kBindings> bindings() {
  std::array<VkDescriptorSetLayoutBinding, kBindings> result = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    result[i] = {.binding = i,
                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 .descriptorCount = 1,
                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  }
  return result;
}

}  // namespace

Result<SkinPass> SkinPass::create(const DeviceTable& table, VkPipelineCache cache) {
  SkinPass pass(table);
  if (Status status = pass.make_layouts(); !status) return status.error();
  Result<Owned<VkPipeline>> kernel = pass.build_kernel(kBuiltInKernel, cache);
  if (!kernel) return kernel.error();
  pass.kernel_ = std::move(*kernel);
  return pass;
}

Status SkinPass::make_layouts() {
  const auto set_bindings = bindings();
  const VkDescriptorSetLayoutCreateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = kBindings,
                                                    .pBindings = set_bindings.data()};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  const VkAllocationCallbacks* callbacks = table_->allocation_callbacks();
  VkResult result = table_->CreateDescriptorSetLayout(table_->device, &set_info, callbacks, &set_layout);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorSetLayout", result);
  set_layout_ = {*table_, set_layout, table_->DestroyDescriptorSetLayout};
  table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, set_layout, "sinew.skin.set_layout");

  const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(shared::SkinPushConstants)};
  const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = 1,
                                           .pSetLayouts = &set_layout,
                                           .pushConstantRangeCount = 1,
                                           .pPushConstantRanges = &push};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  result = table_->CreatePipelineLayout(table_->device, &info, callbacks, &layout);
  if (result != VK_SUCCESS) return vulkan_error("vkCreatePipelineLayout", result);
  layout_ = {*table_, layout, table_->DestroyPipelineLayout};
  table_->name_object(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, "sinew.skin.layout");
  return {};
}

Result<Owned<VkPipeline>> SkinPass::build_kernel(std::span<const uint32_t> spirv, VkPipelineCache cache) const {
  if (spirv.size() < kSpirvHeaderWords || spirv[0] != kSpirvMagic) {
    return Error{ErrorCode::kInvalidData, "skinning kernel: not SPIR-V"};
  }
  const VkAllocationCallbacks* callbacks = table_->allocation_callbacks();
  const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = spirv.size_bytes(), .pCode = spirv.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = table_->CreateShaderModule(table_->device, &module_info, callbacks, &module);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", result);
  const Owned<VkShaderModule> owned(*table_, module, table_->DestroyShaderModule);
  table_->name_object(VK_OBJECT_TYPE_SHADER_MODULE, module, "sinew.skin.shader");

  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = module,
                                                      .pName = "main"},
                                            .layout = layout_.get()};
  VkPipeline pipeline = VK_NULL_HANDLE;
  result = table_->CreateComputePipelines(table_->device, cache, 1, &info, callbacks, &pipeline);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateComputePipelines", result);
  table_->name_object(VK_OBJECT_TYPE_PIPELINE, pipeline, "sinew.skin");
  return Owned<VkPipeline>(*table_, pipeline, table_->DestroyPipeline);
}

Status SkinPass::ensure_sets(SlotSets& slot, size_t count, uint32_t slot_index) const {
  if (slot.sets.size() >= count) return {};
  const size_t held = slot.sets.size(), more = std::max({count - held, held, kSmallestPool});
  slot.pools.reserve(slot.pools.size() + 1);
  slot.sets.reserve(held + more);
  const std::vector<VkDescriptorSetLayout> layouts(more, set_layout_.get());
  std::vector<VkDescriptorSet> sets(more);

  Result<Owned<VkDescriptorPool>> pool = make_pool(uint32_t(more));
  if (!pool) return pool.error();
  const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool->get(),
                                            .descriptorSetCount = uint32_t(more),
                                            .pSetLayouts = layouts.data()};
  const VkResult result = table_->AllocateDescriptorSets(table_->device, &info, sets.data());
  if (result != VK_SUCCESS) return vulkan_error("vkAllocateDescriptorSets", result);

  table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool->get(), indexed("sinew.skin.sets", slot_index));
  for (size_t i = 0; i < more; ++i) {
    table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_SET, sets[i],
                        indexed(indexed("sinew.skin.set", slot_index), held + i));
  }
  slot.pools.push_back(std::move(*pool));
  slot.sets.insert(slot.sets.end(), sets.begin(), sets.end());
  return {};
}

Result<Owned<VkDescriptorPool>> SkinPass::make_pool(uint32_t sets) const {
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * kBindings};
  const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = sets, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  const VkResult result = table_->CreateDescriptorPool(table_->device, &info, table_->allocation_callbacks(), &pool);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
  return Owned<VkDescriptorPool>(*table_, pool, table_->DestroyDescriptorPool);
}

void SkinPass::write_set(VkDescriptorSet set, const RunBuffers& buffers) const {
  std::array<VkDescriptorBufferInfo, kBindings> parts;
  const auto bound = [](const BufferPart& part) {
    return VkDescriptorBufferInfo{part.buffer, part.offset, part.size_bytes};
  };
  parts[shared::kBindingMesh] = bound(buffers.mesh);
  parts[shared::kBindingPalettes] = bound(buffers.palettes);
  parts[shared::kBindingSkinned] = bound(buffers.vertices);
  std::array<VkWriteDescriptorSet, kBindings> writes = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = set,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 .pBufferInfo = &parts[i]};
  }
  table_->UpdateDescriptorSets(table_->device, kBindings, writes.data(), 0, nullptr);
}

void SkinPass::bind(VkCommandBuffer cmd) const {
  table_->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernel_.get());
}

uint32_t SkinPass::dispatch(VkCommandBuffer cmd, VkDescriptorSet set, const RunShape& shape) const {
  table_->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set, 0, nullptr);
  const uint32_t groups = (shape.vertex_count + shared::kSkinGroupSize - 1) / shared::kSkinGroupSize;
  uint32_t dispatches = 0;
  for (uint32_t y = 0; y < shape.instance_count; y += std::min(table_->max_groups_y, shape.instance_count - y)) {
    for (uint32_t x = 0; x < groups; x += std::min(table_->max_groups_x, groups - x)) {
      const shared::SkinPushConstants push = {.first_vertex = x * shared::kSkinGroupSize,
                                              .vertex_count = shape.vertex_count,
                                              .influence_groups = shape.influence_groups,
                                              .palette_stride = shape.palette_stride,
                                              .first_instance = y};
      table_->CmdPushConstants(cmd, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
      table_->CmdDispatch(cmd, std::min(table_->max_groups_x, groups - x),
                          std::min(table_->max_groups_y, shape.instance_count - y), 1);
      ++dispatches;
    }
  }
  return dispatches;
}

}  // namespace sinew::vulkan
