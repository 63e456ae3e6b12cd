// Morph targets of glTF: names, rest weights, tracks, sparse differences, hostile values; and in animation files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gltf_file.h"
#include "morph_targets.h"
#include "posing.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::test {
namespace {

using internal::SceneMesh;
using internal::TargetBuilder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A triangle without a skin and two targets: the first moves vertex 1 by x, the second vertices 0 and 2 by y.
GltfFile triangle() {
  GltfFile file;
  file.add_node({{"name", "face"}, {"mesh", 0}});
  Json attributes;
  attributes["POSITION"] = file.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  attributes["NORMAL"] = file.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  const int first = file.add_floats({0, 0, 0, 1, 0, 0, 0, 0, 0}, "VEC3");
  const int second = file.add_floats({0, 1, 0, 0, 0, 0, 0, 1, 0}, "VEC3");
  const int normals = file.add_floats({1, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3");
  const Json targets = {{{"POSITION", first}}, {{"POSITION", second}, {"NORMAL", normals}}};
  file.json["meshes"] = {{{"name", "head"},
                          {"primitives", {{{"attributes", attributes}, {"targets", targets}}}},
                          {"weights", {0.25, 0}},
                          {"extras", {{"targetNames", {"smile", "blink"}}}}}};
  return file;
}

/// A channel of weights, with two values for each key.
void animate(GltfFile& file, const std::vector<float>& times, const std::vector<float>& values,
             const char* interpolation = "LINEAR") {
  file.add_channel(0, "weights", times, values, interpolation);
  Json& sampler = file.json["animations"].back()["samplers"].back();
  sampler["output"] = file.add_floats(values, "SCALAR");
}

Character loaded(GltfFile& file, ImportReport* report = nullptr, const ImportOptions& options = {}) {
  const TemporaryFolder folder;
  Result<Character> character = load_character(file.write(folder), options, report);
  EXPECT_TRUE(character) << character.error().message;
  return character ? std::move(*character) : Character();
}

std::string refusal(GltfFile& file) {
  const TemporaryFolder folder;
  const Result<Character> character = load_character(file.write(folder));
  return character ? "accepted" : character.error().message;
}

TEST(MorphImport, HasNamesWeightsAndTheVerticesThatMove) {
  GltfFile file = triangle();
  ImportReport report;
  const Character character = loaded(file, &report);
  ASSERT_EQ(character.mesh.target_count(), 2u);
  const MorphTarget &smile = character.mesh.targets[0], &blink = character.mesh.targets[1];
  EXPECT_EQ(smile.name, "smile");
  EXPECT_EQ(blink.name, "blink");
  EXPECT_EQ(smile.rest_weight, 0.25f);
  EXPECT_EQ(blink.rest_weight, 0);
  EXPECT_THAT(smile.vertices, ElementsAre(1));
  EXPECT_THAT(blink.vertices, ElementsAre(0, 2));
  EXPECT_TRUE(smile.normals.empty());
  ASSERT_EQ(blink.normals.size(), 2u);
  EXPECT_EQ(blink.normals[0].x, 1);
  EXPECT_EQ(report.morph_targets, 2u);
  EXPECT_EQ(report.repaired_differences, 0u);
}

TEST(MorphImport, WeightsOfANodeReplaceThoseOfTheMesh) {
  GltfFile file = triangle();
  file.json["nodes"][0]["weights"] = {0.5, 0.75};
  file.json["meshes"][0].erase("extras");
  const Character character = loaded(file);
  EXPECT_EQ(character.mesh.targets[0].rest_weight, 0.5f);
  EXPECT_EQ(character.mesh.targets[1].rest_weight, 0.75f);
  EXPECT_EQ(character.mesh.targets[1].name, "target_1");
}

TEST(MorphImport, EachNodeWithTheMeshHasWeightsOfItsOwn) {
  GltfFile file = triangle();
  file.add_node({{"name", "other"}, {"mesh", 0}, {"translation", {5, 0, 0}}});
  file.json["scenes"][0]["nodes"] = {0, 1};
  animate(file, {0, 1}, {0, 0, 1, 1});
  const Character character = loaded(file);
  EXPECT_EQ(character.mesh.target_count(), 4u);
  ASSERT_EQ(character.clips.size(), 1u);
  ASSERT_EQ(character.clips[0].weights.size(), 2u) << "those of the first node";
  EXPECT_THAT(character.mesh.targets[3].vertices, ElementsAre(3, 5));
}

TEST(MorphImport, PrimitivesOfOneMeshShareTheirWeights) {
  GltfFile file = triangle();
  Json second = primitive(file);
  file.json["meshes"][0]["primitives"].push_back(second);
  const Character character = loaded(file);
  ASSERT_EQ(character.mesh.target_count(), 2u);
  EXPECT_THAT(character.mesh.targets[0].vertices, ElementsAre(1, 4));
  EXPECT_THAT(character.mesh.targets[1].vertices, ElementsAre(0, 2, 3, 5));
  EXPECT_EQ(character.mesh.targets[1].normals.size(), 4u);
}

/// The first part turns no normals and no tangents, the second does: each of its differences stays with its vertex.
TEST(MorphImport, PartsWithoutNormalDifferencesArePaddedBeforeThoseWithThem) {
  SceneMesh plain, turned;
  plain.positions.resize(2), plain.normals.resize(2, {0, 0, 1});
  turned.positions.resize(1), turned.normals.resize(1, {0, 0, 1});
  plain.targets = {{"smile", 0, {0, 1}, {{1, 0, 0}, {2, 0, 0}}, {}, {}}};
  turned.targets = {{"smile", 0, {0}, {{3, 0, 0}}, {{0, 5, 0}}, {{0, 0, 7}}}};
  Mesh mesh;
  TargetBuilder builder;
  builder.append({}, plain, 0, plain.normals, mesh);
  builder.append({}, turned, 2, turned.normals, mesh);
  builder.append({}, plain, 3, plain.normals, mesh);
  ASSERT_EQ(mesh.target_count(), 1u);
  const MorphTarget& target = mesh.targets[0];
  EXPECT_THAT(target.vertices, ElementsAre(0, 1, 2, 3, 4));
  ASSERT_EQ(target.normals.size(), 5u);
  ASSERT_EQ(target.tangents.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(target.normals[i].y, i == 2 ? 5 : 0) << i;
    EXPECT_EQ(target.tangents[i].z, i == 2 ? 7 : 0) << i;
  }
}

TEST(MorphImport, TracksKeepTheirInterpolation) {
  GltfFile file = triangle();
  animate(file, {0, 1}, {0, 1, 0.5f, 0}, "STEP");
  animate(file, {0, 2}, {9, 8, 0, 1, 7, 6, 5, 4, 0.5f, 0, 3, 2}, "CUBICSPLINE");
  const Character character = loaded(file);
  ASSERT_EQ(character.clips.size(), 2u);
  const std::vector<WeightTrack>&step = character.clips[0].weights, &cubic = character.clips[1].weights;
  ASSERT_EQ(step.size(), 2u);
  EXPECT_EQ(step[0].weight.interpolation, Interpolation::kStep);
  EXPECT_THAT(step[0].weight.values, ElementsAre(0, 0.5f));
  EXPECT_THAT(step[1].weight.values, ElementsAre(1, 0));
  EXPECT_EQ(cubic[1].weight.interpolation, Interpolation::kCubic);
  EXPECT_THAT(cubic[0].weight.values, ElementsAre(9, 0, 7, 5, 0.5f, 3));
  EXPECT_THAT(cubic[1].weight.values, ElementsAre(8, 1, 6, 4, 0, 2));
  EXPECT_EQ(character.clips[1].end_seconds, 2);
}

TEST(MorphImport, SparseDifferencesAreRead) {
  GltfFile file = triangle();
  const std::vector<uint16_t> indices = {2};
  const std::vector<float> values = {0, 0, 3};
  file.json["accessors"].push_back(
      {{"componentType", kFloat},
       {"count", 3},
       {"type", "VEC3"},
       {"sparse",
        {{"count", 1},
         {"indices", {{"bufferView", file.add_view(GltfFile::bytes_of(indices))}, {"componentType", kUnsignedShort}}},
         {"values", {{"bufferView", file.add_view(GltfFile::bytes_of(values))}}}}}});
  const size_t sparse = file.json["accessors"].size() - 1;
  primitive(file)["targets"][0]["POSITION"] = sparse;
  const Character character = loaded(file);
  EXPECT_THAT(character.mesh.targets[0].vertices, ElementsAre(2));
  EXPECT_EQ(character.mesh.targets[0].positions[0].z, 3);

  const std::vector<uint16_t> outside = {3};
  file.json["accessors"][sparse]["sparse"]["indices"]["bufferView"] = file.add_view(GltfFile::bytes_of(outside));
  file.json.erase("buffers");
  EXPECT_THAT(refusal(file), HasSubstr("accessor " + std::to_string(sparse)));
}

TEST(MorphImport, TargetsOfAnotherLengthAreRefused) {
  GltfFile file = triangle();
  primitive(file)["targets"][1]["POSITION"] = file.add_floats({0, 0, 0, 1, 0, 0}, "VEC3");
  EXPECT_THAT(refusal(file), HasSubstr("mesh 'head' has 3 positions but 2 of POSITION in morph target 1"));
}

TEST(MorphImport, AnimationsWithTooFewWeightsAreRefused) {
  GltfFile file = triangle();
  animate(file, {0, 1}, {0, 1, 0.5f});
  EXPECT_THAT(refusal(file), HasSubstr("an animation with 2 times has 3 values"));
}

TEST(MorphImport, DifferencesAndKeysThatAreNotFiniteAreRepaired) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  GltfFile file = triangle();
  primitive(file)["targets"][0]["POSITION"] = file.add_floats({kNan, 0, 0, 1, 0, 0, 0, 4e9f, 0}, "VEC3");
  animate(file, {0, 1, 2}, {0, 0, kNan, 1, 1, 0});
  file.json["meshes"][0]["weights"] = {1e39, 0};
  ImportReport report;
  const Character character = loaded(file, &report);
  EXPECT_THAT(character.mesh.targets[0].vertices, ElementsAre(1));
  EXPECT_EQ(character.mesh.targets[0].rest_weight, 0) << "no float holds 1e39";
  EXPECT_EQ(report.repaired_differences, 2u);
  ASSERT_EQ(character.clips[0].weights.size(), 2u);
  EXPECT_THAT(character.clips[0].weights[0].weight.times_seconds, ElementsAre(0, 2));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("1 key not finite or beyond 1e9, dropped")));
}

TEST(MorphImport, TenThousandTargetsLoad) {
  GltfFile file = triangle();
  Json& targets = primitive(file)["targets"];
  const Json target = targets[0];
  for (int i = 2; i < 10000; ++i) targets.push_back(target);
  EXPECT_EQ(loaded(file).mesh.target_count(), 10000u);
}

TEST(MorphImport, WithoutNormalsInTheFileTheyFollowTheTriangles) {
  GltfFile file = triangle();
  primitive(file)["attributes"].erase("NORMAL");
  primitive(file)["targets"] = {{{"POSITION", file.add_floats({0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC3")}}};
  const Character character = loaded(file);
  const MorphTarget& target = character.mesh.targets[0];
  EXPECT_THAT(target.vertices, ElementsAre(0, 1, 2)) << "all three turn";
  const float half = std::sqrt(0.5f);
  for (const Vec3 normal : target.normals) EXPECT_LT(length(normal - Vec3{-half, 0, half - 1}), 1e-5f);
}

TEST(MorphImport, WeightsOfAnotherFileFindTheirTargetsByName) {
  const TemporaryFolder folder;
  GltfFile model = triangle(), clips = triangle();
  clips.json["nodes"][0]["name"] = "another";
  clips.json["meshes"][0]["extras"]["targetNames"] = {"blink", "frown"};
  animate(clips, {0, 1}, {0, 0, 1, 0.5f});
  const std::string clip_path = clips.write(folder, "clips.gltf"), model_path = model.write(folder);
  ImportReport report;
  const Result<Character> character = load_character(model_path, {{clip_path}}, &report);
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_EQ(character->clips.size(), 1u);
  ASSERT_EQ(character->clips[0].weights.size(), 1u);
  EXPECT_EQ(character->clips[0].weights[0].target, 1u) << "blink";
  EXPECT_THAT(character->clips[0].weights[0].weight.values, ElementsAre(0, 1));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("1 node not in the model, 'frown' the first")));
}

TEST(MorphImport, WeldingKeepsVerticesThatMoveApart) {
  internal::SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, -1, 0}};
  mesh.indices = {0, 1, 2, 3, 5, 4};
  mesh.targets = {{"open", 0, {3}, {{0, -1, 0}}, {}, {}}};  // a lip: vertex 3 lies on vertex 0
  internal::weld(mesh);
  ASSERT_EQ(mesh.positions.size(), 5u) << "1 and 4 become one, 0 and 3 do not";
  ASSERT_EQ(mesh.targets[0].vertices.size(), 1u);
  EXPECT_EQ(length(mesh.positions[mesh.targets[0].vertices[0]]), 0);
}

}  // namespace
}  // namespace sinew::test
