// People on rolling ground: soles, hips, heads and footprints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "crowd/recording.h"
#include "scene/camera.h"
#include "scene/footing.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

using test::Stage;

constexpr float kPlanted = 0.006f;  // meters above the ground that the clip is made for, of a vertex that touches it

/// The people of the hills, all of them near.
struct HillWalkers : Stage {
  HillWalkers() : Stage("hills", 60) { place(0); }

  /// Whether the clip has a vertex on the plane that it is made for.
  bool is_planted(uint32_t instance, Vec3 in_clip) const { return in_clip.y - scene.positions[instance].y < kPlanted; }
};

/// A sole that the clip has on the ground is on it, with all of its points: within a centimeter, over ten seconds. And
/// no foot that swings is in the ground.
TEST(Hills, PlantedSolesAreOnTheGround) {
  HillWalkers hills;
  float highest = -1, lowest = 1, lowest_of_all = 1, aside = 0;
  uint64_t planted = 0;
  for (double seconds = 0; seconds < 10; seconds += 0.23) {
    hills.place(seconds);
    for (uint32_t i = 0; i < hills.scene.count(); i += 3) {
      const std::vector<Vec3> vertices = hills.placed_vertices_of(i, seconds);
      const std::vector<Vec3> in_clip = hills.placed_vertices_of(i, seconds, false);
      for (size_t v = 0; v < vertices.size(); ++v) {
        const float above = vertices[v].y - hills.ground_at(vertices[v]);
        lowest_of_all = std::min(lowest_of_all, above);
        if (!hills.is_planted(i, in_clip[v])) continue;
        highest = std::max(highest, above), lowest = std::min(lowest, above), ++planted;
        aside = std::max(aside, std::hypot(vertices[v].x - in_clip[v].x, vertices[v].z - in_clip[v].z));
      }
    }
  }
  EXPECT_GT(planted, 20'000u);
  EXPECT_LT(highest, 0.01f);
  EXPECT_GT(lowest, -0.01f);
  EXPECT_GT(lowest_of_all, -0.012f);
  EXPECT_LT(aside, 0.1f) << "feet are beside where the clip has them";
}

/// However low the camera of a run is asked to be, and wherever it looks.
TEST(Hills, TheEyeIsAboveTheGround) {
  HillWalkers hills;
  CrowdOptions options;
  uint32_t lifted = 0;
  for (const float distance : {3.0f, 16.0f, 60.0f}) {
    for (const float turn : {0.0f, 80.0f, 200.0f}) {
      for (const float height : {0.0f, 2.0f, 30.0f}) {
        options.camera.distance = distance, options.camera.turn = turn, options.camera.height = height;
        options.camera.fov = 30;
        for (const Orbit& camera : {camera_at(options, hills.scene, 0), recorded_camera_at(options, hills.scene, 0)}) {
          const glm::vec3 eye = eye_of(camera);
          const float above = eye.y - hills.ground_at({eye.x, 0, eye.z});
          EXPECT_GT(above, 0.29f) << distance << " " << turn << " " << height;
          EXPECT_EQ(camera.target, frame_crowd(hills.scene).target);
          EXPECT_FLOAT_EQ(camera.field_of_view, 30 * kPi / 180);
          lifted += above < 0.31f;
          EXPECT_TRUE(height < 30 || distance < 60 || std::abs(eye.y - 30) < 0.01f) << "high enough as it is";
        }
      }
    }
  }
  EXPECT_GT(lifted, 6u);
}

TEST(Hills, WalkersAreAsFastAlongTheGroundAsTheirSteps) {
  HillWalkers hills;
  uint32_t walkers = 0;
  for (const double seconds : {0.0, 7.0, 100.0}) {
    hills.place(seconds);
    const std::vector<Vec3> before = hills.scene.positions;
    hills.place(seconds + 0.1);
    for (uint32_t i = 0; i < hills.scene.count(); ++i) {
      if (!hills.scene.moves(i)) continue;
      Vec3 moved = hills.scene.positions[i] - before[i];
      moved.y = hills.ground_at(hills.scene.positions[i]) - hills.ground_at(before[i]);
      EXPECT_NEAR(length(moved), 0.1f * hills.scene.speed_of(i), 0.001f) << i;
      ++walkers;
    }
  }
  EXPECT_GT(walkers, 40u);
}

/// Hips go down where a foot is low. From frame to frame nothing jumps: neither they nor what is asked of feet and
/// heads.
TEST(Hills, NothingJumps) {
  HillWalkers hills;
  hills.place(2);
  float most = 0;
  for (uint32_t frame = 1; frame < 240; ++frame) {
    const std::vector<Lowered> lowered = hills.scene.lowered;
    const std::vector<ChainTarget> targets = hills.scene.targets;
    hills.place(2 + frame / 60.0);
    ASSERT_EQ(hills.scene.lowered.size(), hills.scene.count());
    ASSERT_EQ(targets.size(), hills.scene.targets.size());
    for (size_t i = 0; i < lowered.size(); ++i) {
      const float now = hills.scene.lowered[i].meters;
      EXPECT_TRUE(now >= 0 && now < 0.25f) << i << ", frame " << frame;
      EXPECT_NEAR(now, lowered[i].meters, 0.012f) << i << ", frame " << frame;
      most = std::max(most, now);
    }
    for (size_t i = 0; i < targets.size(); ++i)
      EXPECT_LT(length(hills.scene.targets[i].position - targets[i].position), 0.16f) << i << ", frame " << frame;
  }
  EXPECT_GT(most, 0.04f);
}

/// Further away than the nearest people, feet are let go with the distance, and beyond there are no targets.
TEST(Hills, FeetAreLetGoWithTheDistance) {
  Stage stage("hills", 900);
  stage.place(1);
  const uint32_t near = stage.scene.near_people;
  EXPECT_EQ(near, 100u);
  EXPECT_EQ(stage.scene.lowered.size(), near + near / 3);
  uint32_t full = 0, fading = 0;
  for (const ChainTarget& target : stage.scene.targets) {
    if (!std::holds_alternative<TwoBoneChain>(stage.models[0].chains[target.chain].kind)) continue;
    full += target.weight == 1, fading += target.weight < 1 && target.weight > 0;
  }
  EXPECT_NEAR(full, 2 * near, 4);
  EXPECT_GT(fading, near / 2);
}

TEST(Hills, HeadsFollowTheBalloon) {
  HillWalkers hills;
  const auto chain = std::ranges::find(hills.models[0].chains, "head", &Chain::name);
  ASSERT_NE(chain, hills.models[0].chains.end());
  const auto index = uint32_t(chain - hills.models[0].chains.begin());
  for (const double seconds : {0.0, 13.0}) {
    hills.place(seconds);
    uint32_t heads = 0;
    for (const ChainTarget& target : hills.scene.targets) {
      if (target.chain != index) continue;
      const Vec3 at = transform_point(world_from_model(hills.scene, target.instance), target.position);
      EXPECT_LT(length(at - hills.scene.balloon->at(seconds)), 1e-3f);
      ++heads;
    }
    EXPECT_EQ(heads, hills.scene.count());
  }
}

/// The middle of the vertices of a foot that are on the ground near a point.
Vec3 sole_near(HillWalkers& hills, uint32_t instance, double seconds, Vec3 point) {
  const std::vector<Vec3> vertices = hills.vertices_of(instance, seconds),
                          in_clip = hills.placed_vertices_of(instance, seconds, false);
  Vec3 sum;
  float count = 0;
  for (size_t v = 0; v < vertices.size(); ++v) {
    if (hills.is_planted(instance, in_clip[v]) && length(vertices[v] - point) < 0.25f) sum = sum + vertices[v], ++count;
  }
  EXPECT_GT(count, 6);
  return sum * (1 / count);
}

/// A print is where the sole is that has just landed, and stays there.
TEST(Hills, FootprintsAreWhereFeetLand) {
  HillWalkers hills;
  uint32_t compared = 0;
  for (uint32_t i = 0; i < hills.scene.count() && compared < 20; ++i) {
    if (!hills.scene.moves(i)) continue;
    std::vector<Footprint> prints, later;
    const double seconds = 20 + 0.37 * i;
    add_footprints(hills.model_of(i), hills.scene, i, seconds, prints);
    ASSERT_GT(prints.size(), 8u);
    const Footprint newest = *std::ranges::min_element(prints, {}, &Footprint::age_seconds);
    // The sole is flat on the ground some time after its heel has landed.
    const double flat = seconds - double(newest.age_seconds) + 0.2 / double(hills.scene.speeds[i]);
    EXPECT_LT(length(sole_near(hills, i, flat, newest.at) - newest.at), 0.04f) << i;
    add_footprints(hills.model_of(i), hills.scene, i, seconds + 1, later);
    const auto same =
        std::ranges::find_if(later, [&](const Footprint& print) { return length(print.at - newest.at) < 1e-3f; });
    ASSERT_NE(same, later.end());
    EXPECT_NEAR(same->age_seconds, newest.age_seconds + 1, 1e-3f);
    ++compared;
  }
  EXPECT_EQ(compared, 20u);
}

TEST(Hills, FootprintsAreDrawnJustAboveTheGroundAndFade) {
  Footprint print{{1, 2, 3}, {0, 0, 1}, {0, 1, 0}, 1, 0};
  std::vector<StandVertex> fresh, old;
  draw_footprint(print, fresh);
  print.age_seconds = kFootprintSeconds;
  draw_footprint(print, old);
  ASSERT_EQ(fresh.size(), 18u);
  for (size_t i = 0; i < fresh.size(); i += 3) {
    const Vec3 a = fresh[i].position;
    EXPECT_GT(cross(fresh[i + 1].position - a, fresh[i + 2].position - a).y, 0) << "seen from above";
    EXPECT_NEAR(a.y, 2.007f, 1e-4f);
    EXPECT_LT(std::abs(a.z - 3), 0.13f);
    EXPECT_LT(fresh[i].color & 255, old[i].color & 255);
  }
}

TEST(Hills, TheGroundThatIsDrawnIsTheOneThatIsWalkedOn) {
  const HillWalkers hills;
  uint32_t compared = 0;
  for (size_t i = 0; i + 2 < hills.scene.stands.size(); i += 3) {
    const Vec3 a = hills.scene.stands[i].position, b = hills.scene.stands[i + 1].position;
    const Vec3 middle = (a + b + hills.scene.stands[i + 2].position) * (1.0f / 3);
    // The corners of the ground are on it; those of plants are not.
    if (std::hypot(middle.x, middle.z) > 12 || std::abs(a.y - hills.ground_at(a)) > 1e-4f) continue;
    if (std::abs(b.y - hills.ground_at(b)) > 1e-4f) continue;
    EXPECT_NEAR(middle.y, hills.ground_at(middle), 0.004f);
    ++compared;
  }
  EXPECT_GT(compared, 10'000u);
}

TEST(Hills, WithoutChainsPeopleStandOnTheGroundAsTheyAre) {
  Stage stage("hills", 30);
  for (Model& model : stage.models) model.chains.clear();
  stage.place(4);
  EXPECT_TRUE(stage.scene.targets.empty());
  for (const Vec3 at : stage.scene.positions) EXPECT_NEAR(at.y, stage.ground_at(at), 1e-4f);
}

}  // namespace
}  // namespace sinew::app
