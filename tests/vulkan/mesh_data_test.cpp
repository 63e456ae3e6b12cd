// Layout of meshes for the kernel. No device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "mesh_data.h"
#include "sinew/asset/skinned_vertex.h"
#include "skin_pass.h"
#include "vulkan/random_rig.h"

namespace sinew::vulkan {

using namespace internal;

namespace {

std::vector<uint32_t> quantized(std::vector<float> weights) {
  std::vector<Influence> influences;
  for (const float weight : weights) influences.push_back({0, weight});
  std::vector<uint32_t> units;
  quantize_weights(influences, units);
  return units;
}

TEST(QuantizedWeights, GiveTheRestToTheLargestRemainders) {
  EXPECT_EQ(quantized({1}), (std::vector<uint32_t>{65535}));
  EXPECT_EQ(quantized({0.5f, 0.5f}), (std::vector<uint32_t>{32768, 32767}));
  EXPECT_EQ(quantized({0.25f, 0.25f, 0.25f, 0.25f}), (std::vector<uint32_t>{16384, 16384, 16384, 16383}));
  // About 45874.5, 13107 and 6553.5 units. 0.7f is slightly less than 0.7 and 0.1f slightly more than 0.1, so the last
  // has the largest remainder.
  EXPECT_EQ(quantized({0.7f, 0.2f, 0.1f}), (std::vector<uint32_t>{45874, 13107, 6554}));
  EXPECT_EQ(quantized({0.99999f, 0.00001f}), (std::vector<uint32_t>{65534, 1}));
  EXPECT_EQ(quantized({0.999999f, 0.000001f}), (std::vector<uint32_t>{65535, 0}));
}

TEST(QuantizedWeights, SumToOneAndDescendAndStayWithinAUnit) {
  const Mesh mesh = test::make_mesh({.vertices = 2000, .joints = 50, .max_influences = 40, .seed = 9});
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<Influence> influences(mesh.influences_of(v).begin(), mesh.influences_of(v).end());
    // Weights that are not multiples of 1/65,535 and whose sum is not 1.
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

KernelChoice choice_of(uint32_t workgroup_size, bool tangents = false) {
  return {.workgroup_size = workgroup_size, .instances_per_thread = 1, .by_influences = true, .tangents = tangents};
}

/// A mesh with a vertex for each number of influences.
Mesh mesh_of(const std::vector<uint32_t>& counts) {
  Mesh mesh;
  mesh.first_influence = {0};
  for (const uint32_t count : counts) {
    mesh.positions.push_back({}), mesh.normals.push_back({0, 0, 1}), mesh.uvs.push_back({});
    for (uint32_t i = 0; i < count; ++i) mesh.influences.push_back({0, 1.0f / float(count)});
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  return mesh;
}

/// Each count as often as its second number says.
std::vector<uint32_t> repeated(std::initializer_list<std::pair<uint32_t, uint32_t>> counts) {
  std::vector<uint32_t> result;
  for (const auto& [count, times] : counts) result.insert(result.end(), times, count);
  return result;
}

void expect_chunk(const Chunk& chunk, uint32_t first, uint32_t count, uint32_t kernel) {
  EXPECT_EQ(chunk.first_vertex, first);
  EXPECT_EQ(chunk.vertex_count, count);
  EXPECT_EQ(chunk.kernel, kernel);
}

TEST(Chunks, SplitWhereManyVerticesHaveAnotherNumberOfInfluences) {
  const Mesh mesh = mesh_of(repeated({{1, 20}, {2, 3}, {1, 1}, {3, 8}, {9, 5}, {4, 9}}));
  const auto chunks = cut_chunks(mesh, choice_of(16));
  ASSERT_EQ(chunks.size(), 4u);
  expect_chunk(chunks[0], 0, 16, 0);
  expect_chunk(chunks[1], 16, 8, 1);   // 1 1 1 1 2 2 2 1: too few for chunks of their own
  expect_chunk(chunks[2], 24, 13, 5);  // 3, followed by too few of 9
  expect_chunk(chunks[3], 37, 9, 3);
  KernelChoice one_kernel = choice_of(16);
  one_kernel.by_influences = false;
  const auto of_one_kernel = cut_chunks(mesh, one_kernel);
  ASSERT_EQ(of_one_kernel.size(), 3u);
  for (const Chunk& chunk : of_one_kernel) EXPECT_EQ(chunk.kernel, kInfluenceVariants - 1);
}

TEST(Chunks, CoverEveryVertexOnceWithEnoughInfluences) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    std::vector<uint32_t> counts;
    for (uint32_t v = 0; v < seed * 13; ++v) counts.push_back(1 + (v * seed / 17 + v % (seed % 4 + 1)) % 11);
    const Mesh mesh = mesh_of(counts);
    const uint32_t workgroup_size = seed % 3 == 0 ? 1 : seed + 3;
    uint32_t next = 0;
    for (const Chunk& chunk : cut_chunks(mesh, choice_of(workgroup_size))) {
      EXPECT_EQ(chunk.first_vertex, next);
      EXPECT_GT(chunk.vertex_count, 0u);
      EXPECT_LE(chunk.vertex_count, workgroup_size);
      next += chunk.vertex_count;
      constexpr std::array<uint32_t, 6> kMaxInfluences = {1, 2, 3, 4, 8, UINT32_MAX};
      for (uint32_t v = chunk.first_vertex; v < next; ++v) EXPECT_LE(counts[v], kMaxInfluences[chunk.kernel]);
    }
    EXPECT_EQ(next, counts.size());
  }
}

TEST(Chunks, AreStoredByKernelAfterTheMesh) {
  const Mesh mesh = mesh_of(repeated({{3, 8}, {1, 8}, {3, 8}}));
  const MeshLayout layout = lay_out_mesh(mesh, choice_of(8));
  std::vector<uint32_t> words(layout.size_bytes() / 4);
  write_mesh_data(mesh, layout, {.first_element = 100, .palette_stride = 8, .box = {{1, 2, 3}, {2, 4, 3}}}, words);
  const ChunkTable table = chunk_table(layout, 100);
  const uint32_t box = 24 * 2;
  EXPECT_EQ(std::bit_cast<float>(words[box * 4 + 4]), 1.0f);
  EXPECT_EQ(std::bit_cast<float>(words[box * 4 + 5]), 2.0f);
  EXPECT_GT(std::bit_cast<float>(words[box * 4 + 6]), 0.0f);  // a flat box must not lead to a division by 0
  EXPECT_EQ(table[0].first_element, 100 + box + 2);
  EXPECT_EQ(table[0].count, 1u);
  EXPECT_EQ(table[2].first_element, 100 + box + 5);
  EXPECT_EQ(table[2].count, 2u);
  const uint32_t* last = &words[(box + 8) * 4];  // vertices 16 to 23
  EXPECT_EQ((std::vector<uint32_t>(last, last + 7)), (std::vector<uint32_t>{116, 8, 24, 1, 16, 24, 100 + box}));
}

TEST(Chunks, AreOfAnotherKernelWhereMorphTargetsMoveVertices) {
  Mesh mesh = mesh_of(repeated({{1, 16}, {2, 16}}));
  mesh.targets.resize(1);
  for (uint32_t v = 8; v < 24; ++v)
    mesh.targets[0].vertices.push_back(v), mesh.targets[0].positions.push_back({1, 0, 0});
  const KernelChoice choice = choice_of(8);
  const auto chunks = cut_chunks(mesh, choice);
  ASSERT_EQ(chunks.size(), 4u);
  for (uint32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(kernel_variant(chunks[c].kernel).morphs, c == 1 || c == 2) << c;
    EXPECT_EQ(kernel_variant(chunks[c].kernel).influences, c / 2) << c;
  }
}

/// The vertices that the refs of a mesh name for each target, and that each difference is theirs.
TEST(MorphLayout, NamesEveryMovedVertexOnce) {
  const Mesh mesh = test::make_mesh({.vertices = 333, .joints = 3, .seed = 6, .targets = 11});
  const MorphLayout layout = lay_out_morphs(mesh, 1000, true);
  ASSERT_EQ(layout.blocks.size(), 6u);
  std::vector<std::vector<uint32_t>> vertices(11), differences(11);
  for (uint32_t b = 0; b < layout.blocks.size(); ++b) {
    for (uint32_t r = 0; r < layout.blocks[b].quads * 4; ++r) {
      const shared::MorphRef& ref = layout.refs[layout.blocks[b].first_ref - 1006 + r];
      const uint64_t bits = ref.low_vertices | uint64_t{ref.high_vertices} << 32;
      uint32_t difference = ref.first_difference;
      for (uint32_t bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1) == 0) continue;
        ASSERT_LT(ref.row * 4 + r % 4, 11u);
        vertices[ref.row * 4 + r % 4].push_back(b * 64 + bit);
        differences[ref.row * 4 + r % 4].push_back(difference++);
      }
    }
  }
  uint32_t next = layout.first_difference;
  for (uint32_t t = 0; t < 11; ++t) {
    EXPECT_EQ(vertices[t], mesh.targets[t].vertices) << t;
    for (const uint32_t difference : differences[t]) EXPECT_EQ(difference, next++) << t;
  }
  EXPECT_EQ(layout.tangents_element, next);
  EXPECT_EQ(layout.end_element, next + (layout.difference_count + 3) / 4);
  EXPECT_EQ(lay_out_morphs(mesh, 1000, false).end_element, next);
}

TEST(KernelChoice, RespectsTheLimitsOfTheDeviceAndTheKernel) {
  DeviceTable table;
  table.max_workgroup_size = 128;
  const experimental::KernelTuning tuning{.workgroup_size = 1024, .instances_per_thread = 1u << 29};
  EXPECT_EQ(choose_kernel({}, tuning, table).workgroup_size, 128u);
  EXPECT_EQ(choose_kernel({}, tuning, table).instances_per_thread, 64u);
}

TEST(KernelChoice, FillsAGpuBeforeThreadsTakeManyInstances) {
  DeviceTable table;
  table.max_workgroup_size = 1024;
  const KernelChoice gpu = choose_kernel({}, {}, table), tuned = choose_kernel({}, {.min_workgroups = 70}, table);
  EXPECT_EQ(gpu.min_workgroups, 4096u);
  EXPECT_EQ(gpu.many_workgroups, 16384u);
  EXPECT_EQ(tuned.min_workgroups, 70u);
  EXPECT_EQ(tuned.many_workgroups, 70u);
  table.is_cpu = true;
  const KernelChoice cpu = choose_kernel({}, {}, table);
  EXPECT_EQ(cpu.min_workgroups, 1u);
  EXPECT_EQ(cpu.many_workgroups, 1u);
}

TEST(MeshData, HasVerticesThenQuadsOfInfluences) {
  Mesh mesh = test::make_mesh({.vertices = 3, .joints = 9, .min_influences = 5, .max_influences = 5});
  mesh.blend = Blend::kDualQuaternion;  // heaviest first
  mesh.influences[1 * 5 + 4].entry = 7;
  ASSERT_EQ(influence_quads(mesh), 2u);
  const MeshLayout layout = lay_out_mesh(mesh, choice_of(64));
  ASSERT_EQ(layout.static_vertex_bytes(), 3u * 3 * 16);
  ASSERT_EQ(layout.size_bytes(), layout.static_vertex_bytes() + (2 + 3) * 16);  // the box, and one chunk
  std::vector<uint32_t> words(layout.size_bytes() / 4, 0xcccccccc);
  write_mesh_data(mesh, layout, {.first_element = 0, .palette_stride = 12, .box = {}}, words);
  EXPECT_EQ(words[4 + 1], std::bit_cast<uint32_t>(mesh.positions[1].y));
  EXPECT_EQ(words[4 + 3], encode_normal(mesh.normals[1]));
  const size_t second_quad_of_vertex_1 = (2 * 3 + 1) * 4;
  const Influence fifth = mesh.influences_of(1)[4];
  EXPECT_EQ(words[second_quad_of_vertex_1], 7u | uint32_t(std::lround(fifth.weight * 65535)) << 16);
  // Padding has weight 0 and a palette entry that the vertex uses.
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(words[second_quad_of_vertex_1 + i], mesh.influences_of(1)[0].entry);
}

TEST(MeshData, HasInfluencesOfAMeanByAscendingEntry) {
  Mesh mesh = test::make_mesh({.vertices = 1, .joints = 9, .min_influences = 3, .max_influences = 3});
  for (uint32_t i = 0; i < 3; ++i)
    mesh.influences[i] = {uint16_t(std::array{5, 8, 2}[i]), std::array{0.5f, 0.3f, 0.2f}[i]};
  const MeshLayout layout = lay_out_mesh(mesh, choice_of(64));
  std::vector<uint32_t> words(layout.size_bytes() / 4);
  write_mesh_data(mesh, layout, {.first_element = 0, .palette_stride = 12, .box = {}}, words);
  EXPECT_EQ(words[4], 2u | 13107u << 16);
  EXPECT_EQ(words[5] & 0xffff, 5u);
  EXPECT_EQ(words[6] & 0xffff, 8u);
  EXPECT_EQ(words[7], 2u) << "padding: the first entry, of weight 0";
}

TEST(MeshData, HasTangentsAtTheEnd) {
  const Mesh mesh = test::make_mesh({.vertices = 6, .joints = 2, .max_influences = 1});
  const MeshLayout plain = lay_out_mesh(mesh, choice_of(4)), layout = lay_out_mesh(mesh, choice_of(4, true));
  const uint64_t begin = (6 * 2 + 2 + 2 * 3) * 16;  // vertices and influences, the box, two chunks
  ASSERT_EQ(plain.size_bytes(), begin);
  ASSERT_EQ(layout.size_bytes(), begin + 2 * 16);
  std::vector<uint32_t> words(layout.size_bytes() / 4, 0xcccccccc);
  write_mesh_data(mesh, layout, {.first_element = 1000, .palette_stride = 4, .box = {}}, words);
  for (uint32_t v = 0; v < 6; ++v) EXPECT_EQ(words[begin / 4 + v], encode_tangent(mesh.tangents[v])) << v;
  EXPECT_EQ(words[begin / 4 + 6], 0u);
  EXPECT_EQ(words[begin / 4 + 7], 0u);
  const uint32_t* chunks = &words[(6 * 2 + 2) * 4];
  EXPECT_EQ(chunks[7], 4000 + begin / 4);
  EXPECT_EQ(chunks[12 + 7], 4000 + begin / 4 + 4);
}

}  // namespace
}  // namespace sinew::vulkan
