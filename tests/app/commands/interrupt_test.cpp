// Ctrl-C during a measurement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "child.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// Ctrl-C so many seconds after the lines about the machine. Returns the exit code.
int interrupt_a_crowd(int seconds, const Folder& folder) {
  const std::string out = folder.path("out");
  Background crowd({program(), "crowd", kCharacter, "--characters", "1", "--frames", "1000000", "--size", "64x64",
                    "--json", folder.path("a.json")},
                   {}, out, folder.path("err"));
  while (crowd.running() && read(out).find("build\n") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  crowd.signal(SIGINT);
  while (crowd.running()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return crowd.exit_code();
}

/// Ctrl-C during a long measurement. A machine that does other work too is later behind the bandwidths and the warm-up.
TEST(Interrupt, ReportsWhatWasMeasured) {
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: the crowd was not tested here";
  const Folder folder;
  int exit_code = 0;
  for (const int seconds : {2, 8, 32}) {
    exit_code = interrupt_a_crowd(seconds, folder);
    if (fs::exists(folder.path("a.json"))) break;
  }
  EXPECT_EQ(exit_code, 130) << read(folder.path("err"));
  EXPECT_THAT(read(folder.path("out")), HasSubstr("Interrupted: "));
  const std::string report = read(folder.path("a.json"));
  EXPECT_THAT(report, HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(report, Not(HasSubstr("\"frames\": 1000000")));
}

}  // namespace
}  // namespace sinew::test
