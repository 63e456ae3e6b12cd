#include "render/pipelines.h"

#include <cstddef>

#include "render/draw_list.h"
#include "render/shadow_maps.h"
#include "scene/scene.h"
#include "shared/crowd.h"
#include "sinew/vulkan/draw.h"

namespace sinew::app {
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
