// The scene of the viewer: its grid, where characters stand, and what the camera frames.
#include "viewer/view_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "must.h"
#include "viewer/viewer.h"

namespace sinew::app {
namespace {

constexpr uint32_t kWidth = 800, kHeight = 600;

/// A model in meters, without a mesh.
Model make_block(float height, float radius) {
  Model model;
  model.height = height, model.radius = radius;
  return model;
}

/// Around a block that stands at x.
Box box_of(const Model& model, float x) {
  return {{x - model.radius, 0, -model.radius}, {x + model.radius, model.height, model.radius}};
}

/// How far the corners of a box are from the edges of a picture of 900 rows; below 0 where one is outside.
float inside_by(const Orbit& camera, const Box& box, float aspect) {
  const View view = view_of(camera, uint32_t(std::lround(900 * aspect)), 900);
  float nearest = 1e9f;
  for (const Vec3& corner : corners_of(box)) {
    const auto at = must(to_picture(view, corner));
    nearest = std::min({nearest, at.x, at.y, float(view.width) - at.x, float(view.height) - at.y});
  }
  return nearest;
}

TEST(ViewScene, TheLargerSideOfTheModelIsOneToTenCells) {
  const std::pair<float, double> sizes[] = {{1.8f, 1}, {0.5f, 0.1}, {12, 10}, {0.02f, 0.01}};
  for (const auto& [height, cell] : sizes) {
    const GridScale grid = grid_for(make_block(height, 0.1f * height));
    EXPECT_NEAR(grid.file_meters, cell, 1e-9) << height;
    EXPECT_NEAR(grid.world_meters, cell, 1e-6) << height;
  }
  EXPECT_NEAR(grid_for(make_block(0.5f, 4)).file_meters, 1, 1e-9) << "8 m wide";
}

TEST(ViewScene, TheGridIsOfTheFilesOwnMeters) {
  Model model = make_block(1.8f, 0.4f);  // drawn 100 times smaller than the file says: it is 180 m tall
  for (int i = 0; i < 3; ++i) model.world_from_model.m[i][i] = 0.01f;
  const GridScale grid = grid_for(model);
  EXPECT_NEAR(grid.file_meters, 100, 1e-4);
  EXPECT_NEAR(grid.world_meters, 1, 1e-5);
  const Model others[] = {make_block(1.8f, 0.4f), model};
  EXPECT_TRUE(has_one_scale(std::span(others).first(1)));
  EXPECT_FALSE(has_one_scale(others));
  const Model same[] = {make_block(1.8f, 0.4f), make_block(12, 3)};
  EXPECT_TRUE(has_one_scale(same)) << "of several sizes";
}

TEST(ViewScene, CharactersStandSideBySideAroundTheMiddle) {
  const Model models[] = {make_block(2, 0.5f), make_block(1, 0.3f), make_block(3, 1)};
  const Scene scene = make_view_scene(models);
  ASSERT_EQ(scene.count(), 3u);
  EXPECT_NEAR(scene.positions[0].x, -scene.positions[2].x, 1e-6);
  for (size_t i = 1; i < 3; ++i) {
    EXPECT_GT(scene.positions[i].x - scene.positions[i - 1].x, models[i].radius + models[i - 1].radius);
    EXPECT_EQ(world_from_model(scene, uint32_t(i)).m[0][3], scene.positions[i].x);
  }
}

TEST(ViewScene, MovesAnInstanceInModelSpaceFromItsPlace) {
  std::vector<Model> models = {make_block(2, 0.5f), make_block(2, 0.5f)};
  models[1].world_from_model = {{{0, 0, 0.5f, 0}, {0, 0.5f, 0, 0}, {-0.5f, 0, 0, 0}}};
  Scene scene = make_view_scene(models);
  Matrix3x4d moved;
  moved.m[0][3] = 4;
  move_instance(models, 1, moved, scene);
  const Matrix3x4 placed = world_from_model(scene, 1);
  EXPECT_NEAR(placed.m[0][3], scene.positions[1].x, 1e-6);
  EXPECT_NEAR(placed.m[2][3], -2, 1e-6);
}

/// The corners that are near the eye look larger than the middle.
TEST(ViewScene, CamerasFrameBoxesWithAllTheirCorners) {
  const Model cubes[] = {make_block(1.8f, 0.9f)}, people[] = {make_block(2, 0.5f), make_block(2, 0.5f)};
  const Scene cube_scene = make_view_scene(cubes), people_scene = make_view_scene(people);
  const Box cube = box_of(cubes[0], 0), high{{3, 5, -2}, {5, 6, -1}};
  Orbit from;
  turn_to(kCameraPresets[3], from);
  for (const float aspect : {0.5f, 1.0f, 16.0f / 9}) {
    SCOPED_TRACE(aspect);
    for (const Orbit& camera : {frame_scene(cube_scene, aspect), frame_box(cube, frame_scene(cube_scene, 1), aspect)}) {
      EXPECT_GT(inside_by(camera, cube, aspect), 0);
      EXPECT_LT(inside_by(camera, cube, aspect), 90) << "it fills the picture";
    }
    for (uint32_t i = 0; i < 2; ++i)
      EXPECT_GT(inside_by(frame_scene(people_scene, aspect), box_of(people[i], people_scene.positions[i].x), aspect),
                0);
    const Orbit camera = frame_box(high, from, aspect);
    EXPECT_GT(inside_by(camera, high, aspect), 0);
    EXPECT_EQ(camera.yaw, from.yaw);
    EXPECT_LT(glm::distance(camera.target, glm::vec3(4, 5.5f, -1.5f)), 1e-5f);
  }
}

TEST(ViewScene, CamerasFrameOneCharacter) {
  const Model models[] = {make_block(2, 0.5f), make_block(2, 0.5f)};
  const Scene scene = make_view_scene(models);
  const float x = scene.positions[1].x, aspect = float(kWidth) / kHeight;
  const View view = view_of(frame_box(box_of(models[1], x), frame_scene(scene, aspect), aspect), kWidth, kHeight);
  const auto feet = must(to_picture(view, {x, 0, 0})), head = must(to_picture(view, {x, 2, 0}));
  EXPECT_GT(feet.y - head.y, 0.6f * kHeight);
  EXPECT_LT(feet.y - head.y, 0.95f * kHeight);
}

TEST(ViewScene, ZoomKeepsPointsInThePicture) {
  const Model models[] = {make_block(2, 0.5f)};
  const Scene scene = make_view_scene(models);
  for (const float aspect : {0.6f, 1.6f}) {
    const Orbit framed = frame_scene(scene, aspect);
    const uint32_t width = uint32_t(std::lround(600 * aspect));
    for (const Vec3 head : {Vec3{0, 2, 0}, Vec3{0.4f, 1.8f, 0.9f}, Vec3{-0.5f, 0.3f, -0.5f}}) {
      for (const float times : {1.5f, 2.0f, 5.0f, 60.0f}) {
        const Orbit camera = zoomed(framed, 1 / times, {&head, 1}, aspect);
        EXPECT_FLOAT_EQ(camera.distance, framed.distance / times);
        const auto at = must(to_picture(view_of(camera, width, 600), head));
        EXPECT_GE(std::min({at.x / float(width), 1 - at.x / float(width), at.y / 600, 1 - at.y / 600}), 0.019f)
            << times << ": " << at.x << " " << at.y;
      }
    }
    const Vec3 ends[] = {{0, 2, 0}, {0, 1.6f, 0}};
    EXPECT_EQ(zoomed(framed, 2, ends, aspect).target, framed.target) << "they are in the picture already";
    EXPECT_EQ(zoomed(framed, 0.5f, {}, aspect).target, framed.target) << "there are none";
    const View near = view_of(zoomed(framed, 0.1f, ends, aspect), width, 600);
    EXPECT_NEAR(to_picture(near, {0, 1.8f, 0})->y, 300, 100) << "their middle, where they are too large";
  }
}

/// Characters look along +z, and have their left hand at +x.
TEST(ViewScene, PresetsLookFromTheSideThatTheyName) {
  Orbit front, left;
  front.distance = left.distance = 5;
  turn_to(kCameraPresets[1], front);
  turn_to(kCameraPresets[3], left);
  EXPECT_GT(view_of(front, kWidth, kHeight).eye.z, 4);
  EXPECT_GT(view_of(left, kWidth, kHeight).eye.x, 4);
}

}  // namespace
}  // namespace sinew::app
