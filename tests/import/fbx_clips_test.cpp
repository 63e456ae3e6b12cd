// Animation stacks of FBX files as clips: their range, what sets a property, units of time, and how near tracks are to
// curves. That clips follow their curves is in fbx_nodes_test.cpp.
#include "fbx_fixture.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FbxClipsTest : public FbxFixture {
 protected:
  FbxClipsTest() { arm_ = file_.add_probe("Arm", FbxBuilder::kRoot, fbx_property("Lcl Translation", {5, 6, 7})); }

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

/// A curve node without any curve still sets its property, of each model to which it is connected.
TEST_F(FbxClipsTest, CurveNodeWithoutCurvesSetsThePropertyOfAllItsModels) {
  const FbxBuilder::Id other = file_.add_probe("Other");
  add_stack(0, 1);
  const FbxBuilder::Id node =
      file_.add_curve_node(layer_, arm_, "Lcl Translation",
                           fbx_property("d|X", {-1}) + fbx_property("d|Y", {-2}) + fbx_property("d|Z", {-3}));
  file_.connect(node, other, "Lcl Translation");
  animate("Lcl Rotation", 'Z', {{0, 1}, {0, 90}});
  const Posed posed = pose(load(file_.text()), 0, 1);
  expect_probe(posed, own_shift({-1, -2, -3}) * own_turn('Z', 90));
  expect_probe(posed, own_shift({-1, -2, -3}), 1e-5, 4);
}

/// Without a range of its own a stack has the reference range, else that of a take of its name, else that of its keys.
TEST_F(FbxClipsTest, RangeOfAStackIsFoundInFourPlaces) {
  const std::string reference = fbx_time("ReferenceStart", 1) + fbx_time("ReferenceStop", 2),
                    own = fbx_time("LocalStart", 0.5) + fbx_time("LocalStop", 2);
  const std::string take =
      "Takes: {\nTake: \"b\" {\nLocalTime: 0,1\n}\nTake: \"a\" {\nLocalTime: " + std::to_string(fbx_ticks(1)) + "," +
      std::to_string(fbx_ticks(2.5)) + "\n}\n}\n";
  struct RangeRow {
    std::string properties, takes;
    double start, stop;
  };
  for (const RangeRow& row :
       {RangeRow{own + reference, take, 0.5, 2}, {reference, take, 1, 2}, {"", take, 1, 2.5}, {"", "", 0.5, 3}}) {
    FbxBuilder file;
    const FbxBuilder::Id arm = file.add_probe("Arm");
    const FbxBuilder::Id stack = file.add("AnimationStack", "AnimStack::a", "", fbx_properties(row.properties));
    file.animate(file.add_layer(stack), arm, "Lcl Translation", "d|Y", {{0.5, 3}, {0.5, 3}});
    const Character character = load(file.text() + row.takes);
    EXPECT_FLOAT_EQ(character.clips[0].end_seconds, float(row.stop - row.start));
    EXPECT_NEAR(height(character, 0), row.start, 1e-5);
  }
}

/// Since FBX 2020 the header may say that a second has 141120000 ticks.
TEST_F(FbxClipsTest, OtherUnitsOfTimeAreRead) {
  const double ratio = 141120000 / 46186158000.0;  // the builder writes the usual ticks
  add_stack(0, 2 * ratio);
  animate("Lcl Translation", 'Y', {{0, 2 * ratio}, {0, 10}});
  const auto end = [&](const char* version, const char* unit) {
    std::string file = file_.text(std::string("OtherFlags: {\nTCDefinition: ") + unit + "\n}\n");
    return load(file.replace(file.find("1003"), 4, version)).clips[0].end_seconds;
  };
  EXPECT_NEAR(end("1004", "0"), 2, 1e-5);
  EXPECT_NEAR(end("1004", "127"), 2 * ratio, 1e-5);
  EXPECT_NEAR(end("1003", "0"), 2 * ratio, 1e-5);
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

/// Steps, repeated: a track of steps, as long as its jumps.
TEST_F(FbxClipsTest, StepsStaySteps) {
  add_stack(0, 10);
  animate("Lcl Translation", 'Y', {{0, 1, 2}, {0, 9, 3}, {{kFbxConstant}}, fbx_extrapolation("Post", 'R', 2)});
  const Character character = load(file_.text());
  const Track<Vec3>& track = character.clips[0].tracks[0].translation;
  EXPECT_EQ(track.interpolation, Interpolation::kStep);
  EXPECT_THAT(track.times_seconds, ElementsAre(0, 1, 2, std::nextafter(2.0f, 3.0f), 3, 4, 5, 6));
}

/// 1e9 degrees in a second: keys lie as near to each other as floats can, and have a limit for all nodes together.
TEST_F(FbxClipsTest, ClipsThatCannotFollowTheirCurvesAreToldOf) {
  add_stack(0, 1);
  animate("Lcl Rotation", 'Z', {{0, 1}, {0, 1e9}});
  load(file_.text());
  EXPECT_GT(report_.largest_curve_error, 0.1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("away from the file's curves")));
  FbxBuilder::Id parent = arm_;
  for (int i = 0; i < 40; ++i) {
    parent = file_.add_probe("Joint" + std::to_string(i), parent);
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

/// Rotations are those of the clip's file with its pivots; what it does not animate stays as the model has it. Lines of
/// its report begin with its name.
TEST_F(FbxClipsTest, ClipsOfSeparateFilesHavePivotsOfTheirOwn) {
  const auto file_with = [](const Own3& arm, const Own3& hand, double turn) {
    FbxBuilder file;
    const auto properties = [&](const Own3& at) {
      return fbx_property("Lcl Translation", {at[0], at[1], at[2]}) + fbx_property("PreRotation", {turn, 0, 0});
    };
    const FbxBuilder::Id parent = file.add_probe("Arm", FbxBuilder::kRoot, properties(arm));
    const FbxBuilder::Id child = file.add_probe("Hand", parent, properties(hand));
    const FbxBuilder::Id layer = file.add_layer(file.add_stack("move", 0, 1));
    file.animate(layer, parent, "Lcl Rotation", "d|Z", {{0, 1}, {0, 90}});
    if (turn != 0) file.animate(layer, child, "PreRotation", "d|Z", {{0, 1}, {0, 90}});
    return file.text();
  };
  const Character character = load(file_with({0, 3, 0}, {0, 0, 7}, 0), {file_with({1, 1, 1}, {0, 0, 9}, 90)});
  ASSERT_EQ(character.clips.size(), 2u);
  const OwnMatrix arm = own_shift({0, 3, 0}) * own_turn('X', 90) * own_turn('Z', 90);
  expect_probe(pose(character, 1, 1), arm);
  expect_probe(pose(character, 1, 1), arm * own_shift({0, 0, 7}), 2e-5, 4);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("animation0.fbx': 1 node 'Hand': a pivot"),
                                            HasSubstr("animation0.fbx': 1 joint at rest unlike")));
}

}  // namespace
}  // namespace sinew::test
