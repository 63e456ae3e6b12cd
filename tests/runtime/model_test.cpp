// Making, storing and checking of models.
#include "sinew/asset/model.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "crowd_fixture.h"
#include "files.h"
#include "message.h"

namespace sinew::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBuiltInFile = SINEW_SOURCE_DIR "/assets/character.glb";

TEST(Models, AFileBecomesAWholeModelInMeters) {
  const Model& model = *built_in_model();
  EXPECT_EQ(message_of(validate(model)), "");
  EXPECT_EQ(model.character.space.meters_per_unit, 1);
  EXPECT_EQ(model.baked.clips.size(), model.character.clips.size());
  EXPECT_EQ(model.bounds.clips.size(), model.character.clips.size());
  ASSERT_GT(model.level_count(), 2u);
  EXPECT_EQ(&model.mesh(0), &model.character.mesh);
  EXPECT_EQ(&model.mesh(1), &model.levels[0].mesh);
  EXPECT_GT(model.report.joints, 0u);
  for (size_t i = 0; i < model.levels.size(); ++i) {
    EXPECT_GT(model.levels[i].error, i == 0 ? 0 : model.levels[i - 1].error);
    EXPECT_LT(model.levels[i].error, 0.2f * model.largest_extent());
  }
}

TEST(Models, SizeScalesTheRestPose) {
  const auto small = load_model(kBuiltInFile, {.size = 0.5f});
  ASSERT_TRUE(small);
  EXPECT_NEAR((*small)->largest_extent(), 0.5f, 1e-3f);
  const float factor = 0.5f / built_in_model()->largest_extent();
  EXPECT_NEAR((*small)->levels[0].error, built_in_model()->levels[0].error * factor, 0.1f * (*small)->levels[0].error);
  EXPECT_THAT(load_model(kBuiltInFile, {.size = -1}).error().message, HasSubstr("size: it is negative or not finite"));
  EXPECT_THAT(load_model(kBuiltInFile, {.size = NAN}).error().message, HasSubstr("size: it is negative or not finite"));
}

TEST(Models, SocketsAndMasksHaveNames) {
  const Model& model = *built_in_model();
  EXPECT_EQ(find_socket(model, "hand"), 0u);
  EXPECT_EQ(find_socket(model, "foot"), std::nullopt);
  EXPECT_EQ(find_mask(model, "arm"), 1u);
  EXPECT_EQ(find_mask(model, "rest"), 2u);
  EXPECT_EQ(find_mask(model, "leg"), std::nullopt);
  const Skeleton& skeleton = model.character.skeleton;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint)
    EXPECT_EQ(model.masks[0].factors[joint] + model.masks[1].factors[joint], 1);
  EXPECT_EQ(model.masks[0].factors[*find_joint(skeleton, "upper_arm_r")], 1);
  EXPECT_EQ(model.masks[0].factors[*find_joint(skeleton, "hand_r")], 1);
  EXPECT_EQ(model.masks[0].factors[0], 0);
}

TEST(Models, JointsThatAreNotThereAreNamed) {
  ModelOptions options;
  options.sockets = {{"hat", "antenna", {}}};
  EXPECT_THAT(load_model(kBuiltInFile, options).error().message,
              HasSubstr("socket 'hat': the character has no joint 'antenna'"));
  options = {};
  options.masks = {{"wings", {"wing"}}};
  EXPECT_THAT(load_model(kBuiltInFile, options).error().message,
              HasSubstr("mask 'wings': the character has no joint 'wing'"));
  EXPECT_THAT(load_model("/nowhere.glb").error().message, HasSubstr("/nowhere.glb"));
}

/// Equal bytes of the files that two models make.
void expect_equal(const Model& a, const Model& b) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_model_file(folder.path("a.sinew"), a));
  ASSERT_TRUE(write_model_file(folder.path("b.sinew"), b));
  EXPECT_TRUE(read_file_text(folder.path("a.sinew")) == read_file_text(folder.path("b.sinew")));
}

/// The models that the build made are what this build makes of their files.
TEST(MadeModels, AreWhatLoadModelMakes) {
  expect_equal(*make_plain_model().value(), *plain_model());
  expect_equal(*make_built_in_model().value(), *built_in_model());
  expect_equal(*make_dressed_model().value(), *dressed_model());
}

struct BadFile {
  const char* name;
  std::string bytes;  // what is in it
  ErrorCode code;
  const char* message;  // the end of the message
};

/// Each error is one line that names the file once.
TEST(Models, AFileThatIsNoModelIsRefusedWithTheReason) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_model_file(folder.path("whole.sinew"), *built_in_model()));
  const std::string whole = read_file_text(folder.path("whole.sinew")), glb = read_file_text(kBuiltInFile);
  std::string older = whole, damaged = whole;
  older[8] = char(kCharacterFileVersion - 1);  // the version is behind 8 bytes of magic
  damaged[whole.size() / 2] ^= 1;
  const std::string other_version = "it is of version " + std::to_string(kCharacterFileVersion - 1) + ", not " +
                                    std::to_string(kCharacterFileVersion) + ": bake the source again";
  const std::string cut_in_two =
      "it has " + std::to_string(whole.size() / 2) + " bytes of " + std::to_string(whole.size());
  const std::string glb_in_two =
      "it is cut short: " + std::to_string(glb.size() / 2) + " bytes of " + std::to_string(glb.size());
  const BadFile kFiles[] = {
      {"empty.glb", "", ErrorCode::kInvalidData, "the file is empty"},
      {"empty.fbx", "", ErrorCode::kInvalidData, "the file is empty"},
      {"empty.sinew", "", ErrorCode::kInvalidData, "the file is empty"},
      {"text.sinew", "hello", ErrorCode::kInvalidData, "it is no .sinew: too short for a header"},
      {"glb.sinew", glb, ErrorCode::kInvalidData,
       "it is no .sinew: it begins with other bytes; load_model() reads other files"},
      {"sinew.glb", whole, ErrorCode::kInvalidData, "its JSON is not correct at line 1, column 1: 'S'"},
      {"text.txt", "hello", ErrorCode::kUnsupported, "unknown file type '.txt'"},
      {"older.sinew", older, ErrorCode::kUnsupported, other_version.c_str()},
      {"damaged.sinew", damaged, ErrorCode::kInvalidData, "its checksum is wrong: it has been damaged"},
      {"cut.sinew", whole.substr(0, whole.size() / 2), ErrorCode::kInvalidData, cut_in_two.c_str()},
      {"head.sinew", whole.substr(0, 40), ErrorCode::kInvalidData, "it is no .sinew: too short for a header"},
      {"cut.glb", glb.substr(0, glb.size() / 2), ErrorCode::kInvalidData, glb_in_two.c_str()},
      {"head.glb", glb.substr(0, 10), ErrorCode::kInvalidData, "it is cut short within the header"},
  };
  const auto expect_refused = [](const std::string& path, const Error& error, const BadFile& file) {
    EXPECT_EQ(error.code, file.code) << error.message;
    EXPECT_THAT(error.message, EndsWith(file.message));
    EXPECT_THAT(error.message, Not(HasSubstr("\n")));
    EXPECT_THAT(error.message.substr(error.message.find(path) + 1), Not(HasSubstr(path))) << error.message;
    EXPECT_THAT(error.message, HasSubstr("'" + path + "'"));
  };
  for (const BadFile& file : kFiles) {
    const std::string path = folder.write(file.name, file.bytes);
    expect_refused(path, load_model(path).error(), file);
    if (is_character_file(path)) expect_refused(path, load_model_file(path).error(), file);
  }
  for (const char* name : {"folder.glb", "folder.sinew", "folder"}) {
    const std::string path = folder.path(name);
    std::filesystem::create_directory(path);
    expect_refused(path, load_model(path).error(), {name, "", ErrorCode::kUnreadable, "it is a directory"});
  }
}

TEST(Models, AFileHoldsTheWholeModel) {
  const TemporaryFolder folder;
  const std::string path = folder.path("whole.sinew");
  ASSERT_TRUE(write_model_file(path, *built_in_model()));
  const auto stored = load_model_file(path);
  ASSERT_TRUE(stored) << stored.error().message;
  expect_equal(**stored, *built_in_model());
  EXPECT_EQ((*stored)->levels.size(), built_in_model()->levels.size());
  EXPECT_EQ((*stored)->sockets[0].name, "hand");
  EXPECT_EQ((*stored)->masks[1].factors, built_in_model()->masks[1].factors);

  const auto loaded = load_model(path);  // nothing is made again
  ASSERT_TRUE(loaded);
  expect_equal(**loaded, *built_in_model());
  ModelOptions options;
  options.masks = {{"left", {"upper_arm_l"}}};
  const auto remade = load_model(path, options);
  ASSERT_TRUE(remade) << remade.error().message;
  EXPECT_EQ(find_mask(**remade, "left"), 3u) << "behind those of the file";
  EXPECT_EQ((*remade)->baked.frames.size(), built_in_model()->baked.frames.size());
}

TEST(Models, AFileWithoutBakeIsNoModelYet) {
  const TemporaryFolder folder;
  const std::string path = folder.path("character.sinew");
  ASSERT_TRUE(write_character_file(path, {built_in_model()->character, {}, {}}));
  EXPECT_EQ(load_model_file(path).error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(load_model_file(path).error().message, HasSubstr("it has no bake"));
  ASSERT_TRUE(write_character_file(path, {built_in_model()->character, built_in_model()->baked, {}}));
  EXPECT_THAT(load_model_file(path).error().message, HasSubstr("it has no bounds"));
  EXPECT_TRUE(load_model(path));  // makes what is missing
}

TEST(Models, PartsThatDoNotFitAreNamed) {
  const auto broken = [](auto change) {
    return message_after(*built_in_model(), change, [](const Model& model) { return validate(model); });
  };
  EXPECT_THAT(broken([](Model& m) { m.bounds.clips.pop_back(); }), HasSubstr("bounds: of"));
  EXPECT_THAT(broken([](Model& m) { m.bounds.pairs.resize(1); }), HasSubstr("bounds: their pairs"));
  EXPECT_THAT(broken([](Model& m) { m.bounds.rest.low.y = NAN; }), HasSubstr("turned inside out or not finite"));
  EXPECT_THAT(broken([](Model& m) { std::swap(m.bounds.clips[0].low, m.bounds.clips[0].high); }),
              HasSubstr("turned inside out"));
  EXPECT_THAT(broken([](Model& m) { m.levels[1].error = -1; }), HasSubstr("level of detail 2: its error"));
  EXPECT_THAT(broken([](Model& m) { m.levels[0].error = INFINITY; }), HasSubstr("level of detail 1: its error"));
  EXPECT_THAT(broken([](Model& m) { m.levels[0].mesh.influences[0].entry = 60000; }), HasSubstr("level of detail 1"));
  EXPECT_THAT(broken([](Model& m) { m.levels[0].mesh.blend = Blend::kDualQuaternion; }), HasSubstr("another way"));
  EXPECT_THAT(broken([](Model& m) { m.levels[0].mesh.parts[0].material = 77; }), HasSubstr("has material 77 of"));
  EXPECT_THAT(broken([](Model& m) { m.sockets[0].socket.entry = 60000; }),
              HasSubstr("socket 'hand': the palette has no entry 60000"));
  EXPECT_THAT(broken([](Model& m) { m.sockets[0].socket.mesh_from_socket.m[1][1] = NAN; }), HasSubstr("not finite"));
  EXPECT_THAT(broken([](Model& m) { m.masks[0].factors.pop_back(); }), HasSubstr("mask 'arm': it has"));
  EXPECT_THAT(broken([](Model& m) { m.masks[1].factors[3] = NAN; }), HasSubstr("mask 'rest': a factor"));
  EXPECT_THAT(broken([](Model& m) { m.masks[1].factors[3] = -1; }), HasSubstr("mask 'rest': a factor"));
  EXPECT_NE(broken([](Model& m) { m.baked.clips.pop_back(); }), "");
  CharacterFile file{built_in_model()->character, {}, {}, built_in_model()->bounds};
  EXPECT_THAT(validate(file).error().message, HasSubstr("bounds are those of a bake"));
}

}  // namespace
}  // namespace sinew::test
