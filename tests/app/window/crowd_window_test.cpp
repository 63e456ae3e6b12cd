// `sinew crowd` in a window: each switch of its panel used with the mouse, on a virtual display. The crowd stands still
// while the screen is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

constexpr Area kPanel{8, 8, 308, 592}, kCrowd{320, 0, 800, 600};

class CrowdWindow : public Desktop {
 protected:
  /// Opens a crowd, stops its time, and closes the sections of the panel that change in every frame.
  void open_crowd(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {
        "crowd",   "--window", "--size",    "800x600", "--characters", "50",  "--camera", "fixed",
        "--start", "3",        "--samples", "1",       "--scale",      "100", "--json",   folder_.path("crowd.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    open(arguments);
    if (IsSkipped() || HasFatalFailure()) return;
    for (const char* section : {"frame times", "stages, medians in ms"}) {
      const int top = control("crowd").top;
      click(section);
      EXPECT_TRUE(eventually(60, [&] { return control("crowd").top < top; })) << section;
    }
    for (const char* section : {"counters", "memory"}) {
      click(section);
      const std::string below = section == std::string("counters") ? "memory" : "keys";
      EXPECT_TRUE(eventually(60, [&] { return has_control(below); })) << section;
    }
    changes(kPanel, "pause");
    still_screen();
  }

  /// Clicks, and waits until this part of the screen is different. Returns the difference of the crowd's part.
  double changes(const Area& area, const std::string& name) {
    const Picture before = screen();
    click(name);
    Picture after;
    const auto differs = [&] { return difference(cut(before, area), cut(after = screen(), area)).share > 0.0004; };
    EXPECT_TRUE(eventually(60, differs)) << name << " changes nothing";
    after = still_screen();
    return difference(cut(before, kCrowd), cut(after, kCrowd)).share;
  }
  double changes_crowd(const std::string& name) { return changes(kCrowd, name); }

  void close_without_messages() {
    close();
    EXPECT_THAT(read(folder_.path("sinew.out")), HasSubstr("0 validation messages"));
  }
};

TEST_F(CrowdWindow, EverySwitchOfTheCrowd) {
  open_crowd({"--validate"});
  if (IsSkipped() || HasFatalFailure()) return;
  changes_crowd("characters 100");
  changes_crowd("characters 10");
  EXPECT_LT(changes(kPanel, "skinning vertex"), 0.01) << "another way to the same picture";
  EXPECT_LT(changes(kPanel, "skinning cpu"), 0.01);
  changes(kPanel, "shared poses 256");
  changes_crowd("passes 2");
  changes_crowd("passes 4");
  EXPECT_EQ(changes(kPanel, "culling"), 0);
  changes(kPanel, "levels of detail");
  changes(kPanel, "update rate");
  close_without_messages();
  const std::string report = read(folder_.path("sinew.out"));
  EXPECT_THAT(report, HasSubstr("crowd: 10 characters")) << "the report is about the last options";
  EXPECT_THAT(report, HasSubstr("cpu skinning in 4 passes"));
  EXPECT_THAT(read(folder_.path("crowd.json")), HasSubstr("\"unique_poses\": 256"));
}

TEST_F(CrowdWindow, EverySwitchOfColorsAndLines) {
  const std::string picture = folder_.path("crowd.png");
  open_crowd({"--validate", "--screenshot", picture});
  if (IsSkipped() || HasFatalFailure()) return;
  for (const char* name :
       {"colors level", "colors update group", "colors influences", "colors lit", "wireframe", "wireframe", "bones"}) {
    EXPECT_GT(changes_crowd(name), 0.005) << name;
  }
  const Picture with_bones = screen();
  close_without_messages();
  const Picture saved = read_png(picture);
  EXPECT_LT(difference(cut(with_bones, kCrowd), cut(saved, kCrowd)).share, 0.01) << "the last frame, with its bones";
  EXPECT_GT(difference(cut(with_bones, kPanel), cut(saved, kPanel)).share, 0.5) << "without the panel";
}

TEST_F(CrowdWindow, TheVisibleSetFreezesWhileTheCameraFlies) {
  const std::string picture = folder_.path("crowd.png");
  open_crowd({"--validate", "--screenshot", picture, "--overlay"});
  if (IsSkipped() || HasFatalFailure()) return;
  const auto fly = [&] { xdotool({"keydown", "s", "sleep", "1.5", "keyup", "s"}); };
  changes(kPanel, "freeze the visible set");
  const Picture before = still_screen();
  fly();
  EXPECT_GT(difference(cut(before, kCrowd), cut(still_screen(), kCrowd)).share, 0.05);
  EXPECT_GT(changes_crowd("freeze the visible set"), 0.0005) << "the pyramid goes";
  changes(kPanel, "orbit");
  const Picture last = screen();
  close_without_messages();
  EXPECT_LT(difference(cut(last, kPanel), cut(read_png(picture), kPanel)).share, 0.02) << "with the panel";
}

TEST_F(CrowdWindow, AChangeThatFailsSaysSo) {
  open_crowd({"--memory-budget", "16", "--cull", "off"});
  if (IsSkipped() || HasFatalFailure()) return;
  click("characters 5k");
  EXPECT_TRUE(eventually(90, [&] { return has_control("problem"); }));
  EXPECT_TRUE(program_->running()) << read(folder_.path("sinew.err"));
  close();
  EXPECT_THAT(read(folder_.path("sinew.out")), HasSubstr("crowd: 50 characters"));
}

TEST_F(CrowdWindow, HHidesAndShowsThePanel) {
  open_crowd();
  if (IsSkipped() || HasFatalFailure()) return;
  const Picture shown = still_screen();
  const auto differs = [&] { return difference(cut(shown, kPanel), cut(screen(), kPanel)).share > 0.5; };
  press({"h"});
  EXPECT_TRUE(eventually(60, differs)) << "h does not hide the panel";
  EXPECT_LT(difference(cut(shown, kCrowd), cut(still_screen(), kCrowd)).share, 0.001);
  press({"h"});
  EXPECT_TRUE(eventually(60, [&] { return !differs(); })) << "h does not show the panel again";
  changes_crowd("colors level");
  close();
}

TEST_F(CrowdWindow, AHiddenPanelIsNeverMade) {
  Environment environment = display_;
  environment["SINEW_CONTROLS"] = folder_.path("controls");
  const std::vector<std::string> crowd = {"crowd",    "--window", "--characters", "5",
                                          "--frames", "3",        "--size",       "320x240"};
  std::vector<std::string> hidden = crowd;
  hidden.push_back("--hide-overlay");
  ASSERT_EQ(sinew(hidden, environment).exit_code, 0);
  EXPECT_EQ(read(folder_.path("controls")), "");
  ASSERT_EQ(sinew(crowd, environment).exit_code, 0);
  EXPECT_THAT(read(folder_.path("controls")), HasSubstr("frame times"));
}

}  // namespace
}  // namespace sinew::test
