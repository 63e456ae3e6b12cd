// Choice of queues, for the queue families of typical devices.
#include "host/device.h"

#include <gtest/gtest.h>

#include <vector>

namespace host {
namespace {

using Families = std::vector<QueueFamily>;

constexpr VkQueueFlags kDraws = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kComputes = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kCopies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT;
constexpr VkQueueFlags kDrawsOnly = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT;

const Families kNvidia = {{kDraws, 16, 64}, {kCopies, 2, 64}, {kComputes, 8, 64}, {kCopies, 1, 32}};
const Families kAmd = {{kDraws, 1, 64}, {kComputes, 4, 64}, {kCopies, 1, 64}};
const Families kIntel = {{kDraws, 1, 36}};
const Families kSoftware = {{kDraws, 1, 64}};

struct Chosen {
  QueueIndex first;
  std::optional<QueueIndex> second;
};

Chosen choose(const Families& families) {
  const auto first = choose_queue(families);
  EXPECT_TRUE(first);
  return {first.value_or(QueueIndex{}), choose_second_queue(families, first.value_or(QueueIndex{}))};
}

void expect_second(const Families& families, uint32_t family, uint32_t index) {
  const Chosen chosen = choose(families);
  EXPECT_EQ(chosen.first.index, 0u);
  ASSERT_TRUE(chosen.second);
  EXPECT_EQ(chosen.second->family, family);
  EXPECT_EQ(chosen.second->index, index);
}

TEST(Queues, SecondIsFromTheComputeOnlyFamily) {
  expect_second(kNvidia, 2, 0);
  expect_second(kAmd, 1, 0);
  EXPECT_EQ(choose(kNvidia).first.family, 0u);
}

TEST(Queues, ThereIsNoSecondWithoutAnotherComputeQueue) {
  EXPECT_FALSE(choose(kIntel).second);
  EXPECT_FALSE(choose(kSoftware).second);
  EXPECT_FALSE(choose({{kDraws, 1}, {kCopies, 2}, {kDrawsOnly, 1}}).second) << "no other family has compute";
}

TEST(Queues, ComputeOnlyFamilyIsPreferredToAnotherGraphicsFamily) {
  expect_second({{kDraws, 4}, {kDraws, 4}, {kComputes, 1}}, 2, 0);
  expect_second({{kComputes, 1}, {kDraws, 1}, {kDraws, 1}}, 0, 0);
}

TEST(Queues, AnotherFamilyIsPreferredToTheSameFamily) { expect_second({{kDraws, 16}, {kDraws, 1}}, 1, 0); }

TEST(Queues, SameFamilyProvidesItsSecondQueue) { expect_second({{kCopies, 1}, {kDraws, 2}}, 1, 1); }

TEST(Queues, FirstDrawsComputesAndPresents) {
  EXPECT_EQ(choose({{kComputes, 1}, {kDrawsOnly, 1}, {kDraws, 1}}).first.family, 2u);
  // Only the second family can present to the window. The first family then provides the second queue.
  const Families second_presents = {{kDraws, 1, 64, false}, {kDraws, 1, 64, true}};
  EXPECT_EQ(choose(second_presents).first.family, 1u);
  expect_second(second_presents, 0, 0);
  EXPECT_FALSE(choose_queue(Families{{kDraws, 1, 64, false}}));
  EXPECT_FALSE(choose_queue(Families{{kDrawsOnly, 1}, {kComputes, 1}}));
  EXPECT_FALSE(choose_queue(Families{}));
}

TEST(Queues, EachHasTheTimestampBitsOfItsFamily) {
  const Chosen chosen = choose({{kDraws, 1, 36}, {kComputes, 1, 0}});
  EXPECT_EQ(chosen.first.timestamp_bits, 36u);
  EXPECT_EQ(chosen.second->timestamp_bits, 0u);
  EXPECT_EQ(choose({{kDraws, 2, 36}}).second->timestamp_bits, 36u);
}

}  // namespace
}  // namespace host
