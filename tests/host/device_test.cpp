// Which device is chosen, and what is said where none can be.
#include "host/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace host
