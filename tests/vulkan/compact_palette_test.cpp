// Compact palettes are expanded on the device to the matrices that expand() gives.
#include <algorithm>
#include <array>
#include <cmath>

#include "vulkan/skinner_fixture.h"

#include "sinew/asset/compact_matrix.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;
using vulkan::PaletteFormat;

using CompactPalettes = SkinnerTest;

TEST_F(CompactPalettes, AreSkinnedBesideMatrices) {
  for (const bool promises : {false, true}) {  // of the meshes beside
    for (const bool dual_quaternions : {false, true}) {
      auto skinner = make_skinner(skinner_info());
      TestCrowd crowd(*device_, skinner);
      crowd.compact = true, crowd.promises = promises;
      Mesh first = make_mesh({.vertices = 700, .joints = 23, .max_influences = 5});
      if (dual_quaternions) first.blend = Blend::kDualQuaternion;
      crowd.add(std::move(first), 23);
      crowd.add({.vertices = 90, .joints = 5}, RigScaling::kNonUniform);  // not compact
      crowd.add({.vertices = 64, .joints = 1, .max_influences = 1});
      for (uint64_t frame = 1; frame <= 3; ++frame) {
        crowd.run_frame({frame, uint32_t(frame % 2), frame - 1}, Counts{{0, 37}, {1, 3}, {2, 200}, {0, 1}});
      }
    }
  }
}

/// With 3 and 70 targets: behind compact palettes, 70 weights take more elements than behind matrices.
TEST_F(CompactPalettes, HaveMorphWeightsBehindThem) {
  for (const bool dual_quaternions : {false, true}) {
    auto skinner = make_skinner(skinner_info());
    TestCrowd crowd(*device_, skinner);
    crowd.compact = true;
    for (const uint32_t targets : {3u, 70u}) {
      Mesh mesh = make_mesh({.vertices = 300, .joints = 23, .targets = targets});
      if (dual_quaternions) mesh.blend = Blend::kDualQuaternion;
      crowd.add(std::move(mesh), 23);
    }
    crowd.add({.vertices = 64, .joints = 5});
    for (uint64_t frame = 1; frame <= 3; ++frame)
      crowd.run_frame({frame, uint32_t(frame % 2), frame - 1}, Counts{{0, 37}, {1, 9}, {2, 20}});
  }
}

/// For a host's own shaders: `weights_row` counts from a palette as the range has it.
TEST_F(CompactPalettes, MeshBufferSaysWhereWeightsBegin) {
  auto skinner = make_skinner(skinner_info());
  const Mesh mesh = make_mesh({.vertices = 30, .joints = 23, .targets = 3});
  for (const PaletteFormat format : {PaletteFormat::kMatrices, PaletteFormat::kCompact}) {
    const auto id = skinner.add_mesh(mesh, 23, "", {}, {format});
    ASSERT_TRUE(id);
    const vulkan::SkinnerBatch batch{*id, 2};
    ASSERT_TRUE(prepare(skinner, {1 + uint64_t(format), 0, uint64_t(format)}, {&batch, 1}));
    const vulkan::InstanceRange& range = skinner.ranges()[0];
    const auto* palette = format == PaletteFormat::kCompact
                              ? reinterpret_cast<const std::byte*>(range.compact_palettes.data())
                              : reinterpret_cast<const std::byte*>(range.palettes.data());
    EXPECT_EQ(reinterpret_cast<const std::byte*>(range.weights.data()) - palette,
              skinner.mesh_buffer(*id).weights_row * 16);
  }
}

TEST_F(CompactPalettes, FillManyPages) {
  auto info = skinner_info();
  info.tuning.max_page_bytes = 20000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.compact = true;
  crowd.add({.vertices = 100, .joints = 30});
  crowd.add({.vertices = 40, .joints = 60});
  crowd.run_frame({1, 0, 0}, Counts{{0, 50}, {1, 33}});
  crowd.run_frame({2, 1, 1}, Counts{{1, 2}});
  crowd.run_frame({3, 0, 2}, Counts{{1, 90}, {0, 7}});
}

TEST_F(CompactPalettes, KeepPreviousVerticesAndGroups) {
  auto info = skinner_info();
  info.keep_previous = true;
  info.tuning.max_page_bytes = 20000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.compact = true;
  crowd.add({.vertices = 101});
  for (uint64_t frame = 1; frame <= 2; ++frame) {
    crowd.prepare({frame, uint32_t(frame % 2), frame - 1}, Counts{{0, 20}});
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  }
  crowd.expect_previous(1, 2, std::array<uint32_t, 1>{20});
}

TEST_F(CompactPalettes, AreAThirdOfTheBytesOfMatrices) {
  auto skinner = make_skinner(skinner_info());
  const Mesh mesh = make_mesh({.vertices = 10, .joints = 60});
  const auto matrices = skinner.add_mesh(mesh, 60),
             compact = skinner.add_mesh(mesh, 60, "", {}, {PaletteFormat::kCompact});
  uint64_t bytes[2] = {};
  for (int i = 0; i < 2; ++i) {
    const vulkan::SkinnerBatch batch{i == 0 ? *matrices : *compact, 100};
    ASSERT_TRUE(prepare(skinner, {uint64_t(i + 1), uint32_t(i), uint64_t(i)}, {&batch, 1}));
    for (const vulkan::InstanceRange& range : skinner.ranges()) {
      EXPECT_EQ(range.palettes.empty(), i == 1);
      EXPECT_EQ(range.compact_palettes.size(), i == 1 ? 6000u : 0u);
      bytes[i] += range.palettes.size_bytes() + range.compact_palettes.size_bytes();
    }
  }
  EXPECT_EQ(bytes[0], 3 * bytes[1]);
  const vulkan::MemoryUsage usage = skinner.memory_usage();
  EXPECT_EQ(usage.palette_copy_bytes, 0u);
  EXPECT_GE(usage.expanded_bytes, 6000u * 48);
}

/// The scale of a character in centimeters.
TEST_F(CompactPalettes, HaveOneScaleApart) {
  auto skinner = make_skinner(skinner_info());
  const Mesh mesh = make_mesh({.vertices = 64, .joints = 1, .max_influences = 1});
  const auto id = skinner.add_mesh(mesh, 1, "", {}, {PaletteFormat::kCompact, 0.01f});
  const vulkan::SkinnerBatch batch{*id, 1};
  ASSERT_TRUE(prepare(skinner, {1, 0, 0}, {&batch, 1}));
  skinner.ranges()[0].compact_palettes[0] = compact({{{0, -0.01f, 0, 3}, {0.01f, 0, 0, -2}, {0, 0, 0.01f, 1}}}, 0.01f);
  device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  const vulkan::InstanceRange& range = skinner.ranges()[0];
  const auto words = device_->read_back(range.vertices, range.vertices_offset, 64 * 16);
  for (uint32_t v = 0; v < 64; ++v) {
    const Vec3 p = mesh.positions[v];
    EXPECT_NEAR(std::bit_cast<float>(words[v * 4]), 3 - 0.01f * p.y, 2e-5f);
    EXPECT_NEAR(std::bit_cast<float>(words[v * 4 + 1]), -2 + 0.01f * p.x, 2e-5f);
    EXPECT_NEAR(std::bit_cast<float>(words[v * 4 + 2]), 1 + 0.01f * p.z, 2e-5f);
  }
}

TEST_F(CompactPalettes, AreRefusedWhereTheyCannotBe) {
  auto skinner = make_skinner(skinner_info());
  const auto refusal = [](vulkan::Skinner& by, const RigShape& shape, float scale) {
    const auto id = by.add_mesh(make_mesh(shape), shape.joints, "knight", {}, {PaletteFormat::kCompact, scale});
    return id ? "" : id.error().message;
  };
  EXPECT_EQ(refusal(skinner, {}, 0), "mesh 'knight': the scale of its palettes is 0.000000");
  EXPECT_NE(refusal(skinner, {}, NAN), "");
  EXPECT_EQ(refusal(skinner, {}, 2), "");
  const auto unknown = skinner.add_mesh(make_mesh({}), 8, "knight", {}, {PaletteFormat(9)});
  EXPECT_EQ(unknown.error().message, "mesh 'knight': unknown format of palettes 9");
}

}  // namespace
}  // namespace sinew::test
