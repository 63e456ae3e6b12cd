// Feet in the scenes: those that stand on the ground stay where they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene/scenes/scenes.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

using test::children_of;
using test::Stage;

/// The meters that feet slide while they touch the ground, from one frame to the next: 30 frames per second; 60 of
/// those who walk on loops, because who turns also turns the foot he stands on. A foot slides as far as that of its
/// points that moves least: others roll.
std::vector<float> slides_of(Stage& stage, uint32_t instance) {
  constexpr float kNone = 1e9f;
  constexpr uint32_t kPlanted = 6;  // vertices: with fewer the last tip of a toe leaves the ground
  const float touching = 0.004f * stage.scene.looks[instance].turn.scale();  // above the ground; children are small
  const auto above_ground = [&](Vec3 point) { return point.y - stage.ground_at(point); };
  std::vector<float> slides;
  std::vector<Vec3> before = stage.vertices_of(instance, 3);
  const uint32_t per_second = stage.scene.roles.empty() ? 30 : 60;
  for (uint32_t frame = 1; frame < 2 * per_second; ++frame) {
    std::vector<Vec3> now = stage.vertices_of(instance, 3 + frame / double(per_second));
    float slide[2] = {kNone, kNone};  // of the foot to the left of the middle, and to the right
    uint32_t touch[2] = {0, 0};
    const Turn turn = stage.scene.looks[instance].turn;
    for (size_t v = 0; v < now.size(); ++v) {
      if (above_ground(before[v]) >= touching || above_ground(now[v]) >= touching) continue;
      const Vec3 from_middle = now[v] - stage.scene.positions[instance];
      const int foot = from_middle.x * turn.cosine - from_middle.z * turn.sine > 0;
      slide[foot] = std::min(slide[foot], std::hypot(now[v].x - before[v].x, now[v].z - before[v].z));
      ++touch[foot];
    }
    for (const int foot : {0, 1}) {
      if (touch[foot] >= kPlanted) slides.push_back(slide[foot]);
    }
    before = std::move(now);
  }
  return slides;
}

/// Feet that stand go over the ground with their person: 2 % of the way would mean a wrong speed. They do so in the
/// clips' frames; between two of them feet are where interpolated rotations put them, up to 0.9 % beside that on
/// average, and a heel that still comes down moves by up to 4.5 mm.
void expect_planted(Stage& stage) {
  uint32_t seen = 0;
  for (uint32_t instance = 0; instance < stage.scene.count() && seen < 8; ++instance) {
    if (!stage.scene.moves(instance) || mix(instance) % 2 != 0) continue;
    ++seen;
    std::vector<float> slides = slides_of(stage, instance);
    ASSERT_GT(slides.size(), 15u);
    EXPECT_LT(*std::max_element(slides.begin(), slides.end()), 0.0045f) << "instance " << instance;
    std::nth_element(slides.begin(), slides.begin() + std::ptrdiff_t(slides.size() / 2), slides.end());
    const float frame_meters = stage.scene.speed_of(instance) / (stage.scene.roles.empty() ? 30 : 60);
    EXPECT_LT(slides[slides.size() / 2], 0.0125f * frame_meters)
        << "instance " << instance << " does not move at the speed of its clip";
  }
  EXPECT_GT(seen, 1u);
}

TEST(MovingScenes, PlantedFeetDoNotSlide) {
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(std::string(kind.name));
    Stage stage(kind, 100);
    if (stage.scene.moves()) expect_planted(stage);
  }
}

TEST(Children, WalkAtTheSpeedOfTheirStepsAndOthersWalkSlowerWithThem) {
  for (const char* name : {"festival", "square"}) {
    Stage stage(name, 1);
    const Scene without = find_scene(name)->make(stage.models, {300, 1});
    stage.scene = find_scene(name)->make(stage.models, {300, 1, 0.5f});
    uint32_t walking = 0;
    for (const uint32_t child : children_of(stage.scene)) {
      if (!stage.scene.moves(child)) continue;
      EXPECT_LT(stage.scene.speed_of(child), 0.9f * without.meters_per_second) << name;
      EXPECT_LT(stage.scene.speeds[child], 1.4f) << name << ": so many steps are a trot";
      EXPECT_NEAR(stage.scene.speeds[child] * stage.scene.looks[child].turn.scale(), 0.85f, 0.01f) << name;
      if (++walking > 6) continue;
      std::vector<float> slides = slides_of(stage, child);
      EXPECT_LT(*std::max_element(slides.begin(), slides.end()), 0.004f) << name << " " << child;
    }
    EXPECT_GT(walking, 3u) << name;
  }
}

}  // namespace
}  // namespace sinew::app
