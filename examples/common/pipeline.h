// Pipelines, and the descriptor sets that they read.
#pragma once

#include <volk.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "common/gpu.h"
#include "common/resources.h"

namespace host {

inline constexpr VkShaderStageFlags kDrawingStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

/// One descriptor set and push constants, for the shaders of `stages`.
struct Layout {
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  VkPipelineLayout pipeline = VK_NULL_HANDLE;
};
Layout make_layout(Gpu& gpu, std::initializer_list<VkDescriptorType> bindings, uint32_t push_bytes,
                   const std::string& name, VkShaderStageFlags stages = kDrawingStages);

/// A storage buffer, a texture or a top-level acceleration structure, as the element of a descriptor set.
struct Resource {
  Resource(const Buffer& whole) : buffer{whole.handle, 0, VK_WHOLE_SIZE} {}
  Resource(const Texture& texture) : image{texture.sampler, texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL} {}
  Resource(VkAccelerationStructureKHR top_level) : structure(top_level) {}
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {};
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
};

/// A descriptor set; `resources` are those of its bindings in order.
VkDescriptorSet make_set(Gpu& gpu, const Layout& layout, std::initializer_list<Resource> resources,
                         const std::string& name);

struct PipelineInfo {
  const char* name = "pipeline";
  std::span<const uint32_t> vertex, fragment;  // SPIR-V
  std::span<const VkVertexInputBindingDescription> bindings = {};
  std::span<const VkVertexInputAttributeDescription> attributes = {};
  bool depth = true;      // test and write depth
  bool additive = false;  // add to what is there
  uint32_t constant = 0;  // the value of constant_id 0
};
VkPipeline make_pipeline(Gpu& gpu, VkRenderPass pass, const Layout& layout, const PipelineInfo& info);

VkPipeline make_compute_pipeline(Gpu& gpu, const Layout& layout, std::span<const uint32_t> spirv,
                                 const std::string& name);

}  // namespace host
