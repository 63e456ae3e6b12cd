#include "torches.h"

#include <cmath>
#include <numbers>

namespace festival {
namespace {

using example::check;
using sinew::Vec3;

constexpr uint32_t kTorchVertex[] = {
#include "torch.vert.inc"
};
constexpr uint32_t kTorchFragment[] = {
#include "torch.frag.inc"
};
constexpr uint32_t kGlowVertex[] = {
#include "glow.vert.inc"
};
constexpr uint32_t kGlowFragment[] = {
#include "glow.frag.inc"
};

struct TorchVertex {
  Vec3 position, color;
};

/// A solid of revolution about the y axis. Each ring is a height, a radius and a color.
struct Ring {
  float height, radius;
  Vec3 color;
};
void add_solid(std::span<const Ring> rings, std::vector<TorchVertex>& vertices) {
  constexpr uint32_t kSides = 7;
  const auto vertex = [](const Ring& ring, uint32_t side) {
    const float angle = float(side) * 2 * std::numbers::pi_v<float> / kSides;
    return TorchVertex{{ring.radius * std::cos(angle), ring.height, ring.radius * std::sin(angle)}, ring.color};
  };
  for (size_t r = 0; r + 1 < rings.size(); ++r) {
    for (uint32_t side = 0; side < kSides; ++side) {
      const TorchVertex a = vertex(rings[r], side), b = vertex(rings[r], side + 1);
      const TorchVertex c = vertex(rings[r + 1], side), d = vertex(rings[r + 1], side + 1);
      vertices.insert(vertices.end(), {a, b, c, b, d, c});
    }
  }
}

/// A stick with a flame, in meters; the hand is at the origin. Colors above 1 shine.
std::vector<TorchVertex> make_torch() {
  constexpr Vec3 kWood{0.20f, 0.11f, 0.05f}, kCloth{0.10f, 0.07f, 0.05f};
  constexpr Vec3 kRed{2.0f, 0.42f, 0.05f}, kYellow{3.2f, 1.35f, 0.28f};
  constexpr Ring kStick[] = {{-0.20f, 0, kWood},     {-0.20f, 0.016f, kWood}, {0.30f, 0.022f, kWood},
                             {0.30f, 0.04f, kCloth}, {0.40f, 0.045f, kCloth}, {0.41f, 0, kCloth}};
  constexpr Ring kFlame[] = {
      {0.37f, 0.03f, kRed}, {0.44f, 0.075f, kYellow}, {0.52f, 0.06f, kYellow}, {0.62f, 0.03f, kRed}, {0.72f, 0, kRed}};
  std::vector<TorchVertex> vertices;
  add_solid(kStick, vertices);
  add_solid(kFlame, vertices);
  return vertices;
}

}  // namespace

Torches::Torches(const host::Device& device, const host::PassFormat& format, const example::CrowdRenderer& renderer,
                 uint32_t count)
    : layout_(renderer.layout().pipeline.get()), count_(count) {
  const std::vector<TorchVertex> torch = make_torch();
  vertex_count_ = uint32_t(torch.size());
  mesh_ = check(host::create_buffer_of(device, torch, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "torch"));
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    host::Buffer& places = places_[slot];
    places = check(host::create_buffer(device, count * sizeof(sinew::Matrix3x4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                       host::MemoryKind::kUpload, "torches"));
    sets_[slot] =
        check(host::create_set(device, renderer.layout(), {places, places, places, renderer.white()}, "torches"));
  }
  constexpr VkVertexInputBindingDescription kBinding{0, sizeof(TorchVertex), VK_VERTEX_INPUT_RATE_VERTEX};
  constexpr VkVertexInputAttributeDescription kAttributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                               {1, 0, VK_FORMAT_R32G32B32_SFLOAT, sizeof(Vec3)}};
  const auto create = [&](const host::GraphicsPipelineInfo& info) {
    return check(host::create_graphics_pipeline(device, format, renderer.layout(), info));
  };
  solid_ = create({.name = "torches",
                   .vertex = kTorchVertex,
                   .fragment = kTorchFragment,
                   .bindings = {&kBinding, 1},
                   .attributes = kAttributes});
  glow_ = create({.name = "glow", .vertex = kGlowVertex, .fragment = kGlowFragment, .blend = host::Blend::kAdd});
}

std::span<sinew::Matrix3x4> Torches::places(uint32_t slot) {
  return {static_cast<sinew::Matrix3x4*>(places_[slot].mapped), count_};
}

void Torches::draw(const host::Frame& frame) const {
  const VkCommandBuffer cmd = frame.cmd;
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &sets_[frame.slot].handle, 0, nullptr);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, solid_.get());
  constexpr VkDeviceSize kStart = 0;
  const VkBuffer mesh = mesh_.get();
  vkCmdBindVertexBuffers(cmd, 0, 1, &mesh, &kStart);
  vkCmdDraw(cmd, vertex_count_, count_, 0, 0);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, glow_.get());
  vkCmdDraw(cmd, 12, count_, 0, 0);
}

}  // namespace festival
