// Optional tangents: degenerate matrices, and handedness on every axis.
#include <algorithm>

#include "vulkan/skinner_fixture.h"

#include "sinew/asset/mesh.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

class Tangents : public SkinnerTest {
 protected:
  /// The encoded tangents of one instance whose joints all have `matrix`.
  std::vector<uint32_t> tangents_under(const Mesh& mesh, const Matrix3x4& matrix) {
    auto info = skinner_info();
    info.tangents = true;
    auto skinner = make_skinner(info);
    const auto id = skinner.add_mesh(mesh, 8);
    const vulkan::SkinnerBatch batch{*id, 1};
    EXPECT_TRUE(test::prepare(skinner, {}, {&batch, 1}));
    const vulkan::InstanceRange& range = skinner.ranges()[0];
    std::fill(range.palettes.begin(), range.palettes.end(), matrix);
    record(skinner);
    const auto words = device_->read_back(range.vertices, range.vertices_offset, mesh.vertex_count() * 20);
    std::vector<uint32_t> tangents;
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) tangents.push_back(words[v * 5 + 4]);
    return tangents;
  }
};

TEST_F(Tangents, AreUnchangedByIdentityAndByDegenerateMatrices) {
  const Mesh mesh = make_mesh({.vertices = 2000, .max_influences = 1});
  const Matrix3x4 flat = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
  for (const Matrix3x4& matrix : {Matrix3x4(), flat}) {
    const std::vector<uint32_t> words = tangents_under(mesh, matrix);
    for (uint32_t v = 0; v < 2000; ++v) ASSERT_EQ(words[v], encode_tangent(mesh.tangents[v])) << v;
  }
}

TEST_F(Tangents, KeepTheirHandednessOnEveryAxis) {
  Mesh mesh = make_mesh({.vertices = 12, .max_influences = 1});
  std::vector<Vec4> rotated;  // x to y, y to z, z to x
  for (uint32_t v = 0; v < 12; ++v) {
    const float sign = v / 3 % 2 == 0 ? 1.0f : -1.0f, handedness = v < 6 ? 1.0f : -1.0f;
    const auto along = [&](uint32_t axis) { return axis % 3 == v % 3 ? sign : 0.0f; };
    mesh.tangents[v] = {along(0), along(1), along(2), handedness};
    rotated.push_back({along(2), along(0), along(1), handedness});
  }
  const std::vector<uint32_t> words = tangents_under(mesh, {{{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}});
  for (uint32_t v = 0; v < 12; ++v) {
    const Vec4 tangent = decode_tangent(words[v]);
    EXPECT_EQ(tangent.w, rotated[v].w) << v;
    EXPECT_GT(dot(Vec3{tangent.x, tangent.y, tangent.z}, {rotated[v].x, rotated[v].y, rotated[v].z}), 0.999999f) << v;
  }
}

}  // namespace
}  // namespace sinew::test
