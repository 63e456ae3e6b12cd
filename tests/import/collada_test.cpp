// Motion of COLLADA files: each component by itself, as the curves say, at keys and between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "collada_file.h"
#include "gltf_file.h"
#include "message.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kIdentityText = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";

// What a node is placed by.
const std::string kMatrix = "<matrix sid=\"m\">" + kIdentityText + "</matrix>";
constexpr const char* kMoves = "<translate sid=\"t\">0 0 0</translate>";
constexpr const char* kTurns = "<rotate sid=\"r\">0 0 1 0</rotate>";

Matrix3x4d moved(double x, double y, double z) { return {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}}; }
Matrix3x4d scaled(double x, double y, double z) { return {{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}}; }
/// A rotation about axis 0, 1 or 2.
Matrix3x4d turned(int axis, double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  Matrix3x4d m;
  m.m[a][a] = m.m[b][b] = c, m.m[a][b] = -s, m.m[b][a] = s;
  return m;
}

class ColladaTest : public ::testing::Test {
 protected:
  /// Loads a file, which must succeed.
  Character load(const std::string& text) { return must(load_character(folder_.write("a.dae", text), {}, &report_)); }
  Character load(const std::string& placements, const std::vector<ColladaKeys>& keys) {
    return load(collada_file(collada_node(placements), collada_animations(keys)));
  }
  std::string refusal(const std::string& text) {
    return message_of(load_character(folder_.write("a.dae", text), {}, &report_));
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

/// The largest distance of the mesh's corners to where `model_from_mesh` puts them, as a share of the diagonal.
double error_at(const Character& character, int clip, double time, const Matrix3x4d& model_from_mesh) {
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Vec3> positions = pose(character, clip, float(time)).positions;
  double worst = positions.empty() ? 1 : 0;
  for (const Vec3 corner : corners) {
    double nearest = HUGE_VAL;
    for (const Vec3 p : positions)
      nearest = std::min(nearest, double(length(p - transform_point(model_from_mesh, corner))));
    worst = std::max(worst, nearest);
  }
  return worst / diagonal_of(pose(character).positions);
}

/// Compares a clip that starts at 0 with a motion at 60 times.
void expect_motion(const Character& character, const std::function<Matrix3x4d(double)>& motion, double tolerance = 1e-5,
                   int clip = 0) {
  ASSERT_GT(character.clips.size(), size_t(clip));
  const double end = character.clips[size_t(clip)].end_seconds;
  std::pair<double, double> worst = {0, 0};  // and when
  for (int i = 0; i <= 60; ++i) {
    const float time = float(end * i / 60);
    worst = std::max(worst, {error_at(character, clip, time, motion(time)), time});
  }
  EXPECT_LE(worst.first, tolerance) << "at " << worst.second << " s";
}

double lerp(double a, double b, double share) { return a + (b - a) * share; }

// --- interpolation ---

TEST_F(ColladaTest, EveryComponentIsInterpolatedByItself) {
  const Character character = load(
      "<translate sid=\"t\">0 1 0</translate><rotate sid=\"oz\">0 0 1 20</rotate><rotate sid=\"rz\">0 0 1 0</rotate>"
      "<rotate sid=\"ry\">0 2 0 0</rotate><rotate sid=\"rx\">1 0 0 0</rotate><scale sid=\"s\">1 1 1</scale>",
      {{"j/rz.ANGLE", "0 1", "0 140"},
       {"j/ry.ANGLE", "0 1", "0 50"},
       {"j/rx.ANGLE", "0 0.5 1", "0 80 -30"},
       {"j/t.X", "0 1", "0 0.5"},
       {"j/s.Y", "0 1", "1 2"}});
  expect_motion(character, [](double t) {
    const double x = t < 0.5 ? lerp(0, 80, t / 0.5) : lerp(80, -30, (t - 0.5) / 0.5);
    return moved(0.5 * t, 1, 0) * turned(2, 20) * turned(2, 140 * t) * turned(1, 50 * t) * turned(0, x) *
           scaled(1, 1 + t, 1);
  });
}

TEST_F(ColladaTest, StepHoldsUntilTheNextKey) {
  for (const bool matrix : {true, false}) {
    SCOPED_TRACE(matrix);
    const Character character =
        matrix ? load(kMatrix, {{"j/m", "0 0.5 1", kIdentityText + " 1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1 " + kIdentityText,
                                 "STEP STEP STEP", "", "", 16}})
               : load(kMoves, {{"j/t.X", "0 0.5 1", "0 2 0", "STEP STEP STEP"}});
    ASSERT_EQ(character.clips.size(), 1u);
    EXPECT_EQ(character.clips[0].tracks.at(0).translation.interpolation, Interpolation::kStep);
    EXPECT_EQ(character.clips[0].tracks.at(0).translation.times_seconds, (std::vector<float>{0, 0.5f, 1}));
    const float before = std::nextafter(0.5f, 0.0f);
    for (const auto& [time, x] : {std::pair(0.0f, 0.0), {0.3f, 0}, {before, 0}, {0.5f, 2}, {0.9f, 2}, {1.0f, 0}})
      EXPECT_LE(error_at(character, 0, time, moved(x, 0, 0)), 1e-6) << time;
  }
}

TEST_F(ColladaTest, OneComponentStepsWhileAnotherMoves) {
  const Character character = load(kMoves, {{"j/t.X", "0 0.5 1", "0 2 5", "STEP STEP STEP"}, {"j/t.Y", "0 1", "0 3"}});
  expect_motion(character, [](double t) { return moved(t < 0.5 ? 0 : t < 1 ? 2 : 5, 3 * t, 0); });
}

TEST_F(ColladaTest, WholeTurnsBetweenTwoKeysAreMade) {
  for (const int degrees : {360, -1440}) {
    const Character character = load(kTurns, {{"j/r.ANGLE", "0 1", "0 " + std::to_string(degrees)}});
    expect_motion(character, [&](double t) { return turned(2, degrees * t); });
  }
  // All times at which an interval is compared are whole turns.
  const Character fast = load(kTurns, {{"j/r.ANGLE", "0 1", "0 36000"}});
  expect_motion(
      fast, [&](double t) { return turned(2, 36000 * t); }, 1e-3);
}

double bezier(double a, double b, double c, double d, double s) {
  const double r = 1 - s;
  return r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d;
}

TEST_F(ColladaTest, BezierTangentsHaveTimeAndValue) {
  const Character character = load(kMoves, {{"j/t.Y", "0 2", "0 1", "BEZIER BEZIER", "0 0 0.4 1.5", "1.8 -0.5 2 1"}});
  for (int i = 0; i <= 20; ++i) {
    const double s = i / 20.0, time = bezier(0, 1.8, 0.4, 2, s), y = bezier(0, -0.5, 1.5, 1, s);
    EXPECT_LE(error_at(character, 0, time, moved(0, y, 0)), 2e-5) << s;  // time is rounded to float
  }
}

/// A tangent that ends after the next key ends at it.
TEST_F(ColladaTest, BezierTangentsBeyondTheirKeysAreLimited) {
  const Character character = load(kMoves, {{"j/t.Y", "0 2", "0 1", "BEZIER BEZIER", "0 0 1.5 1.5", "3 -0.5 2 1"}});
  for (int i = 0; i <= 20; ++i) {
    const double s = i / 20.0, time = bezier(0, 2, 1.5, 2, s), y = bezier(0, -0.5, 1.5, 1, s);
    EXPECT_LE(error_at(character, 0, time, moved(0, y, 0)), 2e-5) << s;
  }
}

TEST_F(ColladaTest, BezierTangentsOfSeveralComponentsMayShareATime) {
  const Character character =
      load(kMoves, {{"j/t", "0 2", "0 0 0 1 2 3", "BEZIER BEZIER", "0 0 0 0 0.4 7 8 9", "1.8 4 5 6 2 0 0 0", 3, 4}});
  for (int i = 0; i <= 20; ++i) {
    const double s = i / 20.0, time = bezier(0, 1.8, 0.4, 2, s);
    const Matrix3x4d expected = moved(bezier(0, 4, 7, 1, s), bezier(0, 5, 8, 2, s), bezier(0, 6, 9, 3, s));
    EXPECT_LE(error_at(character, 0, time, expected), 2e-4) << s;
  }
}

TEST_F(ColladaTest, BezierTangentsWithoutTimesLieAtThirds) {
  const Character character =
      load(kMoves, {{"j/t", "0 1", "0 0 0 1 2 3", "BEZIER BEZIER", "0 0 0 4 5 6", "7 8 9 0 0 0", 3, 3}});
  expect_motion(character,
                [](double t) { return moved(bezier(0, 7, 4, 1, t), bezier(0, 8, 5, 2, t), bezier(0, 9, 6, 3, t)); });
}

TEST_F(ColladaTest, HermiteTangentsAreDirections) {
  const Character character = load(kMoves, {{"j/t.Z", "0 1", "0 1", "HERMITE HERMITE", "0 3", "-6 0", 1, 1}});
  expect_motion(character, [](double t) { return moved(0, 0, bezier(0, -2, 0, 1, t)); });
}

TEST_F(ColladaTest, RotationsOfMatrixKeysTakeTheShorterWay) {
  const std::string turn = "0 -1 0 4 1 0 0 0 0 0 1 0 0 0 0 1";  // 90 degrees about z
  const Character character = load(kMatrix, {{"j/m", "0 1", kIdentityText + " " + turn, "LINEAR LINEAR", "", "", 16}});
  expect_motion(character, [](double t) { return moved(4 * t, 0, 0) * turned(2, 90 * t); });
  EXPECT_EQ(character.clips.at(0).tracks.at(0).rotation.values.size(), 2u) << "no key is added where none is needed";
}

TEST_F(ColladaTest, ShearOfKeysIsSaid) {
  const std::string sheared = "1 0.5 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  load(kMatrix, {{"j/m", "0 1", kIdentityText + " " + sheared, "", "", "", 16}});
  EXPECT_THAT(report_.warnings, ElementsAre("clip 'animation': the shear of keys is lost, of 1 node"));
}

// --- targets ---

TEST_F(ColladaTest, ElementsOfAMatrixMoveAlone) {
  // Writers count columns first; those of the last row, which never moves, count rows first. One number counts by rows.
  const std::pair<const char*, Vec3> kTargets[] = {{"j/m(3)(1)", {0, 1, 0}}, {"j/m(1)(3)", {0, 1, 0}},
                                                   {"j/m(3)(0)", {1, 0, 0}}, {"j/m(11)", {0, 0, 1}},
                                                   {"j/m(13)", {0, 1, 0}},   {"j/m(3)", {1, 0, 0}}};
  for (const auto& [target, direction] : kTargets) {
    SCOPED_TRACE(target);
    const Character character = load(kMatrix, {{target, "0 1", "0 2"}});
    expect_motion(character, [d = direction](double t) { return moved(2 * t * d.x, 2 * t * d.y, 2 * t * d.z); });
    EXPECT_THAT(report_.warnings, IsEmpty());
  }
}

/// (3)(1) is in the fourth column; (1)(3) then is in the last row, which does not move.
TEST_F(ColladaTest, AllElementsOfAMatrixMoveByColumnAndRow) {
  const Character character = load(kMatrix, {{"j/m(3)(1)", "0 1", "0 2"}, {"j/m(1)(3)", "0 1", "0 0"}});
  expect_motion(character, [](double t) { return moved(0, 2 * t, 0); });
}

TEST_F(ColladaTest, LinearPartOfAMatrixMovesByItsElements) {
  const Character character = load(kMatrix, {{"j/m(0)(0)", "0 1", "1 3"}, {"j/m(1)(1)", "0 1", "1 0.5"}});
  expect_motion(character, [](double t) { return scaled(1 + 2 * t, 1 - 0.5 * t, 1); });
}

TEST_F(ColladaTest, TargetsNameWholeTransformsAndPathsOfSids) {
  const std::string nodes =
      "<node id=\"top\"><node sid=\"low\"><translate sid=\"t\">0 0 0</translate><rotate sid=\"r\">1 0 "
      "0 0</rotate><instance_geometry url=\"#mesh\"/></node></node>";
  const Character character = load(collada_file(
      nodes, collada_animations({{"top/low/t", "0 1", "0 0 0 1 2 3", "", "", "", 3}, {"top/low/r", "0 1", "0 90"}})));
  expect_motion(character, [](double t) { return moved(t, 2 * t, 3 * t) * turned(0, 90 * t); });
}

TEST_F(ColladaTest, InstancedNodesAndNodesOfOneNameMoveEachWithItsElement) {
  const std::string library =
      "<library_nodes><node id=\"n\" name=\"x\"><translate sid=\"t\">0 0 0</translate>"
      "<instance_geometry url=\"#mesh\"/></node></library_nodes>";
  const std::string nodes =
      "<node id=\"a\" name=\"x\"><translate>10 0 0</translate><instance_node url=\"#n\"/></node>"
      "<node id=\"b\" name=\"x\"><translate>0 10 0</translate><instance_node url=\"#n\"/></node>";
  const Character character = load(collada_file(nodes, library + collada_animations({{"n/t.Z", "0 1", "0 4"}})));
  EXPECT_LE(error_at(character, 0, 0.5, moved(10, 0, 2)), 1e-5);
  EXPECT_LE(error_at(character, 0, 0.5, moved(0, 10, 2)), 1e-5);
}

// --- clips ---

std::vector<std::string> names_of(const Character& character) {
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  return names;
}

TEST_F(ColladaTest, AnimationsOfOneFilePlayAtOnce) {
  const std::string a = collada_channel("a", {"j/t.X", "0 1", "0 1"}) + collada_channel("b", {"j/t.Y", "0 2", "0 2"});
  const std::string c =
      collada_channel("c", {"j/t.Z", "0 1", "0 3"}) + collada_channel("d", {"j/r.ANGLE", "0 1", "0 9"});
  const Character character =
      load(collada_file(collada_node("<translate sid=\"t\">0 0 0</translate><rotate sid=\"r\">0 0 1 0</rotate>"),
                        "<library_animations><animation name=\"A\">" + a + "</animation><animation>" + c +
                            "</animation></library_animations>"));
  EXPECT_THAT(names_of(character), ElementsAre("A"));
  EXPECT_FLOAT_EQ(character.clips.at(0).end_seconds, 2);
  EXPECT_LE(error_at(character, 0, 1, moved(1, 1, 3) * turned(2, 9)), 1e-5);
}

TEST_F(ColladaTest, AnimationsThatMoveTheSameNumbersAreSeparateClips) {
  const auto clip = [](const std::string& name, const std::string& end) {
    return "<animation name=\"" + name + "\"><animation>" + collada_channel(name + "x", {"j/t.X", "0 1", "0 " + end}) +
           "</animation><animation>" + collada_channel(name + "y", {"j/t.Y", "0 1", "0 " + end}) +
           "</animation></animation>";
  };
  const Character character = load(collada_file(
      collada_node(kMoves), "<library_animations>" + clip("idle", "1") + clip("walk", "2") + "</library_animations>"));
  EXPECT_THAT(names_of(character), ElementsAre("idle_idle", "idle_walk")) << "names that Assimp has always given";
  EXPECT_LE(error_at(character, 1, 1, moved(2, 2, 0)), 1e-5);
}

TEST_F(ColladaTest, ListedClipsAreRangesOfAnimations) {
  const Character character = load(collada_file(
      collada_node(kMoves), collada_animations({{"j/t.X", "0 4", "0 4"}, {"j/t.X", "0 4", "0 8"}}) +
                                "<library_animation_clips><animation_clip id=\"p\" start=\"1\" end=\"2.5\">"
                                "<instance_animation url=\"#c0\"/></animation_clip><animation_clip name=\"q\">"
                                "<instance_animation url=\"#c1\"/></animation_clip></library_animation_clips>"));
  EXPECT_THAT(names_of(character), ElementsAre("p", "q"));
  EXPECT_FLOAT_EQ(character.clips.at(0).start_seconds, 1);
  EXPECT_FLOAT_EQ(character.clips[0].end_seconds, 2.5);
  EXPECT_LE(error_at(character, 0, 2, moved(2, 0, 0)), 1e-5);
  EXPECT_LE(error_at(character, 1, 3, moved(6, 0, 0)), 1e-5);
}

TEST_F(ColladaTest, ClipsThatMoveNothingAreLeftOut) {
  const std::string nodes = collada_node(kMoves) + "<node id=\"x\">" + kMoves + "</node>";
  const Character character = load(collada_file(
      nodes, collada_animations({{"j/t.X", "0 1", "0 1"}, {"x/t.X", "0 1", "0 1"}, {"x/t.X", "0 1", "0 2"}})));
  EXPECT_EQ(character.clips.size(), 1u);
  EXPECT_THAT(report_.warnings, ::testing::Contains("1 clip that moves nothing is left out"));
}

TEST_F(ColladaTest, WhatDoesNotChangeHasItsEndsOnly) {
  const Character character = load("<translate sid=\"t\">1 2 3</translate><rotate sid=\"r\">0 0 1 0</rotate>",
                                   {{"j/r.ANGLE", "0 1 2 3", "0 10 20 40"}, {"j/t.X", "0 1 2 3", "5 5 5 5"}});
  const JointTracks& tracks = character.clips.at(0).tracks.at(0);
  EXPECT_EQ(tracks.translation.times_seconds, (std::vector<float>{0, 3}));
  EXPECT_EQ(tracks.rotation.times_seconds, (std::vector<float>{0, 1, 2, 3}));
}

// --- what is malformed ---

TEST_F(ColladaTest, MalformedChannelsHaveALinePerClip) {
  const std::pair<ColladaKeys, const char*> kFaults[] = {
      {{"j/t.X", "0 1 2", "0 1"}, "another number of values than of times"},
      {{"j/t.X", "0 2 1", "0 1 2"}, "times that do not ascend"},
      {{"j/t.X", "0 1", "0 nan"}, "numbers that are not finite"},
      {{"j/t.X", "", "0 1"}, "no keys"},
      {{"j/t.X", "0 1", ""}, "another number of values than of times"},
      {{"j/t.X", "0 one", "0 1"}, "numbers that are not finite"}};
  for (const auto& [keys, fault] : kFaults) {
    ColladaKeys second = keys;
    second.target = "j/t.Y";
    load(kMoves, {keys, second, {"j/t.Z", "0 1", "0 1"}});
    EXPECT_THAT(report_.warnings,
                ElementsAre("clip 'animation': 2 channels left out, 'j/t.X' the first: it has " + std::string(fault)));
  }
}

TEST_F(ColladaTest, UnknownInterpolationIsNamedOncePerClip) {
  const Character character =
      load(kMoves, {{"j/t.X", "0 1", "0 1", "BSPLINE BSPLINE"}, {"j/t.Y", "0 1", "0 1", "BSPLINE LINEAR"}});
  EXPECT_THAT(report_.warnings,
              ElementsAre("clip 'animation': the interpolation 'BSPLINE' is not known: it is read as LINEAR"));
  expect_motion(character, [](double t) { return moved(t, t, 0); });
}

TEST_F(ColladaTest, FilesThatDoNotEndAreRefused) {
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += "<node>";
  for (int i = 0; i < 20000; ++i) deep += "</node>";
  EXPECT_THAT(refusal(collada_file(deep, "")), HasSubstr("deep"));
  std::string doubled;
  for (int i = 0; i < 30; ++i) {
    const std::string below = "<instance_node url=\"#n" + std::to_string(i + 1) + "\"/>";
    doubled += "<node id=\"n" + std::to_string(i) + "\">" + below + below + "</node>";
  }
  EXPECT_THAT(refusal(collada_file("<node><instance_node url=\"#n0\"/></node>",
                                   "<library_nodes>" + doubled + "<node id=\"n30\"/></library_nodes>")),
              HasSubstr("more than 1048576 nodes"));
}

/// Several sources may be of one array, each with its own accessor.
TEST_F(ColladaTest, SourcesOfOneArrayAreLimitedByTheFile) {
  std::string numbers, sources, channels;
  for (int i = 0; i < 3000; ++i) numbers += std::to_string(i) + " ";
  for (int i = 0; i < 200; ++i) {
    const std::string id = "s" + std::to_string(i);
    sources += "<source id=\"" + id +
               "\"><technique_common><accessor source=\"#all\" count=\"3000\"/></technique_common></source>";
    channels += "<sampler id=\"p" + id + "\"><input semantic=\"INPUT\" source=\"#" + id +
                "\"/><input semantic=\"OUTPUT\" source=\"#" + id + "\"/></sampler><channel source=\"#p" + id +
                "\" target=\"j/t.X\"/>";
  }
  EXPECT_THAT(
      refusal(collada_file(collada_node(kMoves),
                           "<library_animations><animation><source id=\"a\"><float_array id=\"all\">" + numbers +
                               "</float_array></source>" + sources + channels + "</animation></library_animations>")),
      HasSubstr("its sources share arrays"));
}

TEST_F(ColladaTest, RangesOfClipsThatAreNoNumbersAreLeftOut) {
  const Character character = load(collada_file(
      collada_node(kMoves), collada_animations({{"j/t.X", "0 4", "0 4"}}) +
                                "<library_animation_clips><animation_clip id=\"p\" start=\"nan\" end=\"inf\">"
                                "<instance_animation url=\"#c0\"/></animation_clip></library_animation_clips>"));
  EXPECT_FLOAT_EQ(character.clips.at(0).end_seconds, 4);
}

TEST_F(ColladaTest, WorkIsLimited) {
  std::string times, values, placements;
  for (int i = 0; i < 3000; ++i) times += std::to_string(i) + " ", values += std::to_string(i % 7 * 90) + " ";
  std::vector<ColladaKeys> keys;
  for (int i = 0; i < 2000; ++i) {
    placements += "<rotate sid=\"r" + std::to_string(i) + "\">0 0 1 0</rotate>";
    keys.push_back({"j/r" + std::to_string(i) + ".ANGLE", i == 0 ? times : "0 1", i == 0 ? values : "0 170"});
  }
  EXPECT_THAT(refusal(collada_file(collada_node(placements), collada_animations(keys))), HasSubstr("too much work"));
}

}  // namespace
}  // namespace sinew::test
