// A person that is clicked on: the ray through a point of the picture, what it hits, and what is said of it. Lines over
// a crowd: whose bones are drawn, and where; and the pyramid of a camera.
#include "crowd/picked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <iterator>
#include <map>

#include "renderer_fixture.h"
#include "scene/exact_poses.h"
#include "scene/footing.h"
#include "scene/lines.h"
#include "scene/scenes/scenes.h"
#include "viewer/viewer.h"

namespace sinew::app::test {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kWidth = 320, kHeight = 180;

/// A camera that no axis and no symmetry helps.
Orbit some_camera() { return orbit_between({3, 2.5f, 7}, {-0.4f, 1.1f, 0.3f}); }

TEST(RayThrough, PassesThroughThePointsThatThePictureShowsThere) {
  const Orbit camera = some_camera();
  const View view = view_of(camera, kWidth, kHeight);
  for (const Vec3 point : {Vec3{0, 1, 0}, Vec3{-1, 0.2f, 1}, Vec3{1.5f, 2, -3}, Vec3{0.3f, 1.7f, 4}}) {
    const auto at = must(to_picture(view, point));
    const crowd::Ray ray = ray_through(camera, kWidth, kHeight, at.x, at.y);
    const Vec3 to = point - ray.origin;
    EXPECT_GT(dot(to, ray.direction), 0);
    EXPECT_LT(length(cross(normalize(to), normalize(ray.direction))), 1e-5f);
  }
}

using Rows = std::map<std::string, std::string>;

class PickedTest : public RendererTest {
 protected:
  void prepare() override {
    const SceneKind& hills = *find_scene("hills");
    hills.choose_clips(models_[0]);
    prepare_models();
    scene_ = hills.make(models_, {40, 1});
    camera_ = frame_crowd(scene_);
    evaluation_ = std::make_unique<Evaluation>(models_, 1, EvaluatorKind::kCrowd);
    renderer_ = must(Renderer::create(context_.device, models_, scene_, small_info(kWidth, kHeight)));
    place_scene(models_, camera_, 5, {}, scene_);
    complete_frame(*renderer_, {.seconds = 5, .camera = camera_});
  }

  std::optional<crowd::PickHit> pick(float x, float y) const {
    return must(renderer_->pick(ray_through(camera_, kWidth, kHeight, x, y)));
  }

  /// The nearest person in the picture.
  uint32_t nearest() const {
    const View view = view_of(camera_, kWidth, kHeight);
    uint32_t found = 0;
    float least = INFINITY;
    for (uint32_t i = 0; i < scene_.count(); ++i) {
      const auto at = to_picture(view, scene_.positions[i] + Vec3{0, 1, 0});
      const float distance = glm::distance(view.eye, chest_of(models_, scene_, i));
      if (!at || at->x < 0 || at->x > kWidth || at->y < 0 || at->y > kHeight || distance > least) continue;
      least = distance, found = i;
    }
    return found;
  }

  std::unique_ptr<Renderer> renderer_;
  Orbit camera_;
};

TEST_F(PickedTest, AClickOnAChestFindsItsPerson) {
  const uint32_t person = nearest();
  const glm::vec3 chest = chest_of(models_, scene_, person);
  const auto at = must(to_picture(view_of(camera_, kWidth, kHeight), {chest.x, chest.y, chest.z}));
  const auto hit = must(pick(at.x, at.y));
  EXPECT_EQ(hit.instance, person);
  EXPECT_LT(length(hit.point - Vec3{chest.x, chest.y, chest.z}), 0.5f);

  Rows rows;
  for (const auto& [name, value] : describe_picked(models_, renderer_->skinning().crowd(), hit)) rows[name] = value;
  EXPECT_EQ(rows["person"], std::to_string(person) + ": character");
  EXPECT_THAT(rows["update group"], HasSubstr("0: every frame")) << "its feet have targets";
  EXPECT_EQ(rows["pose"], "its own");
  EXPECT_THAT(rows["level of detail"], HasSubstr(std::to_string(hit.level) + ", "));
  EXPECT_EQ(rows["joint hit"], models_[0].character.skeleton.joint_names[size_t(hit.joint)]);
  const Playback playback = playback_at(models_[0], scene_.pace(person), 5);
  EXPECT_EQ(rows.count(models_[0].character.clips[playback.layers[0].clip].name), 1u);
}

TEST_F(PickedTest, AnInstanceThatIsNotDrawnIsSaidSo) {
  crowd::PickHit hit;
  hit.instance = scene_.count();
  const auto rows = describe_picked(models_, renderer_->skinning().crowd(), hit);
  EXPECT_EQ(rows.back(), (std::pair<std::string, std::string>{"drawn", "not in this frame"}));
}

TEST_F(PickedTest, TheRingIsOnTheGroundAroundThePerson) {
  Lines lines;
  add_ring(scene_, 3, 1, lines);
  ASSERT_GT(lines.tested.size(), 20u);
  EXPECT_EQ(lines.tested.size(), lines.through.size());
  for (const Line& line : lines.tested) {
    const float away = std::hypot(line.from[0] - scene_.positions[3].x, line.from[2] - scene_.positions[3].z);
    EXPECT_NEAR(away, 0.3f * scene_.tallest * scene_.looks[3].turn.scale(), 0.01f);
    EXPECT_NEAR(line.from[1], scene_.terrain->height(line.from[0], line.from[2]), 0.08f);
  }
}

class CrowdLines : public ::testing::Test {
 protected:
  void SetUp() override {
    models_ = built_in_models();
    const std::vector<bool> moving = moving_joints(models_[0].character);
    moving_count_ = size_t(std::count(moving.begin(), moving.end(), true));
  }

  void make(uint32_t count) {
    scene_ = make_scene(models_, count, 1);
    view_ = view_of(frame_crowd(scene_), 800, 600);
  }

  /// One posed mesh for each instance.
  void plan_each() {
    plan_ = {};
    plan_.groups.resize(1);
    const uint32_t count = uint32_t(scene_.count());
    plan_.batches.push_back({.model = 0, .level = 0, .first_mesh = 0, .mesh_count = count});
    for (uint32_t i = 0; i < count; ++i) {
      plan_.posed_meshes.push_back({.instance = i, .first_instance = i, .instance_count = 1});
      plan_.playbacks.push_back({});
      plan_.instances.push_back(i);
    }
  }

  Lines bones(double seconds = 3) {
    Lines lines;
    CrowdBones(models_).add({scene_, plan_, view_, seconds}, 1, lines);
    return lines;
  }

  static bool is_dot(const Line& line) {
    return std::equal(std::begin(line.from), std::end(line.from), std::begin(line.to));
  }
  size_t dots(const Lines& lines) { return size_t(std::count_if(lines.through.begin(), lines.through.end(), is_dot)); }
  glm::vec3 position_of(uint32_t i) const {
    const Vec3 p = scene_.positions[i];
    return {p.x, p.y, p.z};
  }

  std::vector<Model> models_;
  Scene scene_;
  crowd::Plan plan_;
  View view_;
  size_t moving_count_ = 0;
};

TEST_F(CrowdLines, BonesOfWhatThePlanDraws) {
  make(9);
  view_ = view_of({.target = {0, 1, 0}, .yaw = 0, .pitch = 0.5f, .distance = 30}, 800, 600);  // all are in front
  plan_each();
  EXPECT_EQ(dots(bones()), 9 * moving_count_);
  plan_.posed_meshes[4].instance_count = 0;
  EXPECT_EQ(dots(bones()), 8 * moving_count_);
  plan_.batches[0].previous_poses = true;
  EXPECT_EQ(dots(bones()), 0u);
}

TEST_F(CrowdLines, BonesOfTheNearestInFrontOfTheCamera) {
  make(600);
  view_ = view_of({.target = {0, 1, 0}, .yaw = 0, .pitch = 0.1f, .distance = 3}, 800, 600);  // in the middle of them
  plan_each();
  const Lines lines = bones();
  ASSERT_EQ(dots(lines), kMaxInstancesWithBones * moving_count_);
  std::vector<float> distances;
  for (uint32_t i = 0; i < scene_.count(); ++i) {
    const glm::vec3 position = position_of(i);
    if ((view_.clip_from_world * glm::vec4(position, 1)).w > 0) distances.push_back(length(position - view_.eye));
  }
  std::sort(distances.begin(), distances.end());
  ASSERT_GT(distances.size(), kMaxInstancesWithBones);
  for (const Line& line : lines.through) {
    const glm::vec3 from(line.from[0], line.from[1], line.from[2]);
    EXPECT_GT((view_.clip_from_world * glm::vec4(from, 1)).w, -2) << "behind the camera by more than an arm";
    EXPECT_LT(length(from - view_.eye), distances[kMaxInstancesWithBones] + 3) << "farther away, even with long arms";
  }
}

/// The dots of the only instance are where the exact evaluator has the joints.
TEST_F(CrowdLines, BonesAreInThePoseOfTheInstance) {
  make(1);
  view_ = view_of({.target = {0, 1, 0}, .yaw = 0, .pitch = 0.5f, .distance = 5}, 800, 600);
  plan_each();
  const auto expect_pose = [&](const Playback& playback, const Lines& lines) {
    std::vector<Matrix3x4> palette(models_[0].character.skin.palette_size());
    EvaluationScratch scratch;
    must(evaluate_exact(models_[0].character, {&playback, 1}, uint32_t(palette.size()), palette, scratch,
                        factors_of(models_[0].masks)));
    const std::vector<bool> moving = moving_joints(models_[0].character);
    std::vector<Line> dots;
    std::copy_if(lines.through.begin(), lines.through.end(), std::back_inserter(dots), is_dot);
    ASSERT_EQ(dots.size(), moving_count_);
    size_t dot = 0;
    for (uint32_t joint = 0; joint < moving.size(); ++joint) {
      if (!moving[joint]) continue;
      const Matrix3x4d& m = scratch.model_from_joint[joint];
      const Vec3 expected =
          transform_point(world_from_model(scene_, 0), {float(m.m[0][3]), float(m.m[1][3]), float(m.m[2][3])});
      const Line& line = dots[dot++];
      EXPECT_NEAR(line.from[0], expected.x, 1e-4);
      EXPECT_NEAR(line.from[1], expected.y, 1e-4);
      EXPECT_NEAR(line.from[2], expected.z, 1e-4);
    }
  };
  expect_pose(playback_at(models_[0], scene_.pace(0), 3), bones(3));
  plan_.posed_meshes[0].shared = true;  // then the pose is that of the plan
  plan_.playbacks[0] = playback_at(models_[0], scene_.pace(0), 8);
  expect_pose(plan_.playbacks[0], bones(3));
}

TEST_F(CrowdLines, APyramidEndsAtItsDepth) {
  const Orbit camera{.target = {1, 2, 3}, .yaw = 0.7f, .pitch = 0.3f, .distance = 4};
  const View view = view_of(camera, 800, 600);
  Lines lines;
  add_view_pyramid(view, 10, 1, lines);
  ASSERT_EQ(lines.tested.size(), 12u);
  const Axes axes = axes_of(camera);
  float deepest = 0, widest = 0;
  for (const Line& line : lines.tested) {
    const glm::vec3 away = glm::vec3(line.to[0], line.to[1], line.to[2]) - view.eye;
    deepest = std::max(deepest, dot(away, axes.forward));
    widest = std::max(widest, dot(away, axes.right));
    const glm::vec4 clip = view.clip_from_world * glm::vec4(view.eye + away, 1);
    EXPECT_NEAR(std::abs(clip.x / clip.w), 1, 1e-3) << "at a side of the picture";
    EXPECT_NEAR(std::abs(clip.y / clip.w), 1, 1e-3);
  }
  EXPECT_NEAR(deepest, 10, 1e-3);
  EXPECT_NEAR(widest, 10 * 400 / view.pixels_per_radian, 1e-2);
}

}  // namespace
}  // namespace sinew::app::test
