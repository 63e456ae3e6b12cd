// Meshes of FBX files: polygons, layer elements in every mapping, what is hidden, and what is used twice.
#include "fbx_fixture.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<Vec3> kSquare = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const std::vector<std::vector<int>> kTwoTriangles = {{0, 1, 2}, {0, 2, 3}};

class FbxMeshTest : public FbxFixture {
 protected:
  FbxBuilder::Id add(FbxBuilder& file, const std::vector<Vec3>& points, const std::vector<std::vector<int>>& polygons,
                     const std::string& layers = {}) {
    const FbxBuilder::Id model = file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh");
    file.add_mesh(model, points, polygons, layers);
    return model;
  }
  Character loaded(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& polygons,
                   const std::string& layers = {}) {
    FbxBuilder file;
    add(file, points, polygons, layers);
    return load(file.text());
  }
};

// --- polygons ---

TEST_F(FbxMeshTest, ConcavePolygonsKeepTheirArea) {
  const Mesh mesh =
      loaded({{1, 1, 0}, {1, 3, 0}, {0, 3, 0}, {0, 0, 0}, {3, 0, 0}, {3, 1, 0}}, {{0, 1, 2, 3, 4, 5}}).mesh;
  double area = 0;
  ASSERT_EQ(mesh.indices.size(), 12u);
  for (size_t i = 0; i < 12; i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]];
    area += 0.5 * double(cross(b - a, mesh.positions[mesh.indices[i + 2]] - a).z);
  }
  EXPECT_NEAR(area, 5, 1e-6);
}

TEST_F(FbxMeshTest, PointsAndLinesAreLeftOutAndToldOf) {
  EXPECT_EQ(loaded(kSquare, {{0, 1, 2}, {0, 1}, {3}, {0, 2, 3}}).mesh.indices.size(), 6u);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("2 points or lines are left out")));
}

TEST_F(FbxMeshTest, PolygonThatNamesAMissingPointIsRefused) {
  FbxBuilder file;
  add(file, kSquare, {{0, 1, 4}});
  EXPECT_THAT(refusal_of(file.text()), HasSubstr("names vertex 4 of 4"));
}

/// A list that ends inside a polygon has no last corner to say so.
TEST_F(FbxMeshTest, PolygonWithoutItsLastCornerIsLeftOut) {
  FbxBuilder file;
  add(file, kSquare, kTwoTriangles);
  std::string text = file.text();
  const std::string corners = "0,1,-3,0,2,-4";
  ASSERT_NE(text.find(corners), text.npos);
  EXPECT_EQ(load(text.replace(text.find(corners), corners.size(), "0,1,-3,0,2,3")).mesh.indices.size(), 3u);
}

// --- layer elements ---

/// A layer element of random form: values of `width` numbers, and which of them each corner has.
struct OwnLayerElement {
  std::string mapping, reference;
  std::vector<std::vector<double>> values;
  std::vector<double> indices;

  /// The value of a corner; empty if the file has none.
  std::vector<double> at(size_t polygon, size_t corner, size_t point) const {
    double index = mapping == "ByPolygonVertex" ? double(corner)
                   : mapping == "ByPolygon"     ? double(polygon)
                   : mapping == "AllSame"       ? 0
                                                : double(point);
    if (reference != "Direct") index = index < double(indices.size()) ? indices[size_t(index)] : -1;
    return index >= 0 && index < double(values.size()) ? values[size_t(index)] : std::vector<double>();
  }
  std::string arrays(const std::string& name, const std::string& index_name) const {
    std::vector<double> flat;
    for (const auto& value : values) flat.insert(flat.end(), value.begin(), value.end());
    return fbx_array(name, flat) + (reference == "Direct" ? "" : fbx_array(index_name, indices));
  }
};

/// Lists may be too short, and indices lie outside of them.
OwnLayerElement random_element(OwnRandom& random, size_t width, bool is_normal) {
  OwnLayerElement result;
  result.mapping =
      random.one_of({"ByPolygonVertex", "ByPolygon", "AllSame", "ByVertice", "ByVertex", "ByControlPoint"});
  result.reference = random.one_of({"Direct", "Direct", "IndexToDirect", "Index"});
  const int count = random.chance(70) ? 18 : 1 + random.below(6);
  for (int i = 0; i < count; ++i) {
    std::vector<double>& value = result.values.emplace_back();
    for (size_t k = 0; k < width; ++k) value.push_back(random.between(is_normal ? -1 : 0, 1));
    const double length = is_normal ? std::hypot(value[0], value[1], value[2]) : 1;
    for (double& number : value) number /= length;
  }
  for (int i = random.chance(70) ? 18 : 1 + random.below(6); i > 0; --i)
    result.indices.push_back(random.chance(85) ? random.below(count) : random.one_of({-1.0, 40.0, 1e18}));
  return result;
}

double linear_of_srgb(double value) {  // IEC 61966-2-1
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// A fan of six triangles around the first point. What has no value: normals are computed, coordinates and colors are
/// those of nothing.
TEST_F(FbxMeshTest, CornersHaveTheValuesOfRandomLayerElements) {
  std::vector<Vec3> points = {{0, 0, 0}};
  std::vector<std::vector<int>> polygons;
  for (int i = 0; i < 7; ++i) points.push_back({std::cos(0.8f * float(i)), std::sin(0.8f * float(i)), 0});
  for (int i = 1; i < 7; ++i) polygons.push_back({0, i, i + 1});
  for (uint32_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
    OwnRandom random(seed);
    const OwnLayerElement normals = random_element(random, 3, true), uvs = random_element(random, 2, false),
                          colors = random_element(random, 4, false);
    const std::string layers =
        fbx_layer("LayerElementNormal", normals.mapping, normals.reference, normals.arrays("Normals", "NormalsIndex")) +
        fbx_layer("LayerElementUV", uvs.mapping, uvs.reference, uvs.arrays("UV", "UVIndex")) +
        fbx_layer("LayerElementColor", colors.mapping, colors.reference, colors.arrays("Colors", "ColorIndex"));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + layers);
    const Mesh mesh = loaded(points, polygons, layers).mesh;
    ASSERT_EQ(mesh.indices.size(), 18u);
    for (size_t corner = 0; corner < 18; ++corner) {
      SCOPED_TRACE("corner " + std::to_string(corner));
      const size_t polygon = corner / 3, point = size_t(polygons[polygon][corner % 3]), v = mesh.indices[corner];
      const std::vector<double> n = normals.at(polygon, corner, point), uv = uvs.at(polygon, corner, point),
                                c = colors.at(polygon, corner, point);
      const Vec3 normal = mesh.normals[v];
      if (n.empty()) expect_at(normal, {0, 0, 1}, 1e-4);
      if (!n.empty()) expect_at(normal, {n[0], n[1], n[2]}, 1e-4);
      EXPECT_NEAR(mesh.uvs[v].x, uv.empty() ? 0 : uv[0], 1e-6);
      EXPECT_NEAR(mesh.uvs[v].y, uv.empty() ? 0 : 1 - uv[1], 1e-6);  // files begin at the bottom
      EXPECT_NEAR(mesh.colors[v].r, 65535 * (c.empty() ? 1 : linear_of_srgb(c[0])), 2);
      EXPECT_NEAR(mesh.colors[v].b, 65535 * (c.empty() ? 1 : linear_of_srgb(c[2])), 2);
      EXPECT_NEAR(mesh.colors[v].a, 65535 * (c.empty() ? 1 : c[3]), 2);
    }
  }
}

TEST_F(FbxMeshTest, CornersWithOneValueBecomeOneVertex) {
  const auto vertices = [&](const char* mapping, const std::vector<double>& uvs) {
    return loaded(kSquare, kTwoTriangles, fbx_layer("LayerElementUV", mapping, "Direct", fbx_array("UV", uvs)))
        .mesh.positions.size();
  };
  EXPECT_EQ(vertices("ByVertice", {0, 0, 1, 0, 1, 1, 0, 1}), 4u);
  EXPECT_EQ(vertices("ByPolygonVertex", {0, 0, 1, 0, 1, 1, 0.5, 0, 1, 1, 0, 1}), 5u);
}

// --- materials ---

TEST_F(FbxMeshTest, MaterialsByPolygonMakeParts) {
  FbxBuilder file;
  const FbxBuilder::Id model =
      add(file, kSquare, {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}},
          fbx_layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", fbx_array("Materials", {1, 0, 1})));
  for (const char* name : {"red", "blue"}) file.connect(file.add("Material", name, ""), model);
  const Character character = load(file.text());
  std::vector<std::pair<std::string, uint32_t>> parts;
  for (const MeshPart& part : character.mesh.parts)
    parts.emplace_back(character.materials[part.material].name, part.index_count);
  EXPECT_THAT(parts, ::testing::UnorderedElementsAre(::testing::Pair("red", 3u), ::testing::Pair("blue", 6u)));
}

TEST_F(FbxMeshTest, MaterialsThatAreMissingOrNegativeArePlain) {
  const Character character =
      loaded(kSquare, {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}},
             fbx_layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", fbx_array("Materials", {-1, 7, 1e15})));
  EXPECT_EQ(character.mesh.indices.size(), 12u);
  for (const Material& material : character.materials) EXPECT_EQ(material.base_color_texture.image, -1);
}

TEST_F(FbxMeshTest, GeometryWithoutMaterialsIsDrawn) {
  const Character character = loaded(kSquare, kTwoTriangles);
  EXPECT_EQ(character.mesh.parts.size(), 1u);
  EXPECT_GE(character.materials.size(), 1u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

// --- what is drawn ---

class FbxVisibilityTest : public FbxFixture {
 protected:
  size_t drawn() { return load(file_.text()).mesh.positions.size() / 4; }

  const std::string hidden_ = fbx_property("Visibility", {0}), own_ = fbx_property("Visibility Inheritance", {0});
  FbxBuilder file_;
};

TEST_F(FbxVisibilityTest, HiddenMeshesAndThoseBelowAreNotDrawn) {
  file_.add_probe("A"), file_.add_probe("B", FbxBuilder::kRoot, hidden_);
  file_.add_probe("C", FbxBuilder::kRoot, fbx_property("Visibility", {1}));
  EXPECT_EQ(drawn(), 2u);
  const FbxBuilder::Id group = file_.add_model("Group", FbxBuilder::kRoot, hidden_, "Null"),
                       child = file_.add_probe("D", group);
  file_.add_probe("E", child);
  EXPECT_EQ(drawn(), 2u);
  file_.add_probe("F", child, own_);
  EXPECT_EQ(drawn(), 3u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(FbxVisibilityTest, WhereAllMeshesAreHiddenTheyAreShownWithAWarning) {
  for (const char* name : {"A", "B"}) file_.add_probe(name, FbxBuilder::kRoot, hidden_);
  EXPECT_EQ(drawn(), 2u);
  EXPECT_THAT(report_.warnings, ElementsAre("all its meshes are hidden: they are shown"));
}

TEST_F(FbxVisibilityTest, HiddenJointsStillMoveTheirVertices) {
  const FbxBuilder::Id body = file_.add_probe("Body");
  const FbxBuilder::Id arm =
      file_.add_model("Arm", FbxBuilder::kRoot, hidden_ + fbx_property("Lcl Scaling", {3, 3, 3}));
  file_.add_cluster(file_.add_skin(body + 1), arm, {0, 1, 2, 3});
  expect_probe(pose(load(file_.text())), own_scale({3, 3, 3}));
}

/// One geometry of two models: each with its place and its material, and as skins both where the joint is.
TEST_F(FbxVisibilityTest, InstancesHavePlacesAndMaterialsOfTheirOwn) {
  const FbxBuilder::Id first = file_.add_probe("A", FbxBuilder::kRoot, fbx_property("GeometricTranslation", {0, 0, 7}));
  const FbxBuilder::Id second =
      file_.add_model("B", FbxBuilder::kRoot, fbx_property("Lcl Translation", {0, 5, 0}), "Mesh");
  file_.connect(first + 1, second);
  file_.connect(file_.add("Material", "red", ""), first), file_.connect(file_.add("Material", "blue", ""), second);
  const Character character = load(file_.text());
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  EXPECT_EQ(character.materials.at(character.mesh.parts[0].material).name, "red");
  EXPECT_EQ(character.materials.at(character.mesh.parts[1].material).name, "blue");
  expect_probe(pose(character), own_shift({0, 0, 7}));
  expect_probe(pose(character), own_shift({0, 5, 0}), 1e-5, 4);
  // Two more without materials, of which only the first has a geometric transform.
  const FbxBuilder::Id moved = file_.add_model("C", FbxBuilder::kRoot, fbx_property("GeometricTranslation", {9, 0, 0}));
  const FbxBuilder::Id plain = file_.add_model("D", FbxBuilder::kRoot);
  file_.connect(first + 1, moved), file_.connect(first + 1, plain);
  const FbxBuilder::Id arm = file_.add_model("Arm", FbxBuilder::kRoot, fbx_property("Lcl Rotation", {0, 0, 90}));
  file_.add_cluster(file_.add_skin(first + 1), arm, {0, 1, 2, 3});
  const Posed posed = pose(load(file_.text()));
  expect_probe(posed, own_turn('Z', 90) * own_shift({0, 0, 7}));
  expect_probe(posed, own_turn('Z', 90), 1e-5, 4);
  expect_probe(posed, own_turn('Z', 90) * own_shift({9, 0, 0}), 2e-5, 8);
  expect_probe(posed, own_turn('Z', 90), 1e-5, 12);
}

}  // namespace
}  // namespace sinew::test
