// The window, on a virtual X display (Xvfb) whose screen is read from outside the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "child.h"
#include "picture.h"

namespace sinew::test {
namespace {

using Clock = std::chrono::steady_clock;
using ::testing::HasSubstr;

/// Polls `condition` until it is true, for at most `seconds`.
template <class Condition>
bool eventually(int seconds, const Condition& condition) {
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  while (Clock::now() < deadline) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

class Window : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    // The X server chooses a free display and writes its number to standard output.
    screen_ = std::make_unique<Background>(
        std::vector<std::string>{"Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"},
        Environment{}, folder_.path("display"), folder_.path("xvfb.err"));
    if (!eventually(10, [&] { return read(folder_.path("display")).ends_with("\n"); })) {
      GTEST_SKIP() << "NO XVFB: the window was not tested here";
    }
    const std::string number = read(folder_.path("display"));
    display_["DISPLAY"].append(":").append(number, 0, number.find('\n'));
    display_["WAYLAND_DISPLAY"] = "";
  }

  Picture screen() {
    const Outcome taken = run({"xwd", "-root", "-silent", "-out", folder_.path("screen.xwd")}, display_);
    return taken.exit_code == 0 ? read_xwd(folder_.path("screen.xwd")) : Picture{};
  }

  Folder folder_;
  Environment display_;
  std::unique_ptr<Background> screen_;
};

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
                                 "--passes", "4", "--validate", "--screenshot", png},
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
