// Morph targets of FBX files: what Assimp does not read of them is read from the text, or said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assimp/fbx_objects.h"
#include "assimp/fbx_shapes.h"
#include "fbx_file.h"
#include "gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {

using namespace internal;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A triangle with two targets, the second at a quarter of its weight at rest.
FbxFile face() {
  FbxFile file;
  file.models = {{"Box", -1, {}}};
  file.mesh_model = 0;
  file.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  file.triangles = {0, 1, 2};
  file.shapes = {{"blink", {0}, {{0, 0, 1}}, {{0, 0, 0}}, 0}, {"smile", {1, 2}, {{1, 0, 0}, {0, 1, 0}}, {{}, {}}, 25}};
  return file;
}

struct Loaded {
  explicit Loaded(const std::string& text) {
    const TemporaryFolder folder;
    Result<Character> character = load_character(folder.write("face.fbx", text), {}, &report);
    if (character) {
      targets = std::move(character->mesh.targets);
    } else {
      refusal = character.error().message;
    }
  }
  explicit Loaded(const FbxFile& file) : Loaded(fbx_text(file)) {}

  std::vector<MorphTarget> targets;
  std::string refusal;
  ImportReport report;
};

TEST(FbxShapes, HaveTheRestWeightsOfTheirChannels) {
  const Loaded loaded(face());
  ASSERT_EQ(loaded.targets.size(), 2u) << loaded.refusal;
  EXPECT_EQ(loaded.targets[0].name, "blink");
  EXPECT_EQ(loaded.targets[0].rest_weight, 0);
  EXPECT_EQ(loaded.targets[1].name, "smile");
  EXPECT_EQ(loaded.targets[1].rest_weight, 0.25f);
  EXPECT_THAT(loaded.report.warnings, Not(Contains(HasSubstr("blend shape"))));
}

/// As Assimp 5.4 reads the file, at worst.
TEST(FbxShapes, HaveTheNamesAndTheOrderOfTheFile) {
  FbxFile file = face();
  file.shapes.push_back({"brow.left", {0}, {{0, 1, 0}}, {{0, 0, 0}}, 0});
  const std::string text = fbx_text(file);
  Scene scene;
  SceneMesh& mesh = scene.meshes.emplace_back();
  for (const char* name : {"brow.left.brow.left", "smile.smile", "unknown", "blink.blink"})
    mesh.targets.emplace_back().name = name;
  scene.uses = {{7, 0}};
  SceneClip& clip = scene.clips.emplace_back();
  for (const uint32_t target : {0u, 1u, 2u, 3u, 9u}) clip.weights.push_back({7, target, {}});
  clip.weights.push_back({8, 1, {}});  // a node without a mesh
  restore_fbx_targets({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, scene);
  std::vector<std::string> names;
  for (const MorphTarget& target : mesh.targets) names.push_back(target.name);
  EXPECT_THAT(names, ElementsAre("blink", "smile", "brow.left", "unknown"));
  std::vector<uint32_t> targets;
  for (const SceneWeightTrack& track : clip.weights) targets.push_back(track.target);
  EXPECT_THAT(targets, ElementsAre(2, 1, 3, 0, 9, 1));
}

TEST(FbxShapes, RestWeightsWithoutATargetOrWithSeveralValuesAreToldOf) {
  std::string text = fbx_text(face());
  text.insert(text.find("}\nConnections"),
              "Deformer: 999, \"SubDeformer::frown\", \"BlendShapeChannel\" {\nDeformPercent: 50\n}\n");
  const Loaded alone(text);
  EXPECT_THAT(alone.report.warnings, Contains("blend shape channel 'frown': its rest weight is taken for 0, because "
                                              "no morph target has its name"));
  FbxFile twice = face();
  twice.shapes.push_back(twice.shapes[1]);
  twice.shapes.back().percent = 50;
  const Loaded several(twice);
  EXPECT_THAT(several.report.warnings, Contains(HasSubstr("channel 'smile': its rest weight is taken for 0, because it "
                                                          "has several")));
  for (const MorphTarget& target : several.targets) EXPECT_EQ(target.rest_weight, 0) << target.name;
  FbxFile infinite = face();
  infinite.shapes[1].percent = 1e300;
  EXPECT_THAT(Loaded(infinite).report.warnings, Contains(HasSubstr("not finite")));
}

TEST(FbxShapes, WithoutNormalsAreToldOf) {
  FbxFile file = face();
  file.shapes[1].normals.clear();
  file.shapes[1].percent = 0;
  const Loaded loaded(file);
  if (loaded.targets.size() == 2) GTEST_SKIP() << "this Assimp reads such shapes";
  EXPECT_THAT(loaded.report.warnings, Contains("blend shape 'smile' has no normals: Assimp leaves it out; export the "
                                               "shapes with normals, or glTF"));
}

/// Values of a binary record.
std::string binary_string(const std::string& text) {
  const auto size = char(text.size());
  return std::string{'S', size, 0, 0, 0} + text;
}

TEST(FbxShapes, OfBinaryFilesAreFoundByTypeAndClass) {
  const std::string suffix("\0\1SubDeformer", 13), number("\0\0\0\0\0\0\x49\x40", 8);  // 50
  std::string file = "Kaydara FBX Binary  ";
  file += binary_string("skin" + suffix) + binary_string("Cluster");
  file += binary_string("smile" + suffix) + binary_string("BlendShapeChannel") + "DeformPercentD" + number + "rest";
  file += binary_string("blink" + suffix) + binary_string("BlendShapeChannel");
  const auto bytes = [&](size_t size) { return std::span(reinterpret_cast<const uint8_t*>(file.data()), size); };
  const auto channels = find_fbx_objects(bytes(file.size()), "SubDeformer", "BlendShapeChannel");
  ASSERT_EQ(channels.size(), 2u);
  EXPECT_EQ(channels[0].name, "smile");
  EXPECT_EQ(fbx_number(channels[0], "DeformPercent", -1), 50);
  EXPECT_EQ(channels[1].name, "blink");
  EXPECT_EQ(fbx_number(channels[1], "DeformPercent", -1), -1);
  for (size_t size = 0; size < file.size(); ++size) {  // cut anywhere
    for (const FbxObject& object : find_fbx_objects(bytes(size), "SubDeformer", "BlendShapeChannel")) {
      fbx_number(object, "DeformPercent", 0);
    }
  }
}

}  // namespace
}  // namespace sinew::test
