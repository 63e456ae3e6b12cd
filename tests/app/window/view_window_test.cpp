// `sinew view` in a window, on a virtual display: keys, mouse, dropped files and the window's size reach the viewer.
// What each control and key does is in view_panels_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "import/gltf_file.h"
#include "window/desktop.h"
#include "window/drop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class ViewWindow : public UsedDesktop {
 protected:
  void SetUp() override {
    display_["XDG_CACHE_HOME"] = folder_.path("cache");
    UsedDesktop::SetUp();
  }

  /// A small model, whose only clip moves it upward.
  std::string small_model(const std::string& name) {
    GltfFile file = two_joints();
    file.add_channel(1, "translation", {0, 1}, {0, 0, 0, 0, 1, 0});
    file.json["buffers"] = {{{"byteLength", file.buffer.size()}}};
    write(folder_.path(name), file.binary());
    return folder_.path(name);
  }

  /// Opens it paused, with panels that leave the middle of the window free. The program writes pictures to folder_.
  void open_view(const std::string& file) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path(""));
    open({"view", file, "--size", "720x360", "--speed", "0", "--samples-per-pixel", "1", "--validate"});
    std::filesystem::current_path(before);
    control("time line");  // after ground and sky
    wait_for_mouse();
  }

  Picture middle() { return cut(screen(), {270, 10, 450, 270}); }
  std::string title() { return run({"xdotool", "search", "--name", " - Sinew$", "getwindowname"}, display_).out; }
  void expect_title(const std::string& wanted) {
    EXPECT_TRUE(eventually(60, [&] { return title() == wanted + " - Sinew\n"; })) << title();
  }
  void expect_control(const std::string& name, bool is_there = true) {
    EXPECT_TRUE(eventually(30, [&] { return has_control(name) == is_there; })) << name << " is there: " << !is_there;
  }
  /// Does something that the middle of the window, where the character is, shows.
  template <class Action>
  void expect_change(const char* what, const Action& action) {
    const Picture before = middle();
    action();
    EXPECT_TRUE(eventually(20, [&] { return difference(before, middle()).share > 0.0005; })) << what;
    wait_for_mouse();
  }
  void resize(const char* width, const char* height) {
    xdotool({"search", "--name", " - Sinew$", "windowsize", width, height});
    wait_for_mouse();
  }
};

TEST_F(ViewWindow, KeysAndMouseReachTheViewer) {
  open_view(small_model("alpha.glb"));
  for (const char* key : {"b", "End", "Left", "Right", "Home", "ctrl+3", "ctrl+z", "ctrl+y"})
    expect_change(key, [&] { press({key}); });
  expect_change("a click on a box", [&] { click("bones"); });
  press({"Tab"});
  for (int i = 0; i < 3; ++i) wait_for_mouse();  // a text field would have the keys now
  expect_change("b after Tab", [&] { press({"b"}); });
  expect_change("turn", [&] { drag(360, 180, 60, 20); });
  expect_change("pan", [&] { drag(360, 180, 40, 0, 3); });
  expect_change("zoom", [&] { xdotool({"mousemove", "360", "180", "click", "4"}); });
  expect_change("f", [&] { press({"f"}); });
  expect_change("fly", [&] { xdotool({"keydown", "a", "sleep", "0.3", "keyup", "a"}); });
  for (const char* key : {"F1", "question"}) {
    press({key});
    expect_control("help");
    press({key == std::string("F1") ? key : "Escape"});
    expect_control("help", false);
  }
  press({"slash"});
  for (int i = 0; i < 3; ++i) wait_for_mouse();  // the text field takes letters some frames later
  press({"x", "b", "Return"});
  expect_control("no clip");
  for (int i = 0; i < 3; ++i) wait_for_mouse();  // and gives the keys back some frames later
  press({"Escape"});
  expect_control("clip 0");
  press({"Escape"});
  expect_control("message");
  expect_control("message", false);  // after some seconds
  press({"h"});
  expect_control("bones", false);
  press({"o"});
  const std::string saved = folder_.path("sinew-view-001.png");
  ASSERT_TRUE(eventually(20, [&] { return std::filesystem::exists(saved); }));
  press({"h", "o"});
  expect_control("bones");
  const std::string second = folder_.path("sinew-view-002.png");
  ASSERT_TRUE(eventually(20, [&] { return std::filesystem::exists(second); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));        // until it is whole
  constexpr Area kLeft{10, 10, 250, 250}, kBelow{270, 60, 450, 270};  // below the message
  EXPECT_EQ(read_png(saved).rgba, read_png(second).rgba) << "pictures have no panels";
  const Picture shown = still_screen();
  EXPECT_GT(difference(cut(shown, kLeft), cut(read_png(second), kLeft)).share, 0.5);
  EXPECT_EQ(difference(cut(shown, kBelow), cut(read_png(second), kBelow)).share, 0);
  for (const char* width : {"333", "801", "120", "640"}) resize(width, "300");
  expect_control("bones", false);  // panels of a small window are titles
  expect_control("panel View");
  for (const char* what : {"windowunmap", "windowmap"}) {
    xdotool({"search", "--name", " - Sinew$", what});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  xdotool({"search", "--name", " - Sinew$", "windowfocus"});
  close_without_messages();
}

TEST_F(ViewWindow, OpensFilesThatAreDroppedOrChosen) {
  if (!can_drop()) GTEST_SKIP() << "NO X11 (libx11-dev): nothing was dropped on the window here";
  const std::string alpha = small_model("alpha.glb"), beta = small_model("beta beta.glb");
  open_view(alpha);
  expect_title("alpha.glb");
  expect_change("another character", [&] { EXPECT_TRUE(drop_files(display_["DISPLAY"], {kCharacter})); });
  expect_title("character.glb");
  expect_control("loading", false);
  for (int i = 0; i < 3; ++i) wait_for_mouse();
  const Picture before = still_screen();
  write(folder_.path("broken.glb"), "glTF, but not really");
  EXPECT_TRUE(drop_files(display_["DISPLAY"], {folder_.path("broken.glb")}));
  expect_control("message");
  const std::string errors = without_warnings(read(folder_.path("sinew.err")));
  EXPECT_THAT(errors, HasSubstr("broken.glb"));
  EXPECT_EQ(std::ranges::count(errors, '\n'), 1) << errors;
  expect_title("character.glb");
  constexpr Area kBelowMessage{270, 100, 450, 270};
  EXPECT_LT(difference(cut(before, kBelowMessage), cut(still_screen(), kBelowMessage)).share, 0.0005);
  press({"ctrl+o"});
  expect_control("file " + alpha);  // one of the last files
  press({"BackSpace", "Escape"});
  expect_control("file filter", false);
  std::filesystem::remove(alpha);
  press({"ctrl+o"});
  expect_control("file filter");
  for (int i = 0; i < 3; ++i) wait_for_mouse();
  press({"b", "e", "t"});
  for (const std::string& other : {kCharacter, std::string("broken.glb")}) expect_control("file " + other, false);
  expect_control("file beta beta.glb");
  press({"Return"});
  expect_title("beta beta.glb");
  press({"ctrl+q"});
  EXPECT_TRUE(eventually(60, [&] { return !program_->running(); }));
  EXPECT_EQ(program_->exit_code(), 0);
  EXPECT_THAT(read(folder_.path("sinew.out")), HasSubstr("0 validation messages"));
}

}  // namespace
}  // namespace sinew::test
