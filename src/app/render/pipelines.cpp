#include "render/pipelines.h"

#include <optional>

#include "gpu/pages.h"
#include "shared/crowd.h"
#include "shared/skinning.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::app {
namespace {

using Binding = VkDescriptorSetLayoutBinding;
static_assert(shared::kConstantShadowMaps >= shared::kSkinConstants);  // some shaders have both
constexpr VkShaderStageFlags kVertexStage = VK_SHADER_STAGE_VERTEX_BIT, kFragmentStage = VK_SHADER_STAGE_FRAGMENT_BIT;

Result<DescriptorSetLayoutHandle> create_set_layout(const Device& device, std::span<const Binding> bindings,
                                                    const std::string& name) {
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = uint32_t(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  if (VkResult result = vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &layout); result != VK_SUCCESS)
    return vulkan_error("descriptor set layout", result);
  set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout, name);
  return DescriptorSetLayoutHandle(device.handle, layout);
}

Result<ShaderModuleHandle> create_module(const Device& device, Shader shader, const ShaderWords& words) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words[size_t(shader)].size() * sizeof(uint32_t);
  info.pCode = words[size_t(shader)].data();
  VkShaderModule module = VK_NULL_HANDLE;
  if (VkResult result = vkCreateShaderModule(device.handle, &info, nullptr, &module); result != VK_SUCCESS)
    return vulkan_error(std::string("shader ") + source_name(shader), result);
  set_name(device, VK_OBJECT_TYPE_SHADER_MODULE, module, source_name(shader));
  return ShaderModuleHandle(device.handle, module);
}

/// What differs between the pipelines.
struct PipelineDescription {
  const char* name = "";
  Shader vertex{};
  std::optional<Shader> fragment;  // none: depth only
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool depth = false, blend = false, discard = false;
  bool shadow = false;  // into a shadow map: no color, one sample per pixel
};

void add_instance_attributes(PipelineDescription& description) {
  using shared::InstanceAttributes;
  constexpr uint32_t kRows = offsetof(InstanceAttributes, world_from_model);
  description.bindings.push_back({kInstanceBinding, sizeof(InstanceAttributes), VK_VERTEX_INPUT_RATE_INSTANCE});
  for (uint32_t row = 0; row < 3; ++row) {
    description.attributes.push_back({shared::kAttributeWorldFromModel + row, kInstanceBinding,
                                      VK_FORMAT_R32G32B32A32_SFLOAT, kRows + row * uint32_t(sizeof(shared::vec4))});
  }
}

void add_attribute(PipelineDescription& description, uint32_t location, uint32_t binding, VkFormat format,
                   size_t offset) {
  description.attributes.push_back({location, binding, format, uint32_t(offset)});
}

/// Only the attributes that the shader reads.
PipelineDescription describe_crowd(const PassFormat& format, bool color) {
  using shared::InstanceAttributes;
  const bool skins = format.vertex_shader_skins;
  PipelineDescription description;
  description.name = color ? "sinew.crowd_pipeline" : "sinew.crowd_depth_pipeline";
  description.depth = true;
  description.discard = !format.rasterize;
  add_instance_attributes(description);
  if (color || skins) {
    add_attribute(description, shared::kAttributeFirstElement, kInstanceBinding, VK_FORMAT_R32_UINT,
                  offsetof(InstanceAttributes, first_element));
  }
  if (color) {
    description.vertex = skins ? Shader::kSkinVertex : Shader::kCrowdVertex;
    description.fragment = Shader::kCrowdFragment;
    add_attribute(description, shared::kAttributeTint, kInstanceBinding, VK_FORMAT_R8G8B8A8_UNORM,
                  offsetof(InstanceAttributes, tint));
  } else {
    description.vertex = skins ? Shader::kSkinDepth : Shader::kCrowdDepth;
  }
  if (skins) return description;
  description.bindings.push_back({kVertexBinding, sizeof(SkinnedVertex), VK_VERTEX_INPUT_RATE_VERTEX});
  add_attribute(description, shared::kAttributePosition, kVertexBinding, VK_FORMAT_R32G32B32_SFLOAT,
                offsetof(SkinnedVertex, position));
  if (color) {
    add_attribute(description, shared::kAttributeNormal, kVertexBinding, VK_FORMAT_R16G16_SNORM,
                  offsetof(SkinnedVertex, normal));
  }
  return description;
}

/// Colors by velocity. Only where the vertex shader does not skin.
PipelineDescription describe_crowd_velocity(const PassFormat& format) {
  PipelineDescription description = describe_crowd(format, false);
  description.name = "sinew.crowd_velocity_pipeline";
  description.vertex = Shader::kVelocityVertex;
  description.fragment = Shader::kVelocityFragment;
  add_attribute(description, shared::kAttributeFirstElement, kInstanceBinding, VK_FORMAT_R32_UINT,
                offsetof(shared::InstanceAttributes, first_element));
  description.bindings.push_back({kPreviousBinding, sizeof(VkDeviceAddress), VK_VERTEX_INPUT_RATE_INSTANCE});
  add_attribute(description, shared::kAttributePreviousVertices, kPreviousBinding, VK_FORMAT_R32G32_UINT, 0);
  return description;
}

/// The depth-only pipeline, for a shadow map. The map's clip space comes with the frame's set.
PipelineDescription describe_crowd_shadow(const PassFormat& format) {
  PipelineDescription description = describe_crowd(format, false);
  description.name = "sinew.crowd_shadow_pipeline";
  description.shadow = true;
  return description;
}

PipelineDescription describe_backdrop() {
  PipelineDescription description;
  description.name = "sinew.backdrop_pipeline";
  description.vertex = Shader::kBackdropVertex;
  description.fragment = Shader::kBackdropFragment;
  return description;
}

PipelineDescription describe_shadow() {
  PipelineDescription description;
  description.name = "sinew.shadow_pipeline";
  description.vertex = Shader::kSoftShadowVertex;
  description.fragment = Shader::kSoftShadowFragment;
  description.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  description.blend = true;
  description.bindings = {{kInstanceBinding, sizeof(shared::InstanceAttributes), VK_VERTEX_INPUT_RATE_INSTANCE}};
  description.attributes = {{shared::kAttributeShadow, kInstanceBinding, VK_FORMAT_R32G32B32_SFLOAT,
                             uint32_t(offsetof(shared::InstanceAttributes, shadow))}};
  return description;
}

VkPipelineColorBlendAttachmentState color_writes(const PipelineDescription& description) {
  VkPipelineColorBlendAttachmentState state{};
  if (!description.fragment) return state;
  state.blendEnable = description.blend;
  state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  return state;
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits flag, const ShaderModuleHandle& module) {
  VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = flag;
  info.module = module.get();
  info.pName = "main";
  return info;
}

/// No face culling: files wind triangles either way, and mirror parts.
Result<PipelineHandle> create_pipeline(const Device& device, const PipelineDescription& description,
                                       VkPipelineLayout layout, const PassFormat& format, const ShaderWords& words) {
  auto vertex = create_module(device, description.vertex, words);
  if (!vertex) return vertex.error();
  const std::array<uint32_t, 2> values = {reads_texels(device.info), format.shadow_maps};
  const std::array<VkSpecializationMapEntry, 2> entries = {
      VkSpecializationMapEntry{shared::kConstantTexelPalettes, 0, sizeof values[0]},
      VkSpecializationMapEntry{shared::kConstantShadowMaps, sizeof values[0], sizeof values[1]}};
  const VkSpecializationInfo constants{uint32_t(entries.size()), entries.data(), sizeof values, values.data()};
  std::vector<VkPipelineShaderStageCreateInfo> stages = {stage(VK_SHADER_STAGE_VERTEX_BIT, *vertex)};
  ShaderModuleHandle fragment;
  if (description.fragment && !description.discard) {  // Vulkan wants none without rasterization
    auto created = create_module(device, *description.fragment, words);
    if (!created) return created.error();
    fragment = std::move(*created);
    stages.push_back(stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment));
  }
  for (auto& info : stages) info.pSpecializationInfo = &constants;  // a shader may lack one or both constants

  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = uint32_t(description.bindings.size());
  input.pVertexBindingDescriptions = description.bindings.data();
  input.vertexAttributeDescriptionCount = uint32_t(description.attributes.size());
  input.pVertexAttributeDescriptions = description.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = description.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  raster.rasterizerDiscardEnable = description.discard;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = description.shadow ? VK_SAMPLE_COUNT_1_BIT : format.samples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = description.depth;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkPipelineColorBlendAttachmentState attachment = color_writes(description);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = description.shadow ? 0 : 1;
  blend.pAttachments = &attachment;
  const std::array dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = uint32_t(dynamic_states.size());
  dynamic.pDynamicStates = dynamic_states.data();

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = uint32_t(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = layout;
  info.renderPass = description.shadow ? format.shadow_pass : format.render_pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(device.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  if (result != VK_SUCCESS) return vulkan_error(description.name, result);
  set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, description.name);
  return PipelineHandle(device.handle, pipeline);
}

}  // namespace

Result<PipelineLayouts> create_layouts(const Device& device) {
  PipelineLayouts layouts;
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const std::array frame = {
      Binding{shared::kBindingFrame, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, kVertexStage | kFragmentStage,
              nullptr},
      Binding{shared::kBindingShadowMaps, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, kFragmentStage, nullptr}};
  const std::array material = {
      Binding{shared::kBindingUvs, kStorage, 1, kVertexStage, nullptr},
      Binding{shared::kBindingBaseColor, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, kFragmentStage, nullptr},
      Binding{shared::kBindingStaticMesh, kStorage, 1, kVertexStage, nullptr}};
  const std::array palettes = {
      Binding{shared::kBindingVertexPalettes, kStorage, 1, kVertexStage, nullptr},
      Binding{shared::kBindingVertexPaletteTexels, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, kVertexStage, nullptr}};
  auto frame_layout = create_set_layout(device, frame, "sinew.frame_layout");
  if (!frame_layout) return frame_layout.error();
  auto material_layout = create_set_layout(device, material, "sinew.material_layout");
  if (!material_layout) return material_layout.error();
  auto palettes_layout = create_set_layout(device, palettes, "sinew.palettes_layout");
  if (!palettes_layout) return palettes_layout.error();
  layouts.frame = std::move(*frame_layout);
  layouts.material = std::move(*material_layout);
  layouts.palettes = std::move(*palettes_layout);

  const std::array sets = {layouts.frame.get(), layouts.material.get(), layouts.palettes.get()};
  const VkPushConstantRange push{kVertexStage | kFragmentStage, 0, sizeof(shared::DrawPushConstants)};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = uint32_t(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  if (VkResult result = vkCreatePipelineLayout(device.handle, &info, nullptr, &layout); result != VK_SUCCESS)
    return vulkan_error("pipeline layout", result);
  layouts.pipeline = PipelineLayoutHandle(device.handle, layout);
  set_name(device, VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, "sinew.draw_layout");
  return layouts;
}

ShaderWords builtin_shaders() {
  ShaderWords words;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto built_in = builtin_words(Shader(i));
    words[i].assign(built_in.begin(), built_in.end());
  }
  return words;
}

Result<Pipelines> create_pipelines(const Device& device, const PipelineLayouts& layouts, const PassFormat& format,
                                   const ShaderWords& words) {
  Pipelines pipelines;
  const auto make = [&](const PipelineDescription& description, PipelineHandle& out) -> Status {
    auto pipeline = create_pipeline(device, description, layouts.pipeline.get(), format, words);
    if (!pipeline) return pipeline.error();
    out = std::move(*pipeline);
    return {};
  };
  if (Status made = make(describe_backdrop(), pipelines.backdrop); !made) return made.error();
  if (Status made = make(describe_shadow(), pipelines.shadow); !made) return made.error();
  const bool velocity = format.coloring == Coloring::kVelocity;
  const PipelineDescription crowd = velocity ? describe_crowd_velocity(format) : describe_crowd(format, true);
  if (Status made = make(crowd, pipelines.crowd); !made) return made.error();
  if (Status made = make(describe_crowd(format, false), pipelines.crowd_depth); !made) return made.error();
  if (format.shadow_maps == 0) return pipelines;
  if (Status made = make(describe_crowd_shadow(format), pipelines.crowd_shadow); !made) return made.error();
  return pipelines;
}

}  // namespace sinew::app
