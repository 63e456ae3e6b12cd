// `sinew crowd` in a window: each switch of its panel used with the mouse, on a virtual display. The crowd stands still
// while the screen is compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "window/desktop.h"

namespace sinew::test {
namespace {

constexpr Area kPanel{8, 8, 308, 592}, kCrowd{320, 0, 470, 600}, kWindow{0, 0, 470, 600};

class CrowdWindow : public UsedDesktop {
 protected:
  /// Opens a crowd that moves.
  void open_moving_crowd(const std::string& characters, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"crowd", "--window", "--characters", characters, "--json"};
    arguments.push_back(folder_.path("crowd.json"));
    std::istringstream usual(
        "--size 470x600 --samples-per-pixel 1 --camera fixed --start-seconds 3 --interface-scale 100");
    for (std::string word; usual >> word;) arguments.push_back(word);
    arguments.insert(arguments.end(), more.begin(), more.end());
    open(arguments);
    click("panel sinew crowd", 0.03);  // a title, in a window of this size
  }

  /// Opens a crowd, stops its time, and closes the sections of the panel that change in every frame.
  void open_crowd(const std::string& characters, const std::vector<std::string>& more = {}) {
    open_moving_crowd(characters, more);
    // Each makes room for the next.
    for (const char* section : {"stages, medians in ms", "frame times", "counters", "memory"}) click_slowly(section);
    click_slowly("pause");
    settled_screen();
  }

  std::string title() { return run({"xdotool", "search", "--name", "sinew crowd:", "getwindowname"}, display_).out; }

  /// Sleeps until some frames were drawn. The title has the time of a frame.
  void wait_for_frames() {
    const std::string now = title();
    const size_t at = now.find("characters, ");
    const double ms = at == std::string::npos ? 500 : std::atof(now.c_str() + at + 12);
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + int(std::clamp(4 * ms, 0.0, 20e3))));
  }

  /// The screen when it stands still there. After a change of time or options that takes some frames: distant instances
  /// are updated in every fourth.
  Picture settled_screen(const Area& area = kWindow) {
    Picture before = screen();
    const bool still = eventually(90, [&] {
      wait_for_frames();
      const Picture now = screen();
      const bool same = cut(now, area).rgba == cut(before, area).rgba;
      before = now;
      return same;
    });
    EXPECT_TRUE(still) << "the crowd moves";
    return before;
  }

  void click_slowly(const std::string& name) {
    click(name);
    wait_for_frames();
  }

  /// The share of the crowd's pixels that a click changes.
  double change_of(const std::string& name) {
    const Picture before = cut(screen(), kCrowd);
    click_slowly(name);
    return difference(before, cut(settled_screen(), kCrowd)).share;
  }
  /// Expects that a click changes more than a share. Pipelines may be compiled before the next frame.
  void expect_change(const std::string& name, double least) {
    const Picture before = cut(screen(), kCrowd);
    click(name);
    EXPECT_TRUE(eventually(60, [&] { return difference(before, cut(screen(), kCrowd)).share > least; })) << name;
    settled_screen();
  }

  /// Zooms by steps of the wheel: 4 is nearer, 5 is farther.
  void zoom(const char* button, int steps) {
    xdotool({"mousemove", "400", "300"});
    for (int i = 0; i < steps; ++i) xdotool({"click", button});
    wait_for_frames();
  }

  nlohmann::json last_run() { return nlohmann::json::parse(read(folder_.path("crowd.json")))["runs"][0]; }
};

/// How much of the picture a switch changes.
TEST_F(CrowdWindow, SwitchesMakeTheCrowdAgain) {
  const std::string picture = folder_.path("crowd.png");
  open_crowd("20", {"--validate", "--screenshot", picture});
  const std::pair<const char*, double> kLarge[] = {
      {"characters 100", 0.05},     {"characters 10", 0.05},        {"passes 2", 0.001},   {"colors level", 0.005},
      {"colors influences", 0.005}, {"colors update group", 0.005}, {"colors lit", 0.005}, {"bones", 0.005}};
  const std::pair<const char*, double> kSmall[] = {{"skinning vertex", 0.01}, {"skinning cpu", 0.01},
                                                   {"culling", 0.01},         {"levels of detail", 0.05},
                                                   {"update rate", 0.05},     {"shared poses 256", 0.05}};
  for (const auto& [name, least] : kLarge) expect_change(name, least);
  if (draws_wireframe()) {  // else its switch cannot be turned on
    for (int i = 0; i < 2; ++i) expect_change("wireframe", 0.005);
  }
  for (const auto& [name, most] : kSmall) EXPECT_LT(change_of(name), most) << name;
  const Picture with_bones = settled_screen();
  close_without_messages();
  const nlohmann::json wanted = {{"characters", 10}, {"skinning", "cpu"},    {"passes", 2},        {"cull", false},
                                 {"lod", "off"},     {"update_rate", false}, {"unique_poses", 256}};
  for (const auto& [name, value] : wanted.items()) EXPECT_EQ(last_run()[name], value) << name;
  const Picture saved = read_png(picture);
  const auto changed = [&](Area area) {
    area.right = std::min(area.right, saved.width), area.bottom = std::min(area.bottom, saved.height);
    return difference(cut(with_bones, area), cut(saved, area)).share;
  };
  EXPECT_EQ(changed(kCrowd), 0) << "the last frame, with its bones";
  EXPECT_GT(changed(kPanel), 0.5) << "without the panel";
}

/// Of a copy of the program, whose sources are a copy too.
TEST_F(CrowdWindow, ShadersThatAreSavedAreReloaded) {
  namespace fs = std::filesystem;
  const fs::path sources = SINEW_SOURCE_DIR, built = fs::path(program()).parent_path(), copy = folder_.path("copy");
  fs::create_directory(copy);
  fs::copy(sources / "shaders", copy / "shaders", fs::copy_options::recursive);
  fs::create_symlink(sources / "assets", copy / "assets");
  fs::create_symlink(built / "prepared", copy / "prepared");
  fs::copy(program(), copy / "sinew");
  write(copy / "CMakeCache.txt",
        "CMAKE_CACHEFILE_DIR:INTERNAL=" + copy.string() + "\nsinew_SOURCE_DIR:STATIC=" + copy.string() + "\n");
  opened_program_ = copy / "sinew";
  open_moving_crowd("20", {"--validate"});
  const auto show = [&](const std::string& count) {
    click("characters " + count);
    EXPECT_TRUE(eventually(60, [&] { return title().find(" " + count + " characters") != std::string::npos; }));
    wait_for_frames();
  };
  const std::string path = copy / "shaders/crowd.frag", source = read(path);
  const auto painted = [&] {
    const std::vector<uint8_t> seen = cut(screen(), kCrowd).rgba;
    size_t pixels = 0;
    for (size_t i = 0; i < seen.size(); i += 4) pixels += seen[i] > 250 && seen[i + 1] < 5 && seen[i + 2] > 250;
    return pixels > 200;
  };
  const auto save = [&](const std::string& text) {  // at once: the program may look at any time
    write(copy / "saved.frag", text);
    fs::rename(copy / "saved.frag", path);
  };
  EXPECT_FALSE(painted());
  save(source.substr(0, source.rfind('}')) + "  color.rgb = vec3(1.0, 0.0, 1.0);\n}\n");
  EXPECT_TRUE(eventually(60, painted)) << read(folder_.path("sinew.err"));
  show("100");
  EXPECT_TRUE(painted()) << "a crowd that is made again";
  save(source + "broken");
  EXPECT_TRUE(
      eventually(60, [&] { return read(folder_.path("sinew.err")).find("not reloaded") != std::string::npos; }));
  show("10");
  EXPECT_TRUE(painted()) << "the last that could be compiled";
  save(source);
  EXPECT_TRUE(eventually(60, [&] { return !painted(); }));
  press({"ctrl+q"});
  EXPECT_TRUE(eventually(60, [&] { return !program_->running(); }));
  EXPECT_NE(read(folder_.path("sinew.out")).find("0 validation messages"), std::string::npos);
}

TEST_F(CrowdWindow, TheVisibleSetFreezesWhileTheCameraMoves) {
  const std::string picture = folder_.path("crowd.png");
  open_crowd("50", {"--validate", "--screenshot", picture, "--overlay"});
  zoom("4", 14);
  click_slowly("freeze the visible set");
  zoom("5", 14);
  const Picture frozen = settled_screen();
  xdotool({"keydown", "s", "sleep", "1.5", "keyup", "s"});
  wait_for_frames();
  const Picture flown = settled_screen();
  EXPECT_GT(difference(cut(frozen, kCrowd), cut(flown, kCrowd)).share, 0.05) << "the camera does not fly";
  click_slowly("orbit");
  close_without_messages();
  EXPECT_LT(last_run()["visible"], 40) << "what the frozen camera does not see is not drawn";
  EXPECT_LT(difference(cut(flown, kPanel), cut(read_png(picture), kPanel)).share, 0.1) << "with the panel";
}

TEST_F(CrowdWindow, AChangeThatFailsSaysSo) {
  open_crowd("50", {"--memory-budget", "2.5", "--cull", "off"});
  click("characters 20k");  // they need 4.6 MiB
  EXPECT_TRUE(eventually(90, [&] { return has_control("message"); }));
  EXPECT_TRUE(program_->running()) << read(folder_.path("sinew.err"));
  wait_for_frames();
  close();
  EXPECT_EQ(last_run()["characters"], 50);
}

TEST_F(CrowdWindow, KeysAndMouseReachIt) {
  open_moving_crowd("20", {"--validate"});
  press({"space"});
  const Picture shown = settled_screen(kCrowd);
  const std::string kBelow = "stages, medians in ms";
  const int top = control(kBelow).top;
  const auto differs = [&] { return difference(cut(shown, kPanel), cut(screen(), kPanel)).share > 0.3; };
  press({"h"});
  EXPECT_TRUE(eventually(60, differs)) << "h does not hide the panel";
  EXPECT_EQ(difference(cut(shown, kCrowd), cut(screen(), kCrowd)).share, 0);
  press({"h"});
  EXPECT_TRUE(eventually(60, [&] { return !differs(); })) << "h does not show the panel again";
  click("frame times");
  EXPECT_TRUE(eventually(60, [&] { return control(kBelow).top < top; })) << "its sections do not close again";
  for (const char* key : {"F1", "question"}) {
    press({key});
    EXPECT_TRUE(eventually(60, [&] { return has_control("help"); })) << key;
    press({key == std::string("F1") ? key : "Escape"});
    EXPECT_TRUE(eventually(60, [&] { return !has_control("help"); })) << key;
  }
  press({"Escape"});
  EXPECT_TRUE(eventually(60, [&] { return has_control("message"); })) << "there is nothing to close but the window";
  EXPECT_TRUE(eventually(60, [&] { return !has_control("message"); })) << "it stays";
  close_without_messages();
}

/// Of no frame that was drawn in another size, or with other panels.
TEST_F(CrowdWindow, AReportIsOfTheFramesSinceTheLastChange) {
  open_moving_crowd("20");
  const auto resize = [&](const char* width, const char* height) {
    const unsigned before = frame_number();
    xdotool({"search", "--name", "sinew crowd", "windowsize", width, height});
    EXPECT_TRUE(eventually(60, [&] { return frame_number() >= before + 10; }));
  };
  resize("1", "1");
  const unsigned before = frame_number();
  resize("460", "590");
  close();
  EXPECT_EQ(last_run()["width"], 460);
  EXPECT_GT(last_run()["frames"], 0);
  EXPECT_LE(last_run()["frames"], frame_number() - before);
}

/// The panel is hidden for the click: the person is in the middle of the window.
TEST_F(CrowdWindow, AClickChoosesAPersonAndEscapeLetsGo) {
  open_crowd("1", {"--scene", "crowd"});
  EXPECT_FALSE(has_control("panel person"));
  const auto toggle_panel = [&] {
    const Picture before = cut(screen(), kPanel);
    press({"h"});
    EXPECT_TRUE(eventually(20, [&] { return difference(before, cut(screen(), kPanel)).share > 0.1; }));
  };
  const auto click_in_picture = [&](const char* x, const char* y) {
    toggle_panel();
    xdotool({"mousemove", x, y});
    wait_for_frames();
    xdotool({"mousedown", "1"});
    wait_for_frames();
    xdotool({"mouseup", "1"});
    wait_for_frames();
    toggle_panel();
  };
  click_in_picture("235", "300");
  EXPECT_TRUE(eventually(20, [&] { return has_control("panel person"); }));
  click_in_picture("20", "580");
  EXPECT_TRUE(eventually(20, [&] { return !has_control("panel person"); })) << "a click on the ground";
  click_in_picture("235", "300");
  EXPECT_TRUE(eventually(20, [&] { return has_control("panel person"); }));
  press({"Escape"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("panel person"); }));
  close();
}

}  // namespace
}  // namespace sinew::test
