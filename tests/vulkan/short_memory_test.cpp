// Memory that is full: other memory is taken, then smaller blocks and pages.
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

class ShortMemory : public SkinnerTest {};

/// A preference for memory is only that. The buffers are larger than a block, so that the second attempt is not for a
/// smaller block of the same memory.
TEST_F(ShortMemory, BuffersTakeTheNextMemoryWhereTheBestIsFull) {
  auto info = watched_info();
  auto skinner = make_skinner(info);
  const auto fail_once = [&](VkResult result) {
    watch_->failing = "vkAllocateMemory", watch_->failing_calls = 1, watch_->failed = 0, watch_->failure = result;
  };
  fail_once(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const auto id = skinner.add_mesh(make_mesh({.vertices = 60000, .joints = 100}), 100, "rig");
  ASSERT_TRUE(id) << id.error().message;
  EXPECT_EQ(watch_->failed, 1) << "for the mesh";
  const vulkan::SkinnerBatch batch{*id, 300};
  fail_once(VK_ERROR_DEVICE_LOST);
  const Status lost = test::prepare(skinner, {1, 0, 0}, {&batch, 1});
  ASSERT_FALSE(lost) << "a lost device is no reason to try again";
  EXPECT_EQ(lost.error().code, ErrorCode::kDeviceLost);
  fail_once(VK_ERROR_OUT_OF_HOST_MEMORY);
  const Status prepared = test::prepare(skinner, {1, 0, 0}, {&batch, 1});
  EXPECT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(watch_->failed, 1) << "for the palettes";
}

TEST_F(ShortMemory, BlocksAndPagesAreSmallerWhereMemoryIsShort) {
  constexpr VkDeviceSize kBlock = VkDeviceSize{1} << 20, kMeshPage = VkDeviceSize{1} << 18;
  auto info = watched_info();
  const auto add_mesh = [&](vulkan::Skinner& skinner, int failing_calls) {
    watch_->failing = "vkAllocateMemory", watch_->failing_calls = failing_calls;
    const auto id = skinner.add_mesh(make_mesh({}), 8, "rig");
    EXPECT_TRUE(id) << id.error().message;
    return skinner.memory_usage().block_bytes;
  };
  auto full = make_skinner(info), one = make_skinner(info);
  EXPECT_EQ(add_mesh(full, 0), 2 * kBlock) << "of meshes, and of their staging buffers";
  const VkDeviceSize small_block = add_mesh(one, 1);
  EXPECT_GE(small_block, kBlock + kMeshPage);
  EXPECT_LT(small_block, 2 * kBlock);
  // Neither a block nor a page has room in any memory, but the mesh alone has.
  for (int failing_calls = 2; failing_calls <= 4; ++failing_calls) {
    auto skinner = make_skinner(info);
    add_mesh(skinner, failing_calls);
    EXPECT_EQ(watch_->failing_calls, 0);
  }
}

}  // namespace
}  // namespace sinew::test
