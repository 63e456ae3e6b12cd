// Shadows: the views of the maps, and pictures compared with rays traced against triangles skinned on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "built_in.h"
#include "child.h"
#include "instances.h"
#include "long_run.h"
#include "picture.h"
#include "render/shadow_maps.h"
#include "scene/exact_poses.h"
#include "scene/scenes/scenes.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

using glm::vec3;
using glm::vec4;

TEST(ShadowMaps, SizeDependsOnThePictureAndTheDevice) {
  Device device;
  device.info.limits.maxImageDimension2D = device.info.limits.maxFramebufferWidth = 16384;
  device.info.limits.maxFramebufferHeight = 16384;
  device.info.limits.maxViewportDimensions[0] = device.info.limits.maxViewportDimensions[1] = 16384;
  EXPECT_EQ(shadow_map_size(device, 64, 36), 128u);
  EXPECT_EQ(shadow_map_size(device, 320, 180), 512u);
  EXPECT_EQ(shadow_map_size(device, 1280, 720), 2048u);
  EXPECT_EQ(shadow_map_size(device, 90, 2000), 2048u);
  EXPECT_EQ(shadow_map_size(device, 16384, 9000), 4096u);
  EXPECT_GE(shadow_map_size(device, 1, 1), 16u);
  device.info.limits.maxViewportDimensions[1] = 1024;
  EXPECT_EQ(shadow_map_size(device, 1280, 720), 1024u);
}

/// The shadow maps used at a distance from the eye: the first whose end is not nearer, and the next one where it fades
/// into that.
std::vector<ShadowView> maps_at(const std::vector<ShadowView>& views, float distance) {
  const auto found = std::find_if(views.begin(), views.end(), [&](const auto& view) { return distance <= view.end; });
  if (found == views.end()) return {};
  const bool fades = distance > shared::kShadowFade * found->end && found + 1 != views.end();
  return {found, found + (fades ? 2 : 1)};
}

bool is_visible(const View& view, vec3 p) {
  const vec4 c = view.clip_from_world * vec4(p, 1);
  return std::abs(c.x) <= c.w && std::abs(c.y) <= c.w && c.z >= 0 && c.z <= c.w;
}

/// `border` is a share of the map on each side.
bool is_in_map(const ShadowView& map, vec3 p, float border) {
  const vec4 c = map.clip_from_world * vec4(p, 1);
  const float inside = 1 - 2 * border;
  return std::abs(c.x) <= inside && std::abs(c.y) <= inside && c.z >= 0 && c.z <= 1 && c.w == 1;
}

vec3 to_sun_of(const Scene& scene) {
  const Vec3 to_sun = colors_of(scene.light).to_sun;
  return {to_sun.x, to_sun.y, to_sun.z};
}

/// Checks the maps of one camera at points of all visible instances. Returns the number of points that were checked in
/// a second map.
uint32_t expect_points_in_maps(const Scene& scene, const View& view, uint32_t maps, uint32_t size) {
  const vec3 sun = to_sun_of(scene);
  const float border = (kShadowTexels - 1) / float(size);  // all but the texel that snapping may take
  const auto views = shadow_views(scene, view, maps, size);
  EXPECT_EQ(views.size(), maps);
  EXPECT_TRUE(std::is_sorted(views.begin(), views.end(), [](auto& a, auto& b) { return a.end < b.end; }));
  uint32_t second = 0;
  for (const CrowdInstance& instance : test::instances_of(scene)) {
    for (const float height : {0.0f, 0.9f, 1.8f}) {
      const vec3 p(instance.position.x, height, instance.position.z);
      if (!is_visible(view, p)) continue;
      const std::vector<ShadowView> used = maps_at(views, glm::distance(p, view.eye));
      second += used.size() == 2;
      for (const ShadowView& map : used) {
        EXPECT_TRUE(is_in_map(map, p, border));
        EXPECT_TRUE(is_in_map(map, p + sun * ((2.2f - height) / sun.y), border))
            << "a point between this one and the sun is outside";
      }
    }
  }
  return second;
}

TEST(ShadowViews, ContainTheVisiblePointsAndAllBetweenThemAndTheSun) {
  const std::vector<Model> models = test::built_in_models();
  uint32_t second = 0;
  for (const uint32_t count : {1u, 40u, 3000u}) {
    const Scene scene = make_scene(models, count, 3);
    for (const uint32_t maps : {1u, 2u, 4u}) {
      for (float yaw = 0; yaw < 6; yaw += 1.1f) {
        Orbit orbit = frame_crowd(scene);
        orbit.yaw = yaw, orbit.pitch = 0.1f + 0.1f * yaw;
        for (const uint32_t size : {1024u, 64u})
          second += expect_points_in_maps(scene, view_of(orbit, 640, 360), maps, size);
      }
    }
  }
  EXPECT_GT(second, 1000u);
}

/// A point in texels of a map.
glm::dvec2 texel_of(const ShadowView& map, vec3 p, uint32_t size) {
  const vec4 c = map.clip_from_world * vec4(p, 1);
  return (glm::dvec2(c.x, c.y) * 0.5 + 0.5) * double(size);
}

TEST(ShadowViews, MoveByWholeTexelsWhenTheCameraTurns) {
  const std::vector<Model> models = test::built_in_models();
  constexpr uint32_t kSize = 1024;
  const Scene scene = make_scene(models, 3000, 3);
  const vec3 point(1.25f, 0.5f, -2.5f);
  Orbit orbit = frame_crowd(scene);
  const auto before = shadow_views(scene, view_of(orbit, 640, 360), 3, kSize);
  double moved = 0;
  for (int step = 0; step < 20; ++step) {
    orbit.yaw += 0.043f;
    const auto after = shadow_views(scene, view_of(orbit, 640, 360), 3, kSize);
    for (size_t map = 0; map < after.size(); ++map) {
      EXPECT_FLOAT_EQ(after[map].texel, before[map].texel);
      const glm::dvec2 offset = texel_of(after[map], point, kSize) - texel_of(before[map], point, kSize);
      for (const double texels : {offset.x, offset.y}) EXPECT_NEAR(texels, std::round(texels), 0.02);
      moved += std::abs(offset.x);
    }
  }
  EXPECT_GT(moved, 20) << "the maps do not follow the camera";
}

// --- pictures ---

/// One character's triangles in world space, and their bounding sphere.
struct Body {
  std::vector<std::array<vec3, 3>> triangles;
  vec3 center{0};
  float radius = 0;
};

Body body_of(const Model& model, const Scene& scene, uint32_t instance, double seconds) {
  const std::vector<Vec3> positions = exact_positions(model, 0, playback_at(model, scene.pace(instance), seconds));
  const auto world = [&](uint32_t vertex) {
    const Vec3 p = transform_point(world_from_model(scene, instance), positions[vertex]);
    return vec3(p.x, p.y, p.z);
  };
  Body body;
  body.center = vec3(scene.positions[instance].x, model.height / 2, scene.positions[instance].z);
  const std::vector<uint32_t>& indices = model.character.mesh.indices;
  for (size_t i = 0; i < indices.size(); i += 3) {
    body.triangles.push_back({world(indices[i]), world(indices[i + 1]), world(indices[i + 2])});
    for (const vec3& p : body.triangles.back()) body.radius = std::max(body.radius, glm::distance(p, body.center));
  }
  return body;
}

/// Source: Möller, Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997. The ray ends at from + ray.
bool hits(const std::array<vec3, 3>& triangle, vec3 from, vec3 ray) {
  const vec3 ab = triangle[1] - triangle[0], ac = triangle[2] - triangle[0], p = glm::cross(ray, ac);
  const float determinant = glm::dot(ab, p);
  if (std::abs(determinant) < 1e-12f) return false;
  const vec3 s = from - triangle[0], q = glm::cross(s, ab);
  const float u = glm::dot(s, p) / determinant, v = glm::dot(ray, q) / determinant, t = glm::dot(ac, q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < 1;
}

bool is_blocked(const std::vector<Body>& bodies, vec3 from, vec3 ray) {
  return std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) {
    const vec3 normal_offset = glm::cross(body.center - from, glm::normalize(ray));
    if (glm::dot(normal_offset, normal_offset) > body.radius * body.radius) return false;
    return std::any_of(body.triangles.begin(), body.triangles.end(), [&](const auto& t) { return hits(t, from, ray); });
  });
}

enum class Lit { kSun, kShade, kEdge };

/// The light at a point on the ground. At an edge, points 7 cm away have another light.
Lit light_on_ground(const std::vector<Body>& bodies, vec3 point) {
  const vec3 sun = 10.0f * to_sun_of(Scene());
  uint32_t shaded = 0;
  for (int x = -1; x <= 1; ++x) {
    for (int z = -1; z <= 1; ++z) shaded += is_blocked(bodies, point + 0.07f * vec3(x, 0, z), sun);
  }
  return shaded == 0 ? Lit::kSun : shaded == 9 ? Lit::kShade : Lit::kEdge;
}

test::Picture picture_of(std::vector<std::string> more) {
  const test::Folder folder;
  std::vector<std::string> arguments{"crowd",    "--scene",  "crowd",      test::kCharacter,  "--characters",
                                     "4",        "--frames", "1",          "--warmup",        "0",
                                     "--camera", "fixed",    "--size",     "320x180",         "--samples-per-pixel",
                                     "1",        "--lod",    "off",        "--start-seconds", "20",
                                     "--seed",   "2",        "--validate", "--screenshot",    folder.path("a.png")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const test::Outcome outcome = test::sinew(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.exit_code == 0 ? test::read_png(folder.path("a.png")) : test::Picture{};
}

int brightness(const test::Picture& picture, int x, int y) {
  const uint8_t* pixel = &picture.rgba[size_t(y * picture.width + x) * 4];
  return pixel[0] + pixel[1] + pixel[2];
}

TEST(Shadows, AreWhereRaysToTheSunAreBlocked) {
  SINEW_SKIP_WITHOUT_DEVICE();
  std::vector<Model> models = test::built_in_models();
  find_scene("crowd")->choose_clips(models[0]);
  const Scene scene = make_scene(models, 4, 2);
  std::vector<Body> bodies;
  for (uint32_t i = 0; i < scene.count(); ++i) bodies.push_back(body_of(models[0], scene, i, 20));
  const View view = view_of(frame_crowd(scene), 320, 180);
  const glm::mat4 world_from_clip = glm::inverse(view.clip_from_world);
  const test::Picture empty = picture_of({"--shadow-maps", "1", "--rasterize", "off"});
  ASSERT_EQ(empty.width, 320);
  const int step = test::is_long_run() ? 4 : 8;
  constexpr float kMaxDistance = 25;  // meters; beyond it, soft shadows fade in where the last map fades out
  for (const char* maps : test::some_of({"2", "1"}, 1)) {
    const test::Picture picture = picture_of({"--shadow-maps", maps});
    ASSERT_EQ(picture.width, 320);
    uint32_t lit = 0, shaded = 0;
    for (int y = 2; y < 180; y += step) {
      for (int x = 2; x < 320; x += step) {
        const vec4 far = world_from_clip * vec4((float(x) + 0.5f) / 160 - 1, (float(y) + 0.5f) / 90 - 1, 1, 1);
        const vec3 ray = vec3(far) / far.w - view.eye;
        if (ray.y > -1e-3f * glm::length(ray)) continue;
        const vec3 to_ground = ray * (-view.eye.y / ray.y);
        if (glm::length(to_ground) > kMaxDistance || is_blocked(bodies, view.eye, to_ground)) continue;
        const Lit light = light_on_ground(bodies, view.eye + to_ground);
        if (light == Lit::kEdge) continue;
        const double share = double(brightness(picture, x, y)) / brightness(empty, x, y);
        const bool in_shade = light == Lit::kShade;
        EXPECT_TRUE(in_shade ? share < 0.7 : share > 0.85)
            << (in_shade ? "in the shade " : "in the sun ") << x << "," << y << " has " << share << " of its light";
        lit += !in_shade, shaded += in_shade;
      }
    }
    EXPECT_GT(lit, step == 4 ? 300u : 75u);
    EXPECT_GT(shaded, step == 4 ? 20u : 5u);
  }
}

TEST(Shadows, AreAbsentWithoutRasterizedInstances) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const auto bare = picture_of({"--rasterize", "off"});
  ASSERT_EQ(bare.width, 320);
  for (const char* skinning : {"compute", "vertex"}) {
    const auto with_maps = picture_of({"--rasterize", "off", "--shadow-maps", "4", "--skinning", skinning});
    EXPECT_LT(test::difference(bare, with_maps).mean, 0.01) << skinning;
  }
}

}  // namespace
}  // namespace sinew::app
