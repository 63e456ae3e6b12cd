// The window, on a virtual X display (Xvfb) whose screen is read from outside the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class Window : public Desktop {};

TEST_F(Window, OpensAndShowsTheCrowd) {
  if (run({"xwd", "-help"}).exit_code == 127) GTEST_SKIP() << "NO XWD (x11-apps): the window was not tested here";
  EXPECT_LT(color_count(screen()), 10u) << "the screen is not empty before the window opens";
  const std::string err = folder_.path("sinew.err");
  Background window({SINEW_PROGRAM, "crowd", "--window", "--characters", "20", "--size", "480x360"}, display_,
                    folder_.path("sinew.out"), err);
  size_t colors = 0;
  eventually(60, [&] { return (colors = color_count(screen())) > 2000 || !window.running(); });
  EXPECT_GT(colors, 2000u) << read(err);
  EXPECT_TRUE(window.running()) << read(err);
}

TEST_F(Window, ClosesAfterTheGivenNumberOfFramesAndReportsThem) {
  const std::string png = folder_.path("window.png");
  const Outcome outcome = sinew({"crowd", "--window", "--characters", "10", "--frames", "3", "--size", "320x240",
                                 "--shadow-maps", "2", "--validate", "--screenshot", png},
                                display_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(color_count(read_png(png)), 1000u);
  EXPECT_THAT(outcome.out, HasSubstr("0 validation messages"));
}

TEST_F(Window, ShowsACrowdThatIsSkinnedInItsOwnSubmission) {
  const std::string png = folder_.path("window.png");
  const Outcome outcome = sinew({"crowd", "--window", "--characters", "10", "--frames", "5", "--size", "320x240",
                                 "--slots", "3", "--async-compute", "on", "--validate", "--screenshot", png},
                                display_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(color_count(read_png(png)), 1000u);
  EXPECT_THAT(outcome.out, HasSubstr("submitted by itself"));
  EXPECT_THAT(outcome.out, HasSubstr("0 validation messages"));
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
