// The graphics pipelines of the program: each is described by what differs between them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gpu/host.h"
#include "gpu/shaders.h"
#include "render/draw_options.h"
#include "shared/skinning.h"
#include "sinew/vulkan/skinner_info.h"

namespace sinew::app {

/// The SPIR-V of each shader: built in, until a source is reloaded.
using ShaderWords = std::array<std::vector<uint32_t>, size_t(Shader::kCount)>;

ShaderWords builtin_shaders();

/// Bindings of vertex buffers.
inline constexpr uint32_t kVertexBinding = 0, kInstanceBinding = 1;
inline constexpr uint32_t kPreviousBinding = 2;  // PreviousAttributes of each instance; for Coloring::kVelocity

/// One layout for all pipelines. Its sets: the frame, a material, a page of palettes or vertices. See
/// shaders/shared/crowd.h.
struct PipelineLayouts {
  SamplerHandle shadow_sampler;  // part of `frame`: portable devices compare with samplers of layouts only
  DescriptorSetLayoutHandle frame, material, page;
  PipelineLayoutHandle pipeline;
};

/// Those that draw the crowd's parts with one kind of surface. Null if no model has such a surface.
struct SurfacePipelines {
  PipelineHandle color;
  PipelineHandle backs;   // with color, back faces only, before `color`; null unless it blends and is double-sided
  PipelineHandle depth;   // depth only; null for what blends
  PipelineHandle shadow;  // depth only, into a shadow map; null without shadow maps
};

struct Pipelines {
  PipelineHandle backdrop, shadow, stand;
  std::array<SurfacePipelines, kSurfaceCount> crowd;  // by index_of(SurfaceKind)
  /// Those of draws with vulkan::Draw::pulled, where others take vertex input; null elsewhere.
  std::array<SurfacePipelines, kSurfaceCount> pulled;
  PipelineHandle lines, lines_through;  // hidden by the crowd; drawn through it
};

Result<PipelineLayouts> create_layouts(const Device& device);

/// What the pipelines must know of the render passes and of skinning.
struct PassFormat {
  VkRenderPass render_pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool rasterize = true;  // false: vertices of the crowd are shaded, but not rasterized
  bool wireframe = false;
  Coloring coloring = Coloring::kLit;
  VkRenderPass shadow_pass = VK_NULL_HANDLE;
  uint32_t shadow_maps = 0;
  uint32_t surfaces = 1;  // bit s: some model has the surface with index s
  VertexSource source = VertexSource::kInput;
  bool pulls_small = false;       // with kInput: some draws are pulled
  bool dual_quaternions = false;  // the vertex shader's blend
  vulkan::VertexFormat vertices = vulkan::VertexFormat::kOctahedral;
  bool tangents = false;  // follow the vertices
  bool stands = false;    // the scene has some
};

Result<Pipelines> create_pipelines(const Device& device, const PipelineLayouts& layouts, const PassFormat& format,
                                   const ShaderWords& words);

}  // namespace sinew::app
