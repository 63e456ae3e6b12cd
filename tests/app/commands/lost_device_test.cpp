// The device simulator loses the device at a chosen call of Vulkan. The program then ends with one line and exit code
// 1, soon, and leaves no file that is not whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "child.h"
#include "long_run.h"
#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;
using Words = std::vector<std::string>;
using Calls = std::vector<std::pair<std::string, uint32_t>>;  // a function, and the number of its call

constexpr int kPatience = 60;  // seconds

/// A run of the program on a device that is lost at call `number` of `function`. All its outputs go to `folder`.
struct LostRun {
  Words arguments;
  std::string function;
  uint32_t number = 1;
  Environment environment = {};
};

Outcome run_lost(const LostRun& lost) {
  Environment environment = lost.environment;
  environment["VK_LAYER_PATH"] = SINEW_SIMULATOR_DIR;
  environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_SINEW_simulator";
  environment["SINEW_DEVICE_LOST"] = lost.function + ":" + std::to_string(lost.number);
  Words command = lost.arguments;
  command.insert(command.begin(), SINEW_PROGRAM);
  return run(command, environment, kPatience);
}

/// Any report is whole: it has the frames that were complete when the device was lost.
void expect_whole_files(const Folder& folder) {
  for (const std::string& name : folder.files()) {
    EXPECT_EQ(name, "crowd.json");
    EXPECT_TRUE(nlohmann::json::accept(read(folder.path(name))));
  }
}

void expect_lost(const LostRun& lost, const Folder& folder) {
  SCOPED_TRACE(lost.arguments.front() + ", lost at " + lost.function + ":" + std::to_string(lost.number));
  const Outcome outcome = run_lost(lost);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const std::string errors = without_warnings(outcome.err);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << outcome.err;
  const bool of_memory = lost.function == "vkAllocateMemory" || lost.function == "vkMapMemory";
  EXPECT_THAT(errors, StartsWith(of_memory ? "sinew: " : "sinew: the device was lost: "));
  expect_whole_files(folder);
}

class LostDevice : public Desktop {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    if (!std::filesystem::exists(SINEW_SIMULATOR_DIR "/VkLayer_sinew_simulator.json")) {
      GTEST_SKIP() << "NO DEVICE SIMULATOR: loss of the device was not tested here";
    }
  }

  /// Three frames, a report, and the picture too where `pictured`.
  Words crowd(bool pictured, const Words& options = {}) {
    Words words = {"crowd", "--characters", "3", "--frames", "2", "--warmup", "1", "--size", "64x36"};
    words.insert(words.end(), {"--camera", "fixed", "--samples-per-pixel", "1", "--json", output_.path("crowd.json")});
    if (pictured) words.insert(words.end(), {"--screenshot", output_.path("crowd.png")});
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }

  /// Loses the device at each of these calls in turn.
  void lose_at(const Words& arguments, const Calls& calls) {
    for (const auto& [function, number] : calls) {
      expect_lost({arguments, function, number, environment_}, output_);
      if (HasFailure()) return;
    }
  }

  Folder output_;
  Environment environment_ = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
};

TEST_F(LostDevice, EndsACrowd) {
  const Calls calls = {{"vkAllocateMemory", 8}, {"vkQueueSubmit", 6},    {"vkQueueWaitIdle", 1}, {"vkWaitForFences", 2},
                       {"vkAllocateMemory", 1}, {"vkMapMemory", 1},      {"vkQueueSubmit", 1},   {"vkQueueSubmit", 3},
                       {"vkQueueWaitIdle", 4},  {"vkDeviceWaitIdle", 1}, {"vkWaitForFences", 1}};
  lose_at(crowd(true), some_of(calls, 4));
}

TEST_F(LostDevice, EndsACrowdAtTheEndOfItsLastFrame) {
  lose_at(crowd(false), {{"vkWaitForFences", 3}});
  const Outcome plain = run_lost({crowd(false), "vkWaitForFences", 4, environment_});
  EXPECT_EQ(plain.exit_code, 0) << "the last frame was not the third: " << plain.err;
  const auto report = nlohmann::json::parse(read(output_.path("crowd.json")));
  if (report["runs"][0]["gpu_ms"]["draw"].is_null()) GTEST_SKIP() << "NO TIMESTAMPS: their end was not tested here";
  const uint32_t of_copies = report["device"]["copy_gb_per_second"].is_null() ? 0 : 1;  // a device may be too small
  const uint32_t of_frames = 3 * 2;                                                     // each frame skins and draws
  lose_at(crowd(false), {{"vkGetQueryPoolResults", 1}, {"vkGetQueryPoolResults", of_copies + of_frames}});
}

TEST_F(LostDevice, EndsACrowdThatIsSkinnedInItsOwnSubmissions) {
  environment_["SINEW_DEVICE_PROFILE"] = "compute-first";
  lose_at(crowd(true, {"--async-compute", "on", "--slots", "2"}),
          {{"vkQueueSubmit", 6}, {"vkQueueSubmit", 7}, {"vkWaitForFences", 2}});
}

TEST_F(LostDevice, EndsAView) {
  const Words one = {"view", kCharacter, "--size", "64x36", "--screenshot", output_.path("view.png")};
  lose_at(one, {{"vkQueueSubmit", 4}, {"vkWaitForFences", 1}});
  const Words many = {"view", kCharacter, "--size", "64x36", "--record", output_.path("view.webp"), "--seconds", "0.2"};
  lose_at(many, {{"vkQueueWaitIdle", 8}, {"vkWaitForFences", 3}});
}

TEST_F(LostDevice, EndsAPose) {
  lose_at({"pose", kCharacter, "--output", output_.path("pose.ply")},
          {{"vkAllocateMemory", 1}, {"vkQueueSubmit", 1}, {"vkQueueWaitIdle", 1}});
}

TEST_F(LostDevice, ClosesTheWindow) {
  Desktop::SetUp();
  if (IsSkipped()) return;
  environment_ = display_;
  const Words view = {"view",
                      kCharacter,
                      "--window",
                      "--size",
                      "64x36",
                      "--frames",
                      "4",
                      "--interface-scale",
                      "100",
                      "--screenshot",
                      output_.path("view.png")};
  for (const Words& arguments : {crowd(true, {"--window"}), view}) {
    lose_at(arguments, {{"vkCreateSwapchainKHR", 1},
                        {"vkAcquireNextImageKHR", 1},
                        {"vkAcquireNextImageKHR", 2},
                        {"vkQueuePresentKHR", 1},
                        {"vkQueuePresentKHR", 3},
                        {"vkDeviceWaitIdle", 1},
                        {"vkWaitForFences", 2}});
  }
}

}  // namespace
}  // namespace sinew::test
