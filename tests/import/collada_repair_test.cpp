// Files that Assimp refuses, reads wrong or crashes on, and formats whose animation it does not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "collada_file.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "truth.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kMesh = "<node id=\"m\"><instance_geometry url=\"#mesh\"/></node>";

class ColladaRepairTest : public ::testing::Test {
 protected:
  Result<Character> load(const std::string& text) { return load_character(folder_.write("a.dae", text), {}, &report_); }
  TemporaryFolder folder_;
  ImportReport report_;
};

// --- colors ---

std::string with_color(const std::string& color) {
  return "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>" + color +
         "</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials>"
         "<material id=\"M\"><instance_effect url=\"#e\"/></material></library_materials>";
}

TEST_F(ColladaRepairTest, ColorsMayHaveSpacesAroundThemAndNoAlpha) {
  for (const char* color : {" 1 0.5 0.25 1", "\n\t1 0.5\n0.25 1 \n", "1 0.5 0.25", "1 0.5 0.25 1"}) {
    SCOPED_TRACE(color);
    const Result<Character> character = load(collada_file(kMesh, with_color(color)));
    ASSERT_TRUE(character) << character.error().message;
    EXPECT_FLOAT_EQ(character->materials.at(0).base_color.x, 1);
    EXPECT_FLOAT_EQ(character->materials[0].base_color.y, 0.5f);
    EXPECT_FLOAT_EQ(character->materials[0].base_color.z, 0.25f);
    EXPECT_FLOAT_EQ(character->materials[0].base_color.w, 1);
  }
}

// --- arrays without data ---

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

std::string empty_source(const std::string& id, int stride) {
  return "<source id=\"" + id + "\"><float_array id=\"" + id +
         "-array\" count=\"0\"/><technique_common><accessor source=\"#" + id + "-array\" count=\"0\" stride=\"" +
         std::to_string(stride) + "\"/></technique_common></source>";
}

TEST_F(ColladaRepairTest, InputsWithoutDataAreAbsent) {
  const std::string file = collada_file(kMesh, "");
  const std::string sources = empty_source("uv", 2) + empty_source("n", 3) + "<vertices id=\"v\">";
  const std::string first = replaced(replaced(file, "<vertices id=\"v\">", sources), "offset=\"0\"/><p>0 1 2 0 2 3</p>",
                                     "offset=\"0\"/><input semantic=\"TEXCOORD\" source=\"#uv\" offset=\"1\"/>"
                                     "<p>0 0 1 0 2 0 0 0 2 0 3 0</p>");
  const std::string second =
      replaced(replaced(file, "<vertices id=\"v\">", sources + "<input semantic=\"NORMAL\" source=\"#n\"/>"),
               "offset=\"0\"/><p>0 1 2 0 2 3</p>",
               "offset=\"1\"/><input semantic=\"TEXCOORD\" "
               "source=\"#uv\" offset=\"0\"/><p>0 0 0 1 0 2 0 0 0 2 0 3</p>");
  for (const std::string& text : {first, second}) {
    const Result<Character> character = load(text);
    ASSERT_TRUE(character) << character.error().message;
    EXPECT_EQ(character->mesh.vertex_count(), 4u);
    EXPECT_EQ(character->mesh.indices.size(), 6u);
    EXPECT_FLOAT_EQ(diagonal_of(character->mesh.positions), std::sqrt(3.0f));
  }
}

TEST_F(ColladaRepairTest, AnimationsWithoutKeysDoNotCrashAssimp) {
  const std::string animation =
      "<library_animations><animation>" + empty_source("i", 1) + empty_source("o", 1) +
      "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#i\"/><input semantic=\"OUTPUT\" source=\"#o\"/></sampler>"
      "<channel source=\"#s\" target=\"m/t.X\"/></animation></library_animations>";
  const Result<Character> character = load(collada_file(
      "<node id=\"m\"><translate sid=\"t\">0 0 0</translate><instance_geometry url=\"#mesh\"/></node>", animation));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("1 channel left out")));
}

TEST_F(ColladaRepairTest, MorphControllersWithoutTargetsAreTheirMesh) {
  const std::string controller =
      "<library_controllers><controller id=\"c\"><morph source=\"#mesh\">" +
      replaced(empty_source("t", 1), "float_array", "IDREF_array") + empty_source("w", 1) +
      "<targets><input semantic=\"MORPH_TARGET\" source=\"#t\"/><input semantic=\"MORPH_WEIGHT\" "
      "source=\"#w\"/></targets></morph></controller></library_controllers>";
  const Result<Character> character =
      load(collada_file("<node id=\"m\"><instance_controller url=\"#c\"/></node>", controller));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.vertex_count(), 4u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

// --- skins ---

/// A skin of the mesh on joint `a`. The matrix `shape` is its bind shape; `indices` are pairs of joint and weight.
std::string skin(const std::string& shape, const std::string& counts, const std::string& indices) {
  const auto source = [](const std::string& id, const std::string& array, const std::string& text, int count,
                         int stride) {
    return "<source id=\"" + id + "\"><" + array + " id=\"" + id + "-array\" count=\"" +
           std::to_string(count * stride) + "\">" + text + "</" + array + "><technique_common><accessor source=\"#" +
           id + "-array\" count=\"" + std::to_string(count) + "\" stride=\"" + std::to_string(stride) +
           "\"><param name=\"P\" type=\"" + (stride == 16 ? "float4x4" : "float") +
           "\"/></accessor></technique_common></source>";
  };
  return "<library_controllers><controller id=\"c\"><skin source=\"#mesh\"><bind_shape_matrix>" + shape +
         "</bind_shape_matrix>" + source("jn", "Name_array", "a", 1, 1) +
         source("jb", "float_array", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 1, 16) +
         source("jw", "float_array", "1 0.75 0.25", 3, 1) +
         "<joints><input semantic=\"JOINT\" source=\"#jn\"/><input semantic=\"INV_BIND_MATRIX\" "
         "source=\"#jb\"/></joints>"
         "<vertex_weights count=\"4\"><input semantic=\"JOINT\" source=\"#jn\" offset=\"0\"/><input "
         "semantic=\"WEIGHT\" "
         "source=\"#jw\" offset=\"1\"/><vcount>" +
         counts + "</vcount><v>" + indices + "</v></vertex_weights></skin></controller></library_controllers>";
}

constexpr const char* kSkinned =
    "<node id=\"a\" type=\"JOINT\"><translate sid=\"t\">0 0 0</translate></node>"
    "<node id=\"m\"><instance_controller url=\"#c\"><skeleton>#a</skeleton></instance_controller></node>";

TEST_F(ColladaRepairTest, JointMinusOneIsTheBindShape) {
  const std::string shape = "1 0 0 0 0 1 0 2 0 0 1 0 0 0 0 1";  // 2 up
  const Result<Character> character = load(collada_file(
      kSkinned, skin(shape, "1 1 2 1", "-1 0 0 0 0 1 -1 2 0 0") + collada_animations({{"a/t.X", "0 1", "0 4"}})));
  ASSERT_TRUE(character) << character.error().message;
  const std::vector<Vec3> positions = pose(*character, 0, 1).positions;
  const auto has = [&](Vec3 wanted) {
    return std::any_of(positions.begin(), positions.end(), [&](Vec3 p) { return length(p - wanted) < 1e-5f; });
  };
  EXPECT_TRUE(has({0, 2, 0})) << "it stays";
  EXPECT_TRUE(has({5, 2, 0})) << "it follows the joint";
  EXPECT_TRUE(has({3, 3, 0})) << "three quarters of it do";
  EXPECT_TRUE(has({4, 2, 1}));
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(ColladaRepairTest, JointsThatDoNotExistAreRefused) {
  for (const char* indices : {"0 0 7 0 0 0 0 0", "0 0 -2 0 0 0 0 0"}) {
    const Result<Character> character =
        load(collada_file(kSkinned, skin("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "1 1 1 1", indices)));
    ASSERT_FALSE(character);
    EXPECT_THAT(character.error().message, HasSubstr("of 1"));
  }
}

TEST_F(ColladaRepairTest, SkinsWithoutWeightsAreTheirMesh) {
  const Result<Character> character = load(collada_file(kSkinned, skin("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "", "")));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.vertex_count(), 4u);
  EXPECT_EQ(report_.skinned_vertices, 0u);
}

// --- other formats ---

TEST_F(ColladaRepairTest, ClipFileOfAFormatWithoutAnimationIsNotToldToHaveNoClip) {
  const std::string other = std::string(SINEW_SOURCE_DIR) + "/tests/import/lost/assimp/animation.x3d";
  const Result<Character> character =
      load_character(folder_.write("a.dae", collada_file(kMesh, "")), {{other}}, &report_);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("animation.x3d': 1 format '.x3d': its animation is not read")));
  EXPECT_THAT(report_.warnings, Each(Not(HasSubstr("has no clip"))));
}

TEST(OgreTest, SkeletonMovesItsMesh) {
  const std::string folder = std::string(SINEW_SHARED_DIR) + "/cases", name = "o01_ogre_skeleton.mesh.xml.0.json";
  if (!std::filesystem::exists(folder + "/truth/" + name)) GTEST_SKIP() << "NO REFERENCE POSITIONS under " << folder;
  const Truth truth = read_truth(folder, name);
  const Result<Character> character = load_character(truth.model);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.vertex_count(), 3u);
  EXPECT_EQ(character->skeleton.joint_count(), 1u);
  for (const TruthFrame& frame : truth.frames) {
    const Posed posed = pose(*character, int(truth.clip), float(frame.time_seconds));
    EXPECT_LE(distance_to(frame, posed.positions).points, 1e-5) << "at " << frame.time_seconds << " s";
  }
}

}  // namespace
}  // namespace sinew::test
