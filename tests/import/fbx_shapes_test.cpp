// Blend shapes of FBX files: channels of shapes over time against a slow sum, and what files of exporters leave out.
#include <algorithm>
#include <map>

#include "fbx_fixture.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

/// A shape moves control points.
struct OwnShape {
  std::map<size_t, Own3> moves;
};
struct OwnStep {
  double percent;
  size_t shape;
};
/// Each shape is whole at its own percentage.
struct OwnChannel {
  std::vector<OwnStep> steps;
  double rest = 0;
  std::optional<OwnCurve> curve;  // without: it rests
};

/// How far the channel moves a control point: in lines from step to step, which go on beyond the first and the last.
Own3 moved(const OwnChannel& channel, const std::vector<OwnShape>& shapes, size_t point, double percent) {
  std::vector<std::pair<double, Own3>> stops = {{0, Own3{}}};
  for (const OwnStep& step : channel.steps) {
    const auto& moves = shapes[step.shape].moves;
    stops.emplace_back(step.percent, moves.contains(point) ? moves.at(point) : Own3{});
  }
  std::sort(stops.begin(), stops.end());
  size_t next = 1;
  while (next + 1 < stops.size() && stops[next].first < percent) ++next;
  const auto& [from, a] = stops[next - 1];
  const auto& [to, b] = stops[next];
  return own_mix(a, b, (percent - from) / (to - from));
}

struct OwnFace {
  std::vector<OwnShape> shapes;
  std::vector<OwnChannel> channels;

  Own3 at(size_t point, const Own3& rest, bool moves, double seconds) const {
    Own3 sum = rest;
    for (const OwnChannel& channel : channels) {
      const double percent = moves && channel.curve ? channel.curve->value(seconds) : channel.rest;
      const Own3 by = moved(channel, shapes, point, percent);
      for (size_t i = 0; i < 3; ++i) sum[i] += by[i];
    }
    return sum;
  }
};

/// Channels of up to three steps in any order. Some shapes are in several channels.
OwnFace random_face(OwnRandom& random) {
  OwnFace face;
  const int channels = 1 + random.below(3);
  for (int i = 0; i < channels; ++i) {
    OwnChannel& channel = face.channels.emplace_back();
    std::vector<double> percents = {-50, 20, 45, 70, 100, 130};
    for (size_t k = 0; k < 3; ++k) std::swap(percents[k], percents[k + size_t(random.below(int(6 - k)))]);
    const size_t count = random.chance(40) ? 1 : size_t(2 + random.below(2));
    for (size_t k = 0; k < count; ++k) {
      const bool is_shared = i > 0 && k == 0 && random.chance(40);
      channel.steps.push_back({percents[k], is_shared ? 0 : face.shapes.size()});
      if (is_shared) continue;
      OwnShape& shape = face.shapes.emplace_back();
      for (size_t point = 0; point < 4; ++point) {
        if (random.chance(60)) shape.moves[point] = random.vector(-1, 1);
      }
      if (shape.moves.empty()) shape.moves[0] = {1, 0, 0};
    }
    channel.rest = random.one_of({0.0, 25.0, 60.0, 100.0, 150.0, -30.0});
    CurveRange percent;
    percent.low = -100, percent.high = 200, percent.end = 2, percent.steepest = 300;
    if (random.chance(60)) channel.curve = random_curve(random, percent);
  }
  return face;
}

class FbxShapesTest : public FbxFixture {
 protected:
  FbxShapesTest() { begin(FbxProbe::points(), FbxProbe::polygons()); }

  /// A new file with a mesh.
  void begin(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& polygons,
             const std::string& layers = {}, const std::string& properties = {}) {
    file_ = {};
    body_ = file_.add_model("Body", FbxBuilder::kRoot, properties, "Mesh");
    add_deformer(file_.add_mesh(body_, points, polygons, layers));
    layer_ = file_.add_layer(file_.add_stack("move", 0, 2));
  }
  void add_deformer(FbxBuilder::Id mesh) {
    deformer_ = file_.add("Deformer", "Deformer::", "BlendShape");
    file_.connect(deformer_, mesh);
  }
  FbxBuilder::Id add_shape(const std::string& name, const std::vector<double>& points, const std::vector<double>& moves,
                           const std::string& records = {}) {
    return file_.add("Geometry", "Geometry::" + name, "Shape",
                     fbx_array("Indexes", points) + fbx_array("Vertices", moves) + records);
  }
  FbxBuilder::Id add_channel(const std::vector<FbxBuilder::Id>& shapes, double rest, const std::string& records = {}) {
    const FbxBuilder::Id channel = file_.add("Deformer", "SubDeformer::c", "BlendShapeChannel",
                                             fbx_properties(fbx_property("DeformPercent", {rest})) + records);
    file_.connect(channel, deformer_);
    for (const FbxBuilder::Id shape : shapes) file_.connect(shape, channel);
    return channel;
  }
  void animate(FbxBuilder::Id channel, const FbxKeys& keys) {
    file_.animate(layer_, channel, "DeformPercent", "d|DeformPercent", keys);
  }
  void add(const OwnFace& face) {
    std::vector<FbxBuilder::Id> shapes;
    for (const OwnShape& shape : face.shapes) {
      std::vector<double> points, moves;
      for (const auto& [point, move] : shape.moves)
        points.push_back(double(point)), moves.insert(moves.end(), move.begin(), move.end());
      shapes.push_back(add_shape(std::to_string(shapes.size() % 2), points, moves));  // names may be equal
    }
    for (const OwnChannel& own : face.channels) {
      std::vector<double> percents;
      std::vector<FbxBuilder::Id> own_shapes;
      for (const OwnStep& step : own.steps) percents.push_back(step.percent), own_shapes.push_back(shapes[step.shape]);
      const FbxBuilder::Id channel = add_channel(own_shapes, own.rest, fbx_array("FullWeights", percents));
      if (own.curve) animate(channel, own.curve->written());
    }
  }
  /// Without keys, the stack is left out with a line.
  Posed posed() { return pose(load(file_.text())); }

  FbxBuilder file_;
  FbxBuilder::Id body_ = 0, deformer_ = 0, layer_ = 0;
};

const std::vector<Vec3> kTriangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

TEST_F(FbxShapesTest, RandomChannelsAreTheSlowSum) {
  for (uint32_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
    OwnRandom random(seed);
    const OwnFace face = random_face(random);
    const double turn = random.one_of({0.0, 90.0});  // of the geometry, with what its shapes move
    begin(FbxProbe::points(), FbxProbe::polygons(), {}, fbx_property("GeometricRotation", {0, 0, turn}));
    add(face);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Character character = load(file_.text());
    std::vector<std::string> names, expected_names;
    for (const MorphTarget& target : character.mesh.targets) names.push_back(target.name);
    for (size_t i = 0; i < face.shapes.size(); ++i) expected_names.push_back(std::to_string(i % 2));
    EXPECT_EQ(names, expected_names);
    const bool moves = !character.clips.empty();
    for (int i = 0; i <= (moves ? 20 : 0); ++i) {
      const float seconds = i == 0 ? 0 : float(random.between(0, 2));
      const Posed posed = pose(character, i == 0 ? -1 : 0, seconds);
      const double tolerance = 3e-5 * std::max(diagonal_of(posed.positions), diagonal_of(pose(character).positions));
      for (size_t p = 0; p < 4; ++p) {
        const Vec3 rest = FbxProbe::points()[p];
        SCOPED_TRACE("point " + std::to_string(p) + (i == 0 ? " at rest" : " at " + std::to_string(seconds)));
        const Own3 at = face.at(p, {double(rest.x), double(rest.y), double(rest.z)}, i > 0, double(seconds));
        expect_at(posed.positions[p], own_turn('Z', turn) * at, tolerance);
      }
    }
  }
}

/// Shapes without normals turn those of the mesh with its triangles, here by 45 degrees about x.
TEST_F(FbxShapesTest, NormalsAreThoseOfTheFileElseOfTheTriangles) {
  const std::string up = fbx_layer("LayerElementNormal", "AllSame", "Direct", fbx_array("Normals", {0, 0, 1}));
  begin(kTriangle, {{0, 1, 2}}, up);
  add_channel({add_shape("turn", {2}, {0, 0, 1})}, 100);
  expect_at(posed().normals[0], {0, -std::sqrt(0.5), std::sqrt(0.5)}, 1e-3);
  begin(kTriangle, {{0, 1, 2}}, up);
  add_channel({add_shape("turn", {2}, {0, 0, 1}, fbx_array("Normals", {0, 1, -1}))}, 100);
  expect_at(posed().normals[0], {0, 0, 1}, 1e-3);
  expect_at(posed().normals[2], {0, 1, 0}, 1e-3);
}

TEST_F(FbxShapesTest, ShapeThatNamesAMissingVertexIsRefused) {
  add_channel({add_shape("smile", {1, 4}, {0, 0, 1, 0, 0, 1})}, 0);
  EXPECT_THAT(refusal_of(file_.text()), HasSubstr("blend shape 'smile' names vertex 4 of 4"));
}

TEST_F(FbxShapesTest, RestWeightThatIsNotFiniteMovesNothingToInfinity) {
  add_channel({add_shape("huge", {0}, {1, 0, 0})}, 1e300);
  EXPECT_TRUE(is_finite(posed().positions[0]));
}

/// Where a channel says no percentage, a shape is whole at 100. Blender writes the rest weight as a record.
TEST_F(FbxShapesTest, RecordsMayBeMissing) {
  const FbxBuilder::Id channel = file_.add("Deformer", "SubDeformer::c", "BlendShapeChannel", "DeformPercent: 25\n");
  file_.connect(channel, deformer_);
  file_.connect(add_shape("up", {0}, {0, 0, 4}), channel);
  expect_at(posed().positions[0], {0, 0, 1});
}

/// A mesh of two materials is two parts; both have all targets, and share their weights.
TEST_F(FbxShapesTest, ShapesOfTwoPartsMoveBoth) {
  begin(FbxProbe::points(), {{0, 1, 2}, {1, 2, 3}},
        fbx_layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", fbx_array("Materials", {0, 1})));
  for (const char* name : {"a", "b"}) file_.connect(file_.add("Material", name, ""), body_);
  animate(add_channel({add_shape("up", {0, 3}, {0, 0, 1, 0, 0, 2})}, 0), {{0, 1}, {0, 100}});
  const Character character = load(file_.text());
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  EXPECT_EQ(character.mesh.targets.size(), 1u);
  const Posed posed = pose(character, 0, 0.5f);
  expect_at(posed.positions[0], {0, 0, 0.5});
  expect_at(posed.positions[5], {0, 0, 2});
}

/// A split node and another mesh before the mesh with the shape: the weights find it.
TEST_F(FbxShapesTest, WeightsFindTheirMeshAmongSplitNodes) {
  const FbxBuilder::Id joint = file_.add_model("Joint", body_, fbx_property("Lcl Scaling", {2, 1, 1}));
  const FbxBuilder::Id tip = file_.add_probe("Tip", joint, fbx_property("InheritType", {2}));
  add_deformer(tip + 1);
  add_deformer(file_.add_probe("Last", tip, fbx_property("GeometricTranslation", {0, 0, 4})) + 1);
  animate(add_channel({add_shape("up", {0}, {0, 0, 1})}, 0), {{0, 1}, {0, 100}});
  const Posed posed = pose(load(file_.text()), 0, 0.5f);
  for (const size_t probe : {0, 1, 2}) expect_at(posed.positions[4 * probe], {0, 0, probe == 2 ? 4.5 : 0});
}

/// Blender writes what vertex groups leave of a shape, a percentage for each of its vertices, in the same place.
TEST_F(FbxShapesTest, WeightsOfVerticesInFilesOfBlenderWeakenTheShape) {
  add_channel({add_shape("up", {0, 1}, {0, 0, 4, 0, 0, 4})}, 100, fbx_array("FullWeights", {25, 100}));
  const std::vector<Vec3> at = pose(load(file_.text("Creator: \"Blender (stable FBX IO)\"\n"))).positions;
  expect_at(at[0], {0, 0, 1});
  expect_at(at[1], {1, 0, 4});
}

}  // namespace
}  // namespace sinew::test
