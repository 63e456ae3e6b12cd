// The built-in character is the same in every format: FBX and COLLADA as the Blender script exports them, GLB, MD5 and
// .x as the writers in this folder do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "glb_file.h"
#include "gltf_file.h"
#include "md5_file.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "x_file.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

/// The clip whose name ends with `name`, or -1. Some formats put the name of the armature or of another clip before it.
int clip_ending_in(const Character& character, const std::string& name) {
  for (size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name.ends_with(name)) return int(i);
  }
  return -1;
}

float nearest_distance(Vec3 point, const std::vector<Vec3>& positions) {
  float nearest = INFINITY;
  for (const Vec3 p : positions) nearest = std::min(nearest, length(p - point));
  return nearest;
}

Vec2 mean_uv(const Mesh& mesh) {
  Vec2 sum;
  for (const Vec2 uv : mesh.uvs) sum = {sum.x + uv.x, sum.y + uv.y};
  return {sum.x / float(mesh.vertex_count()), sum.y / float(mesh.vertex_count())};
}

float farthest_from(const std::vector<Vec3>& some, const std::vector<Vec3>& all) {
  float farthest = 0;
  for (size_t v = 0; v < some.size(); v += 23) farthest = std::max(farthest, nearest_distance(some[v], all));
  return farthest;
}

/// The signed volume. It is negative if the triangles face inward.
double volume(const Mesh& mesh, const std::vector<Vec3>& positions) {
  double volume = 0;
  for (size_t i = 0; i < mesh.indices.size(); i += 3) {
    const uint32_t* corners = &mesh.indices[i];
    volume += double(dot(positions[corners[0]], cross(positions[corners[1]], positions[corners[2]]))) / 6;
  }
  return volume;
}

/// The path of the model and its import options. A Write function writes files that are not in assets/ into `folder`.
struct Written {
  std::string model;
  ImportOptions options;
};
using Write = Written (*)(const Character&, const TemporaryFolder& folder);

const std::string kStem = std::string(SINEW_SOURCE_DIR) + "/assets/character.";

Written fbx(const Character&, const TemporaryFolder&) { return {kStem + "fbx", {}}; }
Written dae(const Character&, const TemporaryFolder&) { return {kStem + "dae", {}}; }

Written md5(const Character& character, const TemporaryFolder& folder) {
  Written written{folder.write("mesh.md5mesh", md5_mesh(character)), {}};
  for (const Clip& clip : character.clips) {
    written.options.animation_files.push_back(folder.write(clip.name + ".md5anim", md5_animation(character, clip)));
  }
  return written;
}

template <XKeys keys>
Written x(const Character& character, const TemporaryFolder& folder) {
  return {folder.write("character.x", x_file(character, keys)), {}};
}

Written glb(const Character& character, const TemporaryFolder& folder) {
  return {folder.write("character.glb", glb_file(character)), {}};
}

struct Format {
  const char* name;
  Write write;
  bool keeps_normals = true, keeps_face = false;
};

std::ostream& operator<<(std::ostream& out, const Format& format) { return out << format.name; }

class FormatsTest : public ::testing::TestWithParam<Format> {};

void remove_face(Character& character) {
  character.mesh.targets.clear();
  for (Clip& clip : character.clips) clip.weights.clear();
}

TEST_P(FormatsTest, BuiltInCharacterIsTheSameAsInGltf) {
  Result<Character> gltf = load_character(kStem + "glb");  // in meters, y up
  ASSERT_TRUE(gltf) << gltf.error().message;
  if (!GetParam().keeps_face) remove_face(*gltf);
  const TemporaryFolder folder;
  const Written written = GetParam().write(*gltf, folder);
  ImportReport report;
  Result<Character> other = load_character(written.model, written.options, &report);
  ASSERT_TRUE(other) << other.error().message;
  convert_space(*other, gltf->space);
  EXPECT_EQ(other->skin.palette_size(), gltf->skin.palette_size());
  EXPECT_EQ(other->mesh.indices.size(), gltf->mesh.indices.size());
  if (GetParam().keeps_normals) {  // otherwise import computes normals and finds other seams
    EXPECT_EQ(other->mesh.vertex_count(), gltf->mesh.vertex_count());
    EXPECT_NEAR(mean_uv(gltf->mesh).x, mean_uv(other->mesh).x, 1e-3f);
    EXPECT_NEAR(mean_uv(gltf->mesh).y, mean_uv(other->mesh).y, 1e-3f);
  }
  ASSERT_EQ(gltf->clips.size(), 6u);
  EXPECT_EQ(other->clips.size(), 6u);
  const std::vector<Vec3> rest = pose(*gltf).positions;
  const float diagonal = diagonal_of(rest);
  EXPECT_NEAR(volume(gltf->mesh, rest), volume(other->mesh, pose(*other).positions), 1e-5);
  for (size_t i = 0; i < gltf->clips.size(); ++i) {
    const Clip& clip = gltf->clips[i];
    const int same = clip_ending_in(*other, clip.name);
    ASSERT_GE(same, 0) << clip.name;
    EXPECT_NEAR(other->clips[size_t(same)].end_seconds, clip.end_seconds, 1e-5f) << clip.name;
    for (const float share : {0.0f, 0.3f, 0.6f, 1.0f}) {
      const float time = std::round(share * clip.end_seconds * 30) / 30;  // at a frame
      const auto a = pose(*gltf, int(i), time).positions;
      const auto b = pose(*other, same, time).positions;
      EXPECT_LT(farthest_from(a, b), 1e-5f * diagonal) << clip.name << " at " << time << " s";
      EXPECT_LT(farthest_from(b, a), 1e-5f * diagonal) << clip.name << " at " << time << " s";
    }
  }
}

const Format kFormats[] = {{"fbx", fbx, true, true},
                           {"dae", dae},
                           {"glb_of_the_test_writer", glb},
                           {"md5", md5, false},
                           {"x_with_matrix_keys", x<XKeys::kMatrices>},
                           {"x_with_separate_keys", x<XKeys::kRotationsScalesPositions>}};

INSTANTIATE_TEST_SUITE_P(Formats, FormatsTest, ::testing::ValuesIn(kFormats),
                         [](const auto& format) { return std::string(format.param.name); });

TEST(Md5Test, AnimationFileOfTheSameNameIsReadWithTheMesh) {
  const Result<Character> gltf = load_character(kStem + "glb");
  ASSERT_TRUE(gltf) << gltf.error().message;
  const TemporaryFolder folder;
  const std::string model = folder.write("model.md5mesh", md5_mesh(*gltf));
  folder.write("model.md5anim", md5_animation(*gltf, gltf->clips[0]));
  const Result<Character> character = load_character(model);
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_EQ(character->clips.size(), 1u);
  EXPECT_NEAR(character->clips[0].end_seconds, gltf->clips[0].end_seconds, 1e-5f);
}

TEST(Md5Test, FrameRateIsReadFromLinesWithACarriageReturn) {
  const Result<Character> gltf = load_character(kStem + "glb");
  ASSERT_TRUE(gltf) << gltf.error().message;
  const TemporaryFolder folder;
  std::string animation = md5_animation(*gltf, gltf->clips[0]);
  for (size_t at = 0; (at = animation.find('\n', at)) != animation.npos; at += 2) animation.insert(at, 1, '\r');
  const ImportOptions options{{folder.write("clip.md5anim", animation)}};
  const Result<Character> character = load_character(folder.write("mesh.md5mesh", md5_mesh(*gltf)), options);
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_EQ(character->clips.size(), 1u);
  EXPECT_NEAR(character->clips[0].end_seconds, gltf->clips[0].end_seconds, 1e-5f);
}

TEST(Md5Test, UnnamedAnimationGetsTheNameOfItsFile) {
  const Result<Character> gltf = load_character(kStem + "glb");
  ASSERT_TRUE(gltf) << gltf.error().message;
  const TemporaryFolder folder;
  const ImportOptions options{{folder.write("stroll.md5anim", md5_animation(*gltf, gltf->clips[0]))}};
  const Result<Character> character = load_character(folder.write("mesh.md5mesh", md5_mesh(*gltf)), options);
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_EQ(character->clips.size(), 1u);
  EXPECT_EQ(character->clips[0].name, "stroll");
}

TEST(Md5Test, AnimationFileOfTheSameNameIsReadOnceAndNamesItsClip) {
  const Result<Character> gltf = load_character(kStem + "glb");
  ASSERT_TRUE(gltf) << gltf.error().message;
  const TemporaryFolder folder;
  const std::string model = folder.write("guard.md5mesh", md5_mesh(*gltf));
  const std::string own = folder.write("guard.md5anim", md5_animation(*gltf, gltf->clips[0]));
  const std::string other = folder.write("stroll.md5anim", md5_animation(*gltf, gltf->clips[1]));
  const auto names = [&](const std::vector<std::string>& animations) {
    const Result<Character> character = load_character(model, {animations});
    std::string list;
    for (const Clip& clip : character ? character->clips : std::vector<Clip>()) list += clip.name + " ";
    return list;
  };
  EXPECT_EQ(names({}), "guard ");
  EXPECT_EQ(names({own}), "guard ");
  EXPECT_EQ(names({other}), "guard stroll ");
  EXPECT_EQ(names({other, own}), "stroll guard ");
}

class JointlessFormatTest : public ::testing::TestWithParam<const char*> {};

TEST_P(JointlessFormatTest, GivesAWarningThatAnimationIsNotRead) {
  const std::string file = std::string(SINEW_ASSIMP_MODELS_DIR) + "/" + GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "NO MODEL " << file << ": install assimp-testmodels";
  ImportReport report;
  const Result<Character> character = load_character(file, {}, &report);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(report.static_vertices, report.vertices);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("its animation is not read")));
}

INSTANTIATE_TEST_SUITE_P(Formats, JointlessFormatTest,
                         ::testing::Values("IQM/mrfixit.iqm", "B3D/WusonBlitz.b3d", "MS3D/Wuson.ms3d", "MD2/faerie.md2",
                                           "MD2/sydney.md2", "MDC/spider.mdc", "MDL/MDL3 (3DGS A4)/minigun.MDL"));

TEST(HalfLifeFormat, GivesNoWarningThatAnimationIsNotRead) {
  const std::string file = SINEW_ASSIMP_MODELS_DIR "/MDL/MDL (HL1)/man.mdl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "NO MODEL " << file << ": install assimp-testmodels";
  ImportReport report;
  ASSERT_TRUE(load_character(file, {}, &report));
  EXPECT_EQ(report.clips, 6u);
  EXPECT_THAT(report.warnings, Each(Not(HasSubstr("its animation is not read"))));
}

}  // namespace
}  // namespace sinew::test
