#include "render/pipeline.h"

#include "gpu/pages.h"
#include "shared/crowd.h"
#include "shared/skinning.h"

namespace sinew::app {
namespace {

static_assert(shared::kConstantShadowMaps >= shared::kSkinConstants);  // some shaders have both

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

VkPipelineColorBlendAttachmentState color_writes(const PipelineDescription& description) {
  VkPipelineColorBlendAttachmentState state{};
  if (!description.fragment || !description.writes_color) return state;
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

}  // namespace

ShaderWords builtin_shaders() {
  ShaderWords words;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto built_in = builtin_words(Shader(i));
    words[i].assign(built_in.begin(), built_in.end());
  }
  return words;
}

void add_attribute(PipelineDescription& description, uint32_t location, uint32_t binding, VkFormat format,
                   size_t offset) {
  description.attributes.push_back({location, binding, format, uint32_t(offset)});
}

Result<PipelineHandle> create_pipeline(const Device& device, const PipelineDescription& description,
                                       const PipelineTarget& target, const ShaderWords& words) {
  auto vertex = create_module(device, description.vertex, words);
  if (!vertex) return vertex.error();
  constexpr std::array kIds = {
      shared::kConstantTexelPalettes, shared::kConstantDualQuaternions, shared::kConstantShadowMaps,
      shared::kConstantColors,        shared::kConstantAlphaMode,       shared::kConstantDoubleSided,
      shared::kConstantFormat,        shared::kConstantTangents,        shared::kConstantMaps};
  const std::array<uint32_t, kIds.size()> values = {
      reads_texels(device.info), target.dual_quaternions, target.shadow_maps, target.colors,   description.alpha_mode,
      description.double_sided,  target.vertex_format,    target.tangents,    description.maps};
  std::array<VkSpecializationMapEntry, kIds.size()> entries;
  for (uint32_t i = 0; i < kIds.size(); ++i) entries[i] = {kIds[i], i * uint32_t(sizeof values[0]), sizeof values[0]};
  const VkSpecializationInfo constants{uint32_t(entries.size()), entries.data(), sizeof values, values.data()};
  std::vector<VkPipelineShaderStageCreateInfo> stages = {stage(VK_SHADER_STAGE_VERTEX_BIT, *vertex)};
  ShaderModuleHandle fragment;
  if (description.fragment && !description.discard) {  // Vulkan wants none without rasterization
    auto created = create_module(device, *description.fragment, words);
    if (!created) return created.error();
    fragment = std::move(*created);
    stages.push_back(stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment));
  }
  for (auto& info : stages) info.pSpecializationInfo = &constants;  // a shader may lack some of the constants

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
  raster.cullMode = description.cull;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  raster.polygonMode = description.wireframe ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = target.samples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = description.depth != Depth::kIgnored;
  depth.depthWriteEnable = description.depth == Depth::kWritten;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkPipelineColorBlendAttachmentState attachment = color_writes(description);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = target.has_color ? 1 : 0;
  blend.pAttachments = &attachment;
  const std::array dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = uint32_t(dynamic_states.size());
  dynamic.pDynamicStates = dynamic_states.data();

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  if (device.pipeline_statistics) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
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
  info.layout = target.layout;
  info.renderPass = target.pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(device.handle, device.pipeline_cache, 1, &info, nullptr, &pipeline);
  if (result != VK_SUCCESS) return vulkan_error("pipeline " + description.name, result);
  set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, description.name);
  return PipelineHandle(device.handle, pipeline);
}

}  // namespace sinew::app
