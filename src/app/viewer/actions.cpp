#include "viewer/panels.h"

#include <algorithm>
#include <utility>

namespace sinew::app {
namespace {

constexpr float kSpeedStep = 0.25f;
constexpr bool Shown::*kKeyedFlags[] = {&Shown::bones, &Shown::names, &Shown::axes};

using Press = PressedKey;

TimeLine& line_of(Viewer& viewer) { return viewer.playing().time_line(); }

void toggle(bool& value) { value = !value; }

template <class Choice>
Choice next_of(Choice choice, size_t count) {
  return Choice((size_t(choice) + 1) % count);
}

/// Takes back what is open or half done: the first of these that there is.
void escape(Viewer& viewer) {
  if (std::exchange(viewer.help, false)) return;
  if (viewer.typing_layer || !viewer.typed.empty()) return viewer.typing_layer = false, viewer.typed.clear();
  if (!viewer.filter.empty()) return viewer.filter.clear();
  if (std::exchange(viewer.shown.selected_joint, kNoJoint) == kNoJoint) viewer.message = kHowToQuit;
}

void focus_filter(Viewer& viewer) {
  viewer.focus_filter = viewer.playing().clip_count() > 0;
  viewer.hidden = false;
}

/// The panels may be hidden.
void toggle_help(Viewer& viewer) {
  viewer.help = viewer.hidden || !viewer.help;
  viewer.hidden = false;
}

void go_to_end(TimeLine& line, bool start) {
  seek(line, start ? line.start_seconds : line.end_seconds);
  line.playing = line.playing && start;
}

void add_speed(TimeLine& line, float speed) { line.speed = std::clamp(line.speed + speed, -kMaxSpeed, kMaxSpeed); }

void drop_last_layer(Viewer& viewer) {
  const auto layers = viewer.playing().layers();
  for (size_t i = layers.size(); i-- > 0;) {
    if (!layers[i].dropped) return viewer.drop_layer(i);
  }
}

}  // namespace

std::span<const Action<Viewer>> view_actions() {
  using V = Viewer;
  static const std::vector<Action<Viewer>> actions = {
      {"0-9", "clip by its number", keys_of("0123456789"), [](V& v, Press p) { v.type_digit(uint32_t(p.index)); }},
      {"Enter", "ends a number", {Key::kEnter}, [](V& v, Press) { v.typing_seconds = 0; }},
      {"Tab",
       "next clip; with Shift previous",
       {Key::kTab},
       [](V& v, Press p) { v.choose_neighbor(p.shift ? -1 : 1); }},
      {"/", "filter the clips", keys_of("/"), [](V& v, Press) { focus_filter(v); }},
      {"Ctrl+F", "the same", keys_of("F"), [](V& v, Press) { focus_filter(v); }, true},
      {"Space", "play, pause", {Key::kSpace}, [](V& v, Press) { toggle_playing(line_of(v)); }},
      {"Left, Right", "a step of 1/30 s", {Key::kLeft, Key::kRight}, [](V& v, Press p) { step(line_of(v), p.sign()); }},
      {"Home, End", "start, end", {Key::kHome, Key::kEnd}, [](V& v, Press p) { go_to_end(line_of(v), p.index == 0); }},
      {"- +", "speed", keys_of("-="), [](V& v, Press p) { add_speed(line_of(v), kSpeedStep * float(p.sign())); }},
      {"P", "repeat: loop, ping-pong, once", keys_of("P"),
       [](V& v, Press) { set_looping(line_of(v), next_of(line_of(v).looping, 3)); }},
      {"L, then 0-9", "add a layer: the clip of this number", keys_of("L"),
       [](V& v, Press) { v.typing_layer = !v.typing_layer && v.playing().clip_count() > 0; }},
      {"K", "drop the last layer", keys_of("K"), [](V& v, Press) { drop_last_layer(v); }},
      {"M", "root motion", keys_of("M"), [](V& v, Press) { v.set_root_motion(next_of(v.playing().root_motion(), 3)); }},
      {"C", "exact or crowd evaluator", keys_of("C"), [](V& v, Press) { toggle(v.shown.crowd_evaluator); }},
      {"B N X", "bones, names, axes", keys_of("BNX"), [](V& v, Press p) { toggle(v.shown.*kKeyedFlags[p.index]); }},
      {"I", "colors: what they show", keys_of("I"),
       [](V& v, Press) { v.shown.colors = next_of(v.shown.colors, std::size(kShownColors)); }},
      {"J", "level of detail", keys_of("J"),
       [](V& v, Press) { v.set_level(next_of(v.level_of(v.selected()), v.model().level_count())); }},
      {"Z", "the level at its own size, or enlarged", keys_of("Z"),
       [](V& v, Press) { v.set_own_size(!v.shown.own_size); }},
      {"V", "wireframe", keys_of("V"), [](V& v, Press) { toggle(v.shown.wireframe); }},
      {"T", "handles: drag hands and feet", keys_of("T"), [](V& v, Press) { toggle(v.shown.handles); }},
      {"G", "let go of dragged limbs", keys_of("G"), [](V& v, Press) { v.let_go_of_limbs(); }},
      {"Ctrl+Z", "undo; with Shift redo", keys_of("Z"), [](V& v, Press p) { p.shift ? v.redo() : v.undo(); }, true},
      {"Ctrl+Y", "redo", keys_of("Y"), [](V& v, Press) { v.redo(); }, true},
      {"F", "frame the character", keys_of("F"), [](V& v, Press) { v.frame_selected(); }},
      {"Ctrl+1 to 6", "camera presets", keys_of("123456"),
       [](V& v, Press p) { turn_to(kCameraPresets[p.index], v.camera); }, true},
      {"W A S D Q E", "fly", {}},
      {"Drag", "turn the camera; on a handle: move the hand or foot", {}},
      {"Right or Shift, drag", "pan", {}},
      {"Wheel", "zoom", {}},
      {"Click", "on a joint, with bones or names shown: select it", {}},
      {"Drop files", "show them; clips without a mesh are played by the characters", {}},
      {"Ctrl+O", "open a file", keys_of("O"), [](V& v, Press) { v.show_file_list(); }, true},
      {"F1, ?", "this list", {Key::kF1, Key::kQuestionMark}, [](V& v, Press) { toggle_help(v); }},
      {"H", "hide the panels", keys_of("H"), [](V& v, Press) { toggle(v.hidden); }},
      {"O", "save a picture", keys_of("O"), [](V& v, Press) { v.save_picture = true; }},
      {"R", "capture a frame with RenderDoc", keys_of("R"), [](V& v, Press) { v.capture = true; }},
      {"Esc", "close this list, empty the filter, select no joint", {Key::kEscape}, [](V& v, Press) { escape(v); }},
      {"Ctrl+Q", "close the window", {}},
  };
  return actions;
}

}  // namespace sinew::app
