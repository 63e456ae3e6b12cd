// A person that is clicked on: the ray through a point of the picture, what it hits, and what is said of it.
#include "crowd/picked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "renderer_fixture.h"
#include "scene/footing.h"
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

}  // namespace
}  // namespace sinew::app::test
