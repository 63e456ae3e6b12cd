// Descriptor sets, layouts and pipelines of a program with one set for each draw.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "host/resources.h"

namespace host {

/// `name` is for messages and debuggers, here and below.
Result<ShaderModuleHandle> create_shader_module(const Device& device, std::span<const uint32_t> spirv,
                                                const std::string& name);

Result<DescriptorSetLayoutHandle> create_set_layout(const Device& device,
                                                    std::span<const VkDescriptorSetLayoutBinding> bindings,
                                                    const std::string& name);

/// Without push constants where `push` has no size.
Result<PipelineLayoutHandle> create_pipeline_layout(const Device& device, std::span<const VkDescriptorSetLayout> sets,
                                                    const VkPushConstantRange& push, const std::string& name);

inline constexpr VkShaderStageFlags kDrawingStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

/// One descriptor set, with a descriptor for each binding, and push constants.
struct Layout {
  DescriptorSetLayoutHandle set;
  PipelineLayoutHandle pipeline;
};
Result<Layout> create_layout(const Device& device, std::initializer_list<VkDescriptorType> bindings,
                             uint32_t push_bytes, const std::string& name, VkShaderStageFlags stages = kDrawingStages);

/// An image with the sampler that reads it.
struct Texture {
  Image image;
  SamplerHandle sampler;
};

/// A texture with mipmaps, sampled linearly and repeated. `rgba` has 4 bytes per pixel: sRGB, and linear alpha; rows
/// from the top. Waits for the device.
Result<Texture> create_sampled_texture(const Device& device, uint32_t width, uint32_t height,
                                       std::span<const uint8_t> rgba, const std::string& name);

/// A storage buffer, a texture or a top-level acceleration structure, for one binding of a set.
struct Resource {
  Resource(const Buffer& whole) : buffer{whole.get(), 0, VK_WHOLE_SIZE} {}
  Resource(const Texture& texture)
      : image{texture.sampler.get(), texture.image.view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL} {}
  Resource(VkAccelerationStructureKHR top_level) : structure(top_level) {}
  VkDescriptorBufferInfo buffer = {};
  VkDescriptorImageInfo image = {};
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
};

/// A descriptor set in a pool of its own.
struct DescriptorSet {
  DescriptorPoolHandle pool;
  VkDescriptorSet handle = VK_NULL_HANDLE;
};

/// `resources` are those of the layout's bindings, in order. They must outlive the set.
Result<DescriptorSet> create_set(const Device& device, const Layout& layout, std::initializer_list<Resource> resources,
                                 const std::string& name);

/// What a pipeline does with the color that is there.
enum class Blend : uint8_t {
  kNone,  // replaces it
  kAdd,   // adds to it
  kOver,  // lies over it, by alpha
};

struct GraphicsPipelineInfo {
  const char* name = "pipeline";
  std::span<const uint32_t> vertex, fragment;  // SPIR-V
  std::span<const VkVertexInputBindingDescription> bindings = {};
  std::span<const VkVertexInputAttributeDescription> attributes = {};
  bool depth = true;  // tests depth, and writes it unless it blends
  Blend blend = Blend::kNone;
  uint32_t constant = 0;  // the value of constant_id 0
};

/// What pipelines draw into.
struct PassFormat {
  VkRenderPass pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// Triangles, of which both sides are drawn. Viewport and scissor are dynamic.
Result<PipelineHandle> create_graphics_pipeline(const Device& device, const PassFormat& format, const Layout& layout,
                                                const GraphicsPipelineInfo& info);

Result<PipelineHandle> create_compute_pipeline(const Device& device, VkPipelineLayout layout,
                                               std::span<const uint32_t> spirv, const std::string& name);

}  // namespace host
