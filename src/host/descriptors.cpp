#include "host/descriptors.h"

namespace host {

Result<DescriptorSets> create_descriptor_sets(const Device& device, uint32_t count,
                                              std::span<const VkDescriptorType> types, VkDescriptorSetLayout layout,
                                              const std::string& name) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const VkDescriptorType type : types) sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = count;
  pool_info.poolSizeCount = uint32_t(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateDescriptorPool(device.handle, &pool_info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("descriptor pool of " + name, result);
  DescriptorSets sets{DescriptorPoolHandle(device.handle, pool), std::vector<VkDescriptorSet>(count)};
  set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, name + "s");
  const std::vector<VkDescriptorSetLayout> layouts(count, layout);
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool;
  info.descriptorSetCount = count;
  info.pSetLayouts = layouts.data();
  if (VkResult result = vkAllocateDescriptorSets(device.handle, &info, sets.sets.data()); result != VK_SUCCESS)
    return vulkan_error("descriptor sets " + name, result);
  for (size_t i = 0; i < sets.sets.size(); ++i) {
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET, sets.sets[i], name + "[" + std::to_string(i) + "]");
  }
  return sets;
}

namespace {

VkWriteDescriptorSet write_of(VkDescriptorSet set, uint32_t binding, VkDescriptorType type) {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  return write;
}

}  // namespace

void write_buffer(VkDevice device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                  const VkDescriptorBufferInfo& info) {
  VkWriteDescriptorSet write = write_of(set, binding, type);
  write.pBufferInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void write_texels(VkDevice device, VkDescriptorSet set, uint32_t binding, VkBufferView texels) {
  VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
  write.pTexelBufferView = &texels;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void write_image(VkDevice device, VkDescriptorSet set, uint32_t binding, const VkDescriptorImageInfo& info) {
  VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

}  // namespace host
