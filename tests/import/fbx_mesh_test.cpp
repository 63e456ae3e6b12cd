// Meshes of FBX files: polygons, and layer elements in every mapping. Others are in cases/models.fbx.cases.
#include "fbx_fixture.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

class FbxMeshTest : public FbxFixture {
 protected:
  Character loaded(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& polygons,
                   const std::string& layers = {}) {
    FbxBuilder file;
    file.add_mesh(file.add_model("Mesh", FbxBuilder::kRoot, {}, "Mesh"), points, polygons, layers);
    return load(file.text());
  }
};

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

}  // namespace
}  // namespace sinew::test
