// Frames in flight: recorded, submitted and waited for, with their timestamps.
#include "host/frame_slots.h"

#include <gtest/gtest.h>

#include <array>

#include "host/resources.h"
#include "host_fixture.h"

namespace host {
namespace {

using FrameSlots = HostTest;

TEST_F(FrameSlots, RunWhatIsRecordedAndReadTimestampsInOrder) {
  const Device& device = context_.device;
  auto slot = create_frame_slot(device, {.timestamp_count = 2}, 0);
  ASSERT_TRUE(slot);
  auto buffer = create_buffer(device, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "filled");
  ASSERT_TRUE(buffer);
  FrameTimelines timelines;
  for (uint32_t number = 1; number <= 3; ++number) {
    ASSERT_TRUE(wait_for(device, *slot));
    slot->number = number;
    ASSERT_TRUE(begin_commands(device, *slot));
    write_timestamp(device, *slot, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    vkCmdFillBuffer(slot->cmd, buffer->get(), 0, VK_WHOLE_SIZE, number);
    full_barrier(slot->cmd);
    write_timestamp(device, *slot, 1, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    ASSERT_TRUE(submit(device, *slot, {}, timelines));
    EXPECT_TRUE(slot->pending);
    ASSERT_TRUE(wait_for(device, *slot));
    EXPECT_FALSE(slot->pending);
    EXPECT_GE(slot->completed_ms, slot->submitted_ms);
    EXPECT_EQ(*static_cast<const uint32_t*>(buffer->mapped), number);
    EXPECT_EQ(timelines.last, number);
    if (!slot->timestamps) continue;
    std::array<uint64_t, 2> ticks{};
    ASSERT_EQ(read_timestamps(device, slot->timestamps, ticks), VK_SUCCESS);
    EXPECT_LE(ticks[0], ticks[1]);
    EXPECT_GT(ticks[1], 0u);
  }
}

/// Two submissions on the only queue: drawing waits for computing, and nothing of it may be left out.
TEST_F(FrameSlots, ComputeInASubmissionOfItsOwnComesFirst) {
  Device& device = context_.device;
  device.second_queue = VK_NULL_HANDLE, device.info.second_queue.reset();
  auto slot = create_frame_slot(device, {.async = AsyncCompute::kSharedQueue}, 0);
  ASSERT_TRUE(slot);
  ASSERT_NE(slot->cmd, slot->compute_cmd);
  auto timelines = create_timelines(device);
  ASSERT_TRUE(timelines);
  constexpr VkBufferUsageFlags kBoth = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  auto computed = create_buffer(device, 64, kBoth, MemoryKind::kDevice, "computed");
  auto drawn = create_buffer(device, 64, kBoth, MemoryKind::kReadback, "drawn");
  ASSERT_TRUE(computed && drawn);
  for (uint32_t number = 1; number <= 3; ++number) {
    ASSERT_TRUE(wait_for(device, *slot));
    slot->number = number;
    ASSERT_TRUE(begin_commands(device, *slot));
    vkCmdFillBuffer(slot->compute_cmd, computed->get(), 0, VK_WHOLE_SIZE, 7 * number);
    full_barrier(slot->cmd);
    const VkBufferCopy all{0, 0, 64};
    vkCmdCopyBuffer(slot->cmd, computed->get(), drawn->get(), 1, &all);
    full_barrier(slot->cmd);
    ASSERT_TRUE(submit(device, *slot, {}, *timelines));
    ASSERT_TRUE(wait_for(device, *slot));
    EXPECT_EQ(*static_cast<const uint32_t*>(drawn->mapped), 7 * number);
    uint64_t value = 0;
    vkGetSemaphoreCounterValue(device.handle, timelines->computed.get(), &value);
    EXPECT_EQ(value, number);
  }
}

/// A submission of its own.
TEST(AsyncCompute, IsChosenIfItCanOverlapDrawing) {
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, true, true}), AsyncCompute::kSecondQueue);
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, true, false}), AsyncCompute::kNone) << "no second queue";
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, false, true}), AsyncCompute::kNone) << "one frame at a time";
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {true, false, true}), AsyncCompute::kSecondQueue);
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {true, true, false}), AsyncCompute::kSharedQueue);
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {false, true, true}), AsyncCompute::kNone)
      << "the device does not compute before it draws";
  EXPECT_EQ(choose_async(AsyncChoice::kOff, {true, true, true}), AsyncCompute::kNone);
}

}  // namespace
}  // namespace host
