#include "skin_pass.h"

#include <algorithm>
#include <array>

#include "shared/skinning.h"
#include "sinew/vulkan/vulkan_error.h"

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kBindings = shared::kSkinBindings;
constexpr size_t kMinPoolSets = 8;
constexpr uint32_t kPushBytes = std::max(
    {sizeof(shared::SkinPushConstants), sizeof(shared::ConvertPushConstants), sizeof(shared::ExpandPushConstants)});

VkDescriptorType type_of(uint32_t binding) {
  return binding == shared::kBindingPaletteTexels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                  : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

std::array<VkDescriptorSetLayoutBinding, kBindings> bindings() {
  std::array<VkDescriptorSetLayoutBinding, kBindings> result = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    result[i] = {
        .binding = i, .descriptorType = type_of(i), .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  }
  return result;
}

}  // namespace

Status SkinPass::make_layouts(VkPipelineCache cache) {
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

  const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
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
  kernels_.emplace(*table_, choice_, layout, cache);
  return {};
}

Status SkinPass::ensure_sets(InputSets& slot, size_t count, uint32_t slot_index) const {
  if (slot.sets.size() >= count) return {};
  const size_t existing = slot.sets.size(), more = std::max({count - existing, existing, kMinPoolSets});
  slot.pools.reserve(slot.pools.size() + 1);
  slot.sets.reserve(existing + more);
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
                        indexed(indexed("sinew.skin.set", slot_index), existing + i));
  }
  slot.pools.push_back(std::move(*pool));
  slot.sets.insert(slot.sets.end(), sets.begin(), sets.end());
  return {};
}

Result<Owned<VkDescriptorPool>> SkinPass::make_pool(uint32_t sets) const {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * (kBindings - 1)},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sets}};
  const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = sets, .poolSizeCount = 2, .pPoolSizes = sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  const VkResult result = table_->CreateDescriptorPool(table_->device, &info, table_->allocation_callbacks(), &pool);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
  return Owned<VkDescriptorPool>(*table_, pool, table_->DestroyDescriptorPool);
}

void SkinPass::write_set(VkDescriptorSet set, const BoundPages& pages) const {
  std::array<VkDescriptorBufferInfo, kBindings> parts = {};
  const auto bound = [](const BufferPart& part) {
    return VkDescriptorBufferInfo{part.buffer, part.offset, part.size_bytes};
  };
  parts[shared::kBindingMeshes] = bound(pages.meshes);
  parts[shared::kBindingPalettes] = bound(pages.palettes);
  parts[shared::kBindingSkinned] = bound(pages.vertices);
  parts[shared::kBindingJobs] = bound(pages.jobs);
  std::array<VkWriteDescriptorSet, kBindings> writes = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = set,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = type_of(i),
                 .pBufferInfo = &parts[i],
                 .pTexelBufferView = &pages.palette_texels};
  }
  table_->UpdateDescriptorSets(table_->device, kBindings, writes.data(), 0, nullptr);
}

void SkinPass::bind_set(VkCommandBuffer cmd, VkDescriptorSet set) const {
  table_->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set, 0, nullptr);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Dispatch& dispatch) const {
  const shared::SkinPushConstants push = {dispatch.first_job, dispatch.instances_per_thread};
  table_->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernels_->variant(dispatch.kernel));
  table_->CmdPushConstants(cmd, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  table_->CmdDispatch(cmd, dispatch.workgroups_x, dispatch.workgroups_y, 1);
}

/// A thread for each of an instance's `entries`. Workgroups beyond the limit in x go on in y.
template <class PushConstants>
void SkinPass::dispatch_helper(VkCommandBuffer cmd, VkPipeline helper, const PushConstants& push,
                               uint32_t entries) const {
  const uint64_t threads = uint64_t{entries} * push.instance_count;
  const uint64_t groups = (threads + choice_.workgroup_size - 1) / choice_.workgroup_size;
  const uint64_t x = std::min<uint64_t>(groups, table_->max_workgroups_x), y = (groups + x - 1) / x;
  table_->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, helper);
  table_->CmdPushConstants(cmd, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  table_->CmdDispatch(cmd, uint32_t(x), uint32_t(y), 1);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Conversion& conversion) const {
  dispatch_helper(cmd, kernels_->converter(), conversion.push, conversion.push.palette_size);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Expansion& expansion) const {
  dispatch_helper(cmd, kernels_->expander(), expansion.push, expansion.push.palette_size + expansion.push.weight_rows);
}

}  // namespace sinew::vulkan::internal
