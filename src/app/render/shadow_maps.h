// Shadow maps, and the views that they are drawn from.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/host.h"
#include "scene/camera.h"
#include "scene/scene.h"

namespace sinew::app {

/// The sun's views of `count` maps of `size` texels per side, the nearest first. Together they cover all distances at
/// which an instance that the camera sees may stand, up to a limit: no map is used beyond the end of the last one. When
/// the camera turns, a map moves by whole texels, so that the edges of shadows do not flicker.
std::vector<ShadowView> shadow_views(const Scene& scene, const View& view, uint32_t count, uint32_t size);

// Shadow maps: the depth of the crowd as the sun sees it. One layer per map, drawn and read in every frame.

/// Every device can draw and sample this format. Its steps are far finer than a map's texels.
inline constexpr VkFormat kShadowFormat = VK_FORMAT_D16_UNORM;
inline constexpr VkImageLayout kShadowLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;  // where shaders read

/// One image for all frames in flight: frames follow each other on one queue, and the render pass waits for earlier
/// reads.
struct ShadowMaps {
  uint32_t count = 0, size = 0;  // texels per side
  Image image;                   // at least one layer, so that it can be bound
  std::vector<ImageViewHandle> layers;
  std::vector<FramebufferHandle> framebuffers;  // of each map

  uint64_t size_bytes() const { return uint64_t(count) * size * size * 2; }
};

/// Clears a layer, draws into it, and leaves it in kShadowLayout for fragment shaders.
Result<RenderPassHandle> create_shadow_pass(const Device& device);

/// Compares depths: 1 where a point is not behind the map's depth, and 1 outside the map.
Result<SamplerHandle> create_shadow_sampler(const Device& device);

/// Texels per side: twice the longer side of the picture, rounded down to a power of two, within what is useful and
/// what the device allows.
uint32_t shadow_map_size(const Device& device, uint32_t width, uint32_t height);

/// `count` may be 0: then one unused layer is made, and the call waits for the device.
Result<ShadowMaps> create_shadow_maps(const Device& device, VkRenderPass pass, uint32_t count, uint32_t size);

}  // namespace sinew::app
