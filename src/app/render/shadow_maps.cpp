#include "render/shadow_maps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

using glm::vec3;

// Lengths without a unit are in multiples of the tallest instance.
constexpr float kUniformShare = 0.35f;                 // share of the uniform split; the rest is split in equal ratios
constexpr float kNearExtent = 28, kExtentPerMap = 14;  // range of the first map, and what each further map adds
constexpr float kBelowGround = 1, kAboveGround = 3;    // how far shadow casters reach below and above the ground
constexpr float kNoEnd = 1e9f;                         // meters
constexpr float kMinTexel = 0.0035f;                   // finer texels would give edges harder than the sun's
constexpr float kRadiusSteps = 8;                      // per meter; radii are rounded up: float rounding changes none

struct BoundingSphere {
  vec3 center{0};
  float radius = 0;
};

/// The bounding sphere of all instances that may cast a shadow. Seen along the sun's rays, a shadow is where its
/// instance is.
BoundingSphere sphere_of(const Scene& scene) {
  const float margin = 0.3f + 0.6f * scene.widest + 1.2f * std::max(scene.widest, scene.tallest);
  const float height = scene.tallest + scene.highest_stand;
  return {{scene.center.x, height / 2, scene.center.z}, std::hypot(scene.radius + margin, height)};
}

/// The cone around the axis of a view that contains what the view sees.
struct Cone {
  vec3 axis{0};
  float cosine = 1;  // of the angle to the picture's corners
};

Cone cone_of(const View& view) {
  const glm::mat4& m = view.clip_from_world;
  const vec3 axis = glm::normalize(vec3(m[0][3], m[1][3], m[2][3]));
  const glm::vec4 corner = glm::inverse(m) * glm::vec4(1, 1, 1, 1);
  return {axis, glm::dot(axis, glm::normalize(vec3(corner) / corner.w - view.eye))};
}

/// The smallest sphere around the part of a cone between two distances from the eye. Its size stays the same when the
/// eye turns.
BoundingSphere sphere_around(const View& view, const Cone& cone, float from, float to) {
  const float along = std::min((from + to) / (2 * cone.cosine), to * cone.cosine);
  return {view.eye + cone.axis * along, std::sqrt(to * to - 2 * along * to * cone.cosine + along * along)};
}

/// The distances from the eye between which instances can be in shadow.
struct Span {
  float from = 0, to = 0;
  bool cut = false;  // some instances are further away
};

Span span_of(const Scene& scene, const View& view, const BoundingSphere& all, uint32_t count) {
  const float away = glm::distance(view.eye, all.center);
  const float person = std::max(scene.tallest, 1e-3f);
  Span span;
  span.from = std::max({away - all.radius, view.eye.y - scene.highest_stand - 1.2f * person, 0.4f * person});
  const float limit = span.from + person * (kNearExtent + kExtentPerMap * float(count - 1));
  span.to = std::max(away + all.radius, 1.01f * span.from);
  span.cut = limit < span.to;
  span.to = std::min(span.to, limit);
  return span;
}

/// Source: Zhang et al., "Parallel-Split Shadow Maps for Large-scale Virtual Environments", 2006.
float split(const Span& span, uint32_t done, uint32_t count) {
  const float share = float(done) / float(count);
  const float ratio = span.from * std::pow(span.to / span.from, share);
  return kUniformShare * (span.from + (span.to - span.from) * share) + (1 - kUniformShare) * ratio;
}

/// The sun's view of `sphere`, snapped to texels. Source of snapping: Valient, "Stable Rendering of Cascaded Shadow
/// Maps", ShaderX6, 2008.
ShadowView look_at(const BoundingSphere& sphere, const Scene& scene, uint32_t size) {
  const Vec3 to_sun = colors_of(scene.light).to_sun;
  const vec3 sun = glm::normalize(vec3(to_sun.x, to_sun.y, to_sun.z));
  const vec3 right = glm::normalize(glm::cross(vec3(0, 1, 0), sun)), up = glm::cross(sun, right);
  const float radius =
      std::ceil(std::max(sphere.radius, scene.tallest * kMinTexel / 2 * float(size)) * kRadiusSteps) / kRadiusSteps;
  const float half = radius * float(size) / std::max(float(size) - 2 * kShadowTexels, 1.0f);
  ShadowView view;
  view.texel = 2 * half / float(size);
  const float x = std::floor(glm::dot(sphere.center, right) / view.texel) * view.texel;
  const float y = std::floor(glm::dot(sphere.center, up) / view.texel) * view.texel;
  // Between these depths a sun ray through the map is above the ground and below the highest heads.
  const float near = (kAboveGround * scene.tallest + scene.highest_stand - (y - half) * up.y) / sun.y;
  const float far = (-kBelowGround * scene.tallest - (y + half) * up.y) / sun.y;
  const vec3 row_x = right / half, row_y = up / half, row_z = -sun / (near - far);
  view.clip_from_world = glm::transpose(glm::mat4(glm::vec4(row_x, -x / half), glm::vec4(row_y, -y / half),
                                                  glm::vec4(row_z, near / (near - far)), glm::vec4(0, 0, 0, 1)));
  return view;
}

constexpr uint32_t kSmallest = 16, kLargest = 4096;  // texels

/// Maps are drawn after the shaders of the last frame have read them, and read after they are drawn.
std::array<VkSubpassDependency, 2> dependencies() {
  constexpr VkPipelineStageFlags kDrawing =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kWritten = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  return {VkSubpassDependency{VK_SUBPASS_EXTERNAL, 0, kDrawing | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kDrawing,
                              kWritten, kWritten | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0},
          VkSubpassDependency{0, VK_SUBPASS_EXTERNAL, kDrawing, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kWritten,
                              VK_ACCESS_SHADER_READ_BIT, 0}};
}

/// Nothing draws or reads an unused image. But a bound image must be in the layout that it is bound with.
Status lay_out_unused(const Device& device, VkImage image) {
  return run_once(device, "sinew.shadow_maps", [&](VkCommandBuffer cmd) {
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.newLayout = kShadowLayout;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0,
                         nullptr, 1, &barrier);
  });
}

}  // namespace

std::vector<ShadowView> shadow_views(const Scene& scene, const View& view, uint32_t count, uint32_t size) {
  std::vector<ShadowView> views;
  const BoundingSphere all = sphere_of(scene);
  const Cone cone = cone_of(view);
  const Span span = span_of(scene, view, all, count);
  for (uint32_t i = 0; i < count; ++i) {
    const float from = i == 0 ? span.from : split(span, i, count) * shared::kShadowFade, to = split(span, i + 1, count);
    BoundingSphere sphere = sphere_around(view, cone, from, to);
    if (sphere.radius > all.radius) sphere = all;
    views.push_back(look_at(sphere, scene, size));
    views.back().end = i + 1 == count && !span.cut ? kNoEnd : to;
  }
  return views;
}

Result<RenderPassHandle> create_shadow_pass(const Device& device) {
  VkAttachmentDescription map =
      describe_attachment(kShadowFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE, kShadowLayout);
  map.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference depth{0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.pDepthStencilAttachment = &depth;
  return create_pass(device, {&map, 1}, subpass, dependencies(), "sinew.shadow_pass");
}

Result<SamplerHandle> create_shadow_sampler(const Device& device) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_NEAREST;  // shaders weigh the comparisons: no filtering of depth needed
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  info.compareEnable = VK_TRUE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  return create_sampler(device, info, "sinew.shadow_sampler");
}

uint32_t shadow_map_size(const Device& device, uint32_t width, uint32_t height) {
  const VkPhysicalDeviceLimits& limits = device.info.limits;
  const uint32_t max_size =
      std::min({kLargest, limits.maxImageDimension2D, limits.maxFramebufferWidth, limits.maxFramebufferHeight,
                limits.maxViewportDimensions[0], limits.maxViewportDimensions[1]});
  return std::clamp(std::bit_floor(2 * std::max(width, height)), kSmallest, max_size);
}

Result<ShadowMaps> create_shadow_maps(const Device& device, VkRenderPass pass, uint32_t count, uint32_t size) {
  ShadowMaps maps;
  maps.count = count, maps.size = count > 0 ? size : 1;
  ImageInfo info{maps.size, maps.size, 1, kShadowFormat};
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  info.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  info.layers = std::max(count, 1u);
  if (Status made = put(create_image(device, info, "sinew.shadow_maps"), maps.image); !made) return made.error();
  for (uint32_t i = 0; i < count; ++i) {
    const std::string name = "sinew.shadow_map[" + std::to_string(i) + "]";
    ImageViewHandle& layer = maps.layers.emplace_back();
    const VkImageSubresourceRange part{VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, i, 1};
    Status made = put(create_view(device, maps.image.get(), kShadowFormat, name, part), layer);
    if (made) {
      made = put(create_framebuffer(device, pass, std::array{layer.get()}, size, size, name),
                 maps.framebuffers.emplace_back());
    }
    if (!made) return made.error();
  }
  if (count > 0) return maps;
  if (Status ready = lay_out_unused(device, maps.image.get()); !ready) return ready.error();
  return maps;
}

}  // namespace sinew::app
