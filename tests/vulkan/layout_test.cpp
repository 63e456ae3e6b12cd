// Layout of instances in pages. No device is needed.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "frame_layout.h"
#include "frame_plan.h"
#include "page_set.h"
#include "skin_pass.h"

namespace sinew::vulkan {

using namespace internal;

namespace {

FrameLayout laid_out(std::span<const BatchSize> batches, VkDeviceSize page_bytes, VkDeviceSize alignment,
                     VkDeviceSize of_vertices) {
  FrameLayout layout;
  lay_out_frame(batches, page_bytes, {alignment, std::lcm(alignment, of_vertices)}, layout);
  return layout;
}

/// Slices follow each other, and end where a page is full or their batch ends. Alignments that are no powers of two are
/// among them, and instances of 0 bytes, which need no page. Vertices are at multiples of whole ones.
TEST(FrameLayout, KeepsSlicesInsidePagesAndApart) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const VkDeviceSize alignments[] = {16, 192, 256};
    const VkDeviceSize page_bytes = 4096 + seed * 37, alignment = alignments[seed % 3];
    const VkDeviceSize of_vertices = seed % 2 == 0 ? 16 : 28, of_both = std::lcm(alignment, of_vertices);
    std::vector<BatchSize> batches;
    for (uint32_t b = 0; b < seed % 5 + 1; ++b) {
      batches.push_back({(seed * 7 + b * 13) % 40, of_vertices * ((seed + b * 29) % (4000 / of_vertices)),
                         192 * ((seed * (b + 1)) % 20)});
    }
    const FrameLayout layout = laid_out(batches, page_bytes, alignment, of_vertices);
    std::vector<VkDeviceSize> vertex_end(layout.vertex_pages.size()), palette_end(layout.palette_pages.size());
    std::vector<uint32_t> counts(batches.size());
    // Returns whether no instance more fits into the page.
    const auto place = [&](const PageOffset& at, VkDeviceSize multiple, VkDeviceSize instance_bytes, uint32_t count,
                           std::vector<VkDeviceSize>& ends) {
      if (instance_bytes == 0) {
        EXPECT_EQ(at.page + at.offset, 0u);
        return false;
      }
      const auto begin_in = [&](uint32_t page) { return (ends[page] + multiple - 1) / multiple * multiple; };
      const VkDeviceSize begin = begin_in(at.page);  // without a gap
      EXPECT_EQ(at.offset, begin);
      if (at.page > 0 && begin == 0) {
        EXPECT_GT(begin_in(at.page - 1) + instance_bytes, page_bytes) << "there is room in the page before";
      }
      ends[at.page] = begin + count * instance_bytes;
      return ends[at.page] + instance_bytes > page_bytes;
    };
    for (const auto& slice : layout.slices) {
      const BatchSize& batch = batches[slice.batch];
      EXPECT_GT(slice.instance_count, 0u);
      EXPECT_EQ(slice.first_instance, counts[slice.batch]);
      counts[slice.batch] += slice.instance_count;
      const bool is_last = counts[slice.batch] == batch.instance_count;
      const bool fills_vertices =
          place(slice.vertices, of_both, batch.instance_vertex_bytes, slice.instance_count, vertex_end);
      const bool fills_palettes =
          place(slice.palettes, alignment, batch.instance_palette_bytes, slice.instance_count, palette_end);
      EXPECT_TRUE(is_last || fills_vertices || fills_palettes) << "a slice ends early";
    }
    EXPECT_EQ(vertex_end, layout.vertex_pages);
    EXPECT_EQ(palette_end, layout.palette_pages);
    for (const VkDeviceSize end : vertex_end) EXPECT_TRUE(end > 0 && end <= page_bytes) << end;
    for (const VkDeviceSize end : palette_end) EXPECT_TRUE(end > 0 && end <= page_bytes) << end;
    for (size_t b = 0; b < batches.size(); ++b) EXPECT_EQ(counts[b], batches[b].instance_count);
  }
}

/// The host's memory for buffers that no device reads.
VkResult allocate_nothing(void*, const VkBufferCreateInfo&, BufferUse, Allocation* out) {
  *out = {VkBuffer(uint64_t{1}), nullptr, nullptr, 0};
  return VK_SUCCESS;
}
void free_nothing(void*, const Allocation&) {}
SkinnerInfo info_without_memory() {
  SkinnerInfo info;
  info.allocator = {nullptr, allocate_nothing, free_nothing};
  return info;
}

/// No layout of fewer instances needs a page that is not there, or a larger one.
TEST(FrameLayout, WithRoomForFewerTakesEachLayoutOfFewer) {
  std::mt19937 random(5);
  const auto below = [&](uint32_t end) { return uint32_t(random() % end); };
  uint32_t larger_without = 0;
  for (int round = 0; round < 3000; ++round) {
    const VkDeviceSize page_bytes = 500 + below(1500), alignment = VkDeviceSize{16} << below(5);
    std::vector<BatchSize> batches(1 + below(5));
    for (BatchSize& batch : batches)
      batch = {below(9), 12 * below(30), 48 * below(7), 16 * below(7) * below(2), 48 * below(7) * below(2)};
    const FrameLayout most = laid_out(batches, page_bytes, alignment, 12);
    FrameLayout room = most;
    make_room_for_fewer(batches, page_bytes, {alignment, std::lcm(alignment, VkDeviceSize{12})}, room);
    for (int times = 0; times < 10; ++times) {
      std::vector<BatchSize> fewer = batches;
      for (BatchSize& batch : fewer) batch.instance_count = below(batch.instance_count + 1);
      const FrameLayout layout = laid_out(fewer, page_bytes, alignment, 12);
      for (const auto pages : {&FrameLayout::vertex_pages, &FrameLayout::palette_pages, &FrameLayout::compact_pages,
                               &FrameLayout::expanded_pages}) {
        ASSERT_LE((layout.*pages).size(), (room.*pages).size()) << round;
        for (size_t i = 0; i < (layout.*pages).size(); ++i) {
          ASSERT_LE((layout.*pages)[i], (room.*pages)[i]) << round << ", page " << i;
          larger_without += i + 1 >= (most.*pages).size() && (layout.*pages)[i] > (most.*pages).back();
        }
      }
    }
  }
  EXPECT_GT(larger_without, 100u) << "the cases test nothing";
}

/// Pages of at most 2000 bytes that are made again and again.
class PageSetTest : public ::testing::Test {
 protected:
  /// Which of the pages are made anew, for these sizes.
  std::vector<bool> make(std::span<const VkDeviceSize> sizes, std::vector<uint8_t> must_copy = {}) {
    auto fresh = set_.make_missing(allocator_, sizes, {.max_bytes = 2000, .must_copy = must_copy, .name = "pages"});
    EXPECT_TRUE(fresh);
    std::vector<bool> made;
    for (uint32_t page = 0; page < sizes.size(); ++page) made.push_back(fresh->has(page));
    set_.make_room(*fresh), deferred_.make_room(set_.buffer_count());
    set_.adopt(std::move(*fresh), 0, deferred_);
    return made;
  }

  const DeviceTable table_{};
  BufferAllocator allocator_{table_, info_without_memory()};
  DeferredFrees deferred_;
  PageSet set_;
};

TEST_F(PageSetTest, GrowsByHalfWithinItsLimit) {
  const auto size_after = [&](VkDeviceSize needed) {
    make({&needed, 1});
    return set_.size_bytes();
  };
  EXPECT_EQ(size_after(1000), 1000u);
  EXPECT_EQ(size_after(900), 1000u);
  EXPECT_EQ(size_after(1001), 1500u);
  EXPECT_EQ(size_after(1501), 2000u) << "and not 2250";
  EXPECT_EQ(size_after(500), 2000u) << "a quarter is no reason to shrink";
  EXPECT_EQ(size_after(499), 499u);
}

/// The first page grows, so that less than a quarter of the set is needed.
TEST_F(PageSetTest, StaysForTheSameSizes) {
  const VkDeviceSize before[] = {10, 110}, now[] = {30};
  make(before);
  EXPECT_EQ(make(now), std::vector({true}));
  EXPECT_EQ(set_.size_bytes(), 30u);
  EXPECT_EQ(make(now), std::vector({false}));
}

/// Where the first mesh comes whose palettes are converted, and the page is large enough for it.
TEST_F(PageSetTest, MakesThePageAnewThatLacksACopy) {
  const VkDeviceSize sizes[] = {1000, 500};
  EXPECT_EQ(make(sizes), std::vector({true, true}));
  EXPECT_EQ(set_.copy_bytes(), 0u) << "this device reads all memory equally fast";
  EXPECT_EQ(make(sizes, {1, 0}), std::vector({true, false}));
  EXPECT_EQ(set_.copy_bytes(), 1000u) << "it is as large as the page, which does not grow";
  EXPECT_EQ(make(sizes, {1, 0}), std::vector({false, false}));
  EXPECT_EQ(make(sizes, {0, 1}), std::vector({false, true})) << "a copy stays where it is no longer needed";
  EXPECT_EQ(set_.copy_bytes(), 1500u);
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

}  // namespace
}  // namespace sinew::vulkan
