// Properties of all scenes: where instances are, on what they stand, and how bodies move together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "instances.h"
#include "scene/camera.h"
#include "scene/moving.h"
#include "scene/names.h"
#include "scene/scenes/placing.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

using test::children_of;
using test::Stage;

class EachScene : public ::testing::TestWithParam<std::string> {
 protected:
  const SceneKind& kind() const { return *find_scene(GetParam()); }
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SceneKind& kind : scene_kinds()) all.emplace_back(kind.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, EachScene, ::testing::ValuesIn(names()), [](const auto& of) { return of.param; });

/// The highest point of the stands at a place, up to a height; 0 where there is none.
float stand_height_at(const Scene& scene, float x, float z, float up_to = INFINITY) {
  float highest = 0;
  for (size_t corner = 0; corner + 2 < scene.stands.size(); corner += 3) {
    const Vec3 a = scene.stands[corner].position;
    const Vec3 ab = scene.stands[corner + 1].position - a, ac = scene.stands[corner + 2].position - a;
    const float area = ab.x * ac.z - ab.z * ac.x, dx = x - a.x, dz = z - a.z;
    if (std::abs(area) < 1e-9f) continue;  // upright
    const float u = (dx * ac.z - dz * ac.x) / area, v = (ab.x * dz - ab.z * dx) / area;
    const float height = a.y + u * ab.y + v * ac.y;
    if (u >= 0 && v >= 0 && u + v <= 1 && height <= up_to) highest = std::max(highest, height);
  }
  return highest;
}

bool same_person(const CrowdInstance& a, const CrowdInstance& b) {
  return length(a.position - b.position) == 0 && a.turn.cosine == b.turn.cosine && a.turn.sine == b.turn.sine &&
         a.tint == b.tint && a.random == b.random && a.speed == b.speed;
}

TEST_P(EachScene, IsDeterminedByTheSeed) {
  const Stage one(kind(), 200, 7), again(kind(), 200, 7), other(kind(), 200, 8);
  uint32_t differ = 0;
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_TRUE(same_person(one.scene.instance(i), again.scene.instance(i)));
    differ += !same_person(one.scene.instance(i), other.scene.instance(i));
  }
  EXPECT_GT(differ, 100u);
}

/// As many as were asked for, in batches one after the other; the camera sees them at any time, from above them.
TEST_P(EachScene, HasAsManyInstancesAsAreAskedForAndSeesThem) {
  for (const uint32_t count : {1u, 2u, 7u, 20u, 60u, 300u, 1001u, 5000u}) {
    Stage stage(kind(), count);
    ASSERT_EQ(stage.scene.count(), count);
    uint32_t in_batches = 0;
    for (const Batch& batch : stage.scene.batches) {
      EXPECT_EQ(batch.first_instance, in_batches);
      in_batches += batch.instance_count;
    }
    EXPECT_EQ(in_batches, count);
    EXPECT_GT(stage.scene.radius, 0);
    for (const double seconds : {0.0, 2.5, 10.0, 2000.0}) {
      move_scene(seconds, {}, stage.scene);
      const View view = view_of(frame_crowd(stage.scene, seconds), 1280, 720);
      uint32_t seen = 0;
      for (const Vec3 at : stage.scene.positions) {
        const glm::vec4 clip = view.clip_from_world * glm::vec4(at.x, at.y + 0.9f, at.z, 1);
        seen += clip.w > 0 && std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w;
        if (seconds > 0 || std::hypot(at.x - view.eye.x, at.z - view.eye.z) > 0.5f) continue;
        EXPECT_GT(view.eye.y, at.y + stage.scene.tallest) << count << ": the eye is in a person";
      }
      // A large crowd reaches further than it is seen.
      EXPECT_GE(seen, count > 2000 ? 200 : std::max(count / 5, 1u)) << count << " after " << seconds << " s";
      EXPECT_TRUE(seconds > 0 || view.eye.y > stand_height_at(stage.scene, view.eye.x, view.eye.z) + 0.3f)
          << count << ": the eye is in a stand";
    }
  }
}

TEST_P(EachScene, BodiesKeepTheirDistance) {
  Stage stage(kind(), 800);
  // A round crowd may stand closer, as it did before there were other scenes.
  const float width = kind().name == "crowd" ? 0.35f : body_width(stage.models);
  for (const double seconds : {0.0, 2.5, 10.0, 100.0, 5000.0}) {
    move_scene(seconds, {}, stage.scene);
    float nearest = 1e9f;
    for (uint32_t i = 0; i < 800; ++i) {
      for (uint32_t j = 0; j < i; ++j)
        nearest = std::min(nearest, length(stage.scene.positions[i] - stage.scene.positions[j]));
    }
    EXPECT_GE(nearest, width) << "after " << seconds << " s";
  }
}

TEST_P(EachScene, FeetAreOnTheGroundOrAStep) {
  if (kind().name == "hills") return;  // hills_test.cpp
  Stage stage(kind(), 300);
  for (uint32_t i = 0; i < 300; i += 29) {
    float lowest = 1e9f;
    for (double seconds = 0; seconds < 2; seconds += 0.1) {
      const Vec3 foot = std::ranges::min(stage.vertices_of(i, seconds), {}, &Vec3::y);
      lowest = std::min(lowest, foot.y - stand_height_at(stage.scene, foot.x, foot.z, foot.y + 0.1f));
    }
    EXPECT_NEAR(lowest, 0, 0.03) << "instance " << i;
  }
}

/// The march moves as a whole, others on loops; and how far each instance has moved is known.
TEST_P(EachScene, MovesThoseWhoWalk) {
  Stage stage(kind(), 200);
  const std::vector<CrowdInstance> before = test::instances_of(stage.scene);
  EXPECT_EQ(stage.scene.moves(), kind().name != "crowd" && kind().name != "stress");
  move_scene(4, {}, stage.scene);
  const Vec3 center = displacement_at(stage.scene, 4);
  EXPECT_EQ(center.z > 3, kind().name == "march");
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(same_person(before[i], stage.scene.instance(i)), !stage.scene.moves(i));
    const Vec3 moved = stage.scene.positions[i] - before[i].position;
    if (kind().name == "march") {
      EXPECT_LT(length(moved - center), 0.6) << i;
    }
    if (!stage.scene.moves(i)) continue;
    EXPECT_LT(length(moved), 4 * stage.scene.speed_of(i) + 0.6);
    EXPECT_GT(length(moved), 2 * stage.scene.speed_of(i)) << "most of a loop is not bent that much";
  }
  const std::vector<Vec3> then = stage.scene.positions;
  move_scene(4.02, {}, stage.scene);
  for (uint32_t i = 0; i < 200; ++i) {
    const Vec3 moved = moved_by(stage.scene, stage.scene.model_of(i), i);
    EXPECT_LT(length(moved - (stage.scene.positions[i] - then[i])), 3e-5) << i;
    EXPECT_EQ(length(moved) > 0.012f, stage.scene.moves(i));
    if (!stage.scene.moves(i) || stage.scene.roles.empty()) continue;
    const Turn turn = stage.scene.looks[i].turn;
    EXPECT_GT(dot(normalize(Vec3{moved.x, 0, moved.z}), turn({0, 0, 1})) / turn.scale(), 0.99f)
        << "walkers turn with their loop";
    EXPECT_FLOAT_EQ(turn.scale(), before[i].turn.scale());
  }
  move_scene(4.02, {}, stage.scene);
  EXPECT_EQ(length(moved_by(stage.scene, stage.scene.model_of(0), 0)), 0) << "the time is the same";
}

TEST_P(EachScene, BeginsAgainBeforeCoordinatesGetLarge) {
  Stage stage(kind(), 50);
  const float most = 1.2f * stage.scene.radius + (kind().name == "march" ? float(stage.scene.course_meters) : 0);
  for (const double seconds : {1e3, 1e5, 1e6}) {
    move_scene(seconds, {}, stage.scene);
    for (const Vec3 at : stage.scene.positions) EXPECT_LT(length(at), most);
  }
}

TEST_P(EachScene, NobodyPlaysAGaitOnTheSpot) {
  if (kind().name == "stress") return;
  Stage stage(kind(), 400);
  for (uint32_t i = 0; i < 400; ++i) {
    for (double seconds = 0; seconds < 30; seconds += 0.5) {
      for (const Layer& layer : playback_at(stage.model_of(i), stage.scene.pace(i), seconds).layers) {
        if (layer.weight == 0) continue;
        const bool gait = has_word(stage.model_of(i).character.clips[layer.clip].name, kGaitWords);
        ASSERT_EQ(gait, stage.scene.moves(i)) << "instance " << i;
      }
    }
  }
}

/// From a point to a triangle, or a little less.
float distance_to(Vec3 p, const StandVertex* corners) {
  const Vec3 a = corners[0].position, b = corners[1].position, c = corners[2].position;
  const Vec3 normal = normalize(cross(b - a, c - a));
  const float above = dot(p - a, normal);
  const Vec3 q = p - normal * above;
  float outside = 0;
  const Vec3 ends[][2] = {{a, b}, {b, c}, {c, a}};
  for (const auto& [from, to] : ends) outside = std::max(outside, dot(q - from, normalize(cross(to - from, normal))));
  return std::hypot(above, outside);
}

TEST_P(EachScene, NobodyIsInAWallOrAStall) {
  constexpr float kBody = 0.15f;  // meters
  for (const uint32_t count : {60u, 1500u}) {
    Stage stage(kind(), count);
    const auto& stands = stage.scene.stands;
    for (const double seconds : {0.0, 7.0, 31.0}) {
      move_scene(seconds, {}, stage.scene);
      for (uint32_t i = 0; i < count; i += 3) {
        const Vec3 feet = stage.scene.positions[i];
        if (feet.y != 0 || (seconds > 0 && !stage.scene.moves(i))) continue;  // not on the steps of a stand
        for (size_t t = 0; t < stands.size(); t += 3) {
          if (length(stands[t].position - feet) > 30) continue;
          for (const float height : {0.5f, 1.0f, 1.5f})
            ASSERT_GT(distance_to(feet + Vec3{0, height, 0}, &stands[t]), kBody)
                << count << ": instance " << i << " at " << feet.x << ", " << feet.z << " after " << seconds << " s";
        }
      }
    }
  }
}

TEST_P(EachScene, StandsAreSeenFromOutsideAndAreFew) {
  for (const uint32_t count : {40u, 1000u, 200'000u}) {
    const Stage stage(kind(), count);
    const auto& stands = stage.scene.stands;
    EXPECT_LT(stands.size() / 3, 200'000u) << count;
    for (size_t i = 0; i < stands.size(); i += 3) {
      const Vec3 a = stands[i].position, across = cross(stands[i + 1].position - a, stands[i + 2].position - a);
      const Vec3 normal{float(stands[i].normal[0]), float(stands[i].normal[1]), float(stands[i].normal[2])};
      if (length(across) < 1e-6f) continue;
      EXPECT_NEAR(length(normal), 127, 2);
      ASSERT_GT(dot(normalize(across), normal), 120) << "triangle " << i / 3;
      EXPECT_LE(a.y, stage.scene.highest_stand + 1e-3f);
    }
  }
}

TEST_P(EachScene, HasTheChildrenThatAreAskedFor) {
  const Stage stage(kind(), 1);
  for (const float share : {0.0f, 0.1f, 0.5f}) {
    const Scene scene = kind().make(stage.models, {1000, 1, share});
    const auto children = float(children_of(scene).size());
    EXPECT_LE(children, 1000 * share * 1.15f);
    // Runners, players and guards are none.
    EXPECT_GE(children, kind().has_children ? 1000 * share * 0.48f : 0);
    for (const uint32_t child : children_of(scene)) {
      EXPECT_GE(scene.looks[child].turn.scale(), 0.65f - 1e-3f);
      EXPECT_LT(scene.speed_of(child), 2) << "a runner";
    }
  }
}

TEST(MovingScenes, OfModelsThatDoNotWalkStandStill) {
  Stage stage("march", 20);
  for (Model& model : stage.models) model.walk.reset();
  stage.scene = find_scene("march")->make(stage.models, {20, 1});
  EXPECT_FALSE(stage.scene.moves());
  EXPECT_EQ(stage.scene.meters_per_second, 0);
}

TEST(MovingScenes, TheMarchBeginsAgainWhereTheCountryRepeats) {
  const Stage stage("march", 50);
  const float period = float(stage.scene.course_meters);
  uint32_t compared = 0;
  for (const float x : {-60.0f, -14.0f, 9.0f, 35.0f}) {
    for (float z = -150; z < -20; z += 17.3f) {
      const float here = stand_height_at(stage.scene, x, z), next = stand_height_at(stage.scene, x, z + period);
      EXPECT_NEAR(here, next, 0.02f) << x << ", " << z;
      compared += here > 0;
    }
  }
  EXPECT_GT(compared, 20u);
}

/// Soldiers differ in height, but not in their steps.
TEST(MovingScenes, SoldiersAreInStep) {
  const Stage stage("march", 200);
  const Playback first = playback_at(stage.models[0], stage.scene.pace(0), 12);
  std::vector<float> heights;
  float apart = 0;
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(playback_at(stage.model_of(i), stage.scene.pace(i), 12).layers[0].time_seconds,
              first.layers[0].time_seconds);
    EXPECT_EQ(stage.scene.looks[i].turn.scale(), 1);
    EXPECT_EQ(stage.scene.speeds[i], stage.scene.speeds[0]);
    heights.push_back(1 + float(stage.scene.stretch_of(i)) / kStretchSteps);
    if (i > 0) apart += std::abs(heights[i] - heights[i - 1]) / 199;
  }
  EXPECT_NEAR(std::ranges::min(heights), kShortest, 0.005);
  EXPECT_NEAR(std::ranges::max(heights), kTallest, 0.005);
  EXPECT_GT(apart, 0.03) << "neighbors are equal";
}

TEST(MovingScenes, AWaveOfSpectatorsGoesAroundTheStadium) {
  const Stage stage("stadium", 1200);
  uint32_t cheering[2] = {0, 0};  // where the wave is, and half a round further
  for (uint32_t i = 0; i < stage.scene.count(); ++i) {
    const float at = stage.scene.pace(i).wave_at;
    if (at < 4 || at > 5) continue;
    for (const int half : {0, 1}) {
      const double seconds = 100 * kWaveSeconds + at + 1.2 + half * kWaveSeconds / 2;
      const Layer layer = playback_at(stage.model_of(i), stage.scene.pace(i), seconds).layers[0];
      cheering[half] += layer.weight == 1 && has_word(stage.model_of(i).character.clips[layer.clip].name, " cheer ");
    }
  }
  EXPECT_GT(cheering[0], 20u);
  EXPECT_LT(cheering[1], cheering[0] * 0.7);
}

TEST(MovingScenes, TeamsOfTheStadiumWearKits) {
  const Stage stage("stadium", 200);
  uint32_t red = 0, blue = 0, players = 0;
  for (uint32_t i = 0; i < stage.scene.count(); ++i) {
    const PersonColors colors = person_colors(stage.scene.looks[i].tint).value();
    if (stage.scene.moves(i) || stage.scene.positions[i].y == 0) {
      ++players;
      red += colors.top == kRedTop && colors.trousers == kWhiteTrousers;
      blue += colors.top == kBlueTop && colors.trousers == kDarkTrousers;
    } else {
      EXPECT_NE(colors.trousers, kWhiteTrousers);
    }
  }
  EXPECT_EQ(players, 22u);
  EXPECT_EQ(red, 11u);
  EXPECT_EQ(blue, 11u);
}

// --- feet that stand on the ground stay where they are ---

/// The meters that feet slide while they touch the ground, from one frame to the next: 30 frames per second; 60 of
/// those who walk on loops, because who turns also turns the foot he stands on. A foot slides as far as that of its
/// points that moves least: others roll.
std::vector<float> slides_of(Stage& stage, uint32_t instance) {
  constexpr float kNone = 1e9f;
  constexpr uint32_t kFewestTouching = 6;  // vertices: with fewer the last tip of a toe leaves the ground
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
      if (touch[foot] >= kFewestTouching) slides.push_back(slide[foot]);
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
