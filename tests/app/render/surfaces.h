// A blue cloth in front of a red wall, drawn, and the pixels of the picture.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "renderer_fixture.h"
#include "skinning/skinning.h"
#include "viewer/view_scene.h"

namespace sinew::app {

inline constexpr uint32_t kWidth = 100, kHeight = 80;

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

/// How pictures are made.
struct How {
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t passes = 1;
  Coloring coloring = Coloring::kLit;
};

inline constexpr How kHows[] = {{SkinningMode::kCompute, 1}, {SkinningMode::kCompute, 4}, {SkinningMode::kVertex, 1},
                                {SkinningMode::kVertex, 4},  {SkinningMode::kCpu, 1},     {SkinningMode::kCpu, 4}};

inline std::string words_of(const How& how) {
  return name_of(how.mode) + std::string(", passes: ") + std::to_string(how.passes);
}

/// What one picture shows, from the front or from elsewhere.
struct Exhibit {
  Character character;
  float yaw = 0;       // of the camera
  uint32_t tint = 0;   // of the instance
  int8_t stretch = 0;  // of the instance
};

/// The picture of an exhibit.
struct Photo {
  std::vector<uint8_t> rgba;
  Orbit orbit;

  /// The pixel at a point of the world.
  Color at(float x, float y, float z) const {
    const glm::vec4 clip = clip_from_world(orbit, float(kWidth) / kHeight) * glm::vec4(x, y, z, 1);
    const auto column = uint32_t((clip.x / clip.w + 1) / 2 * kWidth),
               row = uint32_t((clip.y / clip.w + 1) / 2 * kHeight);
    EXPECT_TRUE(column < kWidth && row < kHeight);
    const uint8_t* pixel = &rgba[4 * (size_t(row) * kWidth + column)];
    return {pixel[0], pixel[1], pixel[2]};
  }
  Color left() const { return at(-0.25f, 1, 0.2f); }  // half of the cloth
  Color right() const { return at(0.25f, 1, 0.2f); }
  Color wall() const { return at(0, 1.8f, 0); }
};

inline bool is_red(Color c) { return c.r > 2 * c.b; }
inline bool is_blue(Color c) { return c.b > 2 * c.r; }

/// What is drawn, and what its pictures show.
struct SurfaceCase {
  const char* what;
  std::vector<Exhibit> exhibits;
  std::function<void(std::span<const Photo> seen, const How& how)> check;
};

class Surfaces : public test::RendererTest {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    set_up_for(Coloring::kVelocity);
  }

  /// All surfaces are drawn by one renderer, whose pipelines take most of the time: each in its turn stands in the
  /// middle, and the others far away.
  void expect_seen(const std::vector<SurfaceCase>& surfaces, const How& how) {
    std::vector<Exhibit> exhibits;
    for (const SurfaceCase& surface : surfaces)
      exhibits.insert(exhibits.end(), surface.exhibits.begin(), surface.exhibits.end());
    std::vector<Photo> seen;
    ASSERT_NO_FATAL_FAILURE(draw(exhibits, how, seen)) << words_of(how);
    std::span<const Photo> left = seen;
    for (const SurfaceCase& surface : surfaces) {
      SCOPED_TRACE(std::string(surface.what) + ": " + words_of(how));
      surface.check(left.first(surface.exhibits.size()), how);
      left = left.subspan(surface.exhibits.size());
    }
    EXPECT_EQ(validation_messages(context_.instance), 0u) << words_of(how);
  }

  void draw(std::vector<Exhibit>& exhibits, const How& how, std::vector<Photo>& seen) {
    std::vector<Model> models;
    for (Exhibit& exhibit : exhibits) {
      ModelOptions options;
      options.tinted = false;
      models.push_back(must(make_model("cloth", {std::move(exhibit.character), {}, {}}, options)));
      models.back().world_from_model = {};
    }
    const CrowdInstance one = make_scene(std::span(models).first(1), 1, 3).instance(0);  // all do the same
    Scene scene = make_view_scene(models);
    scene.radius = 1, scene.grid_meters = 0;
    scene.playbacks.clear(), scene.randoms.assign(models.size(), one.random);
    for (size_t i = 0; i < exhibits.size(); ++i)
      scene.looks[i].tint = exhibits[i].tint, scene.stretches.push_back(exhibits[i].stretch);
    Evaluation evaluation(models, 1);
    RendererInfo info;
    info.skinning = {&evaluation, how.mode};
    info.skinning.planner.cull = info.skinning.planner.update_rate = false;
    info.samples = 1, info.width = kWidth, info.height = kHeight;
    info.draw.passes = how.passes, info.draw.coloring = how.coloring;
    auto renderer = must(Renderer::create(context_.device, models, scene, info));
    for (size_t shown = 0; shown < exhibits.size(); ++shown) {
      std::fill(scene.positions.begin(), scene.positions.end(), Vec3{1000, 0, 0});
      scene.positions[shown] = {};
      const Orbit orbit{.target = {0, 1, 0}, .yaw = exhibits[shown].yaw, .pitch = 0, .distance = 3};
      complete_frame(*renderer, {.camera = orbit});
      seen.push_back({picture_of(*renderer), orbit});
    }
  }
};

}  // namespace sinew::app
