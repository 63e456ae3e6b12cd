#include "overlay/view_panels.h"

#include <algorithm>

namespace sinew::app {
namespace {

constexpr float kSpeedStep = 0.25f;

TimeLine& line_of(Viewer& viewer) { return viewer.playing().time_line(); }

void toggle(bool& value) { value = !value; }

template <class Choice>
Choice next_of(Choice choice, size_t count) {
  return Choice((size_t(choice) + 1) % count);
}

std::vector<Key> keys_of(std::string_view letters) {
  std::vector<Key> keys;
  for (char letter : letters) keys.push_back(Key(letter));
  return keys;
}

void go_to_end(TimeLine& line) {
  seek(line, line.end_seconds);
  line.playing = false;
}

void drop_last_layer(Viewer& viewer) {
  const auto layers = viewer.playing().layers();
  for (size_t i = layers.size(); i-- > 0;) {
    if (!layers[i].dropped) return viewer.drop_layer(i);
  }
}

}  // namespace

std::span<const Action> view_actions() {
  using V = Viewer;
  using Press = KeyPress;
  static const std::vector<Action> actions = {
      {"0-9", "clip by its number", keys_of("0123456789"),
       [](V& v, size_t key, const Press& press) {
         if (!press.control) v.type_digit(uint32_t(key));
       }},
      {"Enter", "ends a number", {Key::kEnter}, [](V& v, size_t, const Press&) { v.typing_seconds = 0; }},
      {"Tab",
       "next clip; with Shift previous",
       {Key::kTab},
       [](V& v, size_t, const Press& press) { v.choose_neighbor(press.shift ? -1 : 1); }},
      {"Space", "play, pause", {Key::kSpace}, [](V& v, size_t, const Press&) { toggle_playing(line_of(v)); }},
      {"Left, Right",
       "a step of 1/30 s",
       {Key::kLeft, Key::kRight},
       [](V& v, size_t key, const Press&) { step(line_of(v), key == 0 ? -1 : 1); }},
      {"Home, End",
       "start, end",
       {Key::kHome, Key::kEnd},
       [](V& v, size_t key, const Press&) {
         TimeLine& line = line_of(v);
         key == 0 ? seek(line, line.start_seconds) : go_to_end(line);
       }},
      {"- +", "speed", keys_of("-="),
       [](V& v, size_t key, const Press&) {
         float& speed = line_of(v).speed;
         speed = std::clamp(speed + (key == 0 ? -kSpeedStep : kSpeedStep), -kMaxSpeed, kMaxSpeed);
       }},
      {"P", "repeat: loop, ping-pong, once", keys_of("P"),
       [](V& v, size_t, const Press&) { set_looping(line_of(v), next_of(line_of(v).looping, 3)); }},
      {"L, then 0-9", "add a layer: the clip of this number", keys_of("L"),
       [](V& v, size_t, const Press&) { v.typing_layer = !v.typing_layer && v.playing().clip_count() > 0; }},
      {"K", "drop the last layer", keys_of("K"), [](V& v, size_t, const Press&) { drop_last_layer(v); }},
      {"M", "root motion", keys_of("M"),
       [](V& v, size_t, const Press&) { v.set_root_motion(next_of(v.playing().root_motion(), 3)); }},
      {"C", "exact or crowd evaluator", keys_of("C"),
       [](V& v, size_t, const Press&) { toggle(v.shown.crowd_evaluator); }},
      {"B N X", "bones, names, axes", keys_of("BNX"),
       [](V& v, size_t key, const Press&) {
         constexpr bool Shown::*kFlags[] = {&Shown::bones, &Shown::names, &Shown::axes};
         toggle(v.shown.*kFlags[key]);
       }},
      {"I", "colors: what they show", keys_of("I"),
       [](V& v, size_t, const Press&) { v.shown.colors = next_of(v.shown.colors, std::size(kShownColors)); }},
      {"J", "level of detail", keys_of("J"),
       [](V& v, size_t, const Press&) { v.shown.level = next_of(v.level_of(v.selected()), v.model().levels.size()); }},
      {"V", "wireframe", keys_of("V"), [](V& v, size_t, const Press&) { toggle(v.shown.wireframe); }},
      {"F", "frame the character", keys_of("F"), [](V& v, size_t, const Press&) { v.frame_selected(); }},
      {"1-6 with Ctrl", "camera presets", keys_of("123456"),
       [](V& v, size_t key, const Press& press) {
         if (press.control) turn_to(kCameraPresets[key], v.camera);
       }},
      {"W A S D Q E", "fly", {}},
      {"H", "hide the panels", keys_of("H"), [](V& v, size_t, const Press&) { toggle(v.hidden); }},
      {"O", "save a picture", keys_of("O"), [](V& v, size_t, const Press&) { v.save_picture = true; }},
      {"R", "capture a frame with RenderDoc", keys_of("R"), [](V& v, size_t, const Press&) { v.capture = true; }},
      {"Esc", "close", {Key::kEscape}, [](V& v, size_t, const Press&) { v.close = true; }},
  };
  return actions;
}

void press_key(Viewer& viewer, const KeyPress& press) {
  for (const Action& action : view_actions()) {
    const auto key = std::find(action.codes.begin(), action.codes.end(), press.key);
    if (key != action.codes.end()) action.press(viewer, size_t(key - action.codes.begin()), press);
  }
}

}  // namespace sinew::app
