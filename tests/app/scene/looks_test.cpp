// The other looks of the built-in character, and its extra clips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "scene/clip_motion.h"
#include "scene/scenes/scenes.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

using test::our_models;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

using Names = std::vector<std::string>;

const std::string kExtraClips = SINEW_SOURCE_DIR "/assets/extra_clips.glb";

Model load(const std::string& path, bool with_extra_clips = false) {
  LoadOptions options;
  if (with_extra_clips) options.import.animation_files = {kExtraClips};
  return must(load_model(path, options));
}

Names names_of_clips(const Model& model) {
  Names names;
  for (const Clip& clip : model.character.clips) names.push_back(clip.name);
  return names;
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
  EXPECT_EQ(find_builtin_looks().size(), 6u);
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

/// They move arms, legs and trunk; it sits on a seat, and marches at the speed of its feet.
TEST_P(EachLook, IsBoundToTheExtraClips) {
  const Model look = load(GetParam(), true);
  std::map<std::string, uint32_t> clips;  // the last of each name
  for (uint32_t i = 0; i < look.character.clips.size(); ++i) clips[look.character.clips[i].name] = i;
  for (const char* name : {"sit", "sit_cheer", "clap", "march"}) {
    ASSERT_TRUE(clips.contains(name)) << name;
    EXPECT_GE(look.character.clips[clips[name]].tracks.size(), 25u) << name;
  }
  EXPECT_LT(clips["sit"], clips["sit_cheer"]) << "the first seated clip gives the seat";
  const auto seat = must(measure_seat(look, clips["sit"])), cheering = must(measure_seat(look, clips["sit_cheer"]));
  EXPECT_NEAR(seat.height, 0.35f, 0.1f);
  EXPECT_NEAR(seat.height, cheering.height, 0.02f);
  EXPECT_NEAR(seat.middle, cheering.middle, 0.03f);
  EXPECT_NEAR(seat.feet, 0, 0.01f);
  const auto motion = must(measure_clip_motion(look, clips["march"]));
  EXPECT_NEAR(motion.velocity.z, 1.22f, 0.03f);
  EXPECT_NEAR(motion.velocity.x, 0, 0.03f);
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

/// What looks play in a scene, "look/clip": these among others, and none with one of those in it. Swords are where
/// clips do not open the hand that holds them, and people sit in the stadium only.
struct PlayedRow {
  const char* scene;
  Names some, none;
};

TEST(Looks, PlayInEachSceneWhatFitsIt) {
  const PlayedRow rows[] = {{"festival", {"swordsman/idle"}, {"/sit", "player", "runner"}},
                            {"stadium",
                             {"character/sit", "farmer/sit_cheer", "merchant/sit", "player/sit", "runner/run"},
                             {"swordsman", "weaver"}},
                            {"marathon", {"weaver/cheer", "player/run", "runner/run"}, {"swordsman", "/sit"}},
                            {"square",
                             {"swordsman/idle", "farmer/clap", "merchant/clap", "character/clap", "weaver/clap"},
                             {"swordsman/clap", "/sit"}},
                            {"march",
                             {"character/march", "farmer/march", "merchant/march", "swordsman/march", "weaver/march"},
                             {"/idle", "/walk", "/run", "/sit"}},
                            {"stress", {"swordsman/idle"}, {"weaver", "/sit"}}};
  for (const auto& [scene, some, none] : rows) {
    Names played;
    for (const Model& model : our_models(scene)) {
      for (const uint32_t clip : model.clips) played.push_back(model.name + "/" + model.character.clips[clip].name);
      EXPECT_EQ(model.tinted, scene != std::string("stress") || model.name != "swordsman") << scene << model.name;
    }
    EXPECT_THAT(played, IsSupersetOf(some)) << scene;
    for (const std::string& part : none) EXPECT_THAT(played, Each(Not(HasSubstr(part)))) << scene;
  }
}

/// Players and runners wear shirt and shorts. Those who watch a race do not, and no one sits in a skirt.
TEST(Looks, OfAthletesAreOnTheFieldAndInTheRace) {
  for (const char* name : {"stadium", "marathon"}) {
    const std::vector<Model> models = our_models(name);
    const Scene scene = find_scene(name)->make(models, {600, 1});
    std::map<std::string, uint32_t> athletes, others;
    for (uint32_t i = 0; i < scene.count(); ++i) {
      const std::string& look = models[scene.model_of(i)].name;
      const bool on_ground = scene.positions[i].y == 0, watches_race = name[0] == 'm' && !scene.moves(i);
      ++(on_ground && !watches_race ? athletes : others)[look];
      EXPECT_FALSE(watches_race && (look == "player" || look == "runner"));
    }
    EXPECT_EQ(athletes.size(), 2u) << name;
    EXPECT_GT(std::min(athletes["player"], athletes["runner"]), 5u) << name;
    EXPECT_EQ(others.contains("weaver"), name[0] == 'm');
  }
}

/// The looks that wear a hat already get none. Hats leave the eyes free, and there is no head above them.
TEST(Looks, HaveHatsThatFit) {
  for (const Model& model : our_models("square")) {
    uint32_t hats = 0;
    for (const Wearable& wearable : model.wearables) {
      if (wearable.choice != "hat") continue;
      const Box hat = bounding_box(wearable.meshes[0].positions), body = bounding_box(model.character.mesh.positions);
      EXPECT_GT(hat.low.y, 1.62f) << model.name << " " << wearable.name;
      EXPECT_GT(hat.high.y, body.high.y) << model.name << " " << wearable.name;
      EXPECT_LT(size_of(hat).x, 0.5f) << model.name << " " << wearable.name;
      ++hats;
    }
    EXPECT_EQ(hats > 0, model.name == "character" || model.name == "weaver") << model.name;
  }
}

/// At most one thing of each choice, and hardly two people alike.
TEST(Looks, OfTheSquareWearOutfits) {
  const std::vector<Model> models = our_models("square");
  const Scene scene = find_scene("square")->make(models, {300, 1});
  ASSERT_EQ(scene.outfits.size(), scene.count());
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> different;
  uint32_t with_hat = 0, people = 0;
  for (const Batch& batch : scene.batches) {
    const Model& model = models[batch.model];
    for (const Wearable& wearable : model.wearables)
      EXPECT_TRUE(validate(wearable.meshes[0], model.character.skin.palette_size())) << wearable.name;
    EXPECT_EQ(model.wearables.empty(), model.name == "swordsman") << model.name;
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count; ++i) {
      std::map<std::string, int> worn;
      for (uint32_t w = 0; w < model.wearables.size(); ++w)
        worn[model.wearables[w].choice] += int(scene.outfits[i] >> w & 1);
      EXPECT_EQ(scene.outfits[i] >> model.wearables.size(), 0u);
      for (const auto& [choice, count] : worn) EXPECT_LE(count, 1) << choice;
      const bool guards = scene.role_of[i] == 2 || scene.role_of[i] == 3;  // at the gate, and around the square
      EXPECT_EQ(model.name == "swordsman", guards) << "they and they alone have swords";
      people += worn.contains("hat"), with_hat += uint32_t(worn["hat"]);
      different.insert({batch.model, scene.looks[i].tint, scene.outfits[i]});
    }
  }
  EXPECT_GT(different.size(), 280u);
  EXPECT_NEAR(double(with_hat) / people, 0.72, 0.1);
}

}  // namespace
}  // namespace sinew::app
