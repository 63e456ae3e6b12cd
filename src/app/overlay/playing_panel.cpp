// The panel of clips and playback.
#include <imgui.h>

#include "overlay/choices.h"
#include "overlay/controls.h"
#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kListLines = 7.5f;

void draw_clips(Viewer& viewer, ViewControls& controls) {
  Playing& playing = viewer.playing();
  if (playing.clip_count() == 0) {
    ImGui::TextWrapped("The file has no clips: it is shown in the rest pose.");
    return;
  }
  ImGui::BeginChild("clips", {0, kListLines * ImGui::GetTextLineHeightWithSpacing()}, true);
  const auto& clips = viewer.model().character.clips;
  const std::optional<uint32_t> now = playing.clip();
  static std::optional<uint32_t> before;
  for (uint32_t i = 0; i < playing.clip_count(); ++i) {
    const std::string label =
        text("%2u %6.2f s  %s##clip", i, clips[i].duration_seconds(), printable(clips[i].name).c_str());
    ImGui::PushID(int(i));
    if (ImGui::Selectable(label.c_str(), i == now)) choose_clip(viewer, controls, i);
    mark_control(text("clip %u", i));
    ImGui::PopID();
    if (i == now && now != before) ImGui::SetScrollHereY();
  }
  before = now;
  ImGui::EndChild();
}

void draw_transport(Viewer& viewer) {
  TimeLine& line = viewer.playing().time_line();
  if (ImGui::Button(line.playing ? "Pause###play" : "Play ###play")) {
    if (line.playing) {
      line.playing = false;
    } else {
      play(line);
    }
  }
  mark_control("Play");
  ImGui::SameLine();
  if (ImGui::Button("< Step")) step(line, -1);
  mark_control("Step back");
  ImGui::SameLine();
  if (ImGui::Button("Step >")) step(line, 1);
  mark_control("Step forward");
}

void draw_range(TimeLine& line) {
  float range[2] = {line.start_seconds, line.end_seconds};
  const float low = line.clip_start_seconds, high = line.clip_end_seconds;
  const bool changed = ImGui::DragFloatRange2("range", &range[0], &range[1], 0.01f, low, high, "%.2f", "%.2f",
                                              ImGuiSliderFlags_AlwaysClamp);
  mark_control("range");
  if (changed) set_range(line, range[0], range[1]);
}

void draw_looping(TimeLine& line) {
  const std::string names[] = {"once", "loop", "ping-pong"};
  Looping looping = line.looping;
  if (add_list("repeat", "repeat", names, looping)) set_looping(line, looping);
}

void draw_root_motion(Viewer& viewer, ViewControls& controls) {
  const std::string names[] = {"kept", "removed", "applied"};
  RootMotion mode = viewer.playing().root_motion();
  if (add_list("root", "root motion", names, mode)) set_root_motion(viewer, controls, mode);
}

void draw_evaluator(const Viewer& viewer, ViewControls& controls) {
  ImGui::Checkbox("crowd evaluator", &controls.crowd_evaluator);
  mark_control("crowd evaluator");
  if (!controls.crowd_evaluator) return;
  const double height = viewer.models()[viewer.selected()].height;
  ImGui::TextWrapped("largest difference %s mm, character %s m tall", rounded(controls.difference_meters * 1e3).c_str(),
                     rounded(height).c_str());
  mark_control("difference");
}

}  // namespace

void draw_playing_panel(Viewer& viewer, ViewControls& controls) {
  draw_clips(viewer, controls);
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.62f);
  draw_transport(viewer);
  TimeLine& line = viewer.playing().time_line();
  ImGui::SliderFloat("speed", &line.speed, -kMaxSpeed, kMaxSpeed, "%.2f");
  mark_control("speed");
  draw_looping(line);
  draw_range(line);
  ImGui::SliderFloat("fade", &viewer.fade_seconds, 0, 2, "%.2f s");
  mark_control("fade");
  draw_root_motion(viewer, controls);
  ImGui::PopItemWidth();
  draw_evaluator(viewer, controls);
}

}  // namespace sinew::app
