// The panels and keys of the viewer, used through Dear ImGui without a window: each sets what it says, and what it sets
// is undone and redone.
#include "viewer/panels.h"

#include <gmock/gmock.h>
#include <imgui.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "cache_folder.h"
#include "controls.h"
#include "view/viewer_fixture.h"

namespace sinew::app {
namespace {

Key key_named(const std::string& name) {
  static const std::map<std::string, Key> kNames = {
      {"Escape", Key::kEscape}, {"Tab", Key::kTab},     {"Left", Key::kLeft},           {"Right", Key::kRight},
      {"Up", Key::kUp},         {"Down", Key::kDown},   {"Home", Key::kHome},           {"End", Key::kEnd},
      {"Enter", Key::kEnter},   {"Space", Key::kSpace}, {"Backspace", Key::kBackspace}, {"F1", Key::kF1}};
  const auto found = kNames.find(name);
  return found == kNames.end() ? Key(name.at(0)) : found->second;
}

class ViewPanels : public test::ViewerFixture {
 protected:
  void SetUp() override {
    setenv("SINEW_CONTROLS", test::controls_file().c_str(), 1);
    open(20);
    for (const float error : {0.02f, 0.1f}) {
      ModelLevel level;
      level.mesh = viewer_->model().character.mesh, level.error = error;
      viewer_->models()[0].levels.push_back(level);
    }
    viewer_->frame_selected();
    viewer_->fade_seconds = 0;
    viewer_->playing().time_line().speed = 0;
  }
  void TearDown() override { unsetenv("SINEW_CONTROLS"); }

  /// Panels are complete in their third frame.
  void show(uint32_t width, uint32_t height) {
    width_ = width, height_ = height;
    for (int i = 0; i < 3; ++i) frame();
  }

  /// As the window does it. Time is no change that could be undone.
  void frame() {
    viewer_->take_number(0.01);
    viewer_->advance(0.01);
    draw_view_overlay(view_of(viewer_->camera, width_, height_), *viewer_, interface_);
  }

  static std::map<std::string, test::Area> controls() { return test::controls_in(test::controls_file()); }
  bool has(const std::string& name) { return controls().contains(name); }

  /// Presses the left button at a share of the control's width, and moves to another before it goes up.
  void drag(const std::string& name, float from, float to) {
    const auto all = controls();
    ASSERT_TRUE(all.contains(name)) << name;
    const test::Area area = all.at(name);
    const float shares[] = {from, from, (from + to) / 2, to, to, to, to, to};  // the height of lists takes two frames
    for (int i = 0; i < 8; ++i) {
      ImGui::GetIO().MousePos = {float(area.left) + shares[i] * float(area.right - area.left),
                                 float(area.top + area.bottom) / 2};
      ImGui::GetIO().MouseDown[0] = i > 0 && i < 4;
      frame();
    }
  }
  void click(const std::string& name) { drag(name, 0.5f, 0.5f); }

  /// "ctrl+shift+Z", "Home", "?"
  void key(std::string name) {
    KeyPress press;
    const auto with = [&](const char* modifier) {
      const bool is_there = name.starts_with(modifier);
      if (is_there) name.erase(0, std::string(modifier).size());
      return is_there;
    };
    press.control = with("ctrl+"), press.shift = with("shift+");
    press.key = key_named(name);
    viewer_->file_list ? press_key_of_list(*viewer_, press) : press_key(view_actions(), *viewer_, press);
    for (int i = 0; i < 3; ++i) frame();
  }

  /// Letters go to a text field that has the keys.
  void type(const std::string& letters) {
    for (int i = 0; i < 2; ++i) frame();  // it takes them some frames after it was chosen
    ImGui::GetIO().AddInputCharactersUTF8(letters.c_str());
    for (int i = 0; i < 2; ++i) frame();
  }
  static void hold_control(bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyCtrl = down;
#else
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
#endif
  }
  /// Enter or Escape, for the text field.
  void end_typing(ImGuiKey key) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
    io.KeyMap[key] = int(key) + 1;
    for (const bool down : {true, false}) io.KeysDown[int(key) + 1] = down, frame();
#else
    for (const bool down : {true, false}) io.AddKeyEvent(ImGuiKey(key), down), frame();
#endif
  }

  /// "click bones"; "ctrl-click clip 3"; "choose colors: influences", of a list; "drag level 0 1"; "key Home"
  void use(const std::string& action) {
    const size_t space = action.find(' ');
    const std::string how = action.substr(0, space), what = action.substr(space + 1);
    if (how == "key") return key(what);
    if (how == "click") return click(what);
    if (how == "ctrl-click") {
      hold_control(true);
      click(what);
      hold_control(false);
      return frame();
    }
    if (how == "choose") {
      click(what.substr(0, what.find(": ")));
      return click(what);
    }
    const size_t to = what.rfind(' '), from = what.rfind(' ', to - 1);
    drag(what.substr(0, from), std::stof(what.substr(from)), std::stof(what.substr(to)));
  }

  Interface interface_{1};
  uint32_t width_ = 1200, height_ = 1800;
};

TimeLine& line_in(Viewer& v) { return v.playing().time_line(); }
bool is_at(Viewer& v, float seconds) { return std::abs(clip_seconds(line_in(v)) - seconds) < 3e-3f; }
bool looks(Viewer& v, float yaw, float pitch) {
  return std::abs(v.camera.yaw - yaw) < 1e-3f && std::abs(v.camera.pitch - pitch) < 1e-3f;
}
bool has_layer(Viewer& v, size_t index, uint32_t clip) {
  return v.playing().layers().size() > index && v.playing().layers()[index].clip == clip;
}

/// What a control or a key does, one after another.
struct Use {
  const char* action;
  bool (*is_done)(Viewer& v);  // null: it shows other controls
  bool is_undone = true;       // it is a setting
};
const Use kUses[] = {
    {"click bones", [](Viewer& v) { return v.shown.bones; }},
    {"click names", [](Viewer& v) { return v.shown.names; }},
    {"click axes", [](Viewer& v) { return v.shown.axes; }},
    {"click normals", [](Viewer& v) { return v.shown.normals; }},
    {"click tangents", [](Viewer& v) { return v.shown.tangents; }},
    {"click bounds of the clip", [](Viewer& v) { return v.shown.clip_bounds; }},
    {"click bounds of the pose", [](Viewer& v) { return v.shown.pose_bounds; }},
    {"click wireframe", [](Viewer& v) { return v.shown.wireframe; }},
    {"click handles of limbs", [](Viewer& v) { return v.shown.handles; }},
    {"key B", [](Viewer& v) { return !v.shown.bones; }},
    {"key N", [](Viewer& v) { return !v.shown.names; }},
    {"key X", [](Viewer& v) { return !v.shown.axes; }},
    {"key V", [](Viewer& v) { return !v.shown.wireframe; }},
    {"key T", [](Viewer& v) { return !v.shown.handles; }},
    {"choose colors: influences", [](Viewer& v) { return v.shown.colors == DataColors::kInfluences; }},
    {"choose colors: weight of joint", [](Viewer& v) { return v.shown.colors == DataColors::kJointWeight; }},
    {"choose colors: lost weight", [](Viewer& v) { return v.shown.colors == DataColors::kLostWeight; }},
    {"choose colors: level of detail", [](Viewer& v) { return v.shown.colors == DataColors::kLevel; }},
    {"key I", [](Viewer& v) { return v.shown.colors == DataColors::kMaterials; }},
    {"drag level 0.02 0.98", [](Viewer& v) { return v.shown.level == 2; }},
    {"click own size", [](Viewer& v) { return v.shown.own_size; }},
    {"click Frame", [](Viewer& v) { return !v.shown.own_size; }},
    {"key Z", [](Viewer& v) { return v.shown.own_size; }},
    {"key F", [](Viewer& v) { return !v.shown.own_size; }},
    {"key J", [](Viewer& v) { return v.shown.level == 0; }},
    {"click tab Joints", nullptr, false},
    {"click joint spine_1", [](Viewer& v) { return v.shown.selected_joint != kNoJoint; }},
    {"click tab Show", nullptr, false},
    {"click camera Front", [](Viewer& v) { return looks(v, 0, 0.08f); }, false},
    {"click camera Back", [](Viewer& v) { return looks(v, 3.1416f, 0.08f); }, false},
    {"click camera Left", [](Viewer& v) { return looks(v, 1.5708f, 0.08f); }, false},
    {"click camera Right", [](Viewer& v) { return looks(v, -1.5708f, 0.08f); }, false},
    {"click camera Top", [](Viewer& v) { return looks(v, 0, 1.5f); }, false},
    {"click camera 3/4", [](Viewer& v) { return looks(v, 0.55f, 0.22f); }, false},
    {"key ctrl+2", [](Viewer& v) { return looks(v, 0, 0.08f); }, false},
    {"key ctrl+6", [](Viewer& v) { return looks(v, 0, 1.5f); }, false},
    {"key ctrl+1", [](Viewer& v) { return looks(v, 0.55f, 0.22f); }, false},
    {"click clip 3", [](Viewer& v) { return v.playing().clip() == 3u; }},
    {"key Tab", [](Viewer& v) { return v.playing().clip() == 4u; }},
    {"key shift+Tab", [](Viewer& v) { return v.playing().clip() == 3u; }},
    {"key 2", [](Viewer& v) { return v.playing().clip() == 2u; }},
    {"key 1", [](Viewer& v) { return v.typed == "1"; }, false},  // it may become 10 to 19
    {"key Enter", [](Viewer& v) { return v.typed.empty() && v.playing().clip() == 1u; }},
    {"key 4", [](Viewer& v) { return v.playing().clip() == 4u; }},
    {"choose blend with: wave", [](Viewer& v) { return v.playing().blend() && v.playing().blend()->clip == 5; }},
    {"drag blend 0.5 0.95", [](Viewer& v) { return v.playing().blend()->weight > 0.8f; }},
    {"click in phase", [](Viewer& v) { return !v.playing().blend()->in_phase; }},
    {"ctrl-click clip 0", [](Viewer& v) { return v.playing().blend()->clip == 0; }},
    {"ctrl-click clip 0", [](Viewer& v) { return !v.playing().blend(); }},
    {"choose blend with: walk", [](Viewer& v) { return v.playing().blend() && v.playing().blend()->clip == 4; }},
    {"choose blend with: none", [](Viewer& v) { return !v.playing().blend(); }},
    {"choose add layer: wave", [](Viewer& v) { return has_layer(v, 0, 5); }},
    {"choose layer 0 clip: idle", [](Viewer& v) { return has_layer(v, 0, 2); }},
    {"choose layer 0 mode: additive", [](Viewer& v) { return v.playing().layers()[0].mode == LayerMode::kAdditive; }},
    {"drag layer 0 weight 0.6 0.1", [](Viewer& v) { return v.playing().layers()[0].weight < 0.5f; }},
    {"click layer 0 in phase", [](Viewer& v) { return v.playing().layers()[0].in_phase; }},
    {"click tab Joints", nullptr, false},
    {"click joint pelvis", [](Viewer& v) { return v.shown.selected_joint != v.playing().layers()[0].joint; }},
    {"click layer 0 joint", [](Viewer& v) { return v.shown.selected_joint == v.playing().layers()[0].joint; }},
    {"click layer 0 drop", [](Viewer& v) { return v.playing().layers().empty(); }},
    {"key L", [](Viewer& v) { return v.typing_layer; }, false},
    {"key 5", [](Viewer& v) { return has_layer(v, 0, 5); }},
    {"key K", [](Viewer& v) { return v.playing().layers().empty(); }},
    {"choose repeat: once", [](Viewer& v) { return line_in(v).looping == Looping::kClamp; }},
    {"choose repeat: ping-pong", [](Viewer& v) { return line_in(v).looping == Looping::kPingPong; }},
    {"key P", [](Viewer& v) { return line_in(v).looping == Looping::kClamp; }},
    {"choose root motion: removed", [](Viewer& v) { return v.playing().root_motion() == RootMotion::kRemoved; }},
    {"key M", [](Viewer& v) { return v.playing().root_motion() == RootMotion::kApplied; }},
    {"drag speed 0.3 0.95", [](Viewer& v) { return line_in(v).speed == 2; }},
    {"key -", [](Viewer& v) { return line_in(v).speed == 1.75f; }},
    {"key =", [](Viewer& v) { return line_in(v).speed == 2; }},
    {"drag fade 0.02 0.5", [](Viewer& v) { return v.fade_seconds > 0.9f && v.fade_seconds < 1.5f; }},
    {"drag range 0.1 0.4", [](Viewer& v) { return line_in(v).start_seconds > 0.1f; }},
    {"key End", [](Viewer& v) { return is_at(v, line_in(v).end_seconds) && !line_in(v).playing; }, false},
    {"key Home", [](Viewer& v) { return is_at(v, line_in(v).start_seconds); }, false},
    {"key Right", [](Viewer& v) { return is_at(v, line_in(v).start_seconds + 1 / 30.0f); }, false},
    {"key Left", [](Viewer& v) { return is_at(v, line_in(v).start_seconds); }, false},
    {"click Step forward", [](Viewer& v) { return is_at(v, line_in(v).start_seconds + 1 / 30.0f); }, false},
    {"click Step back", [](Viewer& v) { return is_at(v, line_in(v).start_seconds); }, false},
    {"drag time line 0.1 0.75", [](Viewer& v) { return is_at(v, 0.75f * line_in(v).clip_end_seconds); }, false},
    {"click Play", [](Viewer& v) { return line_in(v).playing; }, false},
    {"key Space", [](Viewer& v) { return !line_in(v).playing; }, false},
    {"click crowd evaluator", [](Viewer& v) { return v.shown.crowd_evaluator; }},
    {"key C", [](Viewer& v) { return !v.shown.crowd_evaluator; }},
    {"click Clips", nullptr, false},
    {"click Morph targets", nullptr, false},
    {"drag weight 2 0.02 0.95", [](Viewer& v) { return v.weight_overrides()[2] > 0.8f; }},
    {"click reset weight 2", [](Viewer& v) { return !v.weight_overrides()[2]; }},
    {"drag weight 0 0.02 0.95", [](Viewer& v) { return v.weight_overrides()[0] > 0.8f; }},
    {"click reset weights", [](Viewer& v) { return !v.weight_overrides()[0]; }},
    {"click tab Show", nullptr, false},
    {"click Save picture", [](Viewer& v) { return std::exchange(v.save_picture, false); }, false},
    {"key O", [](Viewer& v) { return v.save_picture; }, false},
    {"key R", [](Viewer& v) { return v.capture; }, false},
    {"key H", [](Viewer& v) { return v.hidden; }, false},
};

TEST_F(ViewPanels, EachControlAndKeySetsWhatItSaysAndIsUndone) {
  show(width_, height_);
  std::vector<Settings> states = {viewer_->settings()};
  std::vector<const char*> changes;
  for (const Use& each : kUses) {
    EXPECT_FALSE(each.is_done && each.is_done(*viewer_)) << each.action;
    use(each.action);
    if (HasFatalFailure()) return;
    EXPECT_TRUE(!each.is_done || each.is_done(*viewer_)) << each.action;
    EXPECT_EQ(viewer_->message.text(), "") << each.action;
    EXPECT_EQ(viewer_->settings() == states.back(), !each.is_undone) << each.action;
    if (!each.is_undone) continue;
    states.push_back(viewer_->settings()), changes.push_back(each.action);
  }
  for (size_t i = changes.size(); i-- > 0;) {
    key("ctrl+Z");
    EXPECT_TRUE(viewer_->settings() == states[i]) << changes[i];
  }
  key("ctrl+Z");
  EXPECT_EQ(viewer_->message.text(), "nothing to undo");
  for (size_t i = 0; i < changes.size(); ++i) {
    key(i % 2 == 0 ? "ctrl+Y" : "ctrl+shift+Z");
    EXPECT_TRUE(viewer_->settings() == states[i + 1]) << changes[i];
  }
  key("ctrl+Y");
  EXPECT_EQ(viewer_->message.text(), "nothing to redo");
}

TEST_F(ViewPanels, EachKeyOfTheListDoesSomething) {
  std::set<std::pair<Key, bool>> keys;
  for (const Action<Viewer>& action : view_actions()) {
    EXPECT_EQ(action.press == nullptr, action.codes.empty()) << action.keys;
    for (const Key key : action.codes) EXPECT_TRUE(keys.insert({key, action.control}).second) << action.keys;
  }
}

TEST_F(ViewPanels, WireframeIsOfferedWhereTheDeviceDrawsIt) {
  viewer_->can_draw_wireframe = false;
  show(width_, height_);
  click("wireframe");
  EXPECT_FALSE(viewer_->shown.wireframe);
}

TEST_F(ViewPanels, TheListOfClipsIsFilteredAndFillsThePanel) {
  show(800, 600);
  const float panel_end = 600 - 62 - 2 * 8;  // above the time line and two margins
  const float end = controls()["Morph targets"].bottom;
  EXPECT_TRUE(end > panel_end - 24 && end <= panel_end) << end << ": the list is as high as the panel leaves it";
  key("ctrl+F");
  type("Wav");
  EXPECT_FALSE(has("clip 0"));
  end_typing(ImGuiKey_Enter);
  EXPECT_EQ(viewer_->playing().clip(), 5u) << "the first clip that fits";
  EXPECT_EQ(viewer_->filter, "Wav");
  key("/");
  type("xyz");
  EXPECT_TRUE(has("no clip"));
  end_typing(ImGuiKey_Escape);
  EXPECT_TRUE(viewer_->filter.empty());
}

TEST_F(ViewPanels, EscapeTakesBackOneThingAfterAnother) {
  show(800, 600);
  viewer_->help = true, viewer_->filter = "walk", viewer_->shown.selected_joint = 3;
  key("L");
  key("1");
  const auto left = [&] {
    key("Escape");
    return int(viewer_->help) + int(viewer_->typing_layer || !viewer_->typed.empty()) + int(!viewer_->filter.empty()) +
           int(viewer_->shown.selected_joint != kNoJoint);
  };
  for (const int count : {3, 2, 1, 0}) {
    EXPECT_EQ(left(), count);
    EXPECT_EQ(viewer_->message.text(), "");
  }
  key("Escape");
  EXPECT_THAT(viewer_->message.text(), ::testing::HasSubstr("Ctrl+Q"));
  click("colors");
  EXPECT_TRUE(has("colors: influences") && interface_.takes_keys());
  end_typing(ImGuiKey_Escape);
  frame();
  EXPECT_FALSE(has("colors: influences") || interface_.takes_keys()) << "a list that is open";
}

TEST_F(ViewPanels, AMessageGoesAwayWhenItWasReadAndAProblemWhenItIsSolved) {
  show(800, 600);
  const auto is_there = [&](double seconds) {
    viewer_->message.advance(seconds);
    frame();
    return has("message");
  };
  viewer_->problem = "crowd.frag:3: error: 'colr' : undeclared identifier";
  for (const auto& [text, seconds] : {std::pair(std::string("nothing to undo"), 3), {std::string(90, 'a'), 6}}) {
    viewer_->message = text;
    EXPECT_TRUE(is_there(100)) << "what was done before the first frame that shows it took long";
    for (int second = 2; second < seconds; ++second) EXPECT_TRUE(is_there(1)) << second;
    EXPECT_TRUE(is_there(0.9));
    EXPECT_FALSE(is_there(0.2));
    EXPECT_TRUE(has("problem"));
  }
  viewer_->problem.clear();
  frame();
  EXPECT_FALSE(has("problem"));
}

TEST_F(ViewPanels, HelpOpensAndCloses) {
  show(800, 600);
  for (const char* name : {"F1", "?"}) {
    key(name);
    EXPECT_TRUE(has("help"));
    key(name);
    EXPECT_FALSE(has("help")) << name;
  }
  click("Help");
  EXPECT_TRUE(has("help"));
  key("Escape");
  EXPECT_FALSE(has("help"));
  viewer_->hidden = true;
  key("F1");
  EXPECT_TRUE(has("help")) << "of hidden panels too";
}

TEST_F(ViewPanels, OfASmallWindowAreTitles) {
  show(640, 420);
  EXPECT_TRUE(has("panel Playing") && has("panel View"));
  EXPECT_FALSE(has("bones") || has("Clips"));
  const test::Area title = controls()["panel View"];
  const float share = 10 / float(title.right - title.left);
  drag("panel View", share, share);
  EXPECT_TRUE(has("bones"));
  key("H");
  EXPECT_FALSE(has("panel View"));
}

TEST_F(ViewPanels, TheImportPanelSaysWhatWasComputed) {
  viewer_->models()[0].report.computed_normals = 16;
  show(800, 600);
  click("tab Import");
  EXPECT_TRUE(has("Computed") && has("import item"));
  EXPECT_FALSE(has("bones"));
}

TEST_F(ViewPanels, TheListOpensFilesAndKnowsTheLastOnes) {
  const test::CacheFolder cache;
  const test::Folder folder;
  for (const char* name : {"alpha.glb", "beta.glb", "notes.txt"}) test::write(folder.path(name), "");
  const std::string gone = folder.path("gone.glb");
  add_recent_file(gone);
  viewer_->files = {folder.path("alpha.glb")};
  show(800, 600);
  key("ctrl+O");
  frame();
  EXPECT_TRUE(has("file beta.glb") && has("file " + gone) && has("file .."));
  EXPECT_FALSE(has("file notes.txt"));
  key("Enter");  // the last file, which is selected, is gone
  EXPECT_TRUE(has("problem"));
  EXPECT_FALSE(has("file " + gone));
  key("Escape");
  EXPECT_FALSE(has("file filter"));
  click("open");
  frame();
  type("bet");
  EXPECT_TRUE(has("file beta.glb"));
  EXPECT_FALSE(has("file alpha.glb"));
  key("Backspace");
  EXPECT_EQ(viewer_->file_list->folder().string(), std::filesystem::path(folder.path("x")).parent_path())
      << "it is for the filter";
  key("Enter");
  EXPECT_THAT(viewer_->open, ::testing::ElementsAre(folder.path("beta.glb")));
  EXPECT_FALSE(viewer_->file_list);
  key("ctrl+O");
  for (const char* name : {"Down", "Down", "Up"}) key(name);
  EXPECT_EQ(viewer_->file_list->selected(), 1u);
  key("Backspace");
  EXPECT_EQ(viewer_->file_list->folder(), std::filesystem::path(folder.path("x")).parent_path().parent_path());
  frame();
  click("cancel file");
  EXPECT_FALSE(viewer_->file_list);
}

}  // namespace
}  // namespace sinew::app
