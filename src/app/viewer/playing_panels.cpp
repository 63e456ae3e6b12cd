// The panels of what plays: clips, playback, layers, and the time line, in which dragging scrubs.
#include <imgui.h>

#include <algorithm>

#include "system/text.h"
#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr ImU32 kBar = IM_COL32(52, 56, 66, 255), kRange = IM_COL32(74, 96, 130, 255),
                kKey = IM_COL32(205, 180, 110, 200), kNow = IM_COL32(255, 92, 60, 255),
                kMarker = IM_COL32(120, 220, 140, 255);
constexpr float kMarkerPixels = 4;  // half the width of its mark
constexpr float kPixelsPerKey = 3;  // keys closer than that are thinned
const std::string kLoopings[] = {"once", "loop", "ping-pong"}, kRootMotions[] = {"kept", "removed", "applied"},
                  kLayerModes[] = {"override", "additive"};

void draw_transport(TimeLine& line) {
  if (add_button(line.playing ? "Pause###play" : "Play ###play", "Play")) toggle_playing(line);
  ImGui::SameLine();
  if (add_button("< Step", "Step back")) step(line, -1);
  ImGui::SameLine();
  if (add_button("Step >", "Step forward")) step(line, 1);
}

void draw_range(TimeLine& line) {
  float start = line.start_seconds, end = line.end_seconds;
  const bool changed = ImGui::DragFloatRange2("range", &start, &end, 0.01f, line.clip_start_seconds,
                                              line.clip_end_seconds, "%.2f", "%.2f", ImGuiSliderFlags_AlwaysClamp);
  mark_control("range");
  if (changed) set_range(line, start, end);
}

void draw_evaluator(Viewer& viewer) {
  add_check("crowd evaluator", viewer.shown.crowd_evaluator);
  if (!viewer.shown.crowd_evaluator) return;
  add_text("largest difference " + rounded(double(viewer.difference_meters) * 1e3) + " mm, character " +
               rounded(double(viewer.model().height)) + " m tall",
           "difference");
}

std::string joint_name(const Viewer& viewer, int32_t joint) {
  if (joint == kNoJoint) return "all joints";
  return printable(viewer.model().character.skeleton.joint_names[size_t(joint)]);
}

/// Replacing the clip of a layer starts it again.
void draw_layer(Viewer& viewer, std::span<const std::string> clips, ViewLayer& layer, size_t index) {
  const std::string mark = text("layer %zu ", index);
  const int32_t selected = viewer.shown.selected_joint;
  ImGui::Separator();
  if (add_list("clip", mark + "clip", clips, layer.clip)) layer.seconds = 0;
  add_slider("weight", layer.weight, 0, 1, "%.2f", mark + "weight");
  add_list("mode", mark + "mode", kLayerModes, layer.mode);
  add_text("moves " + joint_name(viewer, layer.joint) + (layer.joint == kNoJoint ? "" : " and below"));
  if (selected != layer.joint) {
    if (ImGui::SmallButton(text("move %s", joint_name(viewer, selected).c_str()).c_str())) layer.joint = selected;
    mark_control(mark + "joint");
  }
  add_check("in phase", layer.in_phase, true, mark + "in phase");
  ImGui::SameLine();
  if (layer.dropped) return ImGui::TextDisabled("fades out: %.2f", double(layer.presence));
  const bool drop = ImGui::SmallButton("Drop");
  mark_control(mark + "drop");
  if (drop) viewer.drop_layer(index);
}

/// The bar of the time line, in pixels.
struct Bar {
  ImVec2 low, high;
  const TimeLine& line;

  float at(float seconds) const {
    const float span = line.clip_end_seconds - line.clip_start_seconds;
    const float share = span > 0 ? std::clamp((seconds - line.clip_start_seconds) / span, 0.0f, 1.0f) : 0;
    return low.x + (high.x - low.x) * share;
  }
  float seconds_at(float x) const {
    const float share = std::clamp((x - low.x) / (high.x - low.x), 0.0f, 1.0f);
    return line.clip_start_seconds + (line.clip_end_seconds - line.clip_start_seconds) * share;
  }
};

void draw_bar(const Bar& bar, const Clip& clip) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(bar.low, bar.high, kBar, 3);
  list.AddRectFilled({bar.at(bar.line.start_seconds), bar.low.y}, {bar.at(bar.line.end_seconds), bar.high.y}, kRange,
                     3);
  const size_t most = size_t(std::max((bar.high.x - bar.low.x) / kPixelsPerKey, 1.0f));
  const float middle = (bar.low.y + bar.high.y) / 2;
  for (float key : key_times(clip, most)) list.AddLine({bar.at(key), middle}, {bar.at(key), bar.high.y}, kKey);
  const float now = bar.at(clip_seconds(bar.line));
  list.AddRectFilled({now - 1.5f, bar.low.y - 2}, {now + 1.5f, bar.high.y + 2}, kNow);
}

/// A triangle at the upper edge for each marker; the mouse shows the name of the nearest one.
void draw_markers(const Bar& bar, std::span<const Marker> markers, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float half = kMarkerPixels * scale;
  for (const Marker& marker : markers) {
    const float x = bar.at(marker.time_seconds);
    list.AddTriangleFilled({x - half, bar.low.y - 2}, {x + half, bar.low.y - 2}, {x, bar.low.y + 1.6f * half}, kMarker);
    list.AddLine({x, bar.low.y}, {x, bar.high.y}, kMarker);
  }
  if (!ImGui::IsItemHovered()) return;
  const float mouse = ImGui::GetIO().MousePos.x, reach = bar.seconds_at(mouse + 2 * half) - bar.seconds_at(mouse);
  if (const Marker* marker = marker_at(markers, bar.seconds_at(mouse), reach))
    ImGui::SetTooltip("%s  %.3f s", printable(marker->name).c_str(), double(marker->time_seconds));
}

}  // namespace

void draw_playing_panel(Viewer& viewer) {
  draw_clips(viewer);
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * kControlShare);
  TimeLine& line = viewer.playing().time_line();
  draw_transport(line);
  add_slider("speed", line.speed, -kMaxSpeed, kMaxSpeed, "%.2f", "speed");
  Looping looping = line.looping;
  if (add_list("repeat", "repeat", kLoopings, looping)) set_looping(line, looping);
  draw_range(line);
  add_slider("fade", viewer.fade_seconds, 0, 2, "%.2f s", "fade");
  RootMotion mode = viewer.playing().root_motion();
  if (add_list("root", "root motion", kRootMotions, mode)) viewer.set_root_motion(mode);
  ImGui::PopItemWidth();
  draw_evaluator(viewer);
}

void draw_layers_panel(Viewer& viewer) {
  Playing& playing = viewer.playing();
  if (!playing.clip()) return add_text("Without clips there are no layers.");
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * kControlShare);
  std::vector<std::string> clips;
  for (uint32_t i = 0; i < playing.clip_count(); ++i)
    clips.push_back(printable(viewer.model().character.clips[i].name));
  const int added = add_list("add", "add layer", "for " + joint_name(viewer, viewer.joint_of_new_layer()), clips);
  if (added >= 0) viewer.add_layer(uint32_t(added));
  for (size_t i = 0; i < playing.layers().size(); ++i) {
    ImGui::PushID(int(i));
    draw_layer(viewer, clips, playing.layers()[i], i);
    ImGui::PopID();
  }
  ImGui::PopItemWidth();
}

void draw_time_line(Viewer& viewer, float scale) {
  Playing& playing = viewer.playing();
  if (!playing.clip()) return ImGui::TextUnformatted("No clip: the rest pose");
  TimeLine& line = playing.time_line();
  const Clip& clip = viewer.model().character.clips[*playing.clip()];
  ImGui::Text("%s  %.3f / %.3f s%s", printable(clip.name).c_str(), double(clip_seconds(line)),
              double(line.clip_end_seconds), line.playing ? "" : "  paused");
  const ImVec2 low = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float height = std::max(room.y, 12 * scale);
  ImGui::InvisibleButton("time line", {std::max(room.x, 1.0f), height});
  mark_control("time line");
  const Bar bar{{low.x, low.y + 2}, {low.x + room.x, low.y + height - 2}, line};
  if (ImGui::IsItemActive()) {
    line.playing = false;
    seek(line, bar.seconds_at(ImGui::GetIO().MousePos.x));
  }
  draw_bar(bar, clip);
  draw_markers(bar, viewer.markers(), scale);
}

}  // namespace sinew::app
