// Checks the pipeline create infos that reach the driver. Older validation layers accept a fragment shader in a
// pipeline that discards all primitives.
#include "render/pipelines.h"

#include <gtest/gtest.h>

#include <utility>

#include "child.h"
#include "gpu/host.h"
#include "render/shadow_maps.h"

namespace sinew::app {
namespace {

PFN_vkCreateGraphicsPipelines real_create = nullptr;
uint32_t rasterized = 0, discarded = 0;

VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, VkPipelineCache cache, uint32_t count,
                                      const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                                      VkPipeline* pipelines) {
  for (const VkGraphicsPipelineCreateInfo& info : std::span(infos, count)) {
    const bool discards = info.pRasterizationState->rasterizerDiscardEnable;
    ++(discards ? discarded : rasterized);
    if (discards) {
      EXPECT_EQ(info.stageCount, 1u) << "a pipeline without rasterization has a fragment shader";
    }
  }
  return real_create(device, cache, count, infos, callbacks, pipelines);
}

TEST(Pipelines, HaveNoFragmentShaderWithoutRasterization) {
  SINEW_SKIP_WITHOUT_DEVICE();
  GraphicsContext context;
  ASSERT_TRUE(set_up(GraphicsOptions(), context));
  const auto layouts = must(create_layouts(context.device));
  const auto pass = must(create_render_pass(context.device, VK_SAMPLE_COUNT_1_BIT));
  const auto shadow_pass = must(create_shadow_pass(context.device));
  PassFormat format{pass.get(), VK_SAMPLE_COUNT_1_BIT};
  format.rasterize = false;
  format.shadow_pass = shadow_pass.get();
  format.shadow_maps = 1;
  real_create = std::exchange(vkCreateGraphicsPipelines, create);
  for (const VertexSource source : {VertexSource::kInput, VertexSource::kPulling, VertexSource::kSkinning}) {
    format.source = source;
    EXPECT_TRUE(create_pipelines(context.device, layouts, format, builtin_shaders()));
  }
  vkCreateGraphicsPipelines = real_create;
  EXPECT_EQ(discarded, 3 * 3u) << "color, depth and shadow maps of the crowd";
  EXPECT_EQ(rasterized, 3 * 4u) << "the ground and the shadows on it, lines behind and in front of the crowd";
}

}  // namespace
}  // namespace sinew::app
