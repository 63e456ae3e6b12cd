// `sinew crowd` in a window that closes by itself, on a virtual X display (Xvfb).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class Window : public Desktop {
 protected:
  /// Runs it for some frames. Returns what it printed, and its overlay's controls.
  std::pair<std::string, std::string> run_crowd(std::vector<std::string> more) {
    const std::string png = folder_.path("window.png");
    std::vector<std::string> arguments = {"crowd",  "--window", "--characters", "10",           "--frames", "3",
                                          "--size", "320x240",  "--validate",   "--screenshot", png};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Environment environment = display_;
    environment["SINEW_CONTROLS"] = folder_.path("controls");
    write(folder_.path("controls"), "");
    const Outcome outcome = sinew(arguments, environment);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("0 validation messages"));
    EXPECT_GT(outcome.exit_code == 0 ? color_count(read_png(png)) : 0, 1000u);
    return {outcome.out, read(folder_.path("controls"))};
  }
};

TEST_F(Window, ClosesAfterTheGivenNumberOfFramesAndReportsThem) {
  EXPECT_THAT(run_crowd({"--shadow-maps", "2"}).second, HasSubstr("panel sinew crowd"));
}

/// A hidden panel is never made.
TEST_F(Window, ShowsACrowdThatIsSkinnedInItsOwnSubmission) {
  const auto [printed, controls] = run_crowd({"--slots", "3", "--async-compute", "on", "--hide-overlay"});
  EXPECT_THAT(printed, HasSubstr("submitted by itself"));
  EXPECT_EQ(controls, "");
}

TEST(WindowWithoutDisplay, FailsWithOneLine) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const Outcome outcome = sinew({"crowd", "--window"}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("DISPLAY"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace
}  // namespace sinew::test
