// Optional tangents: equal to the CPU skinner in every format and with both signs; meshes without tangents are refused.
#include <algorithm>
#include <array>

#include "vulkan/skinner_fixture.h"

#include "sinew/asset/mesh.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;
using vulkan::VertexFormat;
using vulkan::experimental::PaletteFetch;

constexpr std::array kFormats = {VertexFormat::kPacked, VertexFormat::kOctahedral, VertexFormat::kFloat};

class Tangents : public SkinnerTest {
 protected:
  TestSkinnerInfo info(VertexFormat format) const {
    auto info = skinner_info();
    info.format = format;
    info.tangents = true;
    return info;
  }

  /// Skins meshes with work for every kernel variant, non-uniform and mirrored scale, and batches of uneven size.
  void expect_right(const TestSkinnerInfo& info) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.tangents = true;
    Mesh mesh = make_mesh({.vertices = 701, .joints = 23, .max_influences = 9, .seed = 3});
    EXPECT_TRUE(order_by_influences(mesh));
    const uint32_t ordered = crowd.add(mesh, 23, RigScaling::kNonUniform);
    const uint32_t mirrored = crowd.add({.vertices = 91, .joints = 5, .seed = 8}, RigScaling::kMirrored);
    const uint32_t triangle = crowd.add({.vertices = 3, .joints = 1, .max_influences = 1}, RigScaling::kMirrored);
    crowd.run_frame({1, 0, 0}, Counts{{triangle, 5}, {ordered, 19}, {mirrored, 11}, {triangle, 1}, {ordered, 1}});
    for (const vulkan::InstanceRange& range : skinner.ranges())
      EXPECT_EQ(range.vertex_bytes, uint32_t(info.format) + 4);
  }

  /// The encoded tangents of one instance whose joints all have `matrix`.
  std::vector<uint32_t> tangents_under(const Mesh& mesh, const Matrix3x4& matrix) {
    auto skinner = make_skinner(info(VertexFormat::kOctahedral));
    const auto id = skinner.add_mesh(mesh, 8);
    const vulkan::SkinnerBatch batch{*id, 1};
    EXPECT_TRUE(test::prepare(skinner, {}, {&batch, 1}));
    const vulkan::InstanceRange& range = skinner.ranges()[0];
    std::fill(range.palettes.begin(), range.palettes.end(), matrix);
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
    const auto words = device_->read_back(range.vertices, range.vertices_offset, mesh.vertex_count() * 20);
    std::vector<uint32_t> tangents;
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) tangents.push_back(words[v * 5 + 4]);
    return tangents;
  }
};

TEST_F(Tangents, AreRightInEveryFormat) {
  for (const VertexFormat format : kFormats) {
    SCOPED_TRACE(int(format));
    expect_right(info(format));
  }
}

TEST_F(Tangents, AreRightForOtherTunings) {
  auto tuned = info(VertexFormat::kOctahedral);
  tuned.tuning = {100, 3, PaletteFetch::kStorage, true};
  expect_right(tuned);
  tuned.tuning = {32, 1, PaletteFetch::kTexel, false};
  tuned.tuning.max_page_bytes = 60000;
  expect_right(tuned);
}

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

TEST_F(Tangents, OfThePreviousFrameStay) {
  for (const VertexFormat format : kFormats) {
    auto kept = info(format);
    kept.keep_previous = true;
    kept.tuning.max_page_bytes = 20000;
    auto skinner = make_skinner(kept);
    TestCrowd crowd(*device_, skinner);
    crowd.tangents = true;
    crowd.add({.vertices = 101});
    for (uint64_t frame = 1; frame <= 2; ++frame) {
      crowd.prepare({frame, uint32_t(frame % 2), frame - 1}, Counts{{0, 20}});
      device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
    }
    crowd.expect_frame(2);
    crowd.expect_previous(1, 2, std::array<uint32_t, 1>{20});
  }
}

TEST_F(Tangents, AreRequiredOfEveryMesh) {
  auto with = make_skinner(info(VertexFormat::kOctahedral)), without = make_skinner(skinner_info());
  Mesh mesh = make_mesh({});
  EXPECT_TRUE(with.add_mesh(mesh, 8, "knight"));
  EXPECT_TRUE(without.add_mesh(mesh, 8, "knight"));
  mesh.tangents[7].w = 0;
  EXPECT_EQ(with.add_mesh(mesh, 8, "knight").error().message,
            "mesh 'knight': vertex 7 has a tangent that is no unit vector with 1 or -1 for w");
  mesh.tangents.clear();
  EXPECT_EQ(with.add_mesh(mesh, 8, "knight").error().message, "mesh 'knight' has no tangents to skin");
  EXPECT_TRUE(without.add_mesh(mesh, 8, "knight"));
}

TEST_F(Tangents, CountTowardsThePageSize) {
  auto small = info(VertexFormat::kOctahedral);
  small.tuning.max_page_bytes = 1600;  // 100 vertices without tangents
  auto skinner = make_skinner(small);
  EXPECT_TRUE(skinner.add_mesh(make_mesh({.vertices = 80, .max_influences = 1}), 8, "fits"));
  const auto id = skinner.add_mesh(make_mesh({.vertices = 81, .max_influences = 1}), 8, "knight");
  ASSERT_FALSE(id);
  EXPECT_EQ(
      id.error().message,
      "mesh 'knight': one instance's vertices need 1620 bytes, and a buffer holds 1600, KernelTuning::max_page_bytes");
}

}  // namespace
}  // namespace sinew::test
