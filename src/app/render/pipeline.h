// One graphics pipeline, described by what differs between the program's pipelines.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gpu/host.h"
#include "gpu/shaders.h"
#include "shared/skinning.h"

namespace sinew::app {

/// The SPIR-V of each shader: built in, until a source is reloaded.
using ShaderWords = std::array<std::vector<uint32_t>, size_t(Shader::kCount)>;

ShaderWords builtin_shaders();

/// What a pipeline does with the depth of the picture.
enum class Depth : uint8_t {
  kIgnored,
  kTested,   // hidden by what is nearer
  kWritten,  // and hides what is farther away
};

struct PipelineDescription {
  std::string name;
  Shader vertex{};
  std::optional<Shader> fragment;  // none: depth only
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  Depth depth = Depth::kIgnored;
  bool blend = false;
  bool discard = false;                       // shades vertices, but rasterizes nothing
  VkCullModeFlags cull = VK_CULL_MODE_NONE;   // front: corners run counterclockwise on the picture
  bool writes_color = true;                   // false: the fragment shader only discards
  uint32_t alpha_mode = 0, double_sided = 0;  // kConstantAlphaMode, kConstantDoubleSided
  uint32_t maps = 0;                          // kConstantMaps
  bool wireframe = false;                     // the edges of triangles; the device must have DeviceInfo::wireframe
};

/// What a pipeline draws into, and the specialization constants of its shaders.
struct PipelineTarget {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool has_color = true;
  uint32_t shadow_maps = 0, colors = 0;                // kConstantShadowMaps, kConstantColors
  bool dual_quaternions = false;                       // kConstantDualQuaternions
  uint32_t vertex_format = shared::kFormatOctahedral;  // kConstantFormat
  bool tangents = false;                               // kConstantTangents
};

void add_attribute(PipelineDescription& description, uint32_t location, uint32_t binding, VkFormat format,
                   size_t offset);

Result<PipelineHandle> create_pipeline(const Device& device, const PipelineDescription& description,
                                       const PipelineTarget& target, const ShaderWords& words);

}  // namespace sinew::app
