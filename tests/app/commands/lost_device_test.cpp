// The device simulator loses the device while the program has a window: it closes, and the program ends as without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "child.h"
#include "window/desktop.h"

namespace sinew::test {
namespace {

constexpr int kPatience = 60;  // seconds

class LostDeviceInAWindow : public Desktop {};

TEST_F(LostDeviceInAWindow, ClosesIt) {
  if (!std::filesystem::exists(SINEW_SIMULATOR_DIR "/VkLayer_sinew_simulator.json"))
    GTEST_SKIP() << "NO DEVICE SIMULATOR: loss of the device was not tested here";
  const Folder output;
  const std::vector<std::string> crowd = {program(),  "crowd",        "--scene",
                                          "crowd",    "--characters", "3",
                                          "--camera", "fixed",        "--samples-per-pixel",
                                          "1",        "--json",       output.path("crowd.json")};
  const std::vector<std::string> view = {program(), "view", kCharacter, "--interface-scale", "100"};
  for (std::vector<std::string> command : {crowd, view}) {
    command.insert(command.end(),
                   {"--window", "--size", "64x36", "--frames", "4", "--screenshot", output.path("a.png")});
    for (const char* call : {"vkCreateSwapchainKHR:1", "vkAcquireNextImageKHR:1", "vkAcquireNextImageKHR:2",
                             "vkQueuePresentKHR:1", "vkQueuePresentKHR:3", "vkDeviceWaitIdle:1", "vkWaitForFences:2"}) {
      SCOPED_TRACE(command[1] + ", lost at " + call);
      Environment environment = display_;
      environment["VK_LAYER_PATH"] = SINEW_SIMULATOR_DIR;
      environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_SINEW_simulator";
      environment["SINEW_DEVICE_LOST"] = call;
      const Outcome outcome = run(command, environment, kPatience);
      ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
      const std::string errors = without_warnings(outcome.err);
      EXPECT_EQ(std::ranges::count(errors, '\n'), 1) << outcome.err;
      EXPECT_THAT(errors, ::testing::StartsWith("sinew: the device was lost: "));
      for (const std::string& name : output.files()) {
        EXPECT_EQ(name, "crowd.json");
        EXPECT_TRUE(nlohmann::json::accept(read(output.path(name))));
      }
    }
  }
}

}  // namespace
}  // namespace sinew::test
