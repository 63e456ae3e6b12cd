// glTF features that readers often get wrong, in small files with results worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "gltf/gltf_accessors.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MATCHER_P3(IsAt, x, y, z, "") {
  *result_listener << "which is (" << arg.x << ", " << arg.y << ", " << arg.z << ")";
  return length(arg - Vec3{float(x), float(y), float(z)}) < 1e-5f;
}

class GltfTest : public ::testing::Test {
 protected:
  Character load(GltfFile& file, const ImportOptions& options = {}) {
    Result<Character> character = load_character(file.write(folder_), options, &report_);
    if (!character) throw std::runtime_error(character.error().message);
    return std::move(*character);
  }

  /// The weights of a vertex by joint.
  static std::map<int, float> weights(const Character& character, uint32_t vertex) {
    std::map<int, float> result;
    for (const Influence influence : character.mesh.influences_of(vertex)) {
      result[character.skin.entries[influence.entry].joint] += influence.weight;
    }
    return result;
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

TEST_F(GltfTest, StaticNodesAboveAllJointsBecomeModelFromRoot) {
  GltfFile file = two_joints();
  const Character character = load(file);
  EXPECT_THAT(character.skeleton.joint_names, ElementsAre("hip", "knee"));
  EXPECT_THAT(character.skeleton.parents, ElementsAre(kNoJoint, 0));
  EXPECT_EQ(character.skeleton.model_from_root.m[1][3], 10);
  EXPECT_THAT(pose(character).positions, ElementsAre(IsAt(0, 10, 0), IsAt(1, 10, 0), IsAt(0, 12, 0)));
}

TEST_F(GltfTest, TransformOfTheNodeOfASkinnedMeshIsIgnored) {
  GltfFile file = two_joints();
  file.json["nodes"][3]["translation"] = {5, 5, 5};
  EXPECT_THAT(pose(load(file)).positions[1], IsAt(1, 10, 0));
}

TEST_F(GltfTest, WeightsMayBeNormalizedIntegers) {
  GltfFile bytes = two_joints(), shorts = two_joints();
  const std::vector<uint8_t> joints = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  for (GltfFile* file : {&bytes, &shorts}) {
    primitive(*file)["attributes"]["JOINTS_0"] = file->add_accessor(joints, kUnsignedByte, "VEC4");
  }
  primitive(bytes)["attributes"]["WEIGHTS_0"] =
      bytes.add_accessor<uint8_t>({51, 204, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0}, kUnsignedByte, "VEC4", true);
  primitive(shorts)["attributes"]["WEIGHTS_0"] =
      shorts.add_accessor<uint16_t>({13107, 52428, 0, 0, 65535, 0, 0, 0, 0, 65535, 0, 0}, kUnsignedShort, "VEC4", true);
  for (GltfFile* file : {&bytes, &shorts}) {
    const Character character = load(*file);
    EXPECT_NEAR(weights(character, 0)[0], 0.2f, 1e-6f);
    EXPECT_NEAR(weights(character, 0)[1], 0.8f, 1e-6f);
    EXPECT_GT(character.mesh.influences_of(0)[0].weight, 0.7f) << "the heaviest is not first";
    EXPECT_EQ(report_.normalized_vertices, 0u);
  }
}

TEST_F(GltfTest, WeightsThatDoNotAddToOneAreNormalizedAndCounted) {
  GltfFile file = two_joints();
  primitive(file)["attributes"]["JOINTS_0"] =
      file.add_accessor<uint8_t>({0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, kUnsignedByte, "VEC4");
  primitive(file)["attributes"]["WEIGHTS_0"] = file.add_floats({2, 6, INFINITY, 0, 1, -3, NAN, 0, 0, 0, 0, 0}, "VEC4");
  const Character character = load(file);
  EXPECT_THAT(weights(character, 0), ElementsAre(std::pair(0, 0.25f), std::pair(1, 0.75f)));
  EXPECT_THAT(weights(character, 1), ElementsAre(std::pair(0, 1.0f)));
  EXPECT_EQ(report_.normalized_vertices, 1u);
  EXPECT_EQ(report_.unmoved_vertices, 1u);
  EXPECT_THAT(weights(character, 2), ElementsAre(std::pair(0, 1.0f))) << "three.js takes the first joint of the vertex";
  EXPECT_THAT(pose(character).positions[2], IsAt(0, 12, 0));
  EXPECT_THAT(report_.warnings,
              ElementsAre("1 weight of a joint is negative, left out", "2 weights of joints are not finite, left out"));
}

TEST_F(GltfTest, VertexWithoutWeightsFollowsTheFirstJointThatItNames) {
  GltfFile file = two_joints();
  file.json["nodes"][3]["translation"] = {5, 5, 5};
  primitive(file)["attributes"]["JOINTS_0"] =
      file.add_accessor<uint8_t>({1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0}, kUnsignedByte, "VEC4");
  primitive(file)["attributes"]["WEIGHTS_0"] = file.add_floats({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  file.add_channel(2, "translation", {0, 1}, {0, 1, 0, 0, 4, 0});
  const Character character = load(file);
  EXPECT_EQ(report_.unmoved_vertices, 2u);
  const std::vector<Vec3> positions = pose(character, 0, 1).positions;
  EXPECT_THAT(positions[0], IsAt(0, 13, 0)) << "it follows the knee, and not the node of the mesh";
  EXPECT_THAT(positions[1], IsAt(1, 10, 0)) << "a joint that the skin lacks: the skin's first";
}

TEST_F(GltfTest, WeightsOfARepeatedJointAreAdded) {
  GltfFile file = two_joints();
  primitive(file)["attributes"]["JOINTS_0"] =
      file.add_accessor<uint8_t>({1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, kUnsignedByte, "VEC4");
  primitive(file)["attributes"]["WEIGHTS_0"] = file.add_floats({0.4f, 0.3f, 0.3f, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  const Character character = load(file);
  const auto influences = character.mesh.influences_of(0);
  ASSERT_EQ(influences.size(), 2u);
  EXPECT_EQ(character.skin.entries[influences[0].entry].joint, 0);
  EXPECT_NEAR(influences[0].weight, 0.6f, 1e-6f);
}

/// Six joints in a chain. Every vertex has influences of all six, with weights from 1/21 to 6/21.
GltfFile six_influences() {
  GltfFile file = two_joints();
  std::vector<int> joints = {1, 2};
  for (int i = 0; i < 4; ++i) {
    const int node = file.add_node({{"name", "toe" + std::to_string(i)}});
    file.json["nodes"][size_t(joints.back())]["children"] = {node};
    joints.push_back(node);
  }
  file.json["skins"] = {{{"joints", joints}}};
  std::vector<uint16_t> first, second;
  std::vector<float> first_weights, second_weights;
  for (int vertex = 0; vertex < 3; ++vertex) {
    first.insert(first.end(), {0, 1, 2, 3});
    second.insert(second.end(), {4, 5, 0, 0});
    first_weights.insert(first_weights.end(), {1 / 21.f, 2 / 21.f, 3 / 21.f, 4 / 21.f});
    second_weights.insert(second_weights.end(), {5 / 21.f, 6 / 21.f, 0, 0});
  }
  Json& attributes = primitive(file)["attributes"];
  attributes["JOINTS_0"] = file.add_accessor(first, kUnsignedShort, "VEC4");
  attributes["JOINTS_1"] = file.add_accessor(second, kUnsignedShort, "VEC4");
  attributes["WEIGHTS_0"] = file.add_floats(first_weights, "VEC4");
  attributes["WEIGHTS_1"] = file.add_floats(second_weights, "VEC4");
  return file;
}

TEST_F(GltfTest, MoreThanFourInfluencesAreKept) {
  GltfFile file = six_influences();
  const Character character = load(file);
  EXPECT_EQ(report_.max_influences, 6u);
  EXPECT_EQ(report_.limited_vertices, 0u);
  for (int joint = 0; joint < 6; ++joint) {
    EXPECT_NEAR(weights(character, 1)[joint], float(joint + 1) / 21, 1e-6f) << joint;
  }
}

TEST_F(GltfTest, InfluenceLimitKeepsTheHeaviestAndReportsTheLostWeight) {
  GltfFile file = six_influences();
  const Character character = load(file, {{}, 4});
  EXPECT_EQ(report_.limited_vertices, 3u);
  EXPECT_NEAR(report_.largest_lost_weight, 3 / 21.0, 1e-6);
  EXPECT_EQ(weights(character, 0).size(), 4u);
  for (int joint = 2; joint < 6; ++joint) {
    EXPECT_NEAR(weights(character, 0)[joint], float(joint + 1) / 18, 1e-6f) << joint;
  }
}

TEST_F(GltfTest, StepChannelsKeepTheirValueUntilTheNextKey) {
  GltfFile file = two_joints();
  file.add_channel(2, "translation", {0, 1}, {0, 1, 0, 4, 1, 0}, "STEP");
  const Character character = load(file);
  EXPECT_THAT(pose(character, 0, 0.75f).positions[2], IsAt(0, 12, 0));
  EXPECT_THAT(pose(character, 0, 1).positions[2], IsAt(4, 12, 0));
}

TEST_F(GltfTest, CubicSplineChannelsFollowTheirTangents) {
  GltfFile file = two_joints();
  // In-tangent, value, out-tangent of two keys with t = 2 s between them. The value in the middle is
  // (v0 + v1) / 2 + t (out0 - in1) / 8.
  file.add_channel(2, "translation", {0, 2}, {9, 9, 9, 0, 1, 0, 2, 0, 0, -2, 0, 0, 4, 1, 0, 9, 9, 9}, "CUBICSPLINE");
  EXPECT_THAT(pose(load(file), 0, 1).positions[2], IsAt(2 + 2 * (2 + 2) / 8.0, 12, 0));
}

TEST_F(GltfTest, MissingInverseBindMatricesAreTheIdentity) {
  GltfFile file = two_joints();
  file.json["skins"][0].erase("inverseBindMatrices");
  EXPECT_THAT(pose(load(file)).positions[2], IsAt(0, 13, 0));
  EXPECT_EQ(report_.computed_inverse_binds, 2u);
}

TEST_F(GltfTest, InverseBindMatricesThatAreZeroOrNotFiniteAreComputed) {
  for (const float element : {0.0f, NAN}) {
    GltfFile file = two_joints();
    const std::vector<float> binds(32, element);
    file.json["skins"][0]["inverseBindMatrices"] = file.add_floats(binds, "MAT4");
    EXPECT_THAT(pose(load(file)).positions[2], IsAt(0, 12, 0)) << element;
    EXPECT_EQ(report_.computed_inverse_binds, 2u) << element;
  }
}

TEST_F(GltfTest, OneMeshMayBeUsedWithTwoSkins) {
  GltfFile file = two_joints();
  file.add_node({{"name", "other_hip"}, {"translation", {0, 0, 7}}});
  file.add_node({{"name", "other_body"}, {"mesh", 0}, {"skin", 1}});
  file.json["nodes"][0]["children"] = {1, 3, 4, 5};
  file.json["skins"].push_back({{"joints", {4, 4}}});
  const Character character = load(file);
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  const Posed posed = pose(character);
  EXPECT_THAT(posed.positions[1], IsAt(1, 10, 0));
  EXPECT_THAT(posed.positions[3 + 1], IsAt(1, 10, 7));
}

TEST_F(GltfTest, NodesOfTheSameNameAreDistinct) {
  GltfFile file = two_joints();
  for (Json& node : file.json["nodes"]) node["name"] = "same";
  file.add_channel(2, "translation", {0}, {3, 1, 0});
  EXPECT_THAT(pose(load(file), 0, 0).positions[2], IsAt(3, 12, 0));
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("2 joints are named 'same'")));
}

TEST_F(GltfTest, RotationKeysAreNormalizedAndCounted) {
  GltfFile file = two_joints();
  file.add_channel(1, "rotation", {0, 1}, {0, 0, 3, 3, 0, 0, 0, 1});  // first key: 90 degrees about z, of length 4.2
  const Character character = load(file);
  EXPECT_EQ(report_.normalized_rotation_keys, 1u);
  EXPECT_THAT(pose(character, 0, 0).positions[1], IsAt(0, 11, 0));
}

TEST_F(GltfTest, TangentsOfRotationsAreScaledWithTheirKey) {
  GltfFile file = two_joints();
  const std::vector<float> key = {0, 0, 6, 0, /**/ 0, 0, 0, 2, /**/ 0, 4, 0, 0};
  file.add_channel(1, "rotation", {0}, key, "CUBICSPLINE");
  const Character character = load(file);
  ASSERT_EQ(character.clips.at(0).tracks.size(), 1u);
  const std::vector<Quat>& values = character.clips[0].tracks[0].rotation.values;
  ASSERT_EQ(values.size(), 3u);
  EXPECT_FLOAT_EQ(values[0].z, 3);
  EXPECT_FLOAT_EQ(values[1].w, 1);
  EXPECT_FLOAT_EQ(values[2].y, 2);
}

TEST_F(GltfTest, KeysAreSortedAndKeysThatAreNotFiniteAreDropped) {
  GltfFile file = two_joints();
  file.add_channel(2, "translation", {2, 0, 1, NAN, 1}, {20, 0, 0, 0, 0, 0, 5, 0, 0, 7, 7, 7, 10, 0, 0});
  const Character character = load(file);
  ASSERT_EQ(character.clips[0].tracks.size(), 1u);
  EXPECT_THAT(character.clips[0].tracks[0].translation.times_seconds, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(pose(character, 0, 1).positions[2], IsAt(10, 11, 0)) << "the later key wins at equal times";
  EXPECT_THAT(pose(character, 0, 0.5f).positions[2], IsAt(2.5, 11, 0));
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("1 key not finite")));
}

TEST_F(GltfTest, ClipsKeepTheFilesTimesAndUnnamedClipsGetANumber) {
  GltfFile file = two_joints();
  file.add_channel(1, "scale", {0.5f, 3}, {1, 1, 1, 2, 2, 2});
  file.add_channel(1, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
  file.json["animations"][0]["name"] = "grow";
  const Character character = load(file);
  EXPECT_EQ(character.clips[0].name, "grow");
  EXPECT_EQ(character.clips[1].name, "clip_1");
  EXPECT_EQ(character.clips[0].start_seconds, 0.5f);
  EXPECT_EQ(character.clips[0].end_seconds, 3);
}

TEST_F(GltfTest, AnimatedNodeAboveTheJointsIsAJoint) {
  GltfFile file = two_joints();
  file.add_channel(0, "translation", {0}, {0, 0, 100});
  const Character character = load(file);
  EXPECT_THAT(character.skeleton.joint_names, ElementsAre("armature", "hip", "knee"));
  EXPECT_THAT(pose(character, 0, 0).positions[1], IsAt(1, 0, 100));
}

TEST_F(GltfTest, StaticNodeAboveOnlySomeJointsIsAJoint) {
  GltfFile file = two_joints();
  file.add_node({{"name", "second_armature"}, {"scale", {2, 2, 2}}, {"children", {5}}});
  file.add_node({{"name", "tail"}, {"translation", {0, 3, 0}}});
  file.json["nodes"][0]["children"] = {1, 3, 4};
  file.json["skins"][0]["joints"] = {1, 5};
  file.json["skins"][0].erase("inverseBindMatrices");
  const Character character = load(file);
  EXPECT_THAT(character.skeleton.joint_names, ElementsAre("hip", "second_armature", "tail"));
  EXPECT_THAT(pose(character).positions[2], IsAt(0, 10 + 2 * (3 + 2), 0));
}

TEST_F(GltfTest, RigidMeshBelowAJointMovesWithIt) {
  GltfFile file = two_joints();
  file.json["meshes"].push_back(
      {{"name", "sword"},
       {"primitives", {{{"attributes", {{"POSITION", primitive(file)["attributes"]["POSITION"]}}}}}}});
  file.json["nodes"][2]["children"] = {4};
  file.add_node({{"name", "grip"}, {"rotation", {0, 0, 0.70710678, 0.70710678}}, {"children", {5}}});
  file.add_node({{"name", "sword"}, {"translation", {2, 0, 0}}, {"mesh", 1}});
  file.add_channel(2, "translation", {0, 1}, {0, 1, 0, 0, 1, 8});
  const Character character = load(file);
  EXPECT_THAT(character.skeleton.joint_names, ElementsAre("hip", "knee")) << "no clip animates the grip and the sword";
  const MeshPart& sword = character.mesh.parts[0];  // nodes are walked depth-first
  EXPECT_EQ(sword.kind, PartKind::kRigid);
  EXPECT_EQ(report_.rigid_vertices, 3u);
  EXPECT_THAT(pose(character, 0, 1).positions[sword.first_vertex + 1], IsAt(0, 10 + 1 + 3, 8));
}

TEST_F(GltfTest, MeshWithoutAJointAboveItIsStatic) {
  GltfFile file = two_joints();
  file.json["meshes"].push_back(
      {{"primitives", {{{"attributes", {{"POSITION", primitive(file)["attributes"]["POSITION"]}}}}}}});
  file.json["scenes"][0]["nodes"] = {0, 4};
  file.add_node({{"name", "ground"}, {"translation", {0, 0, -4}}, {"mesh", 1}});
  file.add_channel(1, "translation", {0}, {9, 9, 9});
  const Character character = load(file);
  EXPECT_EQ(character.mesh.parts[1].kind, PartKind::kStatic);
  EXPECT_EQ(report_.static_vertices, 3u);
  EXPECT_THAT(weights(character, 3), ElementsAre(std::pair(kNoJoint, 1.0f)));
  EXPECT_THAT(pose(character, 0, 0).positions[3 + 1], IsAt(1, 0, -4));
}

TEST_F(GltfTest, MirroredMeshHasItsWindingReversed) {
  GltfFile file = two_joints();
  file.json["skins"] = Json::array();
  file.json["nodes"][3].erase("skin");
  file.json["nodes"][3]["scale"] = {-1, 1, 1};
  EXPECT_THAT(load(file).mesh.indices, ElementsAre(0, 2, 1));
}

TEST_F(GltfTest, StripsAndFansBecomeTriangles) {
  for (const int mode : {5, 6}) {
    GltfFile file = two_joints();
    primitive(file)["mode"] = mode;
    primitive(file)["indices"] = file.add_accessor<uint16_t>({0, 1, 2, 0, 1}, kUnsignedShort, "SCALAR");
    const std::vector<uint32_t> strip = {0, 1, 2, 1, 0, 2, 2, 0, 1}, fan = {1, 2, 0, 2, 0, 0, 0, 1, 0};
    EXPECT_EQ(load(file).mesh.indices, mode == 5 ? strip : fan);
  }
}

TEST_F(GltfTest, PointsAreLeftOutWithAWarning) {
  GltfFile file = two_joints();
  Json points = primitive(file);
  points["mode"] = 0;
  file.json["meshes"][0]["primitives"].push_back(points);
  EXPECT_EQ(load(file).mesh.parts.size(), 1u);
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("points or lines")));
}

TEST_F(GltfTest, AccessorsMayBeStridedAndSparse) {
  GltfFile file = two_joints();
  const std::vector<float> padded = {0, 0, 0, 99, 1, 0, 0, 99, 0, 0, 0, 99};
  const std::vector<uint8_t> indices = {2};
  const std::vector<float> values = {0, 2, 0};
  Json accessor = {{"bufferView", file.add_view(GltfFile::bytes_of(padded), 16)},
                   {"componentType", kFloat},
                   {"count", 3},
                   {"type", "VEC3"}};
  accessor["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", file.add_view(GltfFile::bytes_of(indices))}, {"componentType", kUnsignedByte}}},
      {"values", {{"bufferView", file.add_view(GltfFile::bytes_of(values))}}}};
  file.json["accessors"][0] = accessor;
  EXPECT_THAT(pose(load(file)).positions, ElementsAre(IsAt(0, 10, 0), IsAt(1, 10, 0), IsAt(0, 12, 0)));
}

TEST(GltfAccessor, EndsInsideItsView) {
  const std::vector<uint8_t> bytes(28);
  internal::Accessor accessor;
  accessor.component = internal::Component::kFloat, accessor.width = 3, accessor.count = 2;
  accessor.base = {bytes, 16};
  EXPECT_EQ(internal::read_floats(accessor).size(), 6u);
  accessor.base.bytes = std::span(bytes).first(27);
  EXPECT_ANY_THROW(internal::read_floats(accessor));
  accessor.base.bytes = std::span(bytes).first(16);
  EXPECT_ANY_THROW(internal::read_floats(accessor));
}

TEST(GltfAccessor, NormalizedIntegersReachOneAndNoFurther) {
  const std::vector<uint8_t> bytes = {0xff, 0x7f, 0x01, 0x80, 0x00, 0x80, 0x00, 0x00};  // 32767, -32767, -32768, 0
  internal::Accessor accessor;
  accessor.component = internal::Component::kInt16, accessor.width = 1, accessor.count = 4;
  accessor.base.bytes = bytes, accessor.normalized = true;
  EXPECT_THAT(internal::read_floats(accessor), ElementsAre(1, -1, -1, 0));
  accessor.component = internal::Component::kInt8;
  accessor.base.bytes = std::span(bytes).subspan(1, 4);  // 127, 1, -128, 0
  EXPECT_THAT(internal::read_floats(accessor), ElementsAre(1, 1 / 127.0f, -1, 0));
}

TEST_F(GltfTest, MissingNormalsAreComputed) {
  GltfFile file = two_joints();
  EXPECT_THAT(pose(load(file)).normals[0], IsAt(0, 0, 1));
  EXPECT_EQ(report_.computed_normals, 3u);
}

TEST_F(GltfTest, MissingImageIsAWarningAndAPlainColor) {
  GltfFile file = two_joints();
  file.json["images"] = {{{"uri", "skin.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {
      {{"name", "skin"},
       {"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 1, 1}}, {"baseColorTexture", {{"index", 0}}}}}}};
  primitive(file)["material"] = 0;
  const Character character = load(file);
  EXPECT_EQ(character.materials[0].base_color_texture.image, -1);
  EXPECT_EQ(character.materials[0].base_color.y, 0.25f);
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("'skin.png'")));
}

/// A binary PPM of 2 x 1 pixels: red and blue.
const std::string kPicture = std::string("P6 2 1 255\n\xff\x00\x00\x00\x00\xff", 17);

TEST_F(GltfTest, ImagesAreReadFromBuffersAndFromTheFilesFolder) {
  for (const bool embedded : {false, true}) {
    GltfFile file = two_joints();
    folder_.write("a picture.ppm", kPicture);
    file.json["images"] = {embedded ? Json{{"bufferView", file.add_view(kPicture)}, {"mimeType", "image/png"}}
                                    : Json{{"uri", "a%20picture.ppm"}}};
    file.json["textures"] = {{{"source", 0}}};
    file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    primitive(file)["material"] = 0;
    const Character character = load(file);
    ASSERT_EQ(character.images.size(), 1u);
    EXPECT_EQ(character.materials[0].base_color_texture.image, 0);
    EXPECT_EQ(character.images[0].width, 2u);
    EXPECT_THAT(character.images[0].rgba, ElementsAre(255, 0, 0, 255, 0, 0, 255, 255));
  }
}

TEST_F(GltfTest, ImageWithAPathOfAnotherMachineIsFoundInTheFilesFolder) {
  GltfFile file = two_joints();
  folder_.write("skin.ppm", kPicture);
  file.json["images"] = {{{"uri", "D:\\work\\textures\\skin.ppm"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  primitive(file)["material"] = 0;
  EXPECT_EQ(load(file).images.size(), 1u);
}

TEST_F(GltfTest, ClipsOfOtherFilesAreMatchedByJointName) {
  GltfFile other;
  other.json["scenes"] = {{{"nodes", {0, 1}}}};
  other.add_node({{"name", "stranger"}});
  other.add_node({{"name", "knee"}});
  other.add_channel(1, "translation", {0}, {6, 1, 0});
  other.add_channel(0, "translation", {0}, {6, 1, 0}, "LINEAR", true);
  other.json["animations"][0]["name"] = "kick";
  const std::string path = other.write(folder_, "kick.gltf");
  GltfFile file = two_joints();
  const Character character = load(file, {{path}, 0});
  ASSERT_EQ(character.clips.size(), 1u);
  EXPECT_EQ(character.clips[0].name, "kick");
  EXPECT_THAT(pose(character, 0, 0).positions[2], IsAt(6, 12, 0));
  EXPECT_THAT(report_.warnings, Contains(HasSubstr("'stranger'")));
}

}  // namespace
}  // namespace sinew::test
