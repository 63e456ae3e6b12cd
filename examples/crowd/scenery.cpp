#include "scenery.h"

#include <vector>

#include "street.h"

namespace street {
namespace {

using example::check;
using sinew::Matrix3x4;
using sinew::Vec3;

constexpr uint32_t kSolidVertex[] = {
#include "solid.vert.inc"
};
constexpr uint32_t kSolidFragment[] = {
#include "solid.frag.inc"
};
constexpr uint32_t kGlowVertex[] = {
#include "glow.vert.inc"
};
constexpr uint32_t kGlowFragment[] = {
#include "glow.frag.inc"
};

constexpr float kFront = 5.8f;  // z of the fronts of houses; of the other side -z
constexpr float kEnd = kLength / 2 - 1, kGateHeight = 3.2f;
constexpr uint32_t kLanternsOnWalls = 16;
constexpr Vec3 kWood{0.10f, 0.06f, 0.04f}, kIron{0.03f, 0.03f, 0.035f}, kDark{0.004f, 0.004f, 0.006f};
constexpr Vec3 kLight{3.0f, 1.5f, 0.42f};  // above 1: it shines
constexpr Vec3 kPlaster[] = {{0.55f, 0.47f, 0.36f}, {0.50f, 0.34f, 0.24f}, {0.44f, 0.46f, 0.44f}, {0.60f, 0.53f, 0.45f},
                             {0.42f, 0.28f, 0.25f}, {0.52f, 0.44f, 0.28f}, {0.36f, 0.42f, 0.46f}};
constexpr Vec3 kTiles[] = {{0.26f, 0.11f, 0.08f}, {0.20f, 0.10f, 0.09f}, {0.15f, 0.13f, 0.14f}};

struct SolidVertex {
  Vec3 position, normal, color;
};

/// Flat things, made of quads.
struct Builder {
  std::vector<SolidVertex> vertices;

  void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Vec3 color) {  // a triangle where c is d
    const Vec3 normal = normalize(cross(b - a, c - a));
    for (const Vec3 corner : {a, b, c, a, c, d}) vertices.push_back({corner, normal, color});
  }
  void box(Vec3 low, Vec3 high, Vec3 color) {
    const auto corner = [&](int i) {
      return Vec3{i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    };
    constexpr int kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& face : kFaces) quad(corner(face[0]), corner(face[1]), corner(face[2]), corner(face[3]), color);
  }
  /// A box on the front of a house: from `low` to `high` in x and y, `depth` meters thick.
  void on_front(float side, Vec3 low, Vec3 high, float depth, Vec3 color) {
    const float front = side * kFront, out = side * (kFront - depth);
    box({low.x, low.y, std::min(front, out)}, {high.x, high.y, std::max(front, out)}, color);
  }
};

/// A house with two floors and a gable to the street. `number` varies it.
void add_house(Builder& to, float x, float width, float side, uint32_t number) {
  const float height = 4.6f + 0.35f * float(number * 5 % 4), ridge = height + 0.45f * width, back = side * (kFront + 9);
  const Vec3 plaster = kPlaster[number % std::size(kPlaster)], tiles = kTiles[number * 5 % std::size(kTiles)];
  const float front = side * kFront, eaves = side * (kFront - 0.35f), middle = x + width / 2, floor = 2.7f;
  to.box({x, 0, std::min(front, back)}, {x + width, height, std::max(front, back)}, plaster);
  to.quad({x, height, front}, {x + width, height, front}, {middle, ridge, front}, {middle, ridge, front}, plaster);
  const float low = height - 0.2f, over = 0.06f;  // the roof stands out
  to.quad({x - over, low, eaves}, {middle, ridge + 0.1f, eaves}, {middle, ridge + 0.1f, back}, {x - over, low, back},
          tiles);
  to.quad({x + width + over, low, eaves}, {middle, ridge + 0.1f, eaves}, {middle, ridge + 0.1f, back},
          {x + width + over, low, back}, tiles);
  for (const float y : {floor - 0.1f, height - 0.15f}) to.on_front(side, {x, y}, {x + width, y + 0.2f}, 0.06f, kWood);
  for (int post = 0; post <= 4; ++post) {
    const float at = x + 0.1f + (width - 0.2f) * float(post) / 4;
    to.on_front(side, {at - 0.1f, post % 4 == 0 ? 0 : floor}, {at + 0.1f, height}, 0.05f, kWood);
  }
  const uint32_t door = number * 3 % 4;
  for (uint32_t i = 0; i < 8; ++i) {  // a column of the front has a window above, and a window or the door below
    const uint32_t column = i % 4;
    const float at = x + 0.1f + (width - 0.2f) * (float(column) + 0.5f) / 4, half = 0.30f;
    const bool is_door = i < 4 && column == door, is_lit = (number * 7 + i * 5) % 3 != 0;
    const float y = i < 4 ? 1.0f : floor + 0.55f;
    to.on_front(side, {at - half - 0.07f, is_door ? 0 : y - 0.07f}, {at + half + 0.07f, y + 1.17f}, 0.03f, kWood);
    const Vec3 glass = is_lit ? kLight * (0.34f + 0.05f * float((number + i) % 3)) : Vec3{0.06f, 0.08f, 0.12f};
    if (is_door) to.on_front(side, {at - half, 0}, {at + half, y + 1.1f}, 0.04f, kTiles[number % 3] * 0.8f);
    if (!is_door) to.on_front(side, {at - half, y}, {at + half, y + 1.1f}, 0.04f, glass);
  }
}

/// A gate at an end of the street. People come out of the dark.
void add_gate(Builder& to, float side) {
  constexpr Vec3 kStone{0.30f, 0.28f, 0.27f};
  const auto wall = [&](Vec3 low, Vec3 high, float from, float until, Vec3 color) {
    to.box({std::min(side * from, side * until), low.y, low.z}, {std::max(side * from, side * until), high.y, high.z},
           color);
  };
  const float half = 4.9f, top = kGateHeight + 3.4f;
  for (const float z : {-1.0f, 1.0f})
    wall({0, 0, std::min(z * half, z * 9)}, {0, top, std::max(z * half, z * 9)}, kEnd, kEnd + 3, kStone);
  wall({0, kGateHeight, -half}, {0, top, half}, kEnd, kEnd + 3, kStone);
  wall({0, 0, -half}, {0, kGateHeight, half}, kEnd + 0.6f, kEnd + 3, kDark);
  for (int i = 0; i < 12; ++i) {  // battlements
    const float z = -9 + 1.5f * float(i);
    wall({0, top, z}, {0, top + 0.7f, z + 0.8f}, kEnd, kEnd + 0.5f, kStone);
  }
}

Vec3 on_wall(uint32_t lantern) {
  const float side = lantern % 2 == 0 ? 1.0f : -1.0f, count = kLanternsOnWalls / 2;
  return {(float(lantern / 2) + 0.5f - count / 2) * (kLength - 4) / count, 2.75f, side * (kFront - 0.5f)};
}

/// Everything that does not move.
std::vector<SolidVertex> make_houses() {
  Builder to;
  for (const float side : {-1.0f, 1.0f}) {
    float x = -kEnd;
    for (uint32_t number = side < 0 ? 0 : 17; x < kEnd - 3; ++number) {
      const float width = std::min(5.2f + 0.45f * float(number * 11 % 5), kEnd - x);
      add_house(to, x, width, side, number);
      x += width;
    }
    add_gate(to, side);
  }
  for (uint32_t i = 0; i < kLanternsOnWalls; ++i) {
    const Vec3 at = on_wall(i);
    to.box({at.x - 0.02f, at.y, std::min(at.z, at.z > 0 ? kFront : -kFront)},
           {at.x + 0.02f, at.y + 0.04f, std::max(at.z, at.z > 0 ? kFront : -kFront)}, kIron);
  }
  return to.vertices;
}

/// Hangs from the origin.
std::vector<SolidVertex> make_lantern() {
  Builder to;
  to.box({-0.008f, -0.10f, -0.008f}, {0.008f, 0.02f, 0.008f}, kIron);
  to.box({-0.075f, -0.13f, -0.075f}, {0.075f, -0.10f, 0.075f}, kIron);
  to.box({-0.055f, -0.28f, -0.055f}, {0.055f, -0.13f, 0.055f}, kLight);
  to.box({-0.075f, -0.30f, -0.075f}, {0.075f, -0.28f, 0.075f}, kIron);
  return to.vertices;
}

Matrix3x4 at(Vec3 place) { return {{{1, 0, 0, place.x}, {0, 1, 0, place.y}, {0, 0, 1, place.z}}}; }

}  // namespace

Scenery::Scenery(const host::Device& device, const host::PassFormat& format, uint32_t max_lanterns)
    : layout_(
          check(host::create_layout(device, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, sizeof(example::Push), "scenery"))) {
  std::vector<SolidVertex> mesh = make_houses();
  const std::vector<SolidVertex> lantern = make_lantern();
  house_vertices_ = uint32_t(mesh.size()), lantern_vertices_ = uint32_t(lantern.size());
  mesh.insert(mesh.end(), lantern.begin(), lantern.end());
  mesh_ = check(host::create_buffer_of(device, mesh, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "scenery"));
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    const size_t count = 1 + kLanternsOnWalls + max_lanterns;
    places_[slot] = check(host::create_buffer(device, count * sizeof(Matrix3x4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                              host::MemoryKind::kUpload, "places"));
    sets_[slot] = check(host::create_set(device, layout_, {places_[slot]}, "scenery"));
    auto* places = static_cast<Matrix3x4*>(places_[slot].mapped);
    *places++ = {};
    for (uint32_t i = 0; i < kLanternsOnWalls; ++i) *places++ = at(on_wall(i));
  }
  constexpr VkVertexInputBindingDescription kBinding{0, sizeof(SolidVertex), VK_VERTEX_INPUT_RATE_VERTEX};
  constexpr VkVertexInputAttributeDescription kAttributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                               {1, 0, VK_FORMAT_R32G32B32_SFLOAT, sizeof(Vec3)},
                                                               {2, 0, VK_FORMAT_R32G32B32_SFLOAT, 2 * sizeof(Vec3)}};
  const auto create = [&](const host::GraphicsPipelineInfo& info) {
    return check(host::create_graphics_pipeline(device, format, layout_, info));
  };
  host::GraphicsPipelineInfo solid{.name = "scenery", .vertex = kSolidVertex, .fragment = kSolidFragment};
  solid.bindings = {&kBinding, 1}, solid.attributes = kAttributes;
  solid_ = create(solid);
  solid.name = "shadows of houses", solid.depth = false, solid.constant = 1;  // kShadow of the shaders
  shadows_ = create(solid);
  glow_ = create({.name = "glow", .vertex = kGlowVertex, .fragment = kGlowFragment, .blend = host::Blend::kAdd});
}

void Scenery::hang_lanterns(const host::Frame& frame, std::span<const Matrix3x4> hands) {
  auto* places = static_cast<Matrix3x4*>(places_[frame.slot].mapped) + 1 + kLanternsOnWalls;
  lantern_count_ = kLanternsOnWalls;
  for (const Matrix3x4& hand : hands) {
    const bool is_drawn = hand.m[1][0] != 0 || hand.m[1][1] != 0 || hand.m[1][2] != 0;
    // It hangs upright, however the hand is turned.
    if (is_drawn) *places++ = at({hand.m[0][3], hand.m[1][3], hand.m[2][3]}), ++lantern_count_;
  }
}

void Scenery::begin(const host::Frame& frame, const host::Camera& camera) const {
  const example::Push push{
      camera.clip_from_world(frame.width, frame.height), glm::vec4(camera.eye(), float(frame.seconds)), {}};
  vkCmdPushConstants(frame.cmd, layout_.pipeline.get(), host::kDrawingStages, 0, sizeof push, &push);
  vkCmdBindDescriptorSets(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.pipeline.get(), 0, 1,
                          &sets_[frame.slot].handle, 0, nullptr);
  constexpr VkDeviceSize kStart = 0;
  const VkBuffer mesh = mesh_.get();
  vkCmdBindVertexBuffers(frame.cmd, 0, 1, &mesh, &kStart);
}

void Scenery::draw_shadows(const host::Frame& frame, const host::Camera& camera) const {
  begin(frame, camera);
  vkCmdBindPipeline(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, shadows_.get());
  vkCmdDraw(frame.cmd, house_vertices_, 1, 0, 0);
}

void Scenery::draw(const host::Frame& frame, const host::Camera& camera) const {
  begin(frame, camera);
  vkCmdBindPipeline(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, solid_.get());
  vkCmdDraw(frame.cmd, house_vertices_, 1, 0, 0);
  vkCmdDraw(frame.cmd, lantern_vertices_, lantern_count_, house_vertices_, 1);
  vkCmdBindPipeline(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, glow_.get());
  vkCmdDraw(frame.cmd, 12, lantern_count_, 0, 1);
}

}  // namespace street
