// The pipelines of a frame, and the layout they share.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/handle.h"
#include "gpu/shaders.h"
#include "render/skinning.h"

namespace sinew::app {

/// One layout for all pipelines: the frame, a material, the palettes of a range. See shaders/shared/crowd.h.
struct PipelineLayouts {
  DescriptorSetLayoutHandle frame, material, palettes;
  PipelineLayoutHandle pipeline;
};

struct Pipelines {
  PipelineHandle backdrop, shadow;
  PipelineHandle crowd, crowd_depth;  // in color, and depth alone
  PipelineHandle crowd_shadow;        // depth alone, of a shadow map
};

Result<PipelineLayouts> create_layouts(const Device& device);

/// SPIR-V of each shader; the built-in words until a source is reloaded.
using ShaderWords = std::array<std::vector<uint32_t>, size_t(Shader::kCount)>;

ShaderWords builtin_shaders();

/// Render passes, and what pipelines must know of them.
struct PassFormat {
  VkRenderPass render_pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool rasterize = true;  // false: of the crowd its vertices are shaded, and no more
  VkRenderPass shadow_pass = VK_NULL_HANDLE;
  uint32_t shadow_maps = 0;
};

Result<Pipelines> create_pipelines(const Device& device, const PipelineLayouts& layouts, const PassFormat& format,
                                   SkinningMode mode, const ShaderWords& words);

}  // namespace sinew::app
