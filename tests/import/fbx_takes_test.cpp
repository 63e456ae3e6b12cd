// FBX before version 7.0: objects with names instead of numbers, meshes inside models, takes instead of stacks.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ticks(double seconds) { return std::to_string(fbx_ticks(seconds)); }

/// A channel of one number: its keys as in the file.
std::string channel(const char* axis, double fallback, int count, const std::string& keys, int version = 4005,
                    const std::string& records = {}) {
  std::string text = std::string("Channel: \"") + axis + "\" {\nDefault: " + std::to_string(fallback) + "\n";
  if (count > 0) {
    text += "KeyVer: " + std::to_string(version) + "\nKeyCount: " + std::to_string(count) + "\nKey: " + keys + "\n";
  }
  return text + records + "Color: 1,0,0\n}\n";
}
std::string part(const char* letter, const std::string& channels) {
  return std::string("Channel: \"") + letter + "\" {\n" + channels + "LayerType: 1\n}\n";
}
std::string transform(const std::string& parts) { return "Channel: \"Transform\" {\n" + parts + "}\n"; }

struct Old {
  std::string objects, connections, takes, settings;

  void add_take(const char* name, double start, double stop, const std::string& channels) {
    takes += std::string("Take: \"") + name + "\" {\nFileName: \"a.tak\"\nLocalTime: " + ticks(start) + "," +
             ticks(stop) + "\nReferenceTime: " + ticks(start) + "," + ticks(stop) + "\nModel: \"Model::Arm\" {\n" +
             channels + "}\n}\n";
  }
  std::string text() const {
    return "; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 6100\n}\nObjects: "
           "{\n" +
           objects + settings + "}\nConnections: {\n" + connections + "}\nTakes: {\nCurrent: \"walk\"\n" + takes +
           "}\n";
  }
};

const char* const kFbxMesh =
    "Vertices: 0,0,0,1,0,0\n,0,1,0,0,0,1\nPolygonVertexIndex: 0,1,-3,0,2,-4\nGeometryVersion: 124\n";

/// A model with a mesh inside it.
Old old_arm(const std::string& properties = {}, const std::string& records = {}) {
  Old file;
  file.objects = "Model: \"Model::Arm\", \"Mesh\" {\nVersion: 232\nProperties60: {\n" + properties + "}\n" + kFbxMesh +
                 records + "}\n";
  file.connections = "Connect: \"OO\", \"Model::Arm\", \"Model::Scene\"\n";
  return file;
}

class FbxTakesTest : public FbxFixture {
 protected:
  /// The height of the arm, whose height has these keys, at some times.
  void expect_heights(int count, const std::string& keys, const std::vector<std::pair<double, double>>& heights,
                      int version = 4005, const std::string& records = {}) {
    SCOPED_TRACE(keys);
    Old file = old_arm();
    file.add_take("walk", 0, 3, transform(part("T", channel("Y", 0, count, keys, version, records))));
    const Character character = load(file.text());
    for (const auto& [time, height] : heights) {
      EXPECT_NEAR(pose(character, 0, float(time)).positions[0].y, height, 1e-4) << time;
    }
  }
};

std::string key(double seconds, double value, const std::string& rest) {
  return ticks(seconds) + "," + std::to_string(value) + "," + rest;
}

TEST_F(FbxTakesTest, ModelsHoldTheirMeshesAndProperties) {
  const Old file = old_arm("Property: \"Lcl Translation\", \"Lcl Translation\", \"A+\",1,2,3\n");
  const Character character = load(file.text());
  EXPECT_THAT(report_.warnings, IsEmpty());
  expect_probe(pose(character), own_shift({1, 2, 3}));
}

TEST_F(FbxTakesTest, SettingsAreAmongTheObjects) {
  Old file = old_arm();
  file.settings = "GlobalSettings: {\nProperties60: {\nProperty: \"UnitScaleFactor\", \"double\", \"\",100\n}\n}\n";
  EXPECT_FLOAT_EQ(load(file.text()).space.meters_per_unit, 1);
}

TEST_F(FbxTakesTest, TakesAreClips) {
  Old file = old_arm();
  const std::string rise = key(0, 0, "L,") + key(1, 10, "L");
  file.add_take("walk", 0, 1,
                transform(part("T", channel("X", 3, 0, "") + channel("Y", 0, 2, rise) + channel("Z", -1, 0, "")) +
                          part("R", channel("X", 0, 2, rise) + channel("Y", 0, 0, "") + channel("Z", 90, 0, "")) +
                          part("S", channel("X", 2, 0, "") + channel("Y", 2, 0, "") + channel("Z", 2, 0, ""))));
  file.add_take("run", 0.5, 1, transform(part("T", channel("Y", 0, 2, rise))));
  const Character character = load(file.text());
  ASSERT_EQ(character.clips.size(), 2u);
  EXPECT_EQ(character.clips[0].name, "walk");
  EXPECT_EQ(character.clips[1].name, "run");
  EXPECT_FLOAT_EQ(character.clips[1].end_seconds, 0.5f);
  expect_probe(pose(character, 0, 0.5f), own_shift({3, 5, -1}) * own_euler({5, 0, 90}) * own_scale({2, 2, 2}));
  EXPECT_NEAR(pose(character, 1, 0).positions[0].y, 5, 1e-5);
}

TEST_F(FbxTakesTest, KeysAreLinesStepsOrCubics) {
  expect_heights(3, key(0, 0, "L,") + key(1, 10, "L,") + key(2, 4, "L"), {{0.5, 5}, {1.5, 7}});
  expect_heights(3, key(0, 1, "C,s,") + key(1, 10, "C,n,") + key(2, 4, "C,s"), {{0.9, 1}, {1.0, 10}, {1.5, 4}, {2, 4}});
  expect_heights(2, key(0, 0, "U,s,0,0,n,") + key(2, 8, "U,s,0,0,n"), {{0.5, 8 * (3 / 16.0 - 2 / 64.0)}, {1, 4}});
  expect_heights(2, key(0, 0, "U,s,6,-3,n,") + key(2, 8, "U,s,0,0,n"),
                 {{1, 4 + (6 + 3) * 2 / 8.0}});  // of Hermite's form: the tangents count by an eighth of the interval
}

/// Weights of two halves: the curve of time is its own.
TEST_F(FbxTakesTest, WeightsOfTangentsAreRead) {
  const double t = 0.5, u = 0.5;  // at a parameter of a half
  const double time = 2 * (3 * u * u * t * 0.6 + 3 * u * t * t * (1 - 0.1) + t * t * t);
  const double height = 3 * u * u * t * (6 * 0.6 * 2) + 3 * u * t * t * (8 + 3 * 0.1 * 2) + t * t * t * 8;
  expect_heights(2, key(0, 0, "U,s,6,-3,a,0.6,0.1,") + key(2, 8, "U,s,0,0,n"), {{time, height}});
}

TEST_F(FbxTakesTest, SlopesThatAreLeftToTheReaderDoNotOvershoot) {
  Old file = old_arm();
  file.add_take(
      "walk", 0, 2,
      transform(part("T", channel("Y", 0, 3, key(0, 0, "U,a,n,") + key(1, 10, "U,a,n,") + key(2, 4, "U,a,n")))));
  const Character character = load(file.text());
  for (int i = 0; i <= 40; ++i) EXPECT_LE(pose(character, 0, float(i) / 20).positions[0].y, 10 + 1e-4) << i;
}

TEST_F(FbxTakesTest, OlderVersionsOfKeysHaveFewerValues) {
  expect_heights(2, key(0, 0, "U,s,0,0,") + key(2, 8, "U,s,0,0"), {{1, 4}}, 4003);
  expect_heights(2, key(0, 0, "C,") + key(2, 8, "C"), {{1, 0}}, 4003);
}

TEST_F(FbxTakesTest, ExtrapolationIsReadFromItsLetter) {
  expect_heights(2, key(0, 0, "L,") + key(1, 10, "L"), {{0.25, 2.5}, {1.25, 12.5}, {2.5, 25}}, 4005,
                 "Post-Extrapolation: {\nType: A\nRepetition: -1\n}\n");
}

TEST_F(FbxTakesTest, KeysThatEndEarlyOrAreUnknownAreRefused) {
  const auto refusal = [&](int count, const std::string& keys) {
    Old file = old_arm();
    file.add_take("walk", 0, 1, transform(part("T", channel("Y", 0, count, keys))));
    return refusal_of(file.text());
  };
  EXPECT_THAT(refusal(3, key(0, 0, "L,") + key(1, 10, "L")), HasSubstr("ends too early"));
  EXPECT_THAT(refusal(2000000000, key(0, 0, "L,") + key(1, 10, "L")), HasSubstr("ends too early"));
  EXPECT_THAT(refusal(1, key(0, 0, "Q")), HasSubstr("unknown interpolation"));
  EXPECT_THAT(refusal(1, key(0, 0, "U,z,1,1,n")), HasSubstr("unknown kind"));
}

TEST_F(FbxTakesTest, SkinsAreConnectedToModels) {
  Old file = old_arm();
  file.objects += "Model: \"Model::Body\", \"Mesh\" {\nVersion: 232\n" + std::string(kFbxMesh) +
                  "}\nDeformer: \"Deformer::Skin\", \"Skin\" {\n}\nDeformer: \"SubDeformer::Cluster\", \"Cluster\" "
                  "{\nIndexes: 0,1,2,3\nWeights: 1,1,1,1\nTransform: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\nTransformLink: "
                  "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n";
  file.connections +=
      "Connect: \"OO\", \"Model::Body\", \"Model::Scene\"\nConnect: \"OO\", \"Deformer::Skin\", "
      "\"Model::Body\"\nConnect: \"OO\", \"SubDeformer::Cluster\", \"Deformer::Skin\"\nConnect: \"OO\", "
      "\"Model::Arm\", \"SubDeformer::Cluster\"\n";
  file.add_take("walk", 0, 1, transform(part("T", channel("Y", 0, 2, key(0, 0, "L,") + key(1, 10, "L")))));
  const Posed posed = pose(load(file.text()), 0, 0.5f);
  expect_probe(posed, own_shift({0, 5, 0}));
  expect_probe(posed, own_shift({0, 5, 0}), 1e-5, 4);
}

/// The weight of a shape is a property of the model and a channel of the take, both with the shape's name.
TEST_F(FbxTakesTest, ShapesInsideMeshesAreAnimatedByTheirNames) {
  Old file = old_arm("Property: \"smile\", \"Shape\", \"A+N\",25\n",
                     "Shape: \"smile\" {\nIndexes: 0\nVertices: 0,0,4\nNormals: 0,0,0\n}\n");
  file.add_take("walk", 0, 1, channel("smile", 0, 2, key(0, 0, "L,") + key(1, 100, "L")));
  const Character character = load(file.text());
  EXPECT_NEAR(pose(character).positions[0].z, 1, 1e-5);
  EXPECT_NEAR(pose(character, 0, 0.5f).positions[0].z, 2, 1e-5);
}

TEST_F(FbxTakesTest, TakesOfMissingModelsAreLeftOut) {
  Old file = old_arm();
  file.add_take("walk", 0, 1, transform(part("T", channel("Y", 0, 2, key(0, 0, "L,") + key(1, 10, "L")))));
  std::string text = file.text();
  const size_t take = text.find("Model: \"Model::Arm\" {\nChannel");
  ASSERT_NE(take, text.npos);
  text.replace(take, 19, "Model: \"Model::Lost\"");
  load(text);
  EXPECT_THAT(report_.warnings, ::testing::ElementsAre("clip 'walk' has no keys, left out"));
}

}  // namespace
}  // namespace sinew::test
