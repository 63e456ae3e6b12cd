// Models: what follows from the clips that a crowd is told to play.
#include "scene/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "animation/rig.h"
#include "cache_folder.h"
#include "child.h"
#include "sinew/import/model.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre;

const std::string kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";
enum BuiltInClip : uint32_t { kCheer, kDance, kIdle, kRun, kWalk, kWave };

CharacterFile built_in_file() {
  static const CharacterFile file = *load_file(kBuiltIn, {});
  return file;
}

Model made(CharacterFile file, const ModelOptions& options = {}) {
  return must(make_model(kBuiltIn, std::move(file), options));
}

ModelOptions playing(std::vector<uint32_t> clips) {
  ModelOptions options;
  options.clips = std::move(clips);
  return options;
}

/// A person of a triangle on each joint, who idles and waves: its levels of detail are made in milliseconds.
CharacterFile small_file() {
  CharacterFile file;
  file.character = test::rig_with_triangles({.joints = 30, .clips = 2});
  std::vector<std::string>& names = file.character.skeleton.joint_names;
  names[3] = "clavicle_r", names[7] = "hand_r", names[12] = "thigh_l";
  file.character.clips[0].name = "idle", file.character.clips[1].name = "wave";
  return file;
}

TEST(Model, PlaysThePlayableClipsOrThoseThatAreNamed) {
  CharacterFile file = built_in_file();
  file.character.clips[kDance].name = "Death";
  EXPECT_THAT(made(file).clips, ElementsAre(kCheer, kIdle, kRun, kWalk, kWave));
  EXPECT_THAT(made(file, playing({kDance})).clips, ElementsAre(kDance)) << "whatever their names";
}

/// A crowd of such a model is refused where levels of detail have other sockets than the model.
TEST(Model, KeepsSocketsMasksAndWearablesOfItsFile) {
  CharacterFile file = small_file();
  sinew::ModelOptions options{.convert_space = false, .sockets = {{"hand", "hand_r"}}};
  options.masks = {{"leg", {"thigh_l"}}, {"right", {"clavicle_r"}}};
  options.wearables = {
      {.name = "twin", .choice = "twin", .parts = {}, .from = std::make_shared<Character>(file.character)}};
  ASSERT_TRUE(complete_file(file, options));
  Model model = made(file);
  ASSERT_TRUE(complete(model));
  EXPECT_TRUE(validate(model));
  EXPECT_EQ(model.sockets.size(), 1u);
  EXPECT_EQ(model.wearables.size(), 1u);
  EXPECT_EQ(model.bake_ms, 0) << "nothing was made again";
  ASSERT_EQ(model.masks.size(), 2u) << "the mask of the arm is the file's 'right'";
  EXPECT_EQ(model.masks[kArmMask - 1].factors, model.arm_overlay->joint_mask);
  EXPECT_EQ(model.masks[1].name, "leg");
  ASSERT_GT(file.levels.size(), 0u);
  ASSERT_EQ(model.levels.size(), file.levels.size());
  EXPECT_EQ(model.levels.back().sockets.size(), 1u);

  // What the file lacks comes behind what it has, which stays whatever the options say of it.
  options.sockets = {{"knee", "thigh_l"}, {"hand", "thigh_l"}};
  options.masks = {{"hand", {"hand_r"}}, {"leg", {"hand_r"}}};
  const NamedSocket hand = file.sockets[0];
  const std::vector<NamedMask> masks = file.masks;
  ASSERT_TRUE(complete_file(file, options));
  ASSERT_EQ(file.sockets.size(), 2u);
  EXPECT_EQ(file.sockets[0], hand);
  EXPECT_EQ(file.sockets[1].name, "knee");
  ASSERT_EQ(file.masks.size(), 3u);
  EXPECT_TRUE(std::equal(masks.begin(), masks.end(), file.masks.begin()));
  EXPECT_EQ(file.masks[2].name, "hand");
  EXPECT_EQ(file.levels.back().sockets.size(), 2u);
}

TEST(Model, WearablesOfItsFileFitLevelsThatItGets) {
  const test::CacheFolder folder;
  CharacterFile file = small_file();
  sinew::ModelOptions made{.convert_space = false, .levels = {{}, 0.05f, false}};
  made.wearables = {{.name = "twin", .choice = "", .parts = {}, .from = std::make_shared<Character>(file.character)}};
  ASSERT_TRUE(complete_file(file, made));
  const auto expect_fit = [&](const char* how, auto add) {
    auto model = make_model("small", file);
    ASSERT_TRUE(model && add(*model)) << how;
    EXPECT_GT(model->levels.size(), 0u) << how;
    EXPECT_EQ(model->wearables[0].meshes.size(), model->level_count()) << how;
    EXPECT_GT(model->wearables[0].meshes[1].vertex_count(), 0u) << how;
    EXPECT_TRUE(validate(*model)) << how;
  };
  const auto complete_it = [](Model& model) { return complete(model); };
  const auto add_to_it = [](Model& model) { return add_levels(model); };
  expect_fit("made", add_to_it);
  expect_fit("kept, completed", complete_it);
  expect_fit("kept", add_to_it);
  std::filesystem::remove(folder.files().at(0));
  expect_fit("completed", complete_it);
}

/// What a crowd draws is what complete_file() makes of the same file for a host: the bytes are equal.
TEST(Model, IsMadeAsAHostMakesIt) {
  const test::CacheFolder folder;
  const Model model = made(small_file());
  const auto completed = [&] {
    Model copy = model;
    EXPECT_TRUE(complete(copy));
    return *encode_character(take_file(copy));
  };
  const auto once = completed(), from_cache = completed();
  Model copy = model;
  CharacterFile file = take_file(copy);
  ASSERT_TRUE(complete_file(file, {.convert_space = false}));
  EXPECT_FALSE(file.levels.empty());
  const auto host = *encode_character(file);
  EXPECT_TRUE(once == host);
  EXPECT_TRUE(from_cache == host) << "with levels that were kept";
  EXPECT_EQ(folder.files().size(), 1u);
  CharacterFile another = small_file();
  another.character.mesh.positions[0].x += 0.01f;
  Model other = made(std::move(another));
  EXPECT_TRUE(complete(other));
  EXPECT_EQ(folder.files().size(), 2u) << "another character has other levels";
}

/// The built-in file with a clip that carries its root by `way`, in meters, from its first pose to its end or at once.
CharacterFile file_with_moved(uint32_t clip, const Vec3& way, bool at_once) {
  CharacterFile file = built_in_file();
  Clip& moved = file.character.clips[clip];
  for (JointTracks& tracks : moved.tracks) {
    if (tracks.joint != 0) continue;
    const Vec3 rest = file.character.skeleton.rest_pose[0].translation;
    tracks.translation = {{moved.start_seconds, moved.end_seconds}, {rest + way, rest + way}, Interpolation::kLinear};
    if (!at_once) tracks.translation.values[0] = rest;
  }
  return file;
}

TEST(Model, StandsOnTheGroundInTheClipsThatItPlays) {
  const CharacterFile file = file_with_moved(kCheer, {0, 0.5f, 0}, true);
  const Model all = made(file), lifted = made(file, playing({kCheer}));
  EXPECT_NEAR(all.world_from_model.m[1][3], 0, 0.1) << "one clip of six lifts nothing";
  EXPECT_NEAR(lifted.world_from_model.m[1][3], -0.5, 0.1) << "the feet of the clip that is played are on the ground";
}

/// A walk to a place 200 m away, and raised arms: the boxes of whole clips would shrink the person.
TEST(Model, HasTheSizeOfItsRestPose) {
  const CharacterFile file = file_with_moved(kWalk, {30, 0, 200}, false);
  const Model walks = made(file, playing({kWalk})), stands = made(built_in_file(), playing({kIdle})),
              cheers = made(built_in_file(), playing({kCheer}));
  for (const Model* model : {&walks, &cheers}) {
    EXPECT_EQ(model->height, stands.height);
    EXPECT_EQ(model->meters_per_unit(), stands.meters_per_unit());
    for (const int axis : {0, 2}) EXPECT_EQ(model->world_from_model.m[axis][3], stands.world_from_model.m[axis][3]);
    EXPECT_NEAR(model->radius, stands.radius, 0.3);
  }
  EXPECT_NEAR(stands.height, 1.82, 0.02) << "measured of its vertices";
  EXPECT_GT(walks.diagonal, 100) << "of all poses: errors are shares of what floats resolve there";
}

TEST(Model, HasTheSizeOfItsFirstPoseWhereTheRestPoseIsOfNoSize) {
  CharacterFile file = built_in_file();
  file.character.skeleton.rest_pose[0].scale = {};
  for (JointTracks& tracks : file.character.clips[kIdle].tracks)
    if (tracks.joint == 0) tracks.scale = {{0}, {{1, 1, 1}}, Interpolation::kLinear};
  EXPECT_NEAR(made(file, playing({kIdle})).height, 1.82, 0.1);
}

TEST(Model, OverlayNeedsItsClipAndACalmOneAmongThoseNamedAndChanges) {
  EXPECT_TRUE(made(built_in_file()).arm_overlay);
  EXPECT_FALSE(made(built_in_file(), playing({kIdle, kWalk})).arm_overlay) << "without the wave";
  EXPECT_FALSE(made(built_in_file(), playing({kRun, kWave})).arm_overlay) << "nothing to wave over";
  const Model model = made(built_in_file(), playing({kWalk, kWave}));
  ASSERT_TRUE(model.arm_overlay);
  EXPECT_THAT(model.arm_overlay->base_clips, ElementsAre(kWalk));
  const Model still = made(built_in_file(), {.clips = {}, .changes_clips = false});
  EXPECT_FALSE(still.changes_clips);
  EXPECT_FALSE(still.arm_overlay);
  EXPECT_EQ(still.clips.size(), 6u);
}

/// The height of the built-in character where its file has another unit, in meters.
float height_with(float meters_per_unit, Sizing sizing) {
  CharacterFile file = built_in_file();
  file.character.space.meters_per_unit = meters_per_unit;
  return made(std::move(file), {.clips = {}, .sizing = sizing}).height;
}

TEST(Model, HasAPlausibleHeight) {
  const float own = height_with(1, Sizing::kAsPerson);
  EXPECT_NEAR(height_with(0.5f, Sizing::kAsPerson), own / 2, 1e-3f);
  for (const float unit : {0.01f, 0.1f, 3.0f, 100.0f}) EXPECT_NEAR(height_with(unit, Sizing::kAsPerson), 1.75f, 0.1f);
  // Its own: in meters, or else in centimeters.
  for (const float unit : {0.04f, 0.1f, 3.0f, 15.0f})
    EXPECT_NEAR(height_with(unit, Sizing::kItsOwn), own * unit, 0.01f) << unit;
  for (const float unit : {20.0f, 100.0f, 1500.0f})
    EXPECT_NEAR(height_with(unit, Sizing::kItsOwn), own * unit / 100, 0.01f) << unit;
  for (const float unit : {0.001f, 5000.0f}) EXPECT_NEAR(height_with(unit, Sizing::kItsOwn), 1.75f, 0.1f) << unit;
}

TEST(Model, BuiltInCharacterIsKnownByAnyPath) {
  const test::Folder folder;
  EXPECT_TRUE(is_builtin_character(kBuiltIn));
  EXPECT_TRUE(is_builtin_character(SINEW_SOURCE_DIR "/src/../assets/character.glb"));
  std::filesystem::create_symlink(kBuiltIn, folder.path("link.glb"));
  EXPECT_TRUE(is_builtin_character(folder.path("link.glb")));
  std::filesystem::copy_file(kBuiltIn, folder.path("character.glb"));
  EXPECT_FALSE(is_builtin_character(folder.path("character.glb")));
  EXPECT_FALSE(is_builtin_character(folder.path("no.glb")));
}

}  // namespace
}  // namespace sinew::app
