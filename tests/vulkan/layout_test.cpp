// Where instances go, and what a mesh looks like to the kernel: arithmetic, without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "frame_layout.h"
#include "mesh_data.h"
#include "vulkan/random_rig.h"

#include "sinew/skinned_vertex.h"

namespace sinew::vulkan {
namespace {

TEST(FrameLayout, FillsPagesInOrder) {
  const BatchSize batches[] = {{5, 160, 192}, {2, 320, 192}};
  const FrameLayout layout = lay_out_frame(batches, 700, 256);
  // Palettes of three instances fill a page, too: 3 * 192 = 576.
  ASSERT_EQ(layout.runs.size(), 5u);
  const auto expect_run = [&](size_t i, uint32_t batch, uint32_t first, uint32_t count, uint32_t page,
                              VkDeviceSize offset) {
    const auto& run = layout.runs[i];
    EXPECT_EQ(run.batch, batch) << i;
    EXPECT_EQ(run.first_instance, first) << i;
    EXPECT_EQ(run.instance_count, count) << i;
    EXPECT_EQ(run.vertices.page, page) << i;
    EXPECT_EQ(run.vertices.offset, offset) << i;
  };
  expect_run(0, 0, 0, 3, 0, 0);
  expect_run(1, 0, 3, 1, 0, 512);  // 480, aligned; 188 bytes are left
  expect_run(2, 0, 4, 1, 1, 0);
  expect_run(3, 1, 0, 1, 1, 256);
  expect_run(4, 1, 1, 1, 2, 0);
}

TEST(FrameLayout, NeverExceedsAPageNorOverlaps) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const VkDeviceSize page_bytes = 4096 + seed * 37, alignment = seed % 2 == 0 ? 16 : 256;
    std::vector<BatchSize> batches;
    for (uint32_t b = 0; b < seed % 5 + 1; ++b) {
      batches.push_back({(seed * 7 + b * 13) % 40, 16 * ((seed + b * 29) % 250 + 1), 192 * ((seed * b) % 20 + 1)});
    }
    const FrameLayout layout = lay_out_frame(batches, page_bytes, alignment);
    std::vector<VkDeviceSize> vertex_end(layout.vertex_pages.size()), palette_end(layout.palette_pages.size());
    std::vector<uint32_t> placed(batches.size());
    for (const auto& run : layout.runs) {
      const BatchSize& batch = batches[run.batch];
      EXPECT_GT(run.instance_count, 0u);
      EXPECT_EQ(run.first_instance, placed[run.batch]);
      placed[run.batch] += run.instance_count;
      EXPECT_EQ(run.vertices.offset % alignment, 0u);
      EXPECT_EQ(run.palettes.offset % alignment, 0u);
      EXPECT_GE(run.vertices.offset, vertex_end[run.vertices.page]);
      EXPECT_GE(run.palettes.offset, palette_end[run.palettes.page]);
      vertex_end[run.vertices.page] = run.vertices.offset + run.instance_count * batch.vertex_bytes;
      palette_end[run.palettes.page] = run.palettes.offset + run.instance_count * batch.palette_bytes;
    }
    EXPECT_EQ(vertex_end, layout.vertex_pages);
    EXPECT_EQ(palette_end, layout.palette_pages);
    for (const VkDeviceSize end : vertex_end) EXPECT_LE(end, page_bytes);
    for (const VkDeviceSize end : palette_end) EXPECT_LE(end, page_bytes);
    for (size_t b = 0; b < batches.size(); ++b) EXPECT_EQ(placed[b], batches[b].instance_count);
  }
}

std::vector<uint32_t> quantized(std::vector<float> weights) {
  std::vector<Influence> influences;
  for (const float weight : weights) influences.push_back({0, weight});
  std::vector<uint32_t> units;
  quantize_weights(influences, units);
  return units;
}

TEST(QuantizedWeights, GiveTheLeftOverToTheLargestRemainders) {
  EXPECT_EQ(quantized({1}), (std::vector<uint32_t>{65535}));
  EXPECT_EQ(quantized({0.5f, 0.5f}), (std::vector<uint32_t>{32768, 32767}));
  EXPECT_EQ(quantized({0.25f, 0.25f, 0.25f, 0.25f}), (std::vector<uint32_t>{16384, 16384, 16384, 16383}));
  // 45874.5, 13107 and 6553.5 in 65,535ths: of the equal halves the heavier gets the unit.
  EXPECT_EQ(quantized({0.7f, 0.2f, 0.1f}), (std::vector<uint32_t>{45874, 13107, 6554}));
  EXPECT_EQ(quantized({0.99999f, 0.00001f}), (std::vector<uint32_t>{65534, 1}));
  EXPECT_EQ(quantized({0.999999f, 0.000001f}), (std::vector<uint32_t>{65535, 0}));
}

TEST(QuantizedWeights, AddToTheWholeAndDescendAndStayWithinAUnit) {
  const Mesh mesh = test::make_mesh({.vertices = 2000, .joints = 50, .max_influences = 40, .seed = 9});
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<Influence> influences(mesh.influences_of(v).begin(), mesh.influences_of(v).end());
    // Not multiples of a 65,535th, and not quite adding to one.
    for (Influence& influence : influences) influence.weight = std::sqrt(influence.weight) * 1.00005f;
    float sum = 0;
    for (const Influence& influence : influences) sum += influence.weight;
    std::vector<uint32_t> units;
    quantize_weights(influences, units);
    EXPECT_EQ(std::accumulate(units.begin(), units.end(), 0u), 65535u);
    EXPECT_TRUE(std::is_sorted(units.rbegin(), units.rend()));
    for (size_t i = 0; i < units.size(); ++i) EXPECT_NEAR(units[i], influences[i].weight / sum * 65535, 1.01);
  }
}

TEST(MeshData, HoldsVerticesThenGroupsOfInfluences) {
  Mesh mesh = test::make_mesh({.vertices = 3, .joints = 9, .min_influences = 5, .max_influences = 5});
  mesh.influences[1 * 5 + 4].entry = 7;
  ASSERT_EQ(influence_groups(mesh), 2u);
  ASSERT_EQ(mesh_data_bytes(mesh), 3u * 3 * 16);
  std::vector<uint32_t> words(mesh_data_bytes(mesh) / 4, 0xcccccccc);
  write_mesh_data(mesh, words);
  EXPECT_EQ(words[4 + 1], std::bit_cast<uint32_t>(mesh.positions[1].y));
  EXPECT_EQ(words[4 + 3], encode_normal(mesh.normals[1]));
  const size_t second_group_of_vertex_1 = (2 * 3 + 1) * 4;
  const Influence fifth = mesh.influences_of(1)[4];
  EXPECT_EQ(words[second_group_of_vertex_1], 7u | uint32_t(std::lround(fifth.weight * 65535)) << 16);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(words[second_group_of_vertex_1 + i], 0u);
}

}  // namespace
}  // namespace sinew::vulkan
