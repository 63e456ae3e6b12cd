// Copies of palettes to device-local memory: when they are made, what they contain, who waits for them. The memory
// types are simulated, see WatchedLoader::memory.
#include <algorithm>
#include <set>

#include "heap_faults.h"
#include "shared/skinning.h"
#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::Barriers;
using vulkan::experimental::PaletteFetch;

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkDeviceSize kLarge = VkDeviceSize{1} << 30;

struct Heap {
  VkDeviceSize size_bytes = 0;
  std::vector<VkMemoryPropertyFlags> types;
};

VkPhysicalDeviceMemoryProperties memory_of(const std::vector<Heap>& heaps) {
  VkPhysicalDeviceMemoryProperties memory = {};
  for (const Heap& heap : heaps) {
    for (const VkMemoryPropertyFlags flags : heap.types)
      memory.memoryTypes[memory.memoryTypeCount++] = {flags, memory.memoryHeapCount};
    const bool local = (heap.types[0] & kLocal) != 0;
    memory.memoryHeaps[memory.memoryHeapCount++] = {heap.size_bytes,
                                                    VkMemoryHeapFlags(local ? VK_MEMORY_HEAP_DEVICE_LOCAL_BIT : 0)};
  }
  return memory;
}

/// A device whose own memory is not mapped.
VkPhysicalDeviceMemoryProperties without_mapped_local(VkDeviceSize local_bytes = kLarge) {
  return memory_of({{local_bytes, {kLocal}}, {kLarge, {kMapped, kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT}}});
}

template <VkPhysicalDeviceType type>
void set_type(VkPhysicalDeviceProperties& properties) {
  properties.deviceType = type;
}

/// The palette pages of a group, and the bytes from their start to the end of the last palette.
std::map<VkBuffer, VkDeviceSize> palette_pages(const vulkan::Skinner& skinner, uint32_t group = 0) {
  std::map<VkBuffer, VkDeviceSize> pages;
  for (const vulkan::InstanceRange& range : skinner.ranges(group)) {
    VkDeviceSize& end = pages[range.palette_buffer];
    end = std::max(end, range.palette_offset + range.palettes.size_bytes());
  }
  return pages;
}

class PaletteCopies : public SkinnerTest {
 protected:
  void SetUp() override {
    SkinnerTest::SetUp();
    if (device_ != nullptr) simulate();
  }
  void simulate() {
    watch_->change_limits = set_type<VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU>;
    watch_->memory = without_mapped_local();
  }
  /// What the kernel reads palettes from in the descriptor sets that were written since clear_log().
  std::set<VkBuffer> bound_palettes() const {
    std::set<VkBuffer> buffers;
    for (const auto& [binding, buffer] : watch_->bound) {
      if (binding == shared::kBindingPalettes) buffers.insert(buffer);
    }
    return buffers;
  }
  void clear_log() { watch_->copies.clear(), watch_->bound.clear(), watch_->barriers.clear(); }

  /// In a frame without uploads of meshes: each palette page of the group was copied once, to memory that is
  /// device-local, and the kernel reads the copies alone.
  void expect_copied_once(const vulkan::Skinner& skinner, uint32_t group = 0) const {
    const auto pages = palette_pages(skinner, group);
    std::set<VkBuffer> targets;
    VkDeviceSize copied_bytes = 0;
    ASSERT_EQ(watch_->copies.size(), pages.size());
    for (const WatchedLoader::Copy& copy : watch_->copies) {
      ASSERT_TRUE(pages.contains(copy.from));
      EXPECT_EQ(copy.region.srcOffset, 0u);
      EXPECT_EQ(copy.region.dstOffset, 0u);
      EXPECT_EQ(copy.region.size, pages.at(copy.from));
      EXPECT_EQ(watch_->properties_of(copy.from) & kLocal, 0u);
      EXPECT_NE(watch_->properties_of(copy.to) & kLocal, 0u);
      targets.insert(copy.to);
      copied_bytes += copy.region.size;
    }
    EXPECT_EQ(targets, bound_palettes());
    EXPECT_EQ(skinner.counters().palette_copies, pages.size());
    EXPECT_EQ(skinner.counters().palette_copy_bytes, copied_bytes);
  }
  void expect_not_copied(const vulkan::Skinner& skinner) const {
    EXPECT_EQ(skinner.counters().palette_copies, 0u);
    EXPECT_EQ(skinner.counters().palette_copy_bytes, 0u);
    EXPECT_EQ(skinner.memory_usage().palette_copy_bytes, 0u);
    std::set<VkBuffer> pages;
    for (const auto& [buffer, bytes] : palette_pages(skinner)) pages.insert(buffer);
    EXPECT_EQ(bound_palettes(), pages);
  }
};

TEST_F(PaletteCopies, EachPageOfAFrameIsCopiedOnce) {
  for (const PaletteFetch fetch : {PaletteFetch::kStorage, PaletteFetch::kTexel}) {
    for (const Barriers barriers : {Barriers::kHost, Barriers::kLibrary}) {
      auto info = watched_info();
      info.barriers = barriers;
      info.tuning.palettes = fetch;
      info.tuning.max_page_bytes = 20000;
      info.frames_in_flight = 3;
      auto skinner = make_skinner(info);
      TestCrowd crowd(*device_, skinner);
      crowd.add({}), crowd.add({.vertices = 50, .joints = 13, .seed = 2});
      crowd.run_frame({1, 1, 0}, Counts{{0, 3}, {1, 2}});
      uint64_t frame = 1;
      for (const uint32_t count : {60, 90, 150, 40, 100, 130, 4, 6, 5}) {
        ++frame;
        clear_log();
        crowd.run_frame(in_flight(frame, 3), Counts{{0, count}, {1, 9}, {0, 2}});
        ASSERT_NO_FATAL_FAILURE(expect_copied_once(skinner)) << "frame " << frame;
      }
    }
  }
  EXPECT_EQ(watch_->live_objects, 0);
}

TEST_F(PaletteCopies, HaveOneBarrierToTheKernel) {
  for (const Barriers barriers : {Barriers::kHost, Barriers::kLibrary}) {
    auto info = watched_info();
    info.barriers = barriers;
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.add({});
    crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
    clear_log();
    crowd.run_frame({2, 1, 1}, Counts{{0, 2}});
    const size_t own = barriers == Barriers::kLibrary ? 2 : 0;  // before and after skinning
    ASSERT_EQ(watch_->barriers.size(), 1 + own);
    const WatchedLoader::Barrier& barrier = watch_->barriers[own / 2];
    EXPECT_EQ(barrier.from, VkPipelineStageFlags{VK_PIPELINE_STAGE_TRANSFER_BIT});
    EXPECT_EQ(barrier.memory.srcAccessMask, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
    EXPECT_EQ(barrier.to, VkPipelineStageFlags{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT});
    EXPECT_EQ(barrier.memory.dstAccessMask, VkAccessFlags{VK_ACCESS_SHADER_READ_BIT});
  }
}

/// Uploads of meshes and copies of palettes share a barrier. Consumers may read meshes.
TEST_F(PaletteCopies, ShareTheBarrierOfUploads) {
  auto info = watched_info();
  info.barriers = Barriers::kLibrary;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  EXPECT_EQ(watch_->copies.size(), 2u);
  ASSERT_EQ(watch_->barriers.size(), 3u);
  EXPECT_EQ(watch_->barriers[1].from, VkPipelineStageFlags{VK_PIPELINE_STAGE_TRANSFER_BIT});
  EXPECT_EQ(watch_->barriers[1].to, vulkan::kComputeRead.stages | vulkan::kVertexInput.stages);
  EXPECT_EQ(watch_->barriers[1].memory.dstAccessMask, vulkan::kComputeRead.accesses | vulkan::kVertexInput.accesses);
}

/// A mapped heap of the device, which fills up: pages in it are read in place, later ones are copied.
TEST_F(PaletteCopies, BeginWhereTheMappedHeapIsFull) {
  watch_->memory = memory_of({{kLarge, {kLocal}}, {2500000, {kLocal | kMapped}}, {kLarge, {kMapped}}});
  auto info = watched_info();
  info.tuning.max_page_bytes = 400000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 20}});
  clear_log();
  crowd.run_frame({2, 1, 1}, Counts{{0, 20}});
  expect_not_copied(skinner);
  clear_log();
  crowd.run_frame({3, 0, 2}, Counts{{0, 8000}});
  const size_t pages = palette_pages(skinner).size(), copies = skinner.counters().palette_copies;
  EXPECT_GT(copies, 0u);
  EXPECT_LT(copies, pages) << "some pages fit";
  for (const VkBuffer buffer : bound_palettes()) EXPECT_NE(watch_->properties_of(buffer) & kLocal, 0u);
}

TEST_F(PaletteCopies, AreNotMadeWhereTheyGainNothing) {
  const auto expect_none = [&](const char* what) {
    SCOPED_TRACE(what);
    clear_log();
    auto skinner = make_skinner(watched_info());
    TestCrowd crowd(*device_, skinner);
    crowd.add({});
    crowd.run_frame({1, 0, 0}, Counts{{0, 9}});
    expect_not_copied(skinner);
    EXPECT_EQ(watch_->copies.size(), 1u);  // of the mesh
  };
  watch_->change_limits = set_type<VK_PHYSICAL_DEVICE_TYPE_CPU>;
  expect_none("CPU");
  watch_->change_limits = set_type<VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU>;
  expect_none("integrated GPU");
  watch_->change_limits = set_type<VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU>;
  watch_->memory = memory_of({{kLarge, {kLocal | kMapped}}});
  expect_none("device-local and mapped");
  watch_->memory = memory_of({{kLarge, {kMapped}}});
  expect_none("no device-local memory");
}

TEST_F(PaletteCopies, AreLeftOutWhereDeviceMemoryIsFull) {
  watch_->memory = without_mapped_local(3 << 20);
  auto info = watched_info();
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 300, .joints = 200});
  crowd.run_frame({1, 0, 0}, Counts{{0, 4}});
  EXPECT_EQ(skinner.counters().palette_copies, 1u);
  clear_log();
  crowd.run_frame({2, 1, 1}, Counts{{0, 400}});
  EXPECT_GT(skinner.memory_usage().palette_bytes, 3u << 20);
  EXPECT_EQ(skinner.counters().palette_copies, 0u);
  EXPECT_EQ(bound_palettes().size(), 1u);
  EXPECT_EQ(*bound_palettes().begin(), skinner.ranges()[0].palette_buffer);
  crowd.run_frame({3, 0, 2}, Counts{{0, 400}});
  const int calls = watch_->fallible_calls;
  crowd.run_frame({4, 1, 3}, Counts{{0, 400}});
  crowd.run_frame({5, 0, 4}, Counts{{0, 400}});
  EXPECT_EQ(watch_->fallible_calls, calls) << "a page without a copy does not ask for one in each frame";
}

TEST_F(PaletteCopies, FollowWhatTheHostsAllocatorSays) {
  const struct {
    VkMemoryPropertyFlags palettes, device;
    uint64_t copies;
  } cases[] = {
      {0, 0, 0},     {kMapped, 0, 1}, {kMapped, kLocal, 1}, {kMapped, kMapped, 0}, {kMapped | kLocal, kLocal, 0},
      {0, kLocal, 0}};
  for (const auto& [palettes, device, copies] : cases) {
    SCOPED_TRACE(testing::Message() << palettes << " " << device);
    HostAllocator telling{.device = *device_, .of_palettes = palettes, .of_device = device};
    {
      auto info = watched_info();
      info.allocator = telling.callbacks();
      auto skinner = make_skinner(info);
      TestCrowd crowd(*device_, skinner);
      crowd.add({});
      crowd.run_frame({1, 0, 0}, Counts{{0, 9}});
      EXPECT_EQ(skinner.counters().palette_copies, copies);
      clear_log();
      crowd.run_frame({2, 1, 1}, Counts{{0, 9}});
      EXPECT_EQ(skinner.counters().palette_copies, copies);
      EXPECT_EQ(watch_->copies.size(), copies);
      EXPECT_EQ(bound_palettes().contains(skinner.ranges()[0].palette_buffer), copies == 0);
      EXPECT_EQ(skinner.memory_usage().palette_copy_bytes, copies * skinner.memory_usage().palette_bytes);
    }
    EXPECT_EQ(telling.live, 0);
  }
}

TEST_F(PaletteCopies, AreTimedAsUploads) {
  if (device_->timestamp_mask == 0) GTEST_SKIP() << "NO TIMESTAMPS: copies were not timed here";
  auto skinner = make_skinner(watched_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 1}});
  const VkQueryPool pool = device_->make_timestamps(3);
  clear_log();
  crowd.prepare({2, 1, 1}, Counts{{0, 1}});
  device_->submit_and_wait([&](VkCommandBuffer cmd) {
    device_->vk.CmdResetQueryPool(cmd, pool, 0, 3);
    skinner.record(cmd, {pool, 0});
  });
  EXPECT_EQ(watch_->copies_before_timestamps, (std::vector<size_t>{0, 1, 1}));
  EXPECT_EQ(watch_->barriers_before_timestamps, (std::vector<size_t>{0, 1, 1}));
}

TEST_F(PaletteCopies, NeedNoMemoryInRecordAndInSteadyFrames) {
  make_device({.validate = false});  // the layers allocate on this thread, too
  simulate();
  auto skinner = make_skinner(watched_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({}), crowd.add({.seed = 2});
  const uint32_t lenders[] = {3, 0, 1, 4};
  for (uint64_t frame = 1; frame <= 6; ++frame) {
    const bool steady = frame > 4;
    watch_->copies.reserve(100), watch_->barriers.reserve(100), watch_->bound.reserve(100);
    const int calls = watch_->fallible_calls;
    const vulkan::SkinnerBatch batches[] = {{crowd.id(0), 5}, {crowd.id(1), 6}, {crowd.id(1), 4, 0, lenders}};
    const int64_t before_prepare = heap_allocations();
    ASSERT_TRUE(test::prepare(skinner, in_flight(frame, 2), batches));
    if (steady) {
      EXPECT_EQ(heap_allocations(), before_prepare);
      EXPECT_EQ(watch_->fallible_calls, calls);
    }
    device_->submit_and_wait([&](VkCommandBuffer cmd) {
      const int64_t allocations = heap_allocations();
      skinner.record(cmd);
      EXPECT_EQ(heap_allocations(), allocations);
    });
    EXPECT_EQ(skinner.counters().palette_copies, 1u);
  }
}

}  // namespace
}  // namespace sinew::test
