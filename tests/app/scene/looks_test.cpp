// The other looks of the built-in character, and its extra clips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "crowd/models.h"
#include "scene/clip_motion.h"
#include "scene/exact_poses.h"
#include "scene/names.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

using Names = std::vector<std::string>;

const std::string kExtraClips = SINEW_SOURCE_DIR "/assets/extra_clips.glb";

Model load(const std::string& path, bool with_extra_clips = false) {
  LoadOptions options;
  if (with_extra_clips) options.import.animation_files = {kExtraClips};
  auto model = load_model(path, options);
  EXPECT_TRUE(model) << path << ": " << model.error().message;
  return std::move(*model);
}

Names names_of_clips(const Model& model) {
  Names names;
  for (const Clip& clip : model.character.clips) names.push_back(clip.name);
  return names;
}

uint32_t clip_named(const Model& model, std::string_view name) {
  const auto& clips = model.character.clips;
  const auto found = std::find_if(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.name == name; });
  EXPECT_NE(found, clips.end()) << name;
  return uint32_t(found - clips.begin());
}

float distance(const Transform& a, const Transform& b) {
  const Quat p = a.rotation, q = b.rotation;
  const float cosine = std::abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
  return length(a.translation - b.translation) + length(a.scale - b.scale) + std::abs(1 - cosine);
}

class EachLook : public ::testing::TestWithParam<std::string> {};

Names all_looks() {
  Names looks{*find_builtin_character()};
  for (std::string& look : find_builtin_looks()) looks.push_back(std::move(look));
  return looks;
}

INSTANTIATE_TEST_SUITE_P(All, EachLook, ::testing::ValuesIn(all_looks()),
                         [](const auto& of) { return std::filesystem::path(of.param).stem().string(); });

TEST(Looks, AreThere) {
  EXPECT_EQ(find_builtin_looks().size(), 4u);
  EXPECT_EQ(find_builtin_clips(), kExtraClips);
}

TEST_P(EachLook, HasTheSkeletonAndTheClipsOfTheCharacter) {
  static const Model first = load(*find_builtin_character());
  const Model look = load(GetParam());
  const Skeleton &a = first.character.skeleton, &b = look.character.skeleton;
  ASSERT_EQ(b.joint_names, a.joint_names);
  EXPECT_EQ(b.parents, a.parents);
  for (uint32_t joint = 0; joint < a.joint_count(); ++joint)
    EXPECT_LT(distance(a.rest_pose[joint], b.rest_pose[joint]), 1e-5f) << a.joint_names[joint];
  EXPECT_THAT(names_of_clips(look), IsSupersetOf(names_of_clips(first)));
}

TEST_P(EachLook, IsBoundToTheExtraClips) {
  const Model look = load(GetParam(), true);
  for (const char* name : {"sit", "sit_cheer", "clap", "march"}) {
    const auto& clips = look.character.clips;
    const auto found = std::find_if(clips.rbegin(), clips.rend(), [&](const Clip& clip) { return clip.name == name; });
    ASSERT_NE(found, clips.rend()) << name;
    EXPECT_GE(found->tracks.size(), 25u) << name << " moves arms, legs and trunk";
  }
}

TEST_P(EachLook, SitsOnASeat) {
  const Model look = load(GetParam(), true);
  const uint32_t sit = clip_named(look, "sit"), cheer = clip_named(look, "sit_cheer");
  EXPECT_LT(sit, cheer) << "the first seated clip gives the seat";
  const auto seat = measure_seat(look, sit), cheering = measure_seat(look, cheer);
  ASSERT_TRUE(seat && cheering);
  EXPECT_GT(seat->height, 0.25f);
  EXPECT_LT(seat->height, 0.45f);
  EXPECT_NEAR(seat->height, cheering->height, 0.02f);
  EXPECT_NEAR(seat->middle, cheering->middle, 0.03f);
  EXPECT_NEAR(seat->feet, 0, 0.01f);
}

TEST_P(EachLook, MarchesAtTheSpeedOfItsFeet) {
  const Model look = load(GetParam(), true);
  const auto motion = measure_clip_motion(look, clip_named(look, "march"));
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->velocity.z, 1.22f, 0.03f);
  EXPECT_NEAR(motion->velocity.x, 0, 0.03f);
}

TEST(Looks, TheSwordIsRigidWithTheRightHand) {
  const auto looks = find_builtin_looks();
  const auto path = std::find_if(looks.begin(), looks.end(), is_armed_look);
  ASSERT_NE(path, looks.end());
  const Model model = load(*path);
  const Mesh& mesh = model.character.mesh;
  const uint32_t hand = *find_joint(model.character.skeleton, "hand_r");
  uint32_t in_front = 0;
  float tip = 0;
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    const float z = mesh.positions[vertex].z;
    if (z < 0.25f) continue;  // meters: further ahead than toes, nose and belly
    ++in_front, tip = std::max(tip, z);
    const auto influences = mesh.influences_of(vertex);
    ASSERT_EQ(influences.size(), 1u);
    EXPECT_EQ(model.character.skin.entries[influences[0].entry].joint, int32_t(hand));
  }
  EXPECT_GE(in_front, 8u);
  EXPECT_GT(tip, 0.5f);
}

/// The clips that the models of a scene play, "look/clip".
Names played_in(const char* scene) {
  CrowdOptions options;
  options.scene = scene, options.optimizations.levels = false;
  const auto models = load_models(options);
  EXPECT_TRUE(models) << models.error().message;
  Names played;
  for (const Model& model : *models) {
    for (const uint32_t clip : model.clips) played.push_back(model.name + "/" + model.character.clips[clip].name);
  }
  return played;
}

TEST(Looks, SwordsAreNotInTheStadiumAndTheMarathon) {
  EXPECT_THAT(played_in("march"), ::testing::UnorderedElementsAre("character/march", "farmer/march", "merchant/march",
                                                                  "swordsman/march", "weaver/march"));
  const Names square = played_in("square");
  EXPECT_THAT(square, IsSupersetOf({"swordsman/idle", "farmer/clap", "merchant/clap", "character/clap"}));
  EXPECT_THAT(square, ::testing::Contains("weaver/clap"));
  EXPECT_THAT(square, Not(::testing::Contains("swordsman/clap"))) << "clapping opens the hand that holds the sword";
  for (const char* scene : {"stadium", "marathon"}) EXPECT_THAT(played_in(scene), Each(Not(HasSubstr("swordsman"))));
}

/// At most one thing of each choice, and hardly two people alike.
TEST(Looks, OfTheSquareWearOutfits) {
  CrowdOptions options;
  options.scene = "square", options.optimizations.levels = false;
  const auto models = load_models(options);
  ASSERT_TRUE(models) << models.error().message;
  const Scene scene = find_scene("square")->make(*models, {300, 1});
  ASSERT_EQ(scene.outfits.size(), scene.count());
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> different;
  uint32_t with_hat = 0, people = 0;
  for (const Batch& batch : scene.batches) {
    const Model& model = (*models)[batch.model];
    for (const Wearable& wearable : model.wearables)
      EXPECT_TRUE(validate(wearable.meshes[0], model.character.skin.palette_size())) << wearable.name;
    EXPECT_EQ(model.wearables.empty(), model.name == "swordsman") << model.name;
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count; ++i) {
      std::map<std::string, int> worn;
      for (uint32_t w = 0; w < model.wearables.size(); ++w)
        worn[model.wearables[w].choice] += int(scene.outfits[i] >> w & 1);
      EXPECT_EQ(scene.outfits[i] >> model.wearables.size(), 0u);
      for (const auto& [choice, count] : worn) EXPECT_LE(count, 1) << choice;
      people += !model.wearables.empty(), with_hat += uint32_t(worn["hat"]);
      different.insert({batch.model, scene.looks[i].tint, scene.outfits[i]});
    }
  }
  EXPECT_GT(different.size(), 280u);
  EXPECT_NEAR(double(with_hat) / people, 0.72, 0.1);
}

TEST(Looks, OfTheStressGridAreThoseOfItsFigures) { EXPECT_THAT(played_in("stress"), Each(Not(HasSubstr("weaver")))); }

TEST(Looks, SitInTheStadiumOnly) {
  EXPECT_THAT(played_in("stadium"), IsSupersetOf({"character/sit", "farmer/sit_cheer", "merchant/sit"}));
  for (const char* scene : {"festival", "square", "stress", "march", "marathon"})
    EXPECT_THAT(played_in(scene), Each(Not(HasSubstr("/sit")))) << scene;
}

TEST(Looks, DifferInColorsButSwordsmenOfTheStressGridDoNot) {
  for (const char* scene : {"march", "stress"}) {
    CrowdOptions options;
    options.scene = scene, options.optimizations.levels = false;
    const auto models = load_models(options);
    ASSERT_TRUE(models);
    for (const Model& model : *models)
      EXPECT_EQ(model.tinted, scene != std::string("stress") || model.name != "swordsman") << scene << model.name;
  }
}

}  // namespace
}  // namespace sinew::app
