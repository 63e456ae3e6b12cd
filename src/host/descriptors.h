// Descriptor sets with their pool.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/handle.h"

namespace host {

struct DescriptorSets {
  DescriptorPoolHandle pool;
  std::vector<VkDescriptorSet> sets;
};

/// Allocates `count` sets of one layout, which has one descriptor for each entry of `types`. `name` is that of a set,
/// for debuggers.
Result<DescriptorSets> create_descriptor_sets(const Device& device, uint32_t count,
                                              std::span<const VkDescriptorType> types, VkDescriptorSetLayout layout,
                                              const std::string& name);

/// Writes a buffer descriptor of any type but texels.
void write_buffer(VkDevice device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                  const VkDescriptorBufferInfo& info);

void write_texels(VkDevice device, VkDescriptorSet set, uint32_t binding, VkBufferView texels);

/// Writes a combined image and sampler.
void write_image(VkDevice device, VkDescriptorSet set, uint32_t binding, const VkDescriptorImageInfo& info);

}  // namespace host
