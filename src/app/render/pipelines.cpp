#include "render/pipelines.h"

#include <cstddef>

#include "gpu/pages.h"
#include "render/draw_list.h"
#include "render/shadow_maps.h"
#include "scene/scene.h"
#include "shared/crowd.h"
#include "sinew/vulkan/draw.h"

namespace sinew::app {
namespace {

static_assert(shared::kConstantShadowMaps >= shared::kSkinConstants);  // some shaders have both

struct PipelineDescription {
  std::string name;
  Shader vertex{};
  std::optional<Shader> fragment;  // none: depth only
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  host::GraphicsPipelineInfo state;           // without what is above
  uint32_t alpha_mode = 0, double_sided = 0;  // kConstantAlphaMode, kConstantDoubleSided
  uint32_t maps = 0;                          // kConstantMaps
  bool shadow_map = false;                    // draws into one
};

/// Where crowd.frag takes colors from.
uint32_t colors_of(Coloring coloring) {
  if (coloring == Coloring::kVertices) return shared::kColorsOfVertices;
  const bool data = coloring == Coloring::kLevel || coloring == Coloring::kUpdateGroup;
  return data ? shared::kColorsOfInstances : shared::kColorsOfMaterials;
}

Result<PipelineHandle> create_pipeline(const Device& device, const PipelineDescription& description,
                                       VkPipelineLayout layout, const PassFormat& format, const ShaderWords& words) {
  constexpr std::array kIds = {
      shared::kConstantTexelPalettes, shared::kConstantDualQuaternions, shared::kConstantShadowMaps,
      shared::kConstantColors,        shared::kConstantAlphaMode,       shared::kConstantDoubleSided,
      shared::kConstantFormat,        shared::kConstantTangents,        shared::kConstantMaps};
  const bool map = description.shadow_map;
  const std::array<uint32_t, kIds.size()> values = {reads_texels(device.info),
                                                    format.dual_quaternions,
                                                    map ? 0 : format.shadow_maps,
                                                    map ? 0 : colors_of(format.coloring),
                                                    description.alpha_mode,
                                                    description.double_sided,
                                                    uint32_t(format.vertices),
                                                    format.tangents,
                                                    description.maps};
  std::array<VkSpecializationMapEntry, kIds.size()> entries;
  for (uint32_t i = 0; i < kIds.size(); ++i) entries[i] = {kIds[i], i * uint32_t(sizeof values[0]), sizeof values[0]};
  const VkSpecializationInfo constants{uint32_t(entries.size()), entries.data(), sizeof values, values.data()};
  host::GraphicsPipelineInfo info = description.state;
  info.name = description.name.c_str();
  info.vertex = words[size_t(description.vertex)], info.vertex_name = source_name(description.vertex);
  if (const auto& fragment = description.fragment)
    info.fragment = words[size_t(*fragment)], info.fragment_name = source_name(*fragment);
  info.bindings = description.bindings, info.attributes = description.attributes;
  info.constants = &constants;
  info.color_attachment = !map;
  if (map) return host::create_graphics_pipeline(device, {format.shadow_pass}, layout, info);
  return host::create_graphics_pipeline(device, {format.render_pass, format.samples}, layout, info);
}

using Binding = VkDescriptorSetLayoutBinding;
constexpr VkShaderStageFlags kVertexStage = VK_SHADER_STAGE_VERTEX_BIT, kFragmentStage = VK_SHADER_STAGE_FRAGMENT_BIT;

void add_attribute(PipelineDescription& description, uint32_t location, uint32_t binding, VkFormat format,
                   size_t offset) {
  description.attributes.push_back({location, binding, format, uint32_t(offset)});
}

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
  if (blends) description.state.blend = host::Blend::kOver;
  description.state.writes_color = pass == CrowdPass::kColor;
  description.shadow_map = pass == CrowdPass::kShadow;
  description.alpha_mode = uint32_t(surface.alpha);
  description.double_sided = surface.double_sided;
  description.maps = surface.maps;
  description.state.wireframe = format.wireframe && pass != CrowdPass::kShadow;
  if (description.state.wireframe || pass == CrowdPass::kShadow) return;
  if (!surface.double_sided || blends) description.state.cull = VK_CULL_MODE_BACK_BIT;
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
  description.state.discard = !format.rasterize;
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
  description.state.cull = VK_CULL_MODE_FRONT_BIT;
  return description;
}

/// Colors by velocity. Only where the vertex shader does not skin.
PipelineDescription describe_crowd_velocity(const PassFormat& format, SurfaceKind surface) {
  PipelineDescription description = describe_crowd(format, CrowdPass::kDepth, surface);
  description.name = "sinew.crowd_velocity_pipeline";
  description.state.writes_color = true;
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
  return {.name = "sinew.backdrop_pipeline",
          .vertex = Shader::kBackdropVertex,
          .fragment = Shader::kBackdropFragment,
          .state = {.depth = false}};
}

PipelineDescription describe_shadow() {
  PipelineDescription description{
      .name = "sinew.shadow_pipeline",
      .vertex = Shader::kSoftShadowVertex,
      .fragment = Shader::kSoftShadowFragment,
      .state = {.depth = false, .blend = host::Blend::kOver, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP}};
  add_instance_attributes(description);
  return description;
}

PipelineDescription describe_stand() {
  using shared::kAttributeStandPosition, shared::kAttributeStandNormal, shared::kAttributeStandColor;
  return {.name = "sinew.stand_pipeline",
          .vertex = Shader::kStandVertex,
          .fragment = Shader::kStandFragment,
          .bindings = {{kVertexBinding, sizeof(StandVertex), VK_VERTEX_INPUT_RATE_VERTEX}},
          .attributes = {
              {kAttributeStandPosition, kVertexBinding, VK_FORMAT_R32G32B32_SFLOAT, offsetof(StandVertex, position)},
              {kAttributeStandNormal, kVertexBinding, VK_FORMAT_R8G8B8A8_SNORM, offsetof(StandVertex, normal)},
              {kAttributeStandColor, kVertexBinding, VK_FORMAT_R8G8B8A8_UNORM, offsetof(StandVertex, color)}}};
}

/// Through: the crowd does not hide them.
PipelineDescription describe_lines(bool through, const char* name) {
  using shared::LineAttributes;
  constexpr VkFormat kPoint = VK_FORMAT_R32G32B32_SFLOAT;
  return {.name = name,
          .vertex = Shader::kLinesVertex,
          .fragment = Shader::kLinesFragment,
          .bindings = {{kInstanceBinding, sizeof(LineAttributes), VK_VERTEX_INPUT_RATE_INSTANCE}},
          .attributes = {{shared::kAttributeLineFrom, kInstanceBinding, kPoint, offsetof(LineAttributes, from)},
                         {shared::kAttributeLineTo, kInstanceBinding, kPoint, offsetof(LineAttributes, to)},
                         {shared::kAttributeLineColor, kInstanceBinding, VK_FORMAT_R8G8B8A8_UNORM,
                          offsetof(LineAttributes, color)},
                         {shared::kAttributeLineWidth, kInstanceBinding, VK_FORMAT_R32_SFLOAT,
                          offsetof(LineAttributes, width)}},
          .state = {.depth = !through, .blend = host::Blend::kOver, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP}};
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

Result<PipelineLayouts> create_layouts(const Device& device) {
  PipelineLayouts layouts;
  if (Status made = put(create_shadow_sampler(device), layouts.shadow_sampler); !made) return made.error();
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
  Status made = put(create_set_layout(device, frame, "sinew.frame_layout"), layouts.frame);
  if (made) made = put(create_set_layout(device, material, "sinew.material_layout"), layouts.material);
  if (made) made = put(create_set_layout(device, page, "sinew.page_layout"), layouts.page);
  if (!made) return made.error();

  const std::array sets = {layouts.frame.get(), layouts.material.get(), layouts.page.get()};
  static_assert(sizeof(shared::DrawPushConstants) <= 128);  // every device has room for so many
  const VkPushConstantRange push{kVertexStage | kFragmentStage, 0, sizeof(shared::DrawPushConstants)};
  made = put(create_pipeline_layout(device, sets, push, "sinew.draw_layout"), layouts.pipeline);
  if (!made) return made.error();
  return layouts;
}

Result<Pipelines> create_pipelines(const Device& device, const PipelineLayouts& layouts, const PassFormat& format,
                                   const ShaderWords& words) {
  Pipelines pipelines;
  Status status;
  const auto make = [&](const PipelineDescription& description, PipelineHandle& out) {
    if (status) status = put(create_pipeline(device, description, layouts.pipeline.get(), format, words), out);
  };
  make(describe_backdrop(), pipelines.backdrop);
  make(describe_shadow(), pipelines.shadow);
  if (format.stands) make(describe_stand(), pipelines.stand);
  make(describe_lines(false, "sinew.lines_pipeline"), pipelines.lines);
  make(describe_lines(true, "sinew.lines_through_pipeline"), pipelines.lines_through);
  const auto make_crowd = [&](const PassFormat& of, std::array<SurfacePipelines, kSurfaceCount>& out) {
    const bool velocity = of.coloring == Coloring::kVelocity;
    for (uint32_t s = 0; s < kSurfaceCount; ++s) {
      if ((of.surfaces >> s & 1) == 0) continue;
      const SurfaceKind surface = drawn_as(surface_kind_at(s), of.coloring);
      SurfacePipelines& crowd = out[s];
      make(velocity ? describe_crowd_velocity(of, surface) : describe_crowd(of, CrowdPass::kColor, surface),
           crowd.color);
      if (surface.alpha != AlphaMode::kBlend) {
        make(describe_crowd(of, CrowdPass::kDepth, surface), crowd.depth);
      } else if (surface.double_sided) {
        make(describe_backs(of, surface), crowd.backs);
      }
      if (of.shadow_maps > 0) make(describe_crowd(of, CrowdPass::kShadow, surface), crowd.shadow);
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
