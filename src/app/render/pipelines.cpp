#include "render/pipelines.h"

#include <cstddef>

#include "gpu/pages.h"
#include "render/draw_list.h"
#include "render/shadow_maps.h"
#include "scene/scene.h"
#include "shared/crowd.h"
#include "shared/skinning.h"
#include "sinew/vulkan/draw.h"

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

namespace {

using Binding = VkDescriptorSetLayoutBinding;
constexpr VkShaderStageFlags kVertexStage = VK_SHADER_STAGE_VERTEX_BIT, kFragmentStage = VK_SHADER_STAGE_FRAGMENT_BIT;

void add_instance_attributes(PipelineDescription& description) {
  using shared::InstanceAttributes;
  description.bindings.push_back({kInstanceBinding, sizeof(InstanceAttributes), VK_VERTEX_INPUT_RATE_INSTANCE});
  add_attribute(description, shared::kAttributeOrigin, kInstanceBinding, VK_FORMAT_R32G32B32_SFLOAT,
                offsetof(InstanceAttributes, origin));
  add_attribute(description, shared::kAttributeTurn, kInstanceBinding, VK_FORMAT_R32G32_SFLOAT,
                offsetof(InstanceAttributes, turn));
  add_attribute(description, shared::kAttributeFeet, kInstanceBinding, VK_FORMAT_R32_UINT,
                offsetof(InstanceAttributes, feet));
}

void add_first_element(PipelineDescription& description) {
  add_attribute(description, shared::kAttributeFirstElement, kInstanceBinding, VK_FORMAT_R32_UINT,
                offsetof(shared::InstanceAttributes, first_element));
}

/// The passes that draw the crowd.
enum class CrowdPass : uint8_t { kColor, kDepth, kShadow };

std::string name_of(CrowdPass pass, SurfaceKind surface) {
  constexpr const char* kPasses[] = {"sinew.crowd_pipeline", "sinew.crowd_depth_pipeline",
                                     "sinew.crowd_shadow_pipeline"};
  constexpr const char* kAlphas[] = {"", "mask", "blend"};
  std::string words = kAlphas[size_t(surface.alpha)];
  const auto add = [&](bool has, const char* word) {
    if (has) words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(surface.double_sided, "double-sided");
  add(surface.maps, "maps");
  return kPasses[size_t(pass)] + (words.empty() ? "" : "[" + words + "]");
}

void set_surface(const PassFormat& format, CrowdPass pass, SurfaceKind surface, PipelineDescription& description) {
  static_assert(uint32_t(AlphaMode::kMask) == shared::kAlphaMask && uint32_t(AlphaMode::kBlend) == shared::kAlphaBlend);
  const bool blends = pass == CrowdPass::kColor && surface.alpha == AlphaMode::kBlend;
  description.name = name_of(pass, surface);
  description.depth = blends ? Depth::kTested : Depth::kWritten;
  description.blend = blends;
  description.writes_color = pass == CrowdPass::kColor;
  description.alpha_mode = uint32_t(surface.alpha);
  description.double_sided = surface.double_sided;
  description.maps = surface.maps;
  description.wireframe = format.wireframe && pass != CrowdPass::kShadow;
  if (description.wireframe || pass == CrowdPass::kShadow) return;
  if (!surface.double_sided || blends) description.cull = VK_CULL_MODE_BACK_BIT;
}

/// `shades`: with normals and texture coordinates. `tangents`: with tangents too.
Shader vertex_shader(VertexSource source, bool shades, bool tangents) {
  switch (source) {
    case VertexSource::kPulling:
      return shades ? Shader::kCrowdPulled : Shader::kCrowdDepthPulled;
    case VertexSource::kSkinning:
      return shades ? Shader::kSkinVertex : Shader::kSkinDepth;
    default:
      if (!shades) return Shader::kCrowdDepth;
      return tangents ? Shader::kCrowdTangentVertex : Shader::kCrowdVertex;
  }
}

void add_vertex_input(const PassFormat& format, bool normals, bool tangents, PipelineDescription& description) {
  static_assert(shared::kAttributeNormal == shared::kAttributePosition + 1);
  const vulkan::VertexInput input =
      vulkan::vertex_input(format.vertices, format.tangents, kVertexBinding, shared::kAttributePosition);
  description.bindings.push_back(input.binding);
  description.attributes.push_back(input.attributes[0]);
  if (normals) description.attributes.push_back(input.attributes[1]);
  if (!tangents) return;
  description.attributes.push_back(input.attributes[2]);
  description.attributes.back().location = shared::kAttributeTangent;
}

/// Only the attributes that the shader reads. Masks read texture coordinates where they write only depth, too; the
/// clip space of a shadow map comes with the frame's set. Both sides of all triangles cast shadows.
PipelineDescription describe_crowd(const PassFormat& format, CrowdPass pass, SurfaceKind surface) {
  using shared::InstanceAttributes;
  const bool input = format.source == VertexSource::kInput, color = pass == CrowdPass::kColor;
  const bool shades = color || surface.alpha != AlphaMode::kOpaque;
  const bool tangents = color && surface.maps && format.tangents;
  PipelineDescription description;
  set_surface(format, pass, surface, description);
  description.discard = !format.rasterize;
  add_instance_attributes(description);
  if (shades || !input) add_first_element(description);
  description.vertex = vertex_shader(format.source, shades, tangents);
  if (shades) {
    description.fragment = color ? Shader::kCrowdFragment : Shader::kCrowdMask;
    add_attribute(description, shared::kAttributeTint, kInstanceBinding, VK_FORMAT_R32_UINT,
                  offsetof(InstanceAttributes, tint));
  }
  if (input) add_vertex_input(format, shades, tangents, description);
  return description;
}

/// The back faces of a double-sided surface that blends. They are drawn before the front faces, which cover them.
PipelineDescription describe_backs(const PassFormat& format, SurfaceKind surface) {
  PipelineDescription description = describe_crowd(format, CrowdPass::kColor, surface);
  description.name += "[backs]";
  description.cull = VK_CULL_MODE_FRONT_BIT;
  return description;
}

/// Colors by velocity. Only where the vertex shader does not skin.
PipelineDescription describe_crowd_velocity(const PassFormat& format, SurfaceKind surface) {
  PipelineDescription description = describe_crowd(format, CrowdPass::kDepth, surface);
  description.name = "sinew.crowd_velocity_pipeline";
  description.writes_color = true;
  const bool pulls = format.source == VertexSource::kPulling;
  description.vertex = pulls ? Shader::kVelocityPulled : Shader::kVelocityVertex;
  description.fragment = Shader::kVelocityFragment;
  if (!pulls) add_first_element(description);
  description.bindings.push_back({kPreviousBinding, sizeof(PreviousAttributes), VK_VERTEX_INPUT_RATE_INSTANCE});
  add_attribute(description, shared::kAttributePreviousVertices, kPreviousBinding, VK_FORMAT_R32G32_UINT,
                offsetof(PreviousAttributes, vertices));
  add_attribute(description, shared::kAttributeMoved, kPreviousBinding, VK_FORMAT_R32G32B32_SFLOAT,
                offsetof(PreviousAttributes, moved));
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
  add_instance_attributes(description);
  return description;
}

PipelineDescription describe_stand() {
  PipelineDescription description;
  description.name = "sinew.stand_pipeline";
  description.vertex = Shader::kStandVertex;
  description.fragment = Shader::kStandFragment;
  description.depth = Depth::kWritten;
  description.bindings = {{kVertexBinding, sizeof(StandVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
  add_attribute(description, shared::kAttributeStandPosition, kVertexBinding, VK_FORMAT_R32G32B32_SFLOAT,
                offsetof(StandVertex, position));
  add_attribute(description, shared::kAttributeStandNormal, kVertexBinding, VK_FORMAT_R8G8B8A8_SNORM,
                offsetof(StandVertex, normal));
  add_attribute(description, shared::kAttributeStandColor, kVertexBinding, VK_FORMAT_R8G8B8A8_UNORM,
                offsetof(StandVertex, color));
  return description;
}

PipelineDescription describe_lines(Depth depth, const char* name) {
  using shared::LineAttributes;
  PipelineDescription description;
  description.name = name;
  description.vertex = Shader::kLinesVertex;
  description.fragment = Shader::kLinesFragment;
  description.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  description.depth = depth;
  description.blend = true;
  description.bindings = {{kInstanceBinding, sizeof(LineAttributes), VK_VERTEX_INPUT_RATE_INSTANCE}};
  const auto add = [&](uint32_t location, VkFormat format, size_t offset) {
    add_attribute(description, location, kInstanceBinding, format, offset);
  };
  add(shared::kAttributeLineFrom, VK_FORMAT_R32G32B32_SFLOAT, offsetof(LineAttributes, from));
  add(shared::kAttributeLineTo, VK_FORMAT_R32G32B32_SFLOAT, offsetof(LineAttributes, to));
  add(shared::kAttributeLineColor, VK_FORMAT_R8G8B8A8_UNORM, offsetof(LineAttributes, color));
  add(shared::kAttributeLineWidth, VK_FORMAT_R32_SFLOAT, offsetof(LineAttributes, width));
  return description;
}

/// Where crowd.frag takes colors from.
uint32_t colors_of(Coloring coloring) {
  if (coloring == Coloring::kVertices) return shared::kColorsOfVertices;
  const bool data = coloring == Coloring::kLevel || coloring == Coloring::kUpdateGroup;
  return data ? shared::kColorsOfInstances : shared::kColorsOfMaterials;
}

}  // namespace

Result<PipelineLayouts> create_layouts(const Device& device) {
  PipelineLayouts layouts;
  auto sampler = create_shadow_sampler(device);
  if (!sampler) return sampler.error();
  layouts.shadow_sampler = std::move(*sampler);
  const VkSampler shadow_sampler = layouts.shadow_sampler.get();
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const std::array frame = {Binding{shared::kBindingFrame, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
                                    kVertexStage | kFragmentStage, nullptr},
                            Binding{shared::kBindingShadowMaps, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                    kFragmentStage, &shadow_sampler}};
  constexpr auto kUniforms = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kImage = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const std::array material = {Binding{shared::kBindingUvs, kStorage, 1, kVertexStage, nullptr},
                               Binding{shared::kBindingBaseColor, kImage, 1, kFragmentStage, nullptr},
                               Binding{shared::kBindingStaticMesh, kStorage, 1, kVertexStage, nullptr},
                               Binding{shared::kBindingColors, kStorage, 1, kVertexStage, nullptr},
                               Binding{shared::kBindingMaterial, kUniforms, 1, kVertexStage | kFragmentStage, nullptr},
                               Binding{shared::kBindingMetallicRoughness, kImage, 1, kFragmentStage, nullptr},
                               Binding{shared::kBindingNormalMap, kImage, 1, kFragmentStage, nullptr},
                               Binding{shared::kBindingOcclusion, kImage, 1, kFragmentStage, nullptr},
                               Binding{shared::kBindingEmissive, kImage, 1, kFragmentStage, nullptr},
                               Binding{shared::kBindingRegions, kImage, 1, kFragmentStage, nullptr}};
  static_assert(shared::kBindingVertices == shared::kBindingVertexPalettes);
  const std::array page = {
      Binding{shared::kBindingVertices, kStorage, 1, kVertexStage, nullptr},
      Binding{shared::kBindingVertexPaletteTexels, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, kVertexStage, nullptr}};
  auto frame_layout = create_set_layout(device, frame, "sinew.frame_layout");
  if (!frame_layout) return frame_layout.error();
  auto material_layout = create_set_layout(device, material, "sinew.material_layout");
  if (!material_layout) return material_layout.error();
  auto page_layout = create_set_layout(device, page, "sinew.page_layout");
  if (!page_layout) return page_layout.error();
  layouts.frame = std::move(*frame_layout);
  layouts.material = std::move(*material_layout);
  layouts.page = std::move(*page_layout);

  const std::array sets = {layouts.frame.get(), layouts.material.get(), layouts.page.get()};
  static_assert(sizeof(shared::DrawPushConstants) <= 128);  // every device has room for so many
  const VkPushConstantRange push{kVertexStage | kFragmentStage, 0, sizeof(shared::DrawPushConstants)};
  auto layout = create_pipeline_layout(device, sets, push, "sinew.draw_layout");
  if (!layout) return layout.error();
  layouts.pipeline = std::move(*layout);
  return layouts;
}

Result<Pipelines> create_pipelines(const Device& device, const PipelineLayouts& layouts, const PassFormat& format,
                                   const ShaderWords& words) {
  Pipelines pipelines;
  PipelineTarget map{layouts.pipeline.get(), format.shadow_pass};
  PipelineTarget picture{layouts.pipeline.get(), format.render_pass, format.samples};
  picture.shadow_maps = format.shadow_maps;
  picture.colors = colors_of(format.coloring);
  picture.dual_quaternions = format.dual_quaternions;
  picture.vertex_format = uint32_t(format.vertices);
  picture.tangents = map.tangents = format.tangents;
  map.has_color = false;
  map.dual_quaternions = format.dual_quaternions;
  map.vertex_format = uint32_t(format.vertices);
  Status status;
  const auto make = [&](const PipelineDescription& description, const PipelineTarget& target, PipelineHandle& out) {
    if (!status) return;
    auto pipeline = create_pipeline(device, description, target, words);
    if (pipeline) {
      out = std::move(*pipeline);
    } else {
      status = pipeline.error();
    }
  };
  make(describe_backdrop(), picture, pipelines.backdrop);
  make(describe_shadow(), picture, pipelines.shadow);
  if (format.stands) make(describe_stand(), picture, pipelines.stand);
  make(describe_lines(Depth::kTested, "sinew.lines_pipeline"), picture, pipelines.lines);
  make(describe_lines(Depth::kIgnored, "sinew.lines_through_pipeline"), picture, pipelines.lines_through);
  const auto make_crowd = [&](const PassFormat& of, std::array<SurfacePipelines, kSurfaceCount>& out) {
    const bool velocity = of.coloring == Coloring::kVelocity;
    for (uint32_t s = 0; s < kSurfaceCount; ++s) {
      if ((of.surfaces >> s & 1) == 0) continue;
      const SurfaceKind surface = drawn_as(surface_kind_at(s), of.coloring);
      SurfacePipelines& crowd = out[s];
      make(velocity ? describe_crowd_velocity(of, surface) : describe_crowd(of, CrowdPass::kColor, surface), picture,
           crowd.color);
      if (surface.alpha != AlphaMode::kBlend) {
        make(describe_crowd(of, CrowdPass::kDepth, surface), picture, crowd.depth);
      } else if (surface.double_sided) {
        make(describe_backs(of, surface), picture, crowd.backs);
      }
      if (of.shadow_maps > 0) make(describe_crowd(of, CrowdPass::kShadow, surface), map, crowd.shadow);
    }
  };
  make_crowd(format, pipelines.crowd);
  if (format.pulls_small) {
    PassFormat small = format;
    small.source = VertexSource::kPulling;
    make_crowd(small, pipelines.pulled);
  }
  if (!status) return status.error();
  return pipelines;
}

}  // namespace sinew::app
