// FBX features that exporters other than Blender write, in small generated files.
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fbx_builder.h"
#include "fbx_file.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A triangle on the model `Box`, with full weight of the joint `Arm`. Both are at the origin in the bind pose.
FbxFile arm() {
  FbxFile file;
  file.models = {{"Box", -1, {}}, {"Arm", -1, {}}};
  file.mesh_model = 0;
  file.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  file.triangles = {0, 1, 2};
  file.clusters = {{1, {0, 1, 2}, {1, 1, 1}, kIdentity, kIdentity}};
  return file;
}

class FbxTest : public ::testing::Test {
 protected:
  Character load(const FbxFile& file, const std::vector<FbxFile>& animations = {}) {
    ImportOptions options;
    for (const FbxFile& animation : animations) {
      const std::string name = "animation" + std::to_string(options.animation_files.size()) + ".fbx";
      options.animation_files.push_back(folder_.write(name, fbx_text(animation)));
    }
    Result<Character> character = load_character(folder_.write("model.fbx", fbx_text(file)), options, &report_);
    if (!character) throw std::runtime_error(character.error().message);
    return std::move(*character);
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

void expect_at(Vec3 actual, Vec3 expected, float tolerance = 1e-5f) {
  EXPECT_LT(length(actual - expected), tolerance) << actual.x << " " << actual.y << " " << actual.z;
}

/// A pre-rotation of 90 degrees about x, and keys that rotate by 90 degrees about z: together they map x to z.
FbxFile pre_rotated_arm() {
  FbxFile file = arm();
  file.models[1].properties = {{"PreRotation", {90, 0, 0}}, {"Lcl Translation", {0, 3, 0}}};
  file.stacks = {{"wave", 0, 1, {{1, "Lcl Rotation", 'Z', {0, 1}, {0, 90}}}}};
  return file;
}

TEST_F(FbxTest, PreRotationIsAppliedOnce) {
  const Character character = load(pre_rotated_arm());
  EXPECT_THAT(report_.warnings, IsEmpty());
  expect_at(pose(character).positions[1], {1, 3, 0});
  expect_at(pose(character).positions[2], {0, 3, 1});
  expect_at(pose(character, 0, 1).positions[1], {0, 3, 1});
  expect_at(pose(character, 0, 1).positions[2], {-1, 3, 0});
}

TEST_F(FbxTest, PreRotationIsAppliedOnceInASeparateAnimationFile) {
  FbxFile clip = pre_rotated_arm();
  clip.mesh_model = -1;
  clip.clusters.clear();
  FbxFile model = arm();  // without pivots
  const Character character = load(model, {clip});
  EXPECT_THAT(report_.warnings, IsEmpty());
  expect_at(pose(character, 0, 1).positions[1], {0, 0, 1});  // the clip does not animate the translation
}

TEST_F(FbxTest, PostRotationIsInverted) {
  FbxFile file = arm();
  file.models[1].properties = {{"PostRotation", {0, 0, 30}}};
  file.stacks = {{"wave", 0, 1, {{1, "Lcl Rotation", 'Z', {0, 1}, {0, 90}}}}};
  const Character character = load(file);
  const float s = std::sin(float(std::numbers::pi) / 6), c = std::cos(float(std::numbers::pi) / 6);
  expect_at(pose(character).positions[1], {c, -s, 0});
  expect_at(pose(character, 0, 1).positions[1], {s, c, 0});
}

TEST_F(FbxTest, JointsWithoutAChannelKeepTheModelsRestPose) {
  FbxFile model = arm(), clip = arm();
  model.models.push_back({"Hand", 1, {{"Lcl Translation", {0, 0, 7}}}});
  model.clusters[0].model = 2;
  clip.models.push_back({"Hand", 1, {{"Lcl Translation", {0, 0, 9}}, {"PreRotation", {0, 0, 45}}}});
  clip.mesh_model = -1;
  clip.clusters.clear();
  clip.stacks = {{"lift", 0, 1, {{1, "Lcl Translation", 'Y', {0, 1}, {0, 5}}}}};
  expect_at(pose(load(model, {clip}), 0, 1).positions[1], {1, 5, 7});
}

TEST_F(FbxTest, SkinsIncludeTheTransformOfTheirMeshNode) {
  FbxFile file = arm();
  // The mesh is at (2, 0, 10) in a group with a scale of 3. In the bind pose the joint is at (0, 5, 0).
  file.models = {{"Group", -1, {{"Lcl Scaling", {3, 3, 3}}, {"Lcl Translation", {0, 0, 4}}}},
                 {"Box", 0, {{"Lcl Translation", {2, 0, 10}}}},
                 {"Arm", -1, {{"Lcl Translation", {0, 5, 1}}}}};
  file.mesh_model = 1;
  file.clusters[0].model = 2;
  file.clusters[0].transform = {3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0, 6, -5, 34, 1};
  file.clusters[0].transform_link = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1};
  expect_at(pose(load(file)).positions[1], {6 + 3, 0, 34 + 1});
}

/// The arm moves up by 4 in the first half second of the stack, and by 2 in the second half second.
FbxFile lifted_arm(double start) {
  FbxFile file = arm();
  file.stacks = {{"lift",
                  start,
                  start + 1,
                  {{1, "Lcl Translation", 'Y', {start, start + 0.5, start + 1}, {0, 4, 6}},
                   {1, "Lcl Rotation", 'Z', {0, start, start + 1}, {77, 0, 90}}}}};
  return file;
}

TEST_F(FbxTest, ClipBeginsAtZeroWhereverItsStackBegins) {
  const Character character = load(lifted_arm(0.8));
  ASSERT_EQ(character.clips.size(), 1u);
  const Clip& clip = character.clips[0];
  EXPECT_EQ(clip.start_seconds, 0);
  EXPECT_NEAR(clip.end_seconds, 1, 1e-6f);
  for (const JointTracks& tracks : clip.tracks) {
    EXPECT_GE(tracks.rotation.times_seconds.front(), 0);
    EXPECT_GE(tracks.translation.times_seconds.front(), 0);
  }
  expect_at(pose(character, 0, 0).positions[1], {1, 0, 0});
  expect_at(pose(character, 0, 0.5f).positions[0], {0, 4, 0});
  expect_at(pose(character, 0, 1).positions[1], {0, 7, 0});
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(FbxTest, ClipIsAsLongAsItsStack) {
  FbxFile file = lifted_arm(0);
  file.stacks[0].stop_seconds = 3;
  EXPECT_NEAR(load(file).clips[0].end_seconds, 3, 1e-6f);
}

TEST_F(FbxTest, StacksWithoutKeysAreLeftOutWithAWarning) {
  FbxFile file = lifted_arm(0);
  file.stacks.insert(file.stacks.begin(), {"Empty", 0, 1, {}});
  const Character character = load(file);
  ASSERT_EQ(character.clips.size(), 1u);
  EXPECT_EQ(character.clips[0].name, "lift");
  EXPECT_THAT(report_.warnings, ElementsAre("clip 'Empty' has no keys, left out"));
}

/// Six of ninety vertices of a box on five bones, which 3ds Max exported. The source is ufbx's test data:
/// data/max_transformed_skin_7500_ascii.fbx for this file, and the _15.obj beside it for the expected positions, which
/// 3ds Max wrote at frame 15. Each curve has two keys with flat tangents, at frames 0 and 24.
FbxFile box_of_3ds_max() {
  FbxFile file;
  file.models = {
      {"Box001",
       -1,
       {{"GeometricTranslation", {-9.20781326293945f, 23.6171798706055f, 0}},
        {"GeometricRotation", {0, 0, 135.374984741211f}},
        {"Lcl Translation", {-28.9443359375f, 3.67995834350586f, -8.67447662353516f}},
        {"Lcl Rotation", {90.171358296453f, -44.6248772966915f, 90.1381603927014f}}}},
      {"Bone001",
       -1,
       {{"Lcl Translation", {-25.4116115570068f, -19.3058376312256f, 1.51081693172455f}},
        {"Lcl Rotation", {90.0000229950473f, -6.66469196204984f, 0}}}},
      {"Bone002",
       1,
       {{"Lcl Translation", {23.5183258056641f, -5.7220458984375e-06f, 0}},
        {"Lcl Rotation", {-2.7320756042735e-05f, 1.28686155409888e-07f, 16.409965515542f}}}},
      {"Bone003", 2, {{"Lcl Translation", {25.3299350738525f, 0, 0}}, {"Lcl Rotation", {0, 0, 110.050180799657f}}}},
      {"Bone004", 3, {{"Lcl Translation", {23.9204406738281f, 0, 0}}, {"Lcl Rotation", {0, 0, 21.6378382174936f}}}},
      {"Bone005", 4, {{"Lcl Translation", {27.136417388916f, 0, 0}}}}};
  file.mesh_model = 0;
  file.positions = {{-5.55567026138306f, -5.55565738677979f, 7.83971691131592f},
                    {0, 0, 0},
                    {7.50015449523926f, -7.50013732910156f, 31.6182174682617f},
                    {-7.50015449523926f, -8.33272743225098f, 59.0491676330566f},
                    {-5.55567026138306f, -45.153995513916f, 45.7878646850586f},
                    {0, -53.2948722839355f, 51.4309692382813f}};
  file.triangles = {0, 1, 2, 3, 4, 5};
  file.clusters = {
      {1,
       {0, 1},
       {1, 1},
       {0.00428760377834238, 0.702450872047115, -0.711719318023402, 0, 0.0107673155149419, 0.711652200683946,
        0.70244947490105, 0, 0.999932840429407, -0.0106751312139609, -0.00451222727311554, 0, -3.61964630462551,
        -10.1547376889899, -22.9857918992366, 1},
       {0.999963462352753, 0, 0.00854672491550446, 0, -0.00854672491550446, -4.01339251368945e-07, 0.999963462352753, 0,
        3.43013627341142e-09, -1, -4.01324598394401e-07, 0, -25.4116115570068, -19.3058376312256, 1.51081693172455, 1}},
      {2,
       {2},
       {1},
       {0.00943291024248103, 0.702400942651622, -0.7117189830715, 0, 0.0159798441138131, 0.711553886298029,
        0.702449814232391, 0, 0.999827795316832, -0.0179993040047691, -0.00451223361025988, 0, -27.2116253298779,
        -9.95566404349015, -22.9857967075904, 1},
       {0.999874055385589, -6.93811674778999e-10, 0.0158711820840836, 0, -0.0158711820840835, 7.55086402272677e-08,
        0.999874055385589, 0, -1.8921356310667e-09, -1, 7.54881171199424e-08, 0, -1.89414596557617, -19.3058376312256,
        1.7118159532547, 1}},
      {3,
       {3},
       {1},
       {0.70245179709012, -0.00418662109723308, -0.711718983067762, 0, 0.711653382495144, -0.0106650104006349,
        0.702449814241879, 0, -0.0105313813083971, -0.99993433134131, -0.00451223272263469, 0, -10.3478035798039,
        52.4657376963531, -22.9857967365894, 1},
       {-0.00840297341346743, 7.55013829240934e-08, 0.999964714050293, 0, -0.999964714050293, 3.70060431876627e-10,
        -0.00840297341346745, 0, -1.00448344785251e-09, -1, 7.54956062105507e-08, 0, 23.4325981140137,
        -19.3058376312256, 2.11383175849915, 1}},
      {4,
       {4},
       {1},
       {0.702455619277449, -0.00348723333326101, -0.711718983067345, 0, 0.711663650260907, -0.0099564578545681,
        0.702449814243058, 0, -0.00953580623059204, -0.999944324000181, -0.00451223260479986, 0, -34.3204620083069,
        52.4315938570318, -22.9858004561432, 1},
       {-0.00740736909210688, 7.55009850192737e-08, 0.999972581863403, 0, -0.999972581863403, 3.27390615882644e-10,
        -0.0074073690921069, 0, -8.86645272509993e-10, -1, 7.54964872834873e-08, 0, 23.231595993042, -19.3058395385742,
        26.03342628479, 1}}};
  file.clusters[3].vertices.push_back(5);  // with the weight of Bone005, which moves rigidly with Bone004
  file.clusters[3].weights.push_back(1);
  const FbxKeyAttribute flat{kFbxCubic | kFbxUser};
  const auto rotation = [&](int model, char axis, double from, double to) {
    return FbxFileCurve{model, "Lcl Rotation", axis, {0, 0.8}, {from, to}, {flat}};
  };
  file.stacks = {
      {"Take 001",
       0,
       0.8,
       {rotation(1, 'Z', 0, 79.82052), rotation(2, 'Z', 16.40997, -37.80411), rotation(3, 'Z', 110.0502, 37.20745),
        rotation(3, 'X', 0, -30.4227), rotation(3, 'Y', 0, -19.58426), rotation(4, 'Z', 21.63784, -22.86441),
        rotation(4, 'X', 0, -28.29693), rotation(4, 'Y', 0, 11.4626)}}};
  return file;
}

TEST_F(FbxTest, GeometricTransformOfASkinMatches3dsMax) {
  const Character character = load(box_of_3ds_max());
  EXPECT_THAT(report_.warnings, IsEmpty());
  const std::vector<Vec3> at = pose(character, 0, 0.5f).positions;
  const Vec3 expected[] = {{-27.6460f, -13.0741f, 7.6475f}, {-27.2565f, -22.1700f, 1.2989f},
                           {-1.9865f, 0.6523f, 10.1598f},   {7.3747f, 31.5499f, -1.9759f},
                           {22.1392f, 46.2592f, 28.6031f},  {33.1149f, 46.0907f, 31.5166f}};
  ASSERT_EQ(at.size(), 6u);
  for (size_t v = 0; v < 6; ++v) expect_at(at[v], expected[v], 1e-3f);  // 1e-5 of the diagonal
}

}  // namespace
}  // namespace sinew::test
