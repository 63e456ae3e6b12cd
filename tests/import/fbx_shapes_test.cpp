// Blend shapes of FBX files: names, order, rest weights, in-betweens, full weights, and weights over time.
#include "fbx_file.h"
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

struct Step {
  double percent;
  Own3 shift;  // of the first control point
};

class FbxShapesTest : public FbxFixture {
 protected:
  FbxShapesTest() {
    body_ = file_.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
    mesh_ = file_.add_mesh(body_, FbxProbe::points(), FbxProbe::polygons());
    deformer_ = file_.add("Deformer", "Deformer::", "BlendShape");
    file_.connect(deformer_, mesh_);
  }

  /// A channel with shapes that move the first control point, each whole at its own percentage.
  FbxBuilder::Id add_channel(const std::string& name, const std::vector<Step>& steps, double rest_percent = 0) {
    std::vector<double> percents;
    for (const Step& step : steps) percents.push_back(step.percent);
    const FbxBuilder::Id channel =
        file_.add("Deformer", "SubDeformer::" + name, "BlendShapeChannel",
                  fbx_properties(fbx_property("DeformPercent", {rest_percent})) + fbx_array("FullWeights", percents));
    file_.connect(channel, deformer_);
    for (const Step& step : steps) {
      const std::string records =
          fbx_array("Indexes", {0}) + fbx_array("Vertices", {step.shift[0], step.shift[1], step.shift[2]});
      file_.connect(file_.add("Geometry", "Geometry::" + name, "Shape", records), channel);
    }
    return channel;
  }
  void animate(FbxBuilder::Id channel, const FbxKeys& keys) {
    if (layer_ == 0) layer_ = file_.add_layer(file_.add_stack("move", 0, keys.seconds.back()));
    file_.animate(layer_, channel, "DeformPercent", "d|DeformPercent", keys);
  }
  Own3 first_point(const Character& character, double seconds) {
    const Vec3 at = pose(character, 0, float(seconds)).positions[0];
    return {double(at.x), double(at.y), double(at.z)};
  }

  FbxBuilder file_;
  FbxBuilder::Id body_ = 0, mesh_ = 0, deformer_ = 0, layer_ = 0;
};

/// Where the steps move the point at a percentage: in lines from step to step, which go on beyond the first and last.
Own3 shift_at(std::vector<Step> steps, double percent) {
  steps.push_back({0, {0, 0, 0}});
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.percent < b.percent; });
  size_t next = 1;
  while (next + 1 < steps.size() && steps[next].percent < percent) ++next;
  const Step &a = steps[next - 1], &b = steps[next];
  return own_mix(a.shift, b.shift, (percent - a.percent) / (b.percent - a.percent));
}

void expect_near(const Own3& actual, const Own3& expected) {
  for (size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(actual[axis], expected[axis], 2e-5);
}

TEST_F(FbxShapesTest, HaveTheRestWeightsOfTheirChannels) {
  const Character character = load(fbx_text(face()));
  ASSERT_EQ(character.mesh.targets.size(), 2u);
  EXPECT_EQ(character.mesh.targets[0].name, "blink");
  EXPECT_EQ(character.mesh.targets[0].rest_weight, 0);
  EXPECT_EQ(character.mesh.targets[1].name, "smile");
  EXPECT_EQ(character.mesh.targets[1].rest_weight, 0.25f);
  EXPECT_THAT(report_.warnings, IsEmpty());
  expect_at(pose(character).positions[1], {1.25, 0, 0});
}

TEST_F(FbxShapesTest, HaveTheNamesAndTheOrderOfTheFile) {
  FbxFile file = face();
  file.shapes.push_back({"brow.left", {0}, {{0, 1, 0}}, {{0, 0, 0}}, 0});
  file.shapes.push_back(file.shapes[0]);  // of the same name
  std::vector<std::string> names;
  for (const MorphTarget& target : load(fbx_text(file)).mesh.targets) names.push_back(target.name);
  EXPECT_THAT(names, ElementsAre("blink", "smile", "brow.left", "blink"));
}

TEST_F(FbxShapesTest, WithoutNormalsAreRead) {
  FbxFile file = face();
  file.shapes[1].normals.clear();
  const Character character = load(fbx_text(file));
  ASSERT_EQ(character.mesh.targets.size(), 2u);
  EXPECT_EQ(character.mesh.targets[1].vertices.size(), 2u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

/// A shape turns the triangle by 45 degrees about x; so do its normals, which the file does not have.
TEST_F(FbxShapesTest, WithoutNormalsTurnTheNormalsOfTheMesh) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id mesh =
      file.add_mesh(model, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}},
                    "LayerElementNormal: 0 {\nMappingInformationType: \"AllSame\"\nReferenceInformationType: "
                    "\"Direct\"\n" +
                        fbx_array("Normals", {0, 0, 1}) + "}\n");
  const FbxBuilder::Id deformer = file.add("Deformer", "Deformer::", "BlendShape"),
                       channel = file.add("Deformer", "SubDeformer::turn", "BlendShapeChannel",
                                          fbx_properties(fbx_property("DeformPercent", {100})));
  file.connect(deformer, mesh), file.connect(channel, deformer);
  file.connect(
      file.add("Geometry", "Geometry::turn", "Shape", fbx_array("Indexes", {2}) + fbx_array("Vertices", {0, 0, 1})),
      channel);
  const Vec3 normal = pose(load(file.text())).normals[0];
  EXPECT_NEAR(normal.y, -std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(normal.z, std::sqrt(0.5), 1e-3);
}

TEST_F(FbxShapesTest, ShapeThatNamesAMissingVertexIsRefused) {
  FbxFile file = face();
  file.shapes[1].vertices = {1, 3};
  EXPECT_THAT(refusal_of(fbx_text(file)), HasSubstr("blend shape 'smile' names vertex 3 of 3"));
}

TEST_F(FbxShapesTest, RestWeightThatIsNotFiniteMovesNothingToInfinity) {
  add_channel("huge", {{100, {1, 0, 0}}}, 1e300);
  EXPECT_EQ(refusal_of(file_.text()), "");
  EXPECT_TRUE(is_finite(pose(load(file_.text())).positions[0]));
}

TEST_F(FbxShapesTest, InBetweensAreMixedPieceByPiece) {
  const std::vector<Step> steps = {{50, {1, 0, 0}}, {100, {0, 1, 0}}};
  animate(add_channel("smile", steps), {{0, 1}, {0, 100}});
  const Character character = load(file_.text());
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(character.mesh.targets.size(), 2u);
  for (const double time : {0.0, 0.1, 0.25, 0.49, 0.5, 0.51, 0.75, 1.0}) {
    expect_near(first_point(character, time), shift_at(steps, 100 * time));
  }
}

TEST_F(FbxShapesTest, InBetweensInAnyOrderAreSortedByPercent) {
  const std::vector<Step> steps = {{100, {0, 1, 0}}, {30, {1, 0, 0}}, {70, {0, 0, 1}}};
  animate(add_channel("smile", steps), {{0, 1}, {0, 100}});
  const Character character = load(file_.text());
  for (const double time : {0.15, 0.3, 0.4, 0.7, 0.9}) {
    expect_near(first_point(character, time), shift_at(steps, 100 * time));
  }
}

TEST_F(FbxShapesTest, PercentagesBelowZeroAndAboveAHundredGoOn) {
  const std::vector<Step> steps = {{50, {1, 0, 0}}, {100, {0, 1, 0}}};
  animate(add_channel("smile", steps), {{0, 1}, {-100, 200}});
  const Character character = load(file_.text());
  for (const double time : {0.0, 0.2, 1 / 3.0, 0.4, 0.5, 2 / 3.0, 0.8, 1.0}) {
    expect_near(first_point(character, time), shift_at(steps, -100 + 300 * time));
  }
}

TEST_F(FbxShapesTest, StepsBelowZeroAreReachedByNegativePercentages) {
  const std::vector<Step> steps = {{-50, {0, 0, 2}}, {100, {0, 1, 0}}};
  animate(add_channel("smile", steps), {{0, 1}, {-100, 100}});
  const Character character = load(file_.text());
  for (const double time : {0.0, 0.25, 0.4, 0.5, 0.75, 1.0}) {
    expect_near(first_point(character, time), shift_at(steps, -100 + 200 * time));
  }
}

TEST_F(FbxShapesTest, FullWeightSaysWhereAShapeIsWhole) {
  animate(add_channel("smile", {{50, {1, 0, 0}}}), {{0, 1}, {0, 100}});
  const Character character = load(file_.text());
  expect_near(first_point(character, 0.25), {0.5, 0, 0});
  expect_near(first_point(character, 0.5), {1, 0, 0});
  expect_near(first_point(character, 1), {2, 0, 0});
}

TEST_F(FbxShapesTest, RestWeightIsThatOfItsStep) {
  add_channel("smile", {{50, {1, 0, 0}}, {100, {0, 1, 0}}}, 75);
  expect_at(pose(load(file_.text())).positions[0], {0.5, 0.5, 0});
}

TEST_F(FbxShapesTest, ChannelsAddUp) {
  animate(add_channel("a", {{100, {1, 0, 0}}}), {{0, 1}, {0, 100}});
  animate(add_channel("b", {{100, {0, 1, 0}}}), {{0, 1}, {50, 0}});
  add_channel("c", {{100, {0, 0, 1}}}, 20);
  const Character character = load(file_.text());
  for (const double time : {0.0, 0.3, 1.0}) {
    expect_near(first_point(character, time), {time, 0.5 - 0.5 * time, 0.2});
  }
}

TEST_F(FbxShapesTest, WeightsFollowTheirCurves) {
  animate(add_channel("smile", {{100, {1, 0, 0}}}), {{0, 1}, {0, 100}, {{kFbxCubic | kFbxUser, 0, 0}}});
  const Character character = load(file_.text());
  for (const double t : {0.1, 0.3, 0.6, 0.95}) {
    expect_near(first_point(character, t), {3 * t * t - 2 * t * t * t, 0, 0});
  }
}

TEST_F(FbxShapesTest, ConstantKeysOfWeightsStandStill) {
  animate(add_channel("smile", {{100, {1, 0, 0}}}), {{0, 1, 2}, {0, 100, 50}, {{kFbxConstant}}});
  const Character character = load(file_.text());
  expect_near(first_point(character, 0.99), {0, 0, 0});
  expect_near(first_point(character, 1), {1, 0, 0});
  expect_near(first_point(character, 1.9), {1, 0, 0});
}

/// A mesh of two materials is two parts; both have all targets, and share their weights.
TEST_F(FbxShapesTest, ShapesOfTwoPartsMoveBoth) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id mesh =
      file.add_mesh(model, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}}, {{0, 1, 2}, {3, 4, 5}},
                    "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
                    "\"IndexToDirect\"\n" +
                        fbx_array("Materials", {0, 1}) + "}\n");
  for (const char* name : {"a", "b"}) file.connect(file.add("Material", name, ""), model);
  const FbxBuilder::Id deformer = file.add("Deformer", "Deformer::", "BlendShape"),
                       channel = file.add("Deformer", "SubDeformer::up", "BlendShapeChannel");
  file.connect(deformer, mesh), file.connect(channel, deformer);
  file.connect(file.add("Geometry", "Geometry::up", "Shape",
                        fbx_array("Indexes", {1, 4}) + fbx_array("Vertices", {0, 0, 1, 0, 0, 2})),
               channel);
  file.animate(file.add_layer(file.add_stack("a", 0, 1)), channel, "DeformPercent", "d|DeformPercent",
               {{0, 1}, {0, 100}});
  const Character character = load(file.text());
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  EXPECT_EQ(character.mesh.targets.size(), 1u);
  const Posed posed = pose(character, 0, 0.5f);
  double moved[2] = {0, 0};
  for (size_t i = 0; i < posed.positions.size(); ++i) {
    double& part = moved[posed.positions[i].x < 3 ? 0 : 1];
    part = std::max(part, double(posed.positions[i].z));
  }
  EXPECT_NEAR(moved[0], 0.5, 1e-5);
  EXPECT_NEAR(moved[1], 1, 1e-5);
}

/// Nodes with pre-rotations, pivots and inherited scales before and around the mesh, which once took its weights.
TEST_F(FbxShapesTest, WeightsFindTheirMeshWhateverPivotsThereAre) {
  FbxBuilder file;
  const std::string pivots = fbx_property("PreRotation", {0, 0, 90}) + fbx_property("RotationPivot", {1, 2, 3}) +
                             fbx_property("GeometricTranslation", {0, 0, 4});
  const FbxBuilder::Id joint =
      file.add_model("Joint", FbxBuilder::kRoot, pivots + fbx_property("Lcl Scaling", {2, 1, 1}));
  const FbxBuilder::Id tip = file.add_model("Tip", joint, pivots + fbx_property("InheritType", {2}));
  const FbxBuilder::Id body = file.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id mesh = file.add_mesh(body, FbxProbe::points(), FbxProbe::polygons());
  file.add_mesh(tip, FbxProbe::points(), FbxProbe::polygons());
  const FbxBuilder::Id deformer = file.add("Deformer", "Deformer::", "BlendShape"),
                       channel = file.add("Deformer", "SubDeformer::up", "BlendShapeChannel");
  file.connect(deformer, mesh), file.connect(channel, deformer);
  file.connect(
      file.add("Geometry", "Geometry::up", "Shape", fbx_array("Indexes", {0}) + fbx_array("Vertices", {0, 0, 1})),
      channel);
  const FbxBuilder::Id layer = file.add_layer(file.add_stack("a", 0, 1));
  file.animate(layer, channel, "DeformPercent", "d|DeformPercent", {{0, 1}, {0, 100}});
  file.animate(layer, joint, "Lcl Rotation", "d|X", {{0, 1}, {0, 60}});
  const Character character = load(file.text());
  EXPECT_THAT(report_.warnings, IsEmpty());
  double still = 1e9;  // the distance of the nearest vertex from where the moved one must be
  for (const Vec3 at : pose(character, 0, 0.5f).positions)
    still = std::min(still, double(length(at - Vec3{0, 0, 0.5f})));
  EXPECT_LT(still, 1e-5);
}

/// Blender writes what vertex groups leave of a shape, a percentage for each of its vertices, in the same place.
TEST_F(FbxShapesTest, WeightsOfVerticesInFilesOfBlenderWeakenTheShape) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id mesh = file.add_mesh(model, FbxProbe::points(), FbxProbe::polygons());
  const FbxBuilder::Id deformer = file.add("Deformer", "Deformer::", "BlendShape"),
                       channel = file.add("Deformer", "SubDeformer::up", "BlendShapeChannel",
                                          fbx_array("FullWeights", {25, 100}) + "DeformPercent: 100\n");
  file.connect(deformer, mesh), file.connect(channel, deformer);
  file.connect(file.add("Geometry", "Geometry::up", "Shape",
                        fbx_array("Indexes", {0, 1}) + fbx_array("Vertices", {0, 0, 4, 0, 0, 4})),
               channel);
  const std::vector<Vec3> at = pose(load(file.text({}, "Creator: \"Blender (stable FBX IO)\"\n"))).positions;
  EXPECT_NEAR(at[0].z, 1, 1e-5);
  EXPECT_NEAR(at[1].z, 4, 1e-5);
}

}  // namespace
}  // namespace sinew::test
