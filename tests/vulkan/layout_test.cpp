// Layout of instances in pages, of meshes for the kernel, and of jobs. No device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "frame_layout.h"
#include "frame_plan.h"
#include "job_list.h"
#include "mesh_data.h"
#include "page_set.h"
#include "skin_pass.h"
#include "vulkan/random_rig.h"

#include "sinew/asset/skinned_vertex.h"

namespace sinew::vulkan {

using namespace internal;

namespace {

FrameLayout laid_out(std::span<const BatchSize> batches, VkDeviceSize page_bytes, VkDeviceSize alignment) {
  FrameLayout layout;
  lay_out_frame(batches, page_bytes, alignment, layout);
  return layout;
}

TEST(FrameLayout, FillsPagesInOrder) {
  const BatchSize batches[] = {{5, 160, 192}, {2, 320, 192}};
  const FrameLayout layout = laid_out(batches, 700, 256);
  // The palettes of three instances nearly fill a page as well: 3 * 192 = 576.
  ASSERT_EQ(layout.slices.size(), 5u);
  const auto expect_slice = [&](size_t i, uint32_t batch, uint32_t first, uint32_t count, uint32_t page,
                                VkDeviceSize offset) {
    const auto& slice = layout.slices[i];
    EXPECT_EQ(slice.batch, batch) << i;
    EXPECT_EQ(slice.first_instance, first) << i;
    EXPECT_EQ(slice.instance_count, count) << i;
    EXPECT_EQ(slice.vertices.page, page) << i;
    EXPECT_EQ(slice.vertices.offset, offset) << i;
  };
  expect_slice(0, 0, 0, 3, 0, 0);
  expect_slice(1, 0, 3, 1, 0, 512);  // 480, aligned to 256; 188 bytes are left
  expect_slice(2, 0, 4, 1, 1, 0);
  expect_slice(3, 1, 0, 1, 1, 256);
  expect_slice(4, 1, 1, 1, 2, 0);
}

TEST(FrameLayout, HasNoPagesForZeroBytes) {
  const BatchSize palettes[] = {{3, 0, 16}, {2, 0, 32}};
  const FrameLayout shared = laid_out(palettes, 128, 16);
  ASSERT_EQ(shared.slices.size(), 2u);
  EXPECT_EQ(shared.slices[1].palettes.page, 0u);
  EXPECT_EQ(shared.slices[1].palettes.offset, 48u);
  EXPECT_EQ(shared.palette_pages, (std::vector<VkDeviceSize>{48 + 64}));
  EXPECT_TRUE(shared.vertex_pages.empty());

  const BatchSize vertices[] = {{10, 16, 0}};
  const FrameLayout several = laid_out(vertices, 64, 16);
  ASSERT_EQ(several.slices.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(several.slices[i].vertices.page, i);
    EXPECT_EQ(several.slices[i].vertices.offset, 0u);
    EXPECT_EQ(several.slices[i].palettes.offset, 0u);
    EXPECT_EQ(several.slices[i].first_instance, 4 * i);
  }
  EXPECT_EQ(several.slices[2].instance_count, 2u);
  EXPECT_EQ(several.vertex_pages, (std::vector<VkDeviceSize>{64, 64, 32}));
  EXPECT_TRUE(several.palette_pages.empty());
}

TEST(FrameLayout, AlignsToMultiplesThatAreNoPowersOfTwo) {
  const BatchSize batches[] = {{1, 0, 144}, {3, 0, 96}};
  const FrameLayout layout = laid_out(batches, 480, 192);
  ASSERT_EQ(layout.slices.size(), 2u);
  EXPECT_EQ(layout.slices[1].palettes.offset, 192u);
  EXPECT_EQ(layout.palette_pages, (std::vector<VkDeviceSize>{192 + 3 * 96}));
}

TEST(FrameLayout, NeedsNoPageWithoutInstances) {
  const BatchSize batches[] = {{0, 16, 16}, {0, 0, 0}};
  const FrameLayout layout = laid_out(batches, 64, 16);
  EXPECT_TRUE(layout.slices.empty());
  EXPECT_TRUE(layout.vertex_pages.empty());
  EXPECT_TRUE(layout.palette_pages.empty());
}

TEST(FrameLayout, KeepsSlicesInsidePagesAndApart) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const VkDeviceSize page_bytes = 4096 + seed * 37, alignment = seed % 2 == 0 ? 16 : 256;
    std::vector<BatchSize> batches;
    for (uint32_t b = 0; b < seed % 5 + 1; ++b) {
      batches.push_back({(seed * 7 + b * 13) % 40, 16 * ((seed + b * 29) % 250 + 1), 192 * ((seed * b) % 20 + 1)});
    }
    const FrameLayout layout = laid_out(batches, page_bytes, alignment);
    std::vector<VkDeviceSize> vertex_end(layout.vertex_pages.size()), palette_end(layout.palette_pages.size());
    std::vector<uint32_t> counts(batches.size());
    for (const auto& slice : layout.slices) {
      const BatchSize& batch = batches[slice.batch];
      EXPECT_GT(slice.instance_count, 0u);
      EXPECT_EQ(slice.first_instance, counts[slice.batch]);
      counts[slice.batch] += slice.instance_count;
      EXPECT_EQ(slice.vertices.offset % alignment, 0u);
      EXPECT_EQ(slice.palettes.offset % alignment, 0u);
      EXPECT_GE(slice.vertices.offset, vertex_end[slice.vertices.page]);
      EXPECT_GE(slice.palettes.offset, palette_end[slice.palettes.page]);
      vertex_end[slice.vertices.page] = slice.vertices.offset + slice.instance_count * batch.instance_vertex_bytes;
      palette_end[slice.palettes.page] = slice.palettes.offset + slice.instance_count * batch.instance_palette_bytes;
    }
    EXPECT_EQ(vertex_end, layout.vertex_pages);
    EXPECT_EQ(palette_end, layout.palette_pages);
    for (const VkDeviceSize end : vertex_end) EXPECT_LE(end, page_bytes);
    for (const VkDeviceSize end : palette_end) EXPECT_LE(end, page_bytes);
    for (size_t b = 0; b < batches.size(); ++b) EXPECT_EQ(counts[b], batches[b].instance_count);
  }
}

/// The host's memory for buffers that no device reads.
VkResult allocate_nothing(void*, const VkBufferCreateInfo&, BufferUse, Allocation* out) {
  *out = {VkBuffer(uint64_t{1}), nullptr, nullptr, 0};
  return VK_SUCCESS;
}
void free_nothing(void*, const Allocation&) {}

TEST(PageSet, GrowsByHalfWithinItsLimit) {
  const DeviceTable table;
  SkinnerInfo info;
  info.allocator = {nullptr, allocate_nothing, free_nothing};
  BufferAllocator allocator(table, info);
  DeferredFrees deferred;
  PageSet set;
  const auto size_after = [&](VkDeviceSize needed) {
    const VkDeviceSize sizes[] = {needed};
    auto fresh = set.make_missing(allocator, sizes, {.max_bytes = 2000, .name = "pages"});
    EXPECT_TRUE(fresh);
    set.make_room(*fresh), deferred.make_room(set.buffer_count());
    set.adopt(std::move(*fresh), 0, deferred);
    return set.size_bytes();
  };
  EXPECT_EQ(size_after(1000), 1000u);
  EXPECT_EQ(size_after(900), 1000u);
  EXPECT_EQ(size_after(1001), 1500u);
  EXPECT_EQ(size_after(1501), 2000u) << "and not 2250";
  EXPECT_EQ(size_after(500), 2000u) << "a quarter is no reason to shrink";
  EXPECT_EQ(size_after(499), 499u);
}

/// `count` instances from `first` on, at `offset` of a buffer of 4 vertices of 16 bytes each.
PlacedSlice slice_of(uint32_t first, uint32_t count, uint64_t buffer, VkDeviceSize offset) {
  PlacedSlice slice;
  slice.first_instance = first, slice.instance_count = count, slice.mesh = {1};
  slice.vertex_count = 4, slice.vertex_bytes = 16, slice.palette_stride = 3;
  slice.vertices = {VkBuffer(buffer), offset, VkDeviceSize{count} * 64};
  slice.palettes = {VkBuffer(buffer), offset, VkDeviceSize{count} * 144};
  return slice;
}

TEST(Ranges, HaveThePreviousVerticesOfTheirOwnInstances) {
  const std::vector<PlacedSlice> before = {slice_of(0, 4, 7, 256), slice_of(4, 2, 8, 0)};
  const std::vector<PlacedSlice> now = {slice_of(0, 3, 9, 0), slice_of(3, 4, 9, 512)};
  std::vector<InstanceRange> ranges;
  make_ranges(now, &before, ranges);
  ASSERT_EQ(ranges.size(), 4u);
  const auto expect_range = [&](size_t i, uint32_t first, uint32_t count, VkDeviceSize offset, uint64_t buffer,
                                VkDeviceSize previous_offset) {
    EXPECT_EQ(ranges[i].first_instance, first) << i;
    EXPECT_EQ(ranges[i].instance_count, count) << i;
    EXPECT_EQ(ranges[i].vertices_offset, offset) << i;
    EXPECT_EQ(ranges[i].previous_vertices, VkBuffer(buffer)) << i;
    EXPECT_EQ(ranges[i].previous_vertices_offset, previous_offset) << i;
  };
  expect_range(0, 0, 3, 0, 7, 256);
  expect_range(1, 3, 1, 512, 7, 256 + 3 * 64);
  expect_range(2, 4, 2, 512 + 64, 8, 0);
  expect_range(3, 6, 1, 512 + 3 * 64, 9, 512 + 3 * 64);  // a new instance: its own
  EXPECT_EQ(ranges[2].palette_offset, 512u + 3 * 48);
}

TEST(Ranges, OfAnotherMeshOrBatchHaveTheirOwnPreviousVertices) {
  std::vector<PlacedSlice> before = {slice_of(0, 4, 7, 256)};
  const std::vector<PlacedSlice> now = {slice_of(0, 4, 9, 64)};
  std::vector<InstanceRange> ranges;
  before[0].mesh = {2};
  make_ranges(now, &before, ranges);
  EXPECT_EQ(ranges[0].previous_vertices, VkBuffer(uint64_t{9}));
  before[0].mesh = {1}, before[0].batch = 1;
  make_ranges(now, &before, ranges);
  EXPECT_EQ(ranges[0].previous_vertices, VkBuffer(uint64_t{9}));
  make_ranges(now, nullptr, ranges);
  EXPECT_EQ(ranges[0].previous_vertices, VkBuffer(VK_NULL_HANDLE));
}

TEST(Ranges, ThatAreNotUpdatedHaveTheirVerticesAsPreviousOnes) {
  const std::vector<PlacedSlice> before = {slice_of(0, 4, 7, 256)}, now = {slice_of(0, 4, 9, 64)};
  std::vector<InstanceRange> ranges;
  make_ranges(now, &before, ranges);
  mark_not_updated(ranges);
  EXPECT_EQ(ranges[0].previous_vertices, VkBuffer(uint64_t{9}));
  EXPECT_EQ(ranges[0].previous_vertices_offset, 64u);
  make_ranges(now, nullptr, ranges);
  mark_not_updated(ranges);
  EXPECT_EQ(ranges[0].previous_vertices, VkBuffer(VK_NULL_HANDLE));
}

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

JobList listed(std::span<const JobSource> sources, const JobLimits& limits) {
  JobList list;
  list_jobs(sources, limits, list);
  return list;
}

std::vector<shared::SkinJob> jobs_of(std::span<const JobSource> sources, const JobLimits& limits, const JobList& list,
                                     const ParallelFor& parallel_for = {}) {
  std::vector<shared::SkinJob> jobs(list.job_count);
  write_jobs(sources, limits, list, jobs, parallel_for);
  return jobs;
}

TEST(Jobs, NeedOneDispatchForEachKernel) {
  const ChunkTable small = {{{10, 1}, {}, {}, {}, {}}}, large = {{{20, 5}, {}, {30, 7}, {}, {44, 1}}};
  std::vector<JobSource> sources;
  for (uint32_t i = 0; i < 50; ++i) sources.push_back({{nullptr, 0, 0}, i % 2 ? &small : &large, 100, 9, i, 3, i, 9});
  const JobList list = listed(sources, {65535, 65535, 8});
  ASSERT_EQ(list.pages.size(), 1u);
  EXPECT_EQ(list.pages[0].instances, 5000u);
  ASSERT_EQ(list.dispatches.size(), 3u);  // one for each kernel that has chunks
  EXPECT_EQ(list.dispatches[0].kernel, 0u);
  EXPECT_EQ(list.dispatches[1].kernel, 2u);
  EXPECT_EQ(list.dispatches[2].kernel, 4u);
  EXPECT_EQ(list.job_count, 25u * 2 * (1 + 5 + 7 + 1));  // 100 instances are two jobs: 64 and 36
}

TEST(Jobs, HaveFewerInstancesForEachThreadUntilTheyFillTheDevice) {
  const ChunkTable chunks = {{{10, 3}, {}, {}, {}, {50, 2}}};
  const JobSource source{{nullptr, 0, 0}, &chunks, 100, 9, 1000, 3, 500, 9};
  // 100 instances by 8 are 13 shares of 5 chunks, by 4 are 25, by 2 are 50.
  for (const auto& [workgroups, share] :
       {std::pair{65u, 8u}, {66u, 4u}, {125u, 4u}, {126u, 2u}, {251u, 1u}, {99999u, 1u}}) {
    const JobList list = listed({&source, 1}, {65535, 65535, 8, workgroups});
    EXPECT_EQ(list.instances_per_thread, share) << workgroups;
    for (const Dispatch& dispatch : list.dispatches) EXPECT_EQ(dispatch.instances_per_thread, share);
  }
}

/// Counts how often the workgroups of all dispatches reach each chunk of each instance.
TEST(Jobs, ReachEveryChunkOfEveryInstanceOnceWithinTheLimits) {
  const ChunkTable chunks = {{{10, 3}, {}, {}, {}, {50, 2}}};
  for (const auto& [limit, workgroups] : {std::pair{1u, 1u}, {3u, 40u}, {65535u, 1u}, {65535u, 500u}}) {
    for (const uint32_t instances : {1u, 7u, 8u, 65u, 1000u}) {
      const JobSource source{{nullptr, 0, 0}, &chunks, instances, 9, 1000, 3, 500, 9};
      const JobLimits limits{limit, limit, 4, workgroups};
      const JobList list = listed({&source, 1}, limits);
      const std::vector<shared::SkinJob> jobs = jobs_of({&source, 1}, limits, list);
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> reached;  // chunk and instance
      for (const Dispatch& dispatch : list.dispatches) {
        EXPECT_LE(dispatch.workgroups_x, limit);
        EXPECT_LE(dispatch.workgroups_y, limit);
        for (uint32_t y = 0; y < dispatch.workgroups_y; ++y) {
          const shared::SkinJob& job = jobs[dispatch.first_job + y];
          EXPECT_GT(job.instance_count, 0u);
          const uint32_t first = (job.first_row - 1000) / 3;
          EXPECT_EQ(job.first_word, 500 + first * 9);
          for (uint32_t i = 0; i < std::min(dispatch.workgroups_x * dispatch.instances_per_thread, job.instance_count);
               ++i) {
            ++reached[{job.chunk_element, first + i}];
          }
        }
      }
      EXPECT_EQ(reached.size(), size_t{instances} * 5);
      for (const auto& [what, times] : reached) EXPECT_EQ(times, 1u);
    }
  }
}

/// A host's ParallelFor that runs the tasks from the last to the first.
void run_backwards(void*, uint32_t count, ParallelFor::Task task, void* task_data) {
  for (uint32_t i = count; i-- > 0;) task(task_data, i);
}

/// The jobs of all sources, one after the other, as the kernel reads them.
TEST(Jobs, AreInTheOrderOfPagesKernelsSourcesInstancesAndChunks) {
  const ChunkTable small = {{{10, 1}, {}, {}, {}, {}}}, large = {{{20, 5}, {}, {300, 70}, {}, {44, 1}}};
  const JobLimits limits{8, 999, 4};
  std::vector<JobSource> sources;
  for (uint32_t i = 0; i < 120; ++i)
    sources.push_back({{nullptr, i / 40 % 2, 0}, i % 3 ? &small : &large, 5 + i * 9, 9, i * 10000, 3, i * 1000, 9});
  std::vector<shared::SkinJob> expected;
  for (const uint32_t page : {0u, 1u}) {
    for (size_t kernel = 0; kernel < kKernelCount; ++kernel) {
      for (const JobSource& source : sources) {
        if (source.pages.palettes != page) continue;
        const KernelChunks& chunks = (*source.chunks)[kernel];
        for (uint32_t first = 0; first < source.instance_count;
             first += instances_per_job(limits, limits.instances_per_thread)) {
          const uint32_t count =
              std::min(instances_per_job(limits, limits.instances_per_thread), source.instance_count - first);
          for (uint32_t c = 0; c < chunks.count; ++c) {
            expected.push_back({chunks.first_element + c * shared::kChunkElements, source.first_row + first * 3,
                                source.first_word + first * 9, count});
          }
        }
      }
    }
  }
  const JobList list = listed(sources, limits);
  ASSERT_EQ(list.job_count, expected.size());
  ASSERT_GT(expected.size(), 30000u) << "one thread writes all";
  for (const ParallelFor& parallel_for : {ParallelFor(), ParallelFor{nullptr, run_backwards}}) {
    const std::vector<shared::SkinJob> jobs = jobs_of(sources, limits, list, parallel_for);
    EXPECT_EQ(std::memcmp(jobs.data(), expected.data(), jobs.size() * sizeof(shared::SkinJob)), 0);
  }
  uint64_t dispatched = 0;
  for (const Dispatch& dispatch : list.dispatches) {
    EXPECT_EQ(dispatch.first_job, dispatched);
    dispatched += dispatch.workgroups_y;
  }
  EXPECT_EQ(dispatched, expected.size());
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
