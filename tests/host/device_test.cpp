// Which device and which of its queues are chosen, and what is said where none can be.
#include "host/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace host {
namespace {

using ::testing::HasSubstr;

DeviceInfo device(uint32_t index, const char* name, const char* type, const char* problem = nullptr) {
  DeviceInfo info;
  info.index = index, info.name = name, info.type = type, info.uuid = "00ab-" + std::to_string(index);
  if (problem) info.problems.push_back(problem);
  return info;
}

std::vector<DeviceInfo> three_devices() {
  return {device(0, "llvmpipe", "cpu"), device(1, "Radeon RX", "discrete", "knows Vulkan 1.1, and 1.2 is needed"),
          device(2, "Intel Arc", "integrated")};
}

TEST(ChooseDevice, TheBestTypeWithoutProblems) {
  const auto chosen = choose_device(three_devices(), "");
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->index, 2u);
}

TEST(ChooseDevice, ByIndexUuidAndPartOfTheNameInAnyCase) {
  for (const char* wanted : {"0", "00AB-0", "LLVM"}) {
    const auto chosen = choose_device(three_devices(), wanted);
    ASSERT_TRUE(chosen) << wanted;
    EXPECT_EQ(chosen->index, 0u) << wanted;
  }
}

TEST(ChooseDevice, SaysWhatIsThereAndWhatIsWrong) {
  EXPECT_EQ(choose_device(three_devices(), "quadro").error().message,
            "no device matches 'quadro'; there is 0 llvmpipe, 1 Radeon RX, 2 Intel Arc");
  EXPECT_EQ(choose_device(three_devices(), "1").error().message,
            "device 1 (Radeon RX) knows Vulkan 1.1, and 1.2 is needed");
  EXPECT_THAT(choose_device({}, "").error().message, HasSubstr("no Vulkan device: install a driver"));
}

constexpr VkQueueFlags kDraws = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kComputes = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kCopies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT;
constexpr VkQueueFlags kDrawsOnly = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT;

/// "FAMILY.INDEX.BITS" of the first queue and of the second, where there are any. Bits: of timestamps.
std::string queues_of(const std::vector<QueueFamily>& families) {
  const auto first = choose_queue(families);
  if (!first) return "none";
  const auto text = [](const QueueIndex& queue) {
    return std::to_string(queue.family) + "." + std::to_string(queue.index) + "." +
           std::to_string(queue.timestamp_bits);
  };
  const auto second = choose_second_queue(families, *first);
  return text(*first) + (second ? " " + text(*second) : "");
}

TEST(ChooseQueue, TheFirstDrawsAndPresentsTheSecondComputesBesideIt) {
  EXPECT_EQ(queues_of({{kDraws, 16, 64}, {kCopies, 2, 64}, {kComputes, 8, 64}, {kCopies, 1, 32}}), "0.0.64 2.0.64");
  EXPECT_EQ(queues_of({{kDraws, 1, 36}, {kComputes, 4, 0}, {kCopies, 1, 64}}), "0.0.36 1.0.0");
  EXPECT_EQ(queues_of({{kDraws, 1, 36}}), "0.0.36") << "no other queue";
  EXPECT_EQ(queues_of({{kDraws, 1}, {kCopies, 2}, {kDrawsOnly, 1}}), "0.0.0") << "no other family has compute";
  EXPECT_EQ(queues_of({{kDraws, 4}, {kDraws, 4}, {kComputes, 1}}), "0.0.0 2.0.0") << "one without graphics is better";
  EXPECT_EQ(queues_of({{kComputes, 1}, {kDraws, 1}, {kDraws, 1}}), "1.0.0 0.0.0");
  EXPECT_EQ(queues_of({{kComputes, 1}, {kDrawsOnly, 1}, {kDraws, 1}}), "2.0.0 0.0.0");
  EXPECT_EQ(queues_of({{kDraws, 16}, {kDraws, 1}}), "0.0.0 1.0.0") << "another family is better than the same";
  EXPECT_EQ(queues_of({{kCopies, 1}, {kDraws, 2, 36}}), "1.0.36 1.1.36");
  EXPECT_EQ(queues_of({{kDraws, 1, 64, false}, {kDraws, 1, 64, true}}), "1.0.64 0.0.64") << "of one that presents";
  EXPECT_EQ(queues_of({{kDraws, 1, 64, false}}), "none");
  EXPECT_EQ(queues_of({{kDrawsOnly, 1}, {kComputes, 1}}), "none");
  EXPECT_EQ(queues_of({}), "none");
}

}  // namespace
}  // namespace host
