// Depths of the crowd as the sun sees it: a layer for each map, drawn into and then looked up in every frame.
#pragma once

#include <vector>

#include "gpu/resources.h"

namespace sinew::app {

/// Every device can draw and sample it; a map's range of depths is far finer in it than its texels are.
inline constexpr VkFormat kShadowFormat = VK_FORMAT_D16_UNORM;
inline constexpr VkImageLayout kShadowLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;  // where it is read

/// One set for all frames in flight: they follow each other on one queue, and the pass waits for who still reads.
struct ShadowMaps {
  uint32_t count = 0, size = 0;  // texels on each side
  Image image;                   // with at least one layer, so that there is something to bind
  std::vector<ImageViewHandle> layers;
  std::vector<FramebufferHandle> framebuffers;  // of each map

  uint64_t size_bytes() const { return uint64_t(count) * size * size * 2; }
};

/// Clears a layer and draws into it; leaves it in kShadowLayout, to be read by fragment shaders.
Result<RenderPassHandle> create_shadow_pass(const Device& device);

/// Compares: 1 where what is looked up is not behind what the map has, and outside the map.
Result<SamplerHandle> create_shadow_sampler(const Device& device);

/// Twice the longer side of the picture, rounded down to a power of two, as far as there is use and the device allows.
uint32_t shadow_map_size(const Device& device, uint32_t width, uint32_t height);

/// `count` may be 0. Waits for the device then.
Result<ShadowMaps> create_shadow_maps(const Device& device, VkRenderPass pass, uint32_t count, uint32_t size);

}  // namespace sinew::app
