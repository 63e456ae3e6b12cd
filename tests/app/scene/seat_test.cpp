// Seated people: where a clip sits, and that a stadium's seats are there.
#include "instances.h"
#include "scene/clip_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }

Quat rest_rotation(const Skeleton& skeleton, uint32_t joint) {
  Quat rotation = skeleton.rest_pose[joint].rotation;
  for (int32_t parent = skeleton.parents[joint]; parent != kNoJoint; parent = skeleton.parents[size_t(parent)])
    rotation = skeleton.rest_pose[size_t(parent)].rotation * rotation;
  return rotation;
}

void add_rotation(Clip& clip, uint32_t joint, Quat rotation) {
  JointTracks tracks;
  tracks.joint = joint;
  tracks.rotation.interpolation = Interpolation::kLinear;
  tracks.rotation.times_seconds = {0, 1};
  tracks.rotation.values = {rotation, rotation};
  clip.tracks.push_back(tracks);
}

/// The built-in character, also with a clip in which its thighs are level and its shins upright.
Character make_sitting_character() {
  Character character = std::move(load_model(SINEW_SOURCE_DIR "/assets/character.glb", {})->character);
  const Skeleton& skeleton = character.skeleton;
  const Quat forward{-std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)};  // from down to the front
  Clip clip;
  clip.name = "sit_still";
  clip.end_seconds = 1;
  for (const char* side : {"_l", "_r"}) {
    const uint32_t thigh = *find_joint(skeleton, std::string("thigh") + side);
    const uint32_t shin = *find_joint(skeleton, std::string("shin") + side);
    const Quat above = rest_rotation(skeleton, uint32_t(skeleton.parents[thigh]));
    const Quat turned = forward * rest_rotation(skeleton, thigh);
    add_rotation(clip, thigh, conjugate(above) * turned);
    add_rotation(clip, shin, conjugate(turned) * rest_rotation(skeleton, shin));
  }
  std::sort(clip.tracks.begin(), clip.tracks.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
  character.clips.push_back(clip);
  return character;
}

Model make_sitting_model() {
  CharacterFile file;
  file.character = make_sitting_character();
  return std::move(*make_model("sitting.glb", std::move(file)));
}

TEST(Seat, IsUnderTheThighs) {
  const Model model = make_sitting_model();
  const auto seat = measure_seat(model, model.clips.back());
  ASSERT_TRUE(seat);
  EXPECT_GT(seat->height, 0.3);
  EXPECT_LT(seat->height, 0.5);
  EXPECT_GT(seat->feet, 0.3) << "the clip does not lower the hips";
}

TEST(Seat, StandingPeopleHaveNone) {
  const auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
  for (const uint32_t clip : model->clips) EXPECT_FALSE(measure_seat(*model, clip)) << clip;
}

TEST(Seat, StadiumHasAStepBelowEachBodyAndEachFoot) {
  std::vector<Model> models{make_sitting_model()};
  const SceneKind& stadium = *find_scene("stadium");
  stadium.choose_clips(models[0]);
  const Scene scene = stadium.make(models, {200, 1, 0.3f});
  const Seat seat = *measure_seat(models[0], models[0].acts.front().clips.front());
  std::vector<float> steps;
  for (const StandVertex& vertex : scene.stands) {
    if (vertex.normal[1] > 100) steps.push_back(vertex.position.y);
  }
  const auto is_step = [&](float height) {
    return std::any_of(steps.begin(), steps.end(), [&](float step) { return std::abs(step - height) < 0.02f; });
  };
  uint32_t children = 0;
  for (const CrowdInstance& instance : test::instances_of(scene)) {
    if (scene.roles[instance.role].act != 0) continue;  // a player
    const float scale = instance.turn.scale(), feet = instance.position.y + seat.feet * scale;
    EXPECT_TRUE(is_step(feet + seat.height * scale)) << "seat at " << feet + seat.height * scale;
    EXPECT_TRUE(scale < 0.9f || is_step(feet)) << "feet at " << feet << ", scale " << scale;
    children += scale < 0.9f;
  }
  EXPECT_NEAR(children, 0.3 * 200, 20) << "their feet hang";
}

TEST(Seat, WhereSomeClipsSitTheStadiumPlaysThoseOnly) {
  Model model = make_sitting_model();
  find_scene("stadium")->choose_clips(model);
  const std::vector<uint32_t>& clips = model.acts.front().clips;  // of those who watch
  ASSERT_EQ(clips.size(), 1u);
  EXPECT_EQ(model.character.clips[clips[0]].name, "sit_still");
}

}  // namespace
}  // namespace sinew::app
