// `sinew view` in a window: its controls used with mouse and keys, on a virtual display. The character stands still
// while the screen is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

/// Between the panels, above the time line, below messages.
constexpr Area kMiddle{275, 45, 525, 520};

class ViewWindow : public Desktop {
 protected:
  /// Opens a character that plays at speed 0, with an empty middle of the screen around it.
  void open_view(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {
        "view",      SINEW_SOURCE_DIR "/assets/character.glb", "--size", "800x600", "--clip", "walk", "--speed", "0",
        "--validate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    open(arguments);
    if (IsSkipped() || HasFatalFailure()) return;
    control("time line");  // after ground and sky
    wait_for_mouse();
    still_screen();
  }

  Picture middle() { return cut(still_screen(), kMiddle); }

  /// Does something, and expects that the middle of the screen, where the character is, changes.
  template <class Action>
  void changes_character(const char* what, const Action& action) {
    const Picture before = middle();
    action();
    Picture after;
    EXPECT_TRUE(eventually(20, [&] { return difference(before, after = middle()).share > 0.0005; })) << what;
  }
  void click_changes_character(const std::string& name) {
    changes_character(name.c_str(), [&] { click(name); });
  }
  void key_changes_character(const std::string& key) {
    changes_character(key.c_str(), [&] { press({key}); });
  }

  void close_without_messages() {
    close();
    EXPECT_THAT(read(folder_.path("sinew.out")), HasSubstr("0 validation messages"));
  }
};

TEST_F(ViewWindow, EverySwitchOfWhatIsShown) {
  open_view({"--tangents"});
  if (IsSkipped() || HasFatalFailure()) return;
  for (const char* name :
       {"bones", "names", "axes", "normals", "tangents", "bounds of the clip", "bounds of the pose"}) {
    click_changes_character(name);
  }
  if (draws_wireframe()) click_changes_character("wireframe");  // else the switch cannot be turned on
  close_without_messages();
}

TEST_F(ViewWindow, EveryKeyOfWhatIsShown) {
  open_view({"--joint", "head"});
  if (IsSkipped() || HasFatalFailure()) return;
  for (const char* key : {"b", "n", "b", "x", "i", "i", "i", "i", "j", "z", "z"}) key_changes_character(key);
  if (draws_wireframe()) key_changes_character("v");
  for (const char* preset : {"2", "3", "4", "5", "6", "1"}) key_changes_character(std::string("ctrl+") + preset);
  press({"h"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("bones"); })) << "the panels are still there";
  close_without_messages();
}

/// Opens a list and clicks an item.
TEST_F(ViewWindow, ListsAndButtons) {
  open_view({"--joint", "head"});
  if (IsSkipped() || HasFatalFailure()) return;
  const auto choose = [&](const std::string& list, const std::string& item) {
    click(list);
    click(list + ": " + item);
  };
  for (const char* item : {"influences", "lost weight", "weight of joint", "level of detail"})
    changes_character(item, [&] { choose("colors", item); });
  changes_character("level", [&] { drag("level", 0.05, 0.95); });
  click_changes_character("own size");
  click_changes_character("own size");
  for (const char* camera : {"Front", "Back", "Left", "Right", "Top", "3/4"})
    click_changes_character(std::string("camera ") + camera);
  changes_character("zoom", [&] { xdotool({"mousemove", "400", "300", "click", "4", "click", "4"}); });
  click_changes_character("Frame");
  changes_character("the finest level", [&] { drag("level", 0.5, 0.0); });  // heads of the coarsest do not turn
  changes_character("add layer", [&] { choose("add layer", "wave"); });
  changes_character("its clip", [&] { choose("layer 0 clip", "cheer"); });
  changes_character("its mode", [&] { choose("layer 0 mode", "additive"); });  // at its start it adds nothing
  changes_character("its mode again", [&] { choose("layer 0 mode", "override"); });
  changes_character("its drop", [&] { press({"k"}); });
  choose("repeat", "once");
  choose("root motion", "removed");
  click("tab Import");
  EXPECT_TRUE(eventually(20, [&] { return !has_control("bones"); }));
  close_without_messages();
}

TEST_F(ViewWindow, ClipsByMouseAndKeys) {
  open_view({"--show", "bones"});
  if (IsSkipped() || HasFatalFailure()) return;
  drag("fade", 0.2, 0.0);
  click_changes_character("clip 0");
  key_changes_character("2");
  key_changes_character("Tab");
  key_changes_character("shift+Tab");
  close_without_messages();
}

TEST_F(ViewWindow, TheListOfClipsIsFilteredAndFillsThePanel) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  const int panel_end = 600 - 62 - 2 * 8;  // above the time line and two margins
  const int end = control("Morph targets").bottom;
  EXPECT_TRUE(end > panel_end - 24 && end <= panel_end) << end << ": the list is as high as the panel leaves it";
  const auto wait_until = [&](bool there, const char* name) {
    EXPECT_TRUE(eventually(20, [&] { return has_control(name) == there; })) << name << " there: " << there;
  };
  const auto filter = [&](const char* key, const std::vector<std::string>& letters) {
    wait_for_mouse();  // a text field that had the keys gives them back a frame later
    press({key});
    for (int i = 0; i < 2; ++i) wait_for_mouse();  // the text field takes letters some frames later
    press(letters);
  };
  const auto empty = [&] {
    for (int i = 0; i < 2; ++i) wait_for_mouse();
    press({"Escape"});
  };
  filter("ctrl+f", {"W", "a", "v"});
  wait_until(false, "clip 0");
  changes_character("the first clip that fits", [&] { press({"Return"}); });
  filter("slash", {"x", "y", "z"});
  wait_until(true, "no clip");
  empty();
  wait_until(true, "clip 0");
  filter("slash", {"w", "a", "l", "k", "Return"});
  wait_until(false, "clip 0");
  empty();
  wait_until(true, "clip 0");
  EXPECT_TRUE(program_->running()) << "Escape empties the filter first";
  close_without_messages();
}

TEST_F(ViewWindow, BlendOfTwoClips) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  drag("fade", 0.2, 0.0);
  changes_character("a second clip", [&] {
    click("blend with");
    click("blend with: wave");
  });
  changes_character("its weight", [&] { drag("blend", 0.5, 0.95); });
  xdotool({"keydown", "Control_L"});
  click_changes_character("clip 3");  // one beside the clip that plays, in a list that is low now
  click_changes_character("clip 3");
  xdotool({"keyup", "Control_L"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("blend"); })) << "the blend is still there";
  close_without_messages();
}

TEST_F(ViewWindow, MorphTargets) {
  open_view({"--camera", "front", "--zoom", "5"});
  if (IsSkipped() || HasFatalFailure()) return;
  click("Clips");
  click("Morph targets");
  changes_character("open_mouth", [&] { drag("weight 2", 0.02, 0.95); });
  changes_character("reset", [&] { click("reset weight 2"); });
  changes_character("blink", [&] { drag("weight 0", 0.02, 0.95); });
  changes_character("reset of all", [&] { click("reset weights"); });
  close_without_messages();
}

TEST_F(ViewWindow, UndoAndRedo) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  const Picture before = middle();
  changes_character("a clip", [&] { press({"1"}); });
  changes_character("the range in one drag", [&] {
    drag("range", 0.1, 0.4);
    press({"Home"});
  });
  changes_character("bones", [&] { press({"b"}); });
  changes_character("undone bones", [&] { press({"ctrl+z"}); });
  press({"ctrl+z"});
  changes_character("the clip before", [&] { press({"ctrl+z"}); });
  EXPECT_TRUE(eventually(20, [&] { return middle().rgba == before.rgba; })) << "all is as it was";
  press({"ctrl+z"});
  EXPECT_TRUE(eventually(20, [&] { return has_control("message"); })) << "there is nothing more to undo";
  changes_character("redo", [&] { press({"ctrl+y"}); });
  changes_character("redo of bones", [&] { press({"ctrl+shift+z", "ctrl+shift+z"}); });
  close_without_messages();
}

TEST_F(ViewWindow, TimeLine) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  changes_character("scrubbing", [&] { drag("time line", 0.1, 0.5); });
  key_changes_character("Right");
  key_changes_character("Left");
  click_changes_character("Step forward");
  click_changes_character("Step back");
  key_changes_character("Home");
  changes_character("range", [&] {
    drag("range", 0.1, 0.4);
    press({"Home"});
  });
  key_changes_character("End");
  changes_character("speed", [&] {
    click("Play");
    drag("speed", 0.5, 0.75);
  });
  press({"space"});
  const auto stands_still = [&] {
    const Picture now = screen();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return screen().rgba == now.rgba;
  };
  EXPECT_TRUE(eventually(20, stands_still)) << "space does not pause";
  close_without_messages();
}

TEST_F(ViewWindow, LayersAndJoints) {
  open_view({"--show", "bones"});
  if (IsSkipped() || HasFatalFailure()) return;
  changes_character("a layer", [&] { press({"l", "0", "Return"}); });
  click("Clips");  // gives the layers room
  changes_character("weight", [&] { drag("layer 0 weight", 0.6, 0.2); });
  changes_character("drop", [&] { click("layer 0 drop"); });
  EXPECT_TRUE(eventually(20, [&] { return !has_control("layer 0 drop"); })) << "the layer is still there";
  click("tab Joints");
  changes_character("a joint of the tree", [&] { click("joint spine_1"); });
  close_without_messages();
}

TEST_F(ViewWindow, RepeatRootMotionAndEvaluator) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  const std::pair<const char*, const char*> kChoices[] = {
      {"p", "repeat"}, {"m", "root motion"}, {"minus", "speed"}, {"c", "crowd evaluator"}};
  for (const auto& [key, name] : kChoices) {
    const Area area = control(name);
    const Picture before = cut(still_screen(), area);
    press({key});
    EXPECT_TRUE(eventually(20, [&] { return difference(before, cut(screen(), area)).share > 0.01; })) << name;
  }
  control("difference");
  click("crowd evaluator");
  EXPECT_TRUE(eventually(20, [&] { return !has_control("difference"); }));
  click("crowd evaluator");
  control("difference");
  changes_character("a clip by the crowd evaluator", [&] { press({"1"}); });
  close_without_messages();
}

TEST_F(ViewWindow, SavesAPictureWithoutPanels) {
  const auto folder = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path(""));  // where the program writes
  open_view({"--samples-per-pixel", "1"});
  std::filesystem::current_path(folder);
  if (IsSkipped() || HasFatalFailure()) return;
  click("Save picture");
  const std::string saved = folder_.path("sinew-view-001.png");
  ASSERT_TRUE(eventually(20, [&] { return std::filesystem::exists(saved); }));
  press({"o"});
  EXPECT_TRUE(eventually(20, [&] { return std::filesystem::exists(folder_.path("sinew-view-002.png")); }));
  const Picture picture = read_png(saved);
  ASSERT_EQ(picture.width, 800);
  Picture window;
  const auto difference_in = [&](const Area& area) { return difference(cut(window, area), cut(picture, area)).share; };
  EXPECT_TRUE(eventually(20, [&] {
    window = screen();
    return difference_in(kMiddle) == 0;
  }));
  const Area panel{10, 10, 270, 520};
  EXPECT_GT(difference_in(panel), 0.5);
  close_without_messages();
}

TEST_F(ViewWindow, MouseTurnsPansAndZooms) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  changes_character("turn", [&] { drag(400, 300, 60, 20); });
  changes_character("pan", [&] { drag(400, 300, 40, 0, 3); });
  changes_character("zoom", [&] { xdotool({"mousemove", "400", "300", "click", "4", "click", "4"}); });
  key_changes_character("f");
  close_without_messages();
}

TEST_F(ViewWindow, SurvivesResizingAndMinimizing) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  const std::vector<std::string> window = {"search", "--name", " - Sinew$"};
  for (const char* size : {"640", "333", "801", "120", "799"}) {
    auto resize = window;
    resize.insert(resize.end(), {"windowsize", size, "480"});
    xdotool(resize);
  }
  for (const char* what : {"windowunmap", "windowmap"}) {
    auto command = window;
    command.push_back(what);
    xdotool(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  EXPECT_TRUE(program_->running()) << read(folder_.path("sinew.err"));
  xdotool({"search", "--name", " - Sinew$", "windowfocus"});
  close_without_messages();
}

}  // namespace
}  // namespace sinew::test
