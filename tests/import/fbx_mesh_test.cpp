// Meshes of FBX files: polygons, layer elements in every mapping, what is hidden, and what is used twice.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string layer(const char* type, const char* mapping, const char* reference, const std::string& arrays,
                  const char* name = "") {
  return std::string(type) + ": 0 {\nName: \"" + name + "\"\nMappingInformationType: \"" + mapping +
         "\"\nReferenceInformationType: \"" + reference + "\"\n" + arrays + "}\n";
}

double area_of(const Character& character) {
  const Mesh& mesh = character.mesh;
  double sum = 0;
  for (size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]],
               c = mesh.positions[mesh.indices[i + 2]];
    sum += 0.5 * double(cross(b - a, c - a).z);  // all polygons here lie in the plane z = 0
  }
  return sum;
}

/// A square of two triangles, and its four points.
const std::vector<Vec3> kSquare = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const std::vector<std::vector<int>> kTwoTriangles = {{0, 1, 2}, {0, 2, 3}};

class FbxMeshTest : public FbxFixture {
 protected:
  Character square(const std::string& layers, const std::vector<std::vector<int>>& polygons = kTwoTriangles) {
    FbxBuilder file;
    file.add_mesh(file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh"), kSquare, polygons, layers);
    return load(file.text());
  }
};

TEST_F(FbxMeshTest, ConcavePolygonsKeepTheirArea) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Corner", FbxBuilder::kRoot, {}, "Mesh");
  file.add_mesh(model, {{1, 1, 0}, {1, 3, 0}, {0, 3, 0}, {0, 0, 0}, {3, 0, 0}, {3, 1, 0}}, {{0, 1, 2, 3, 4, 5}});
  const Character character = load(file.text());
  EXPECT_EQ(character.mesh.indices.size(), 12u);
  EXPECT_NEAR(area_of(character), 5, 1e-6);
}

TEST_F(FbxMeshTest, PointsAndLinesAreLeftOutAndToldOf) {
  const Character character = square({}, {{0, 1, 2}, {0, 1}, {3}, {0, 2, 3}});
  EXPECT_EQ(character.mesh.indices.size(), 6u);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("2 points or lines are left out")));
}

TEST_F(FbxMeshTest, PolygonThatNamesAMissingPointIsRefused) {
  FbxBuilder file;
  file.add_mesh(file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh"), kSquare, {{0, 1, 4}});
  EXPECT_THAT(refusal_of(file.text()), HasSubstr("names vertex 4 of 4"));
}

/// A list that ends inside a polygon has no last corner to say so.
TEST_F(FbxMeshTest, PolygonWithoutItsLastCornerIsLeftOut) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh");
  std::string text = (file.add_mesh(model, kSquare, {{0, 1, 2}, {0, 2, 3}}), file.text());
  const std::string corners = "0,1,-3,0,2,-4";
  ASSERT_NE(text.find(corners), text.npos);
  EXPECT_EQ(load(text.replace(text.find(corners), corners.size(), "0,1,-3,0,2,3")).mesh.indices.size(), 3u);
}

// --- layer elements: a value per corner, in the order of triangles ---

/// The first number of the normal at each corner of the two triangles: 1 for the x axis, 0 for others.
std::vector<int> marked_corners(const Character& character) {
  std::vector<int> marks;
  for (const uint32_t v : character.mesh.indices) marks.push_back(int(std::lround(character.mesh.normals[v].x)));
  return marks;
}

const std::vector<double> kX = {1, 0, 0}, kY = {0, 1, 0};
std::vector<double> normals(const std::vector<int>& marks) {
  std::vector<double> numbers;
  for (const int mark : marks) {
    const std::vector<double>& normal = mark == 1 ? kX : kY;
    numbers.insert(numbers.end(), normal.begin(), normal.end());
  }
  return numbers;
}
std::string normal_layer(const char* mapping, const char* reference, const std::vector<int>& marks,
                         const std::vector<double>& indices = {}) {
  return layer("LayerElementNormal", mapping, reference,
               fbx_array("Normals", normals(marks)) + fbx_array("NormalsIndex", indices));
}

TEST_F(FbxMeshTest, LayersMapByCornerPointPolygonOrAll) {
  const auto marks = [&](const char* mapping, const std::vector<int>& values) {
    return marked_corners(square(normal_layer(mapping, "Direct", values)));
  };
  EXPECT_THAT(marks("ByPolygonVertex", {1, 0, 0, 0, 1, 1}), ElementsAre(1, 0, 0, 0, 1, 1));
  EXPECT_THAT(marks("ByVertice", {1, 0, 0, 1}), ElementsAre(1, 0, 0, 1, 0, 1));
  EXPECT_THAT(marks("ByVertex", {1, 0, 0, 1}), ElementsAre(1, 0, 0, 1, 0, 1));
  EXPECT_THAT(marks("ByControlPoint", {1, 0, 0, 1}), ElementsAre(1, 0, 0, 1, 0, 1));
  EXPECT_THAT(marks("ByPolygon", {0, 1}), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(marks("AllSame", {1}), ElementsAre(1, 1, 1, 1, 1, 1));
}

TEST_F(FbxMeshTest, LayersReferToTheirValuesByIndices) {
  for (const char* reference : {"IndexToDirect", "Index"}) {
    const auto marks = [&](const char* mapping, const std::vector<double>& indices) {
      return marked_corners(square(normal_layer(mapping, reference, {0, 1}, indices)));
    };
    EXPECT_THAT(marks("ByPolygonVertex", {1, 0, 0, 0, 1, 1}), ElementsAre(1, 0, 0, 0, 1, 1)) << reference;
    EXPECT_THAT(marks("ByVertice", {1, 0, 0, 1}), ElementsAre(1, 0, 0, 1, 0, 1)) << reference;
    EXPECT_THAT(marks("ByPolygon", {1, 0}), ElementsAre(1, 1, 1, 0, 0, 0)) << reference;
    EXPECT_THAT(marks("AllSame", {1}), ElementsAre(1, 1, 1, 1, 1, 1)) << reference;
  }
}

/// Such normals are computed: here they point along z.
TEST_F(FbxMeshTest, IndicesOutsideALayerGiveNoValue) {
  const Character character = square(normal_layer("ByPolygonVertex", "IndexToDirect", {1}, {0, -1, 7, 1e18, 0}));
  EXPECT_THAT(marked_corners(character), ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_EQ(report_.computed_normals, 4u);
  const Character shorter = square(normal_layer("ByPolygonVertex", "Direct", {1, 1}));
  EXPECT_THAT(marked_corners(shorter), ElementsAre(1, 1, 0, 0, 0, 0));
}

std::string uv_layer(const char* name, const std::vector<double>& uvs) {
  return layer("LayerElementUV", "ByVertice", "Direct", fbx_array("UV", uvs), name);
}

TEST_F(FbxMeshTest, TextureCoordinatesBeginAtTheTop) {
  const Mesh mesh = square(uv_layer("map", {0.25, 0.75, 1, 0, 0.5, 0.5, 0, 1})).mesh;
  ASSERT_EQ(mesh.uvs.size(), 4u);
  EXPECT_FLOAT_EQ(mesh.uvs[0].x, 0.25f);
  EXPECT_FLOAT_EQ(mesh.uvs[0].y, 0.25f);
  EXPECT_FLOAT_EQ(mesh.uvs[1].y, 1);
}

TEST_F(FbxMeshTest, CornersWithOneValueBecomeOneVertex) {
  EXPECT_EQ(square(normal_layer("ByVertice", "Direct", {1, 0, 0, 1})).mesh.positions.size(), 4u);
  EXPECT_EQ(square(normal_layer("ByPolygonVertex", "Direct", {1, 0, 0, 0, 1, 1})).mesh.positions.size(), 6u);
}

TEST_F(FbxMeshTest, ColorsAreLinearAfterImport) {
  const std::vector<double> colors = {1, 0, 0, 1, 0.5, 1, 0, 0.5, 1, 1, 1, 1, 0, 0, 0, 1};
  const Mesh mesh = square(layer("LayerElementColor", "ByVertice", "Direct", fbx_array("Colors", colors))).mesh;
  ASSERT_EQ(mesh.colors.size(), 4u);
  EXPECT_EQ(mesh.colors[0], (VertexColor{65535, 0, 0, 65535}));
  EXPECT_NEAR(mesh.colors[1].r, 65535 * std::pow((0.5 + 0.055) / 1.055, 2.4), 2);  // sRGB, IEC 61966-2-1
  EXPECT_NEAR(mesh.colors[1].a, 65535 * 0.5, 2);
}

// --- materials ---

TEST_F(FbxMeshTest, MaterialsByPolygonMakeParts) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh");
  file.add_mesh(model, kSquare, {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}},
                layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", fbx_array("Materials", {1, 0, 1})));
  for (const char* name : {"red", "blue"}) file.connect(file.add("Material", name, ""), model);
  const Character character = load(file.text());
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  ASSERT_EQ(character.materials.size(), 2u);
  const auto part_of = [&](const char* name) -> const MeshPart& {
    const MeshPart& first = character.mesh.parts[0];
    return character.materials[first.material].name == name ? first : character.mesh.parts[1];
  };
  EXPECT_EQ(part_of("red").index_count, 3u);
  EXPECT_EQ(part_of("blue").index_count, 6u);
}

TEST_F(FbxMeshTest, MaterialsThatAreMissingOrNegativeArePlain) {
  FbxBuilder file;
  const FbxBuilder::Id model = file.add_model("Square", FbxBuilder::kRoot, {}, "Mesh");
  file.add_mesh(model, kSquare, {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}},
                layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", fbx_array("Materials", {-1, 7, 1e15})));
  const Character character = load(file.text());
  EXPECT_EQ(character.mesh.indices.size(), 12u);
  for (const Material& material : character.materials) EXPECT_EQ(material.base_color_texture.image, -1);
}

TEST_F(FbxMeshTest, GeometryWithoutMaterialsIsDrawn) {
  const Character character = square({});
  EXPECT_EQ(character.mesh.parts.size(), 1u);
  EXPECT_GE(character.materials.size(), 1u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

// --- what is drawn ---

class FbxVisibilityTest : public FbxFixture {
 protected:
  FbxBuilder::Id add(const char* name, FbxBuilder::Id parent, const std::string& properties = {}) {
    const FbxBuilder::Id model = file_.add_model(name, parent, properties, "Mesh");
    file_.add_mesh(model, FbxProbe::points(), FbxProbe::polygons());
    return model;
  }
  size_t drawn() { return load(file_.text()).mesh.positions.size() / 4; }

  const std::string hidden_ = fbx_property("Visibility", {0}), own_ = fbx_property("Visibility Inheritance", {0});
  FbxBuilder file_;
};

TEST_F(FbxVisibilityTest, HiddenMeshesAreNotDrawn) {
  add("A", FbxBuilder::kRoot), add("B", FbxBuilder::kRoot, hidden_);
  add("C", FbxBuilder::kRoot, fbx_property("Visibility", {1}));
  EXPECT_EQ(drawn(), 2u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(FbxVisibilityTest, ChildrenOfHiddenNodesAreHiddenUnlessTheyDoNotInherit) {
  add("A", FbxBuilder::kRoot);
  const FbxBuilder::Id parent = file_.add_model("Group", FbxBuilder::kRoot, hidden_, "Null");
  const FbxBuilder::Id child = add("B", parent);
  add("C", child);
  EXPECT_EQ(drawn(), 1u);
  add("D", child, own_);
  EXPECT_EQ(drawn(), 2u);
}

TEST_F(FbxVisibilityTest, WhereAllMeshesAreHiddenTheyAreShownWithAWarning) {
  add("A", FbxBuilder::kRoot, hidden_), add("B", FbxBuilder::kRoot, hidden_);
  EXPECT_EQ(drawn(), 2u);
  EXPECT_THAT(report_.warnings, ElementsAre("all its meshes are hidden: they are shown"));
}

TEST_F(FbxVisibilityTest, HiddenJointsStillMoveTheirVertices) {
  const FbxBuilder::Id body = file_.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id arm = file_.add_model("Arm", FbxBuilder::kRoot, hidden_);
  file_.add_cluster(file_.add_skin(file_.add_mesh(body, FbxProbe::points(), FbxProbe::polygons())), arm, {0, 1, 2, 3});
  file_.animate(file_.add_layer(file_.add_stack("a", 0, 1)), arm, "Lcl Translation", "d|X", {{0, 1}, {0, 3}});
  expect_probe(pose(load(file_.text()), 0, 1), own_shift({3, 0, 0}));
}

/// One geometry of two models, each with its place.
TEST_F(FbxVisibilityTest, InstancesAreDrawnForEachModel) {
  const FbxBuilder::Id first = file_.add_model("A", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id second =
      file_.add_model("B", FbxBuilder::kRoot, fbx_property("Lcl Translation", {0, 5, 0}), "Mesh");
  file_.connect(file_.add_mesh(first, FbxProbe::points(), FbxProbe::polygons()), second);
  const Character character = load(file_.text());
  ASSERT_EQ(character.mesh.positions.size(), 8u);
  expect_probe(pose(character), OwnMatrix());
  expect_probe(pose(character), own_shift({0, 5, 0}), 1e-5, 4);
}

TEST_F(FbxVisibilityTest, InstancesMayHaveMaterialsOfTheirOwn) {
  const FbxBuilder::Id first = file_.add_model("A", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id second = file_.add_model("B", FbxBuilder::kRoot, {}, "Mesh");
  file_.connect(file_.add_mesh(first, FbxProbe::points(), FbxProbe::polygons()), second);
  file_.connect(file_.add("Material", "red", ""), first), file_.connect(file_.add("Material", "blue", ""), second);
  const Character character = load(file_.text());
  ASSERT_EQ(character.mesh.parts.size(), 2u);
  EXPECT_EQ(character.materials.at(character.mesh.parts[0].material).name, "red");
  EXPECT_EQ(character.materials.at(character.mesh.parts[1].material).name, "blue");
}

/// Both instances follow the joint, whatever their own places are.
TEST_F(FbxVisibilityTest, SkinnedInstancesFollowTheirJoints) {
  const FbxBuilder::Id first = file_.add_model("A", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id second =
      file_.add_model("B", FbxBuilder::kRoot, fbx_property("GeometricTranslation", {0, 5, 0}), "Mesh");
  const FbxBuilder::Id mesh = file_.add_mesh(first, FbxProbe::points(), FbxProbe::polygons());
  file_.connect(mesh, second);
  const FbxBuilder::Id arm = file_.add_model("Arm", FbxBuilder::kRoot);
  file_.add_cluster(file_.add_skin(mesh), arm, {0, 1, 2, 3});
  file_.animate(file_.add_layer(file_.add_stack("a", 0, 1)), arm, "Lcl Rotation", "d|Z", {{0, 1}, {0, 90}});
  const Posed posed = pose(load(file_.text()), 0, 1);
  expect_probe(posed, own_turn('Z', 90));
  expect_probe(posed, own_turn('Z', 90) * own_shift({0, 5, 0}), 1e-5, 4);
}

}  // namespace
}  // namespace sinew::test
