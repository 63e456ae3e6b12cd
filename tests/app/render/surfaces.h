// A blue cloth in front of a red wall, drawn, and the pixels of the picture.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "renderer_fixture.h"
#include "skinning/skinning.h"

namespace sinew::app {

inline constexpr uint32_t kWidth = 200, kHeight = 160;

struct Color {
  int r = 0, g = 0, b = 0;
};

inline int distance(Color a, Color b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// A square in a plane of constant z, from -half to half around x = 0 and y = 1. It looks to +z, or to -z.
inline void add_square(Mesh& mesh, const char* name, uint32_t material, float half, float z, bool backwards = false) {
  MeshPart part{name, PartKind::kSkinned, material, mesh.vertex_count(), 4, uint32_t(mesh.indices.size()), 6};
  for (uint32_t corner = 0; corner < 4; ++corner) {
    const float u = float(corner % 2), v = float(corner / 2);
    mesh.positions.push_back({(2 * u - 1) * half, 1 + (1 - 2 * v) * half, z});
    mesh.normals.push_back({0, 0, backwards ? -1.0f : 1.0f});
    mesh.uvs.push_back({u, v});
    mesh.influences.push_back({0, 1});
    mesh.first_influence.push_back(mesh.vertex_count());
  }
  const uint32_t first = part.first_vertex;
  const std::array<uint32_t, 6> front = {0, 2, 1, 1, 2, 3};
  for (size_t i = 0; i < 6; ++i) mesh.indices.push_back(first + front[backwards ? 5 - i : i]);
  mesh.parts.push_back(part);
}

/// A red wall, 2 m high, and before it a blue cloth of half its size. Material 1 is the cloth's.
inline Character cloth_before_wall() {
  Character character;
  character.skeleton = {{"root"}, {kNoJoint}, {{}}, {}};
  character.skin.entries = {{0, {}}};
  character.mesh.first_influence = {0};
  add_square(character.mesh, "wall", 0, 1, 0);
  add_square(character.mesh, "cloth", 1, 0.5f, 0.2f);
  character.materials = {{.name = "wall", .base_color = {0.8f, 0.1f, 0.1f, 1}},
                         {.name = "cloth", .base_color = {0.1f, 0.1f, 0.8f, 1}}};
  return character;
}

/// An image of two columns of 8 texels each: the left one clear, the right one covering.
inline sinew::Image half_clear() {
  sinew::Image image{"half", 16, 16, {}};
  for (int i = 0; i < 16 * 16; ++i) image.rgba.insert(image.rgba.end(), {255, 255, 255, uint8_t(i % 16 < 8 ? 0 : 255)});
  return image;
}

/// How a picture is made.
struct How {
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t passes = 1;
  Coloring coloring = Coloring::kLit;
  float yaw = 0;
  uint32_t tint = 0;   // of the instance
  int8_t stretch = 0;  // of the instance
};

class Surfaces : public test::RendererTest {
 protected:
  void SetUp() override { set_up_for(Coloring::kVelocity); }

  /// Draws one instance from the front, which is 1 m before the wall, and reads the pixels.
  void draw(Character character, const How& how = {}) {
    models_.clear();
    ModelOptions options;
    options.tinted = false;
    auto model = make_model("cloth", {std::move(character), {}, {}}, options);
    ASSERT_TRUE(model) << model.error().message;
    models_.push_back(std::move(*model));
    models_[0].world_from_model = {};
    scene_ = make_scene(models_, 1, 3);
    scene_.positions[0] = {}, scene_.looks[0].turn = {}, scene_.looks[0].tint = how.tint;
    scene_.stretches = {how.stretch};
    Evaluation evaluation(models_, 1);
    RendererInfo info;
    info.skinning = {&evaluation, how.mode};
    info.skinning.planner.cull = false;
    info.samples = 1, info.width = kWidth, info.height = kHeight;
    info.draw.passes = how.passes, info.draw.coloring = how.coloring;
    auto renderer = Renderer::create(context_.device, models_, scene_, info);
    ASSERT_TRUE(renderer) << renderer.error().message;
    orbit_.target = {0, 1, 0}, orbit_.yaw = how.yaw, orbit_.pitch = 0, orbit_.distance = 3;
    ASSERT_TRUE((*renderer)->begin_frame());
    ASSERT_TRUE((*renderer)->draw_frame({.camera = orbit_}));
    ASSERT_TRUE((*renderer)->finish());
    auto rgba = read_picture(context_.device, (*renderer)->target());
    ASSERT_TRUE(rgba);
    rgba_ = std::move(*rgba);
    EXPECT_EQ(validation_messages(context_.instance), 0u);
  }

  /// The pixel at a point of the world.
  Color at(float x, float y, float z) const {
    const glm::vec4 clip = clip_from_world(orbit_, float(kWidth) / kHeight) * glm::vec4(x, y, z, 1);
    const auto column = uint32_t((clip.x / clip.w + 1) / 2 * kWidth),
               row = uint32_t((clip.y / clip.w + 1) / 2 * kHeight);
    EXPECT_TRUE(column < kWidth && row < kHeight);
    const uint8_t* pixel = &rgba_[4 * (size_t(row) * kWidth + column)];
    return {pixel[0], pixel[1], pixel[2]};
  }
  Color left_of_cloth() const { return at(-0.25f, 1, 0.2f); }
  Color right_of_cloth() const { return at(0.25f, 1, 0.2f); }
  Color wall() const { return at(0, 1.8f, 0); }
  static bool is_red(Color c) { return c.r > 2 * c.b; }
  static bool is_blue(Color c) { return c.b > 2 * c.r; }

  Orbit orbit_;
  std::vector<uint8_t> rgba_;
};

inline constexpr How kHows[] = {{SkinningMode::kCompute, 1}, {SkinningMode::kCompute, 4}, {SkinningMode::kVertex, 1},
                                {SkinningMode::kVertex, 4},  {SkinningMode::kCpu, 1},     {SkinningMode::kCpu, 4}};

inline std::string words_of(const How& how) {
  return name_of(how.mode) + std::string(", passes: ") + std::to_string(how.passes);
}

}  // namespace sinew::app
