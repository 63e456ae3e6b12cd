// Animation stacks of FBX files as clips: their range, keys outside it, steps, defaults of curve nodes, extrapolation.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FbxClipsTest : public FbxFixture {
 protected:
  FbxClipsTest() {
    arm_ = file_.add_model("Arm", FbxBuilder::kRoot, fbx_property("Lcl Translation", {5, 6, 7}), "Mesh");
    file_.add_mesh(arm_, FbxProbe::points(), FbxProbe::polygons());
  }

  void add_stack(double start, double stop) { layer_ = file_.add_layer(file_.add_stack("move", start, stop)); }
  void animate(const std::string& property, char axis, const FbxKeys& keys) {
    file_.animate(layer_, arm_, property, std::string("d|") + axis, keys);
  }
  /// The height of the arm, whose other coordinates are not animated.
  double height(const Character& character, double seconds) {
    return double(pose(character, 0, float(seconds)).positions[0].y);
  }

  FbxBuilder file_;
  FbxBuilder::Id arm_ = 0, layer_ = 0;
};

TEST_F(FbxClipsTest, KeyAfterTheEndOfTheStackGivesItsDirection) {
  add_stack(0, 1);
  animate("Lcl Rotation", 'Z', {{0, 2}, {0, 80}});
  const Character character = load(file_.text());
  EXPECT_FLOAT_EQ(character.clips[0].end_seconds, 1);
  expect_probe(pose(character, 0, 1), own_shift({5, 6, 7}) * own_turn('Z', 40));
}

TEST_F(FbxClipsTest, KeyBeforeTheStartOfTheStackGivesItsDirection) {
  add_stack(1, 2);
  animate("Lcl Rotation", 'Z', {{0, 2}, {0, 80}});
  const Character character = load(file_.text());
  expect_probe(pose(character, 0, 0), own_shift({5, 6, 7}) * own_turn('Z', 40));
  expect_probe(pose(character, 0, 1), own_shift({5, 6, 7}) * own_turn('Z', 80));
}

TEST_F(FbxClipsTest, ConstantKeysStandStillAndChangeExactlyAtTheNextKey) {
  add_stack(0, 3);
  animate("Lcl Rotation", 'Z', {{0, 1, 3}, {0, 90, 30}, {{kFbxConstant}}});
  const Character character = load(file_.text());
  const auto turned = [&](float time) { return pose(character, 0, time); };
  expect_probe(turned(0.999999f), own_shift({5, 6, 7}));
  expect_probe(turned(1), own_shift({5, 6, 7}) * own_turn('Z', 90));
  expect_probe(turned(2.9f), own_shift({5, 6, 7}) * own_turn('Z', 90));
  expect_probe(turned(3), own_shift({5, 6, 7}) * own_turn('Z', 30));
}

TEST_F(FbxClipsTest, NumbersWithoutACurveAreThoseOfTheCurveNode) {
  add_stack(0, 1);
  const FbxBuilder::Id node =
      file_.add_curve_node(layer_, arm_, "Lcl Translation",
                           fbx_property("d|X", {-1}) + fbx_property("d|Y", {-2}) + fbx_property("d|Z", {-3}));
  file_.add_curve(node, "d|Y", {{0, 1}, {0, 10}});
  const Character character = load(file_.text());
  expect_probe(pose(character, 0, 0.5f), own_shift({-1, 5, -3}));
  expect_probe(pose(character), own_shift({5, 6, 7}));
}

/// A curve node without any curve still sets its property, in a stack that has keys for something else.
TEST_F(FbxClipsTest, CurveNodeWithoutCurvesSetsItsProperty) {
  add_stack(0, 1);
  file_.add_curve_node(layer_, arm_, "Lcl Translation",
                       fbx_property("d|X", {-1}) + fbx_property("d|Y", {-2}) + fbx_property("d|Z", {-3}));
  animate("Lcl Rotation", 'Z', {{0, 1}, {0, 90}});
  expect_probe(pose(load(file_.text()), 0, 1), own_shift({-1, -2, -3}) * own_turn('Z', 90));
}

TEST_F(FbxClipsTest, OneCurveNodeMayMoveSeveralModels) {
  const FbxBuilder::Id other = file_.add_model("Other", FbxBuilder::kRoot, {}, "Mesh");
  file_.add_mesh(other, FbxProbe::points(), FbxProbe::polygons());
  add_stack(0, 1);
  const FbxBuilder::Id node = file_.add_curve_node(
      layer_, arm_, "Lcl Translation", fbx_property("d|X", {0}) + fbx_property("d|Y", {0}) + fbx_property("d|Z", {0}));
  file_.connect(node, other, "Lcl Translation");
  file_.add_curve(node, "d|Y", {{0, 1}, {0, 10}});
  const Posed posed = pose(load(file_.text()), 0, 0.5f);
  expect_probe(posed, own_shift({0, 5, 0}));
  expect_probe(posed, own_shift({0, 5, 0}), 1e-5, 4);
}

TEST_F(FbxClipsTest, ExtrapolationIsPartOfTheClip) {
  add_stack(0, 10);
  animate("Lcl Translation", 'Y',
          {{4, 5}, {0, 10}, {}, fbx_extrapolation("Pre", 'M', -1) + fbx_extrapolation("Post", 'A', 3)});
  const Character character = load(file_.text());
  EXPECT_NEAR(height(character, 0.25), 2.5, 1e-4);
  EXPECT_NEAR(height(character, 3.25), 7.5, 1e-4);
  EXPECT_NEAR(height(character, 6.5), 25, 1e-4);
  EXPECT_NEAR(height(character, 9.5), 40, 1e-4) << "after three repetitions";
}

/// A sawtooth jumps where it starts again.
TEST_F(FbxClipsTest, RepetitionJumpsBack) {
  add_stack(0, 4);
  animate("Lcl Translation", 'Y', {{0, 1}, {0, 10}, {}, fbx_extrapolation("Post", 'R', -1)});
  const Character character = load(file_.text());
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(height(character, i + 0.25), 2.5, 1e-3) << i;
    EXPECT_NEAR(height(character, i + 0.99), 9.9, 1e-3) << i;
  }
}

TEST_F(FbxClipsTest, StackWithoutARangeOfItsOwnHasTheReferenceRangeElseThatOfItsKeys) {
  for (const bool has_reference : {true, false}) {
    FbxBuilder file;
    const FbxBuilder::Id arm = file.add_model("Arm", FbxBuilder::kRoot, {}, "Mesh");
    file.add_mesh(arm, FbxProbe::points(), FbxProbe::polygons());
    const FbxBuilder::Id stack = file.add(
        "AnimationStack", "AnimStack::a", "",
        has_reference ? fbx_properties(fbx_time("ReferenceStart", 1) + fbx_time("ReferenceStop", 2)) : std::string());
    file.animate(file.add_layer(stack), arm, "Lcl Translation", "d|Y", {{0.5, 3}, {0, 5}});
    const Character character = load(file.text());
    EXPECT_FLOAT_EQ(character.clips[0].end_seconds, has_reference ? 1 : 2.5f);
    EXPECT_NEAR(pose(character, 0, 0).positions[0].y, has_reference ? 1 : 0, 1e-5);
  }
}

TEST_F(FbxClipsTest, EachStackIsAClip) {
  for (const char* name : {"walk", "run"}) {
    const FbxBuilder::Id layer = file_.add_layer(file_.add_stack(name, 0, 1));
    file_.animate(layer, arm_, "Lcl Translation", "d|Y", {{0, 1}, {0, std::string(name) == "walk" ? 1.0 : 2.0}});
  }
  const Character character = load(file_.text());
  ASSERT_EQ(character.clips.size(), 2u);
  EXPECT_EQ(character.clips[0].name, "walk");
  EXPECT_EQ(character.clips[1].name, "run");
  EXPECT_NEAR(pose(character, 0, 1).positions[0].y, 1, 1e-5);
  EXPECT_NEAR(pose(character, 1, 1).positions[0].y, 2, 1e-5);
}

/// Since FBX 2020 the header may say that a second has 141120000 ticks.
TEST_F(FbxClipsTest, OtherUnitsOfTimeAreRead) {
  const double ratio = 141120000 / 46186158000.0;  // the builder writes the usual ticks
  add_stack(0, 2 * ratio);
  animate("Lcl Translation", 'Y', {{0, 2 * ratio}, {0, 10}});
  const auto text = [&](const char* version, const char* unit) {
    std::string file = file_.text({}, std::string("OtherFlags: {\nTCDefinition: ") + unit + "\n}\n");
    return file.replace(file.find("1003"), 4, version);
  };
  EXPECT_NEAR(load(text("1004", "0")).clips[0].end_seconds, 2, 1e-5);
  EXPECT_NEAR(load(text("1004", "127")).clips[0].end_seconds, 2 * ratio, 1e-5);
  EXPECT_NEAR(load(text("1003", "0")).clips[0].end_seconds, 2 * ratio, 1e-5);
}

// --- how near tracks are to curves ---

TEST_F(FbxClipsTest, ReportHasTheKeysAndTheErrorBetweenThem) {
  add_stack(0, 1);
  const FbxBuilder::Id node = file_.add_curve_node(layer_, arm_, "Lcl Rotation");
  for (const char axis : {'X', 'Y', 'Z'}) {
    file_.add_curve(node, std::string("d|") + axis,
                    {{0, 1}, {axis == 'Y' ? -40.0 : 10.0, 100}, {{kFbxCubic | kFbxUser}}});
  }
  load(file_.text());
  EXPECT_EQ(report_.curve_keys, 2u);
  EXPECT_GT(report_.track_keys, 2u);
  EXPECT_LT(report_.track_keys, 60u);
  EXPECT_GT(report_.largest_curve_error, 0);
  EXPECT_LE(report_.largest_curve_error, 1e-5);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

/// Three joints in a row turn about all axes: between keys, vertices are within 1e-5 of the diagonal.
TEST_F(FbxClipsTest, VerticesOfAChainAreNearTheirCurvesBetweenKeys) {
  FbxBuilder file;
  std::vector<FbxBuilder::Id> joints;
  for (int i = 0; i < 4; ++i) {
    joints.push_back(file.add_model("J" + std::to_string(i), i == 0 ? FbxBuilder::kRoot : joints.back(),
                                    fbx_property("Lcl Translation", {0, i == 0 ? 0.0 : 2.0, 0}), "Mesh"));
    file.add_mesh(joints.back(), FbxProbe::points(), FbxProbe::polygons());
  }
  const FbxBuilder::Id layer = file.add_layer(file.add_stack("move", 0, 2));
  const auto degrees = [](int joint, int axis, int key) {
    return double((joint * 37 + axis * 61 + key * 83) % 150) - 70;
  };
  for (int j = 0; j < 4; ++j) {
    const FbxBuilder::Id node = file.add_curve_node(layer, joints[size_t(j)], "Lcl Rotation");
    for (int axis = 0; axis < 3; ++axis) {
      file.add_curve(node, std::string("d|") + char('X' + axis),
                     {{0, 1, 2}, {degrees(j, axis, 0), degrees(j, axis, 1), degrees(j, axis, 2)}});
    }
  }
  const Character character = load(file.text());
  const double diagonal = double(diagonal_of(pose(character).positions));
  for (int i = 0; i < 100; ++i) {
    const double t = 2 * (i + 0.37) / 100;
    const Posed posed = pose(character, 0, float(t));
    OwnMatrix whole;
    for (int j = 0; j < 4; ++j) {
      Own3 angles;
      for (int axis = 0; axis < 3; ++axis) {
        const int key = int(t);
        angles[size_t(axis)] = degrees(j, axis, key) + (degrees(j, axis, key + 1) - degrees(j, axis, key)) * (t - key);
      }
      whole = whole * own_shift({0, j == 0 ? 0.0 : 2.0, 0}) * own_euler(angles);
      expect_probe(posed, whole, 1.2e-5 * diagonal, size_t(4 * j));
    }
  }
  EXPECT_LE(report_.largest_curve_error, 1e-5);
}

/// 1e9 degrees in a second: keys lie as near to each other as floats can.
TEST_F(FbxClipsTest, ClipsThatCannotFollowTheirCurvesAreToldOf) {
  add_stack(0, 1);
  animate("Lcl Rotation", 'Z', {{0, 1}, {0, 1e9}});
  const Character character = load(file_.text());
  EXPECT_GT(report_.largest_curve_error, 0.1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("away from the file's curves")));
}

TEST_F(FbxClipsTest, KeysThatCurvesAddAreLimitedForAllNodesTogether) {
  add_stack(0, 1);
  FbxBuilder::Id parent = arm_;
  for (int i = 0; i < 40; ++i) {
    parent = file_.add_model("Joint" + std::to_string(i), parent, "", "Mesh");
    file_.add_mesh(parent, FbxProbe::points(), FbxProbe::polygons());
    file_.animate(layer_, parent, "Lcl Rotation", "d|Z", {{0, 1}, {0, 1e9}});
  }
  load(file_.text());
  EXPECT_GT(report_.track_keys, 60000u);
  EXPECT_LT(report_.track_keys, 200000u);
}

TEST_F(FbxClipsTest, KeysThatAreNotFiniteAreToldOf) {
  add_stack(0, 1);
  animate("Lcl Translation", 'Y', {{0, 0.5, 1}, {0, 123.5, 10}});
  std::string text = file_.text();
  const std::string number = "123.5";
  ASSERT_NE(text.find(number), text.npos);
  text.replace(text.find(number), number.size(), "-nan(ind)");
  EXPECT_NEAR(height(load(text), 0.5), 5, 1e-5);
  EXPECT_THAT(report_.warnings, ElementsAre("1 keys are not finite, dropped"));
}

// --- separate files ---

TEST_F(FbxClipsTest, LostFeaturesOfASeparateAnimationFileBeginWithItsName) {
  const std::string model = file_.text();
  add_stack(0, 1);
  animate("Lcl Translation", 'Y', {{0, 1}, {0, 10}});
  animate("PreRotation", 'Y', {{0, 1}, {0, 10}});
  const Character character = load(model, {file_.text()});
  EXPECT_NEAR(height(character, 1), 10, 1e-5);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("animation0.fbx': 1 node 'Arm': a pivot")));
}

}  // namespace
}  // namespace sinew::test
