// Descriptor sets, layouts and pipelines of a program with one set for each draw, and the cache that the driver keeps
// of them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/handle.h"
#include "host/resources.h"

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

// Descriptor sets, layouts and pipelines of a program with one set for each draw.

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
  std::span<const uint32_t> vertex, fragment;  // SPIR-V; no fragment shader: depth only
  std::span<const VkVertexInputBindingDescription> bindings = {};
  std::span<const VkVertexInputAttributeDescription> attributes = {};
  bool depth = true;  // tests depth, and writes it unless it blends
  Blend blend = Blend::kNone;
  uint32_t constant = 0;                            // the value of constant_id 0
  const VkSpecializationInfo* constants = nullptr;  // of both shaders, instead of that one; a shader may lack some
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkCullModeFlags cull = VK_CULL_MODE_NONE;  // hair and capes need both sides; front: counterclockwise on the picture
  bool discard = false;                      // shades vertices, but rasterizes nothing
  bool wireframe = false;                    // the edges of triangles; the device must have DeviceInfo::wireframe
  bool writes_color = true;                  // false: the fragment shader only discards
  bool color_attachment = true;              // false: the pass has none
  const char *vertex_name = nullptr, *fragment_name = nullptr;  // of the shaders; null: as the pipeline's
};

/// What pipelines draw into.
struct PassFormat {
  VkRenderPass pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

/// Viewport and scissor are dynamic.
Result<PipelineHandle> create_graphics_pipeline(const Device& device, const PassFormat& format, VkPipelineLayout layout,
                                                const GraphicsPipelineInfo& info);
inline Result<PipelineHandle> create_graphics_pipeline(const Device& device, const PassFormat& format,
                                                       const Layout& layout, const GraphicsPipelineInfo& info) {
  return create_graphics_pipeline(device, format, layout.pipeline.get(), info);
}

Result<PipelineHandle> create_compute_pipeline(const Device& device, VkPipelineLayout layout,
                                               std::span<const uint32_t> spirv, const std::string& name);

// Pipelines that the driver has compiled, as bytes that a later run may give back to it.

/// What the bytes belong to: the device, its driver and the version of that. Equal only where the driver takes them.
std::string pipeline_cache_owner(const DeviceInfo& info);

/// Whether bytes begin as the driver of this device says that its own do. Drivers check no more than that, if at all.
bool is_pipeline_cache(const DeviceInfo& info, std::span<const std::byte> bytes);

/// Gives the device a cache for the pipelines that are created from now on. With `bytes` of pipeline_cache_bytes(), if
/// they are of this device; else it is empty. Where it cannot be made, pipelines are created without one. Bytes that
/// were damaged behind their head can crash a driver: the caller has checked them.
void open_pipeline_cache(Device& device, std::span<const std::byte> bytes);

/// What the cache holds now. Empty: nothing that is worth keeping.
std::vector<std::byte> pipeline_cache_bytes(const Device& device);

}  // namespace host
