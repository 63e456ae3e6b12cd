// Extensions of glTF that decide what is drawn and what moves: KHR_node_visibility, KHR_animation_pointer and
// EXT_mesh_gpu_instancing. Each is read whether the file requires it or only uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MATCHER_P3(IsNear, x, y, z, "") {
  *result_listener << "which is (" << arg.x << ", " << arg.y << ", " << arg.z << ")";
  return length(arg - Vec3{float(x), float(y), float(z)}) < 1e-5f;
}

/// A file with a triangle at each of the nodes 0 "low" and 1 "high", which is 10 above it and its child.
GltfFile two_triangles() {
  GltfFile file;
  file.add_node({{"name", "low"}, {"mesh", 0}, {"children", {1}}});
  file.add_node({{"name", "high"}, {"mesh", 0}, {"translation", {0, 10, 0}}});
  const Json attributes = {{"POSITION", file.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3")}};
  file.json["meshes"] = {{{"name", "flag"}, {"primitives", {{{"attributes", attributes}}}}}};
  return file;
}

class GltfExtensions : public ::testing::TestWithParam<bool> {
 protected:
  Result<Character> load(GltfFile& file, const char* extension) {
    file.json["extensionsUsed"] = {extension};
    if (GetParam()) file.json["extensionsRequired"] = {extension};
    return load_character(file.write(folder_), {}, &report_);
  }

  /// The positions of the vertices. Empty if the file is refused.
  std::vector<Vec3> posed(GltfFile& file, const char* extension, float time_seconds = 0) {
    const Result<Character> character = load(file, extension);
    EXPECT_TRUE(character) << character.error().message;
    if (!character) return {};
    return pose(*character, character->clips.empty() ? -1 : 0, time_seconds).positions;
  }

  std::string refusal(GltfFile& file, const char* extension) {
    const Result<Character> character = load(file, extension);
    return character ? "accepted" : character.error().message;
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

INSTANTIATE_TEST_SUITE_P(Gltf, GltfExtensions, ::testing::Bool(),
                         [](const auto& required) { return required.param ? "Required" : "Used"; });

// --- KHR_node_visibility ---

constexpr const char* kVisibility = "KHR_node_visibility";

TEST_P(GltfExtensions, HiddenNodesAreNotDrawn) {
  GltfFile file = two_triangles();
  file.json["nodes"][1]["extensions"][kVisibility] = {{"visible", false}};
  EXPECT_THAT(posed(file, kVisibility), ElementsAre(IsNear(0, 0, 0), IsNear(1, 0, 0), IsNear(0, 1, 0)));
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_P(GltfExtensions, NodesBelowAHiddenNodeAreHidden) {
  GltfFile file = two_triangles();
  file.json["nodes"].push_back({{"name", "other"}, {"mesh", 0}, {"translation", {5, 0, 0}}});
  file.json["scenes"][0]["nodes"] = {0, 2};
  file.json["nodes"][0]["extensions"][kVisibility] = {{"visible", false}};
  file.json["nodes"][1]["extensions"][kVisibility] = {{"visible", true}};
  EXPECT_THAT(posed(file, kVisibility), ElementsAre(IsNear(5, 0, 0), IsNear(6, 0, 0), IsNear(5, 1, 0)));
}

TEST_P(GltfExtensions, VisibleNodesAreDrawn) {
  GltfFile file = two_triangles();
  file.json["nodes"][0]["extensions"][kVisibility] = {{"visible", true}};
  file.json["nodes"][1]["extensions"][kVisibility] = Json::object();
  EXPECT_EQ(posed(file, kVisibility).size(), 6u);
}

TEST_P(GltfExtensions, AFileWithHiddenMeshesAloneIsShown) {
  GltfFile file = two_triangles();
  file.json["nodes"][0]["extensions"][kVisibility] = {{"visible", false}};
  EXPECT_EQ(posed(file, kVisibility).size(), 6u);
  EXPECT_THAT(report_.warnings, ElementsAre("all its meshes are hidden: they are shown"));
}

TEST_P(GltfExtensions, AHiddenJointStillMovesItsMesh) {
  GltfFile file = two_joints();
  file.json["nodes"][1]["extensions"][kVisibility] = {{"visible", false}};
  file.add_channel(2, "translation", {0, 1}, {0, 1, 0, 0, 3, 0});
  EXPECT_THAT(posed(file, kVisibility, 1).at(2), IsNear(0, 14, 0));
}

// --- KHR_animation_pointer ---

constexpr const char* kPointer = "KHR_animation_pointer";

/// Makes the last channel of the first clip one that names what it animates by a pointer.
void point(GltfFile& file, const char* pointer) {
  file.json["animations"][0]["channels"].back()["target"] = {{"path", "pointer"},
                                                             {"extensions", {{kPointer, {{"pointer", pointer}}}}}};
}

TEST_P(GltfExtensions, PointersAnimateNodes) {
  GltfFile file = two_triangles();
  file.add_channel(1, "translation", {0, 1}, {0, 10, 0, 0, 20, 0});
  point(file, "/nodes/1/translation");
  file.add_channel(0, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0}, "LINEAR", true);
  point(file, "/nodes/0/rotation");
  file.add_channel(0, "scale", {0, 1}, {1, 1, 1, 2, 1, 1}, "STEP", true);
  point(file, "/nodes/0/scale");
  EXPECT_THAT(posed(file, kPointer, 1),
              ElementsAre(IsNear(0, 0, 0), IsNear(-2, 0, 0), IsNear(0, -1, 0),  // turned half around, and twice as wide
                          IsNear(0, -20, 0), IsNear(-2, -20, 0), IsNear(0, -21, 0)));
  EXPECT_THAT(posed(file, kPointer, 0.5f).at(1), IsNear(0, 1, 0));
  EXPECT_THAT(report_.warnings, IsEmpty());
}

/// two_triangles() with two morph targets, which move all vertices by 1 along x and by 1 along z.
GltfFile two_targets() {
  GltfFile file = two_triangles();
  Json& targets = primitive(file)["targets"];
  targets.push_back({{"POSITION", file.add_floats({1, 0, 0, 1, 0, 0, 1, 0, 0}, "VEC3")}});
  targets.push_back({{"POSITION", file.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3")}});
  return file;
}

void add_weights(GltfFile& file, const std::vector<float>& times, const std::vector<float>& weights) {
  file.json["animations"] = {
      {{"channels", {{{"sampler", 0}}}},
       {"samplers", {{{"input", file.add_floats(times, "SCALAR")}, {"output", file.add_floats(weights, "SCALAR")}}}}}};
}

TEST_P(GltfExtensions, PointersAnimateAllWeightsOfANode) {
  GltfFile file = two_targets();
  add_weights(file, {0, 1}, {0, 0, 3, 5});
  point(file, "/nodes/1/weights");
  const std::vector<Vec3> positions = posed(file, kPointer, 1);
  EXPECT_THAT(positions.at(0), IsNear(0, 0, 0));
  EXPECT_THAT(positions.at(3), IsNear(3, 10, 5));
}

TEST_P(GltfExtensions, PointersAnimateOneWeightOfANode) {
  GltfFile file = two_targets();
  add_weights(file, {0, 1}, {0, 5});
  point(file, "/nodes/1/weights/1");
  EXPECT_THAT(posed(file, kPointer, 1).at(3), IsNear(0, 10, 5));
}

TEST_P(GltfExtensions, PointersToAMeshAnimateItsNodesWithoutWeightsOfTheirOwn) {
  GltfFile file = two_targets();
  file.json["nodes"][1]["weights"] = {0, 7};
  add_weights(file, {0, 1}, {0, 0, 3, 5});
  point(file, "/meshes/0/weights");
  const std::vector<Vec3> positions = posed(file, kPointer, 1);
  EXPECT_THAT(positions.at(0), IsNear(3, 0, 5));
  EXPECT_THAT(positions.at(3), IsNear(0, 10, 7));
}

TEST_P(GltfExtensions, PointersToWhatIsNotKeptAreOneLineEachKind) {
  GltfFile file = two_triangles();
  file.json["materials"] = {{{"name", "cloth"}}};
  const char* first = "/materials/0/pbrMetallicRoughness/baseColorFactor";
  bool same_clip = false;
  for (const char* pointer :
       {first, "/materials/0/alphaCutoff", "/nodes/0/extensions/KHR_node_visibility/visible",
        "/cameras/0/perspective/yfov", "/nodes/x/scale", "/nodes/0/scale/1", "nodes/0/scale", ""}) {
    file.add_channel(0, "scale", {0, 1}, {1, 1, 1, 2, 2, 2}, "LINEAR", same_clip);
    point(file, pointer);
    same_clip = true;
  }
  ASSERT_TRUE(load(file, kPointer));
  EXPECT_THAT(
      report_.warnings,
      ElementsAre(
          "2 animated pointers ('" + std::string(first) + "' the first): materials are not animated",
          "1 animated pointer '/nodes/0/extensions/KHR_node_visibility/visible': visibility is not animated, the "
          "nodes stay as they are at rest",
          "4 animated pointers ('/nodes/x/scale' the first): what it points to is not animated"));
}

TEST_P(GltfExtensions, PointersToNodesThatDoNotExistAreRefused) {
  GltfFile file = two_triangles();
  file.add_channel(0, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
  point(file, "/nodes/9/scale");
  EXPECT_THAT(refusal(file, kPointer), HasSubstr("node 9 does not exist"));
}

// --- EXT_mesh_gpu_instancing ---

constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";

void instance(GltfFile& file, size_t node, Json attributes) {
  file.json["nodes"][node]["extensions"][kInstancing]["attributes"] = std::move(attributes);
}

TEST_P(GltfExtensions, EachInstanceIsDrawnWhereItIs) {
  GltfFile file = two_triangles();
  const int turns = file.add_accessor<int8_t>({0, 0, 0, 127, 0, 0, 127, 0}, kByte, "VEC4", true);
  instance(file, 1,
           {{"TRANSLATION", file.add_floats({0, 0, 0, 0, 0, 4}, "VEC3")},
            {"ROTATION", turns},
            {"SCALE", file.add_floats({1, 1, 1, 3, 1, 1}, "VEC3")}});
  EXPECT_THAT(posed(file, kInstancing),
              ElementsAre(IsNear(0, 0, 0), IsNear(1, 0, 0), IsNear(0, 1, 0),       // the node without instances
                          IsNear(0, 10, 0), IsNear(1, 10, 0), IsNear(0, 11, 0),    // the first instance
                          IsNear(0, 10, 4), IsNear(-3, 10, 4), IsNear(0, 9, 4)));  // scaled, then turned, then moved
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_P(GltfExtensions, InstancesMayHaveOneAttributeAlone) {
  GltfFile file = two_triangles();
  instance(file, 0, {{"SCALE", file.add_floats({1, 1, 1, 2, 2, 2, 3, 3, 3}, "VEC3")}});
  EXPECT_EQ(posed(file, kInstancing).size(), 12u);
}

TEST_P(GltfExtensions, InstancesFollowTheirNodeAndItsWeights) {
  GltfFile file = two_targets();
  instance(file, 1, {{"TRANSLATION", file.add_floats({2, 0, 0, 4, 0, 0}, "VEC3")}});
  file.json["animations"] = Json::array();
  add_weights(file, {0, 1}, {0, 0, 0, 1});
  file.json["animations"][0]["channels"][0]["target"] = {{"node", 1}, {"path", "weights"}};
  file.add_channel(0, "translation", {0, 1}, {0, 0, 0, 0, 100, 0}, "LINEAR", true);
  const std::vector<Vec3> positions = posed(file, kInstancing, 1);
  ASSERT_EQ(positions.size(), 9u);
  EXPECT_THAT(positions[3], IsNear(2, 110, 1));
  EXPECT_THAT(positions[6], IsNear(4, 110, 1));
}

TEST_P(GltfExtensions, NodesBelowInstancesAreDrawnOnce) {
  GltfFile file = two_triangles();
  instance(file, 0, {{"TRANSLATION", file.add_floats({2, 0, 0, 4, 0, 0}, "VEC3")}});
  const std::vector<Vec3> positions = posed(file, kInstancing);
  ASSERT_EQ(positions.size(), 9u);
  EXPECT_THAT(positions[6], IsNear(0, 10, 0));
}

TEST_P(GltfExtensions, HiddenInstancesAreNotDrawn) {
  GltfFile file = two_triangles();
  instance(file, 1, {{"TRANSLATION", file.add_floats({2, 0, 0, 4, 0, 0}, "VEC3")}});
  file.json["nodes"][1]["extensions"][kVisibility] = {{"visible", false}};
  EXPECT_EQ(posed(file, kInstancing).size(), 3u);
}

TEST_P(GltfExtensions, InstancesThatMakeNoSenseAreRefused) {
  GltfFile counts = two_triangles();
  instance(counts, 1,
           {{"TRANSLATION", counts.add_floats({2, 0, 0, 4, 0, 0}, "VEC3")},
            {"SCALE", counts.add_floats({1, 1, 1}, "VEC3")}});
  EXPECT_THAT(refusal(counts, kInstancing), HasSubstr("its attributes have different counts"));
  GltfFile text = two_triangles();
  instance(text, 1, {{"TRANSLATION", "here"}});
  EXPECT_THAT(refusal(text, kInstancing), HasSubstr("its TRANSLATION is no accessor"));
  GltfFile many = two_triangles();
  const int zeros = many.add_floats({0, 0, 0}, "VEC3");
  many.json["accessors"][size_t(zeros)].erase("bufferView");
  many.json["accessors"][size_t(zeros)]["count"] = 300000;
  instance(many, 1, {{"TRANSLATION", zeros}});
  EXPECT_THAT(refusal(many, kInstancing), HasSubstr("more than 262144 instances"));
}

TEST_P(GltfExtensions, LimitOfInstancesIsOfTheWholeFile) {
  GltfFile file = two_triangles();
  const int zeros = file.add_floats({0, 0, 0}, "VEC3");
  file.json["accessors"][size_t(zeros)].erase("bufferView");
  file.json["accessors"][size_t(zeros)]["count"] = 200000;
  instance(file, 0, {{"TRANSLATION", zeros}});
  instance(file, 1, {{"TRANSLATION", zeros}});
  EXPECT_THAT(refusal(file, kInstancing), HasSubstr("more than 262144 instances"));
}

}  // namespace
}  // namespace sinew::test
