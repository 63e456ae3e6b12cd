// The skinning backend as a host uses it. Every vertex of every instance is compared with the CPU skinner.
#include <algorithm>
#include <array>

#include "vulkan/skinner_fixture.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;

TEST_F(SkinnerTest, SkinsEveryVertexOfEveryInstanceAsTheCpuDoes) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 1000, .joints = 67, .max_influences = 8});
  crowd.run_frame({1, 0, 0}, Counts{{0, 20}});
}

TEST_F(SkinnerTest, SkinsAnyNumberOfInfluences) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  Counts counts;
  for (uint32_t influences = 1; influences <= 12; ++influences) {
    const RigShape shape{130, 20, influences, influences, influences};
    counts.push_back({crowd.add(shape, RigScaling::kNonUniform), 2});
  }
  counts.push_back({crowd.add({.vertices = 70, .joints = 300, .min_influences = 1, .max_influences = 100}), 2});
  crowd.run_frame({1, 0, 0}, counts);
}

TEST_F(SkinnerTest, SkinsMeshesOfExtremeSizes) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t tiny = crowd.add({.vertices = 3, .joints = 1, .max_influences = 1});
  const uint32_t jointed = crowd.add({.vertices = 2000, .joints = 1000, .max_influences = 4});
  const uint32_t one_workgroup = crowd.add({.vertices = 64, .joints = 2});
  const uint32_t one_vertex_more = crowd.add({.vertices = 65, .joints = 2});
  crowd.run_frame({1, 0, 0}, Counts{{tiny, 5}, {jointed, 3}, {one_workgroup, 1}, {one_vertex_more, 2}, {tiny, 100}});
}

TEST_F(SkinnerTest, KeepsNormalsRightUnderNonUniformAndMirroredScale) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t non_uniform = crowd.add({.vertices = 500, .joints = 10}, RigScaling::kNonUniform);
  const uint32_t mirrored = crowd.add({.vertices = 500, .joints = 10}, RigScaling::kMirrored);
  crowd.run_frame({1, 0, 0}, Counts{{non_uniform, 10}, {mirrored, 10}});
}

TEST_F(SkinnerTest, SpreadsACrowdOverManyPages) {
  auto info = skinner_info();
  info.tuning.max_page_bytes = 40000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  const uint32_t by_vertices = crowd.add({.vertices = 333, .joints = 5});   // 7 instances a page
  const uint32_t by_palettes = crowd.add({.vertices = 10, .joints = 101});  // 8 instances a page of palettes
  crowd.run_frame({1, 0, 0}, Counts{{by_vertices, 50}, {by_palettes, 30}, {by_vertices, 3}});

  VkDeviceSize end = 0;
  for (const vulkan::InstanceRange& range : skinner.ranges()) {
    EXPECT_LE(range.palettes.size_bytes(), 40000u);
    end = std::max(end, range.vertices_offset + VkDeviceSize{range.instance_count} * range.vertex_count * 16);
  }
  EXPECT_LE(end, 40000u);
  EXPECT_GE(skinner.ranges().size(), 50u / 7 + 30u / 8);
  EXPECT_LE(skinner.counters().dispatches, skinner.ranges().size());
}

TEST_F(SkinnerTest, DispatchesOnceForAllMeshesOfAPage) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t one = crowd.add({.vertices = 10}), other = crowd.add({.vertices = 20});
  crowd.run_frame({1, 0, 0}, Counts{{one, 500}, {other, 300}});
  const vulkan::SkinnerCounters counters = skinner.counters();
  EXPECT_EQ(counters.dispatches, 1u);  // one kernel: the vertices of neither mesh are ordered by influences
  EXPECT_EQ(counters.instances, 800u);
  EXPECT_EQ(counters.skinned_vertices, 500u * 10 + 300u * 20);
  EXPECT_EQ(counters.skinned_bytes, counters.skinned_vertices * 16);
  EXPECT_EQ(counters.palette_bytes, 800u * 8 * 48);
  EXPECT_EQ(counters.uploaded_bytes, ((10u + 20u) * 2 + 2 * (2 + 3)) * 16);
}

TEST_F(SkinnerTest, HasNoRangesWithoutInstances) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t mesh = crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{});
  EXPECT_TRUE(skinner.ranges().empty());
  crowd.run_frame({2, 0, 1}, Counts{{mesh, 0}, {mesh, 2}, {mesh, 0}});
  ASSERT_EQ(skinner.ranges().size(), 1u);
  EXPECT_EQ(skinner.ranges()[0].batch, 1u);
}

TEST_F(SkinnerTest, HandlesACrowdThatGrowsAndShrinks) {
  auto info = skinner_info();
  info.tuning.max_page_bytes = 1 << 16;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 100});
  crowd.add({.vertices = 37, .joints = 3}, RigScaling::kNonUniform);
  uint64_t frame = 0;
  for (const uint32_t count : {1u, 5u, 100u, 101u, 3u, 0u, 60u}) {
    ++frame;
    crowd.run_frame({frame, uint32_t(frame % 2), frame - 1}, Counts{{0, count}, {1, count / 2}});
  }
}

TEST_F(SkinnerTest, ReusesItsBuffersForAFrameOfTheSameSize) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 10}});
  const VkBuffer vertices = skinner.ranges()[0].vertices;
  crowd.run_frame({2, 1, 1}, Counts{{0, 10}});
  crowd.run_frame({3, 0, 2}, Counts{{0, 9}});
  EXPECT_EQ(skinner.ranges()[0].vertices, vertices);
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u);
}

TEST_F(SkinnerTest, SeldomReplacesTheBuffersOfAGrowingCrowd) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.prepare({1, 0, 0}, Counts{{0, 100}});
  crowd.prepare({2, 0, 1}, Counts{{0, 101}});
  const VkBuffer vertices = skinner.ranges()[0].vertices;
  crowd.prepare({3, 0, 2}, Counts{{0, 150}});
  EXPECT_EQ(skinner.ranges()[0].vertices, vertices);
  crowd.prepare({4, 0, 3}, Counts{{0, 151}});
  EXPECT_NE(skinner.ranges()[0].vertices, vertices);
}

TEST_F(SkinnerTest, HasSeparatePalettesForEachFrameSlot) {
  for (const uint32_t frames_in_flight : {2u, 3u}) {
    auto info = skinner_info();
    info.frames_in_flight = frames_in_flight;
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.add({});
    // All frames are recorded before any is submitted. Each must still read its own palettes.
    std::vector<TestBuffer> copies;
    std::vector<vulkan::InstanceRange> ranges;
    const VkDeviceSize bytes = 3 * 100 * 16;
    device_->submit_and_wait([&](VkCommandBuffer cmd) {
      for (uint32_t slot = 0; slot < frames_in_flight; ++slot) {
        crowd.prepare({slot + 1, slot, 0}, Counts{{0, 3}});
        skinner.record(cmd);
        device_->full_barrier(cmd);
        copies.push_back(device_->make_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true));
        ranges.push_back(skinner.ranges()[0]);
        const VkBufferCopy region = {ranges.back().vertices_offset, 0, bytes};
        device_->vk.CmdCopyBuffer(cmd, ranges.back().vertices, copies.back().handle, 1, &region);
        device_->full_barrier(cmd);
      }
    });
    for (uint32_t slot = 0; slot < frames_in_flight; ++slot) {
      crowd.expect_instances({static_cast<const uint32_t*>(copies[slot].mapped), bytes / 4}, ranges[slot], slot + 1);
      device_->free_buffer(copies[slot]);
    }
  }
}

TEST_F(SkinnerTest, KeepsThePreviousFrame) {
  auto info = skinner_info();
  info.keep_previous = true;
  info.tuning.max_page_bytes = 20000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 101}), crowd.add({.vertices = 40, .joints = 3});

  const auto skin = [&](const vulkan::SkinnerFrame& frame, const Counts& counts) {
    crowd.prepare(frame, counts);
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  };
  // No poison() here: it would overwrite the previous frame, too.
  skin({1, 0, 0}, {{0, 20}, {1, 4}});
  crowd.expect_previous(0, 1, std::array<uint32_t, 2>{0, 0});  // the first frame is its own previous frame
  skin({2, 1, 1}, {{0, 31}, {1, 4}});
  crowd.expect_previous(1, 2, std::array<uint32_t, 2>{20, 4});  // new instances have no previous vertices
  crowd.prepare({3, 0, 2}, Counts{{0, 50}, {1, 9}});            // prepared twice, and not recorded
  crowd.prepare({3, 0, 2}, Counts{{0, 10}, {1, 2}});
  skin({4, 0, 2}, {{0, 25}, {1, 8}});
  crowd.expect_previous(2, 4, std::array<uint32_t, 2>{31, 4});
  skin({5, 1, 4}, {{1, 3}, {0, 25}});  // the batches have other meshes now
  crowd.expect_previous(4, 5, std::array<uint32_t, 2>{0, 0});
  skin({6, 0, 5}, {{1, 3}, {0, 25}});
  crowd.expect_previous(5, 6, std::array<uint32_t, 2>{3, 25});
}

TEST_F(SkinnerTest, HasNoPreviousVerticesByDefault) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  EXPECT_EQ(skinner.ranges()[0].previous_vertices, VkBuffer{VK_NULL_HANDLE});
}

TEST_F(SkinnerTest, NeedsOneDispatchForACrowdThatGrowsStepByStep) {
  auto info = skinner_info();
  info.keep_previous = true;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 33});
  for (uint64_t frame = 1; frame <= 8; ++frame) crowd.run_frame({frame, 0, frame - 1}, Counts{{0, uint32_t(frame)}});
  EXPECT_EQ(skinner.counters().dispatches, 1u);
  EXPECT_EQ(skinner.ranges().size(), 2u);  // the instances of the previous frame, and the new one
}

TEST_F(SkinnerTest, WritesIntoTheHostsOwnPages) {
  auto info = skinner_info();
  info.tuning.max_page_bytes = 10000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 77});
  const Counts counts{{0, 20}};
  const auto requirements = skinner.page_requirements(crowd.batches(counts));
  ASSERT_TRUE(requirements) << requirements.error().message;
  ASSERT_EQ(requirements->size(), 3u);

  std::vector<TestBuffer> buffers;
  std::vector<vulkan::Page> pages;
  for (const vulkan::PageRequirements& page : *requirements) {
    EXPECT_LE(page.size_bytes, 10000u);
    buffers.push_back(device_->make_buffer(page.alignment + page.size_bytes, page.usage, false));
    pages.push_back({buffers.back().handle, page.alignment});
  }
  ASSERT_NO_FATAL_FAILURE(crowd.prepare({1, 0, 0}, counts, pages));
  crowd.poison();
  device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  crowd.expect_frame(1);
  EXPECT_EQ(skinner.ranges()[2].vertices, pages[2].buffer);
  EXPECT_EQ(skinner.ranges()[2].vertices_offset, pages[2].offset);
  EXPECT_EQ(skinner.memory_usage().skinned_bytes, 0u);

  const Status too_few = test::prepare(skinner, {2, 1, 1}, crowd.batches(counts), std::span(pages).first(2));
  ASSERT_FALSE(too_few);
  EXPECT_EQ(too_few.error().code, ErrorCode::kInvalidArgument);
  crowd.run_frame({2, 1, 1}, counts);  // back to the pages of the skinner
  for (const TestBuffer& buffer : buffers) device_->free_buffer(buffer);
}

TEST_F(SkinnerTest, GivesVerticesADeviceAddressOnRequest) {
  if (!device_->buffer_addresses) GTEST_SKIP() << "NO BUFFER ADDRESSES ON THIS DEVICE";
  auto info = skinner_info();
  info.vertex_usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  const VkBufferDeviceAddressInfo vertices = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                              .buffer = skinner.ranges()[0].vertices};
  EXPECT_NE(device_->vk.GetBufferDeviceAddress(device_->device, &vertices), 0u);
}

TEST_F(SkinnerTest, AddsAndRemovesMeshesBetweenFrames) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.seed = 1});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  const VkDeviceSize one_mesh = skinner.memory_usage().mesh_bytes;
  crowd.add({.seed = 2});
  EXPECT_GT(skinner.memory_usage().staging_bytes, 0u);
  crowd.run_frame({2, 1, 1}, Counts{{1, 2}, {0, 1}});
  EXPECT_EQ(skinner.counters().uploaded_bytes, one_mesh);
  skinner.remove_mesh(crowd.id(0));
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, one_mesh);
  crowd.run_frame({3, 0, 1}, Counts{{1, 3}});  // frame 2 may still use it
  EXPECT_GE(skinner.memory_usage().deferred_bytes, one_mesh);
  crowd.run_frame({4, 1, 3}, Counts{{1, 3}});
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u);
  EXPECT_EQ(skinner.memory_usage().staging_bytes, 0u);

  const vulkan::SkinnerBatch removed{crowd.id(0), 1};
  const Status status = test::prepare(skinner, {5, 0, 4}, {&removed, 1});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "prepare: batch 0 names no mesh: " + std::to_string(removed.mesh.value));
  EXPECT_FALSE(skinner.page_requirements({&removed, 1}));
  EXPECT_EQ(skinner.mesh_buffer(crowd.id(0)).buffer, VkBuffer{VK_NULL_HANDLE});
}

TEST_F(SkinnerTest, SkinsAMeshThatWasRemovedBetweenPrepareAndRecord) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.prepare({1, 0, 0}, Counts{{0, 2}});
  crowd.poison();
  skinner.remove_mesh(crowd.id(0));
  const vulkan::SkinnerBatch removed{crowd.id(0), 2};
  EXPECT_FALSE(test::prepare(skinner, {2, 1, 1}, {&removed, 1}));  // frame 1 stays prepared
  device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  crowd.expect_frame(1);
  EXPECT_FALSE(test::prepare(skinner, {2, 1, 1}, {}));  // frame 1 was recorded as frame 2
  EXPECT_TRUE(test::prepare(skinner, {3, 1, 2}, {}));
}

TEST_F(SkinnerTest, RecordsNothingBeforeAFrameIsBegun) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  EXPECT_EQ(skinner.counters().uploaded_bytes, 0u);
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
}

TEST_F(SkinnerTest, ServesTwoSkinnersOnOneDevice) {
  auto first = make_skinner(skinner_info());
  auto second = make_skinner(skinner_info());
  TestCrowd crowd_a(*device_, first), crowd_b(*device_, second);
  crowd_a.add({.seed = 3});
  crowd_b.add({.vertices = 50, .seed = 4});
  crowd_a.prepare({1, 0, 0}, Counts{{0, 4}});
  crowd_b.prepare({7, 1, 6}, Counts{{0, 9}});
  crowd_a.poison(), crowd_b.poison();
  device_->submit_and_wait([&](VkCommandBuffer cmd) { first.record(cmd), second.record(cmd); });
  crowd_a.expect_frame(1), crowd_b.expect_frame(7);
}

TEST_F(SkinnerTest, ReloadsAKernelAndKeepsTheOldOneOnFailure) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  const Status invalid = vulkan::experimental::reload_kernel(skinner, std::array<uint32_t, 6>{1, 2, 3, 4, 5, 6});
  ASSERT_FALSE(invalid);
  EXPECT_EQ(invalid.error().code, ErrorCode::kInvalidData);
  crowd.run_frame({2, 1, 1}, Counts{{0, 2}});
  const Status reloaded = vulkan::experimental::reload_kernel(skinner, kernel_words());
  ASSERT_TRUE(reloaded) << reloaded.error().message;
  crowd.run_frame({3, 0, 2}, Counts{{0, 2}});
}

TEST_F(SkinnerTest, FreesAReplacedKernelAfterItsLastFrame) {
  WatchedLoader watch(*device_);
  auto info = skinner_info();
  watch.attach(info);
  info.barriers = vulkan::Barriers::kLibrary;  // frames overlap
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  const auto submit_frame = [&](const vulkan::SkinnerFrame& frame) {
    crowd.prepare(frame, Counts{{0, 2}});
    device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, {});
  };
  submit_frame({1, 0, 0});
  ASSERT_TRUE(vulkan::experimental::reload_kernel(skinner, kernel_words()));
  EXPECT_EQ(watch.destroyed_pipelines, 0) << "frame 1 uses the old kernel";
  submit_frame({2, 1, 0});
  EXPECT_EQ(watch.destroyed_pipelines, 0) << "frame 1 has not completed";
  device_->finish();
  crowd.run_frame({3, 0, 1}, Counts{{0, 2}});
  EXPECT_GT(watch.destroyed_pipelines, 0);
}

/// Three frames at a time are in flight, while pages grow, meshes come and go, and kernels are replaced. Validation
/// reports an object that is destroyed while a submission uses it.
TEST_F(SkinnerTest, DestroysNothingThatAFrameInFlightUses) {
  constexpr uint32_t kSlots = 3, kFrames = 12;
  auto info = skinner_info();
  info.frames_in_flight = kSlots;
  info.barriers = vulkan::Barriers::kLibrary;  // frames overlap
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  uint64_t completed = 0;
  for (uint32_t i = 0; i < kFrames; ++i) {
    const uint32_t extra = crowd.add({.vertices = 60 + i, .seed = i});
    crowd.prepare({i + 1, i % kSlots, completed}, Counts{{0, 20 + 200 * i}, {extra, 3 + i}});
    device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, {});
    skinner.remove_mesh(crowd.id(extra));
    EXPECT_TRUE(i % 2 == 0 || vulkan::experimental::reload_kernel(skinner, kernel_words()));
    if (i % kSlots != kSlots - 1) continue;
    device_->finish();
    completed = i + 1;
  }
  EXPECT_TRUE(skinner.begin_frame({kFrames + 1, 0, completed}));
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u);
  EXPECT_EQ(skinner.memory_usage().staging_bytes, 0u);
}

/// A new mesh takes the place of one that was removed, once no frame in flight reads that.
TEST_F(SkinnerTest, ReusesThePlaceOfAMeshAfterItsLastFrame) {
  auto info = skinner_info();
  info.barriers = vulkan::Barriers::kLibrary;  // frames overlap
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  const uint32_t removed = crowd.add({.seed = 2});
  const VkDeviceSize place = skinner.mesh_buffer(crowd.id(removed)).offset;
  crowd.prepare({1, 0, 0}, Counts{{0, 2}, {removed, 2}});
  device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, {});
  skinner.remove_mesh(crowd.id(removed));
  crowd.prepare({2, 1, 0}, Counts{{0, 2}});
  const uint32_t early = crowd.add({.seed = 3});
  EXPECT_NE(skinner.mesh_buffer(crowd.id(early)).offset, place) << "frame 1 reads it";
  device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, {});
  device_->finish();
  crowd.run_frame({3, 0, 1}, Counts{{0, 2}, {early, 2}});
  const uint32_t late = crowd.add({.seed = 4});
  EXPECT_EQ(skinner.mesh_buffer(crowd.id(late)).offset, place);
  crowd.run_frame({4, 1, 3}, Counts{{0, 2}, {early, 2}, {late, 2}});
}

TEST_F(SkinnerTest, IsDeterministic) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 1000, .max_influences = 6});
  std::vector<uint32_t> words[2];
  for (uint32_t i = 0; i < 2; ++i) {
    crowd.prepare({i + 1, i, i}, Counts{{0, 4}});
    crowd.write_palettes(1);
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
    words[i] = device_->read_back(skinner.ranges()[0].vertices, 0, 4 * 1000 * 16);
  }
  EXPECT_EQ(words[0], words[1]);
}

}  // namespace
}  // namespace sinew::test
