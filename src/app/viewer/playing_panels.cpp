// The panels of what plays: clips, playback, layers, and the time line, in which dragging scrubs.

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

// The list of clips, which is as high as the panel leaves it, the filter above it, and the blend of two clips below.

constexpr float kMinLines = 4.5f;  // of the list; where a panel has no room for them it scrolls
constexpr float kMinNameLetters = 8;
constexpr ImU32 kSecond = IM_COL32(150, 96, 40, 160);

void draw_filter(Viewer& viewer, std::span<const uint32_t> shown) {
  if (std::exchange(viewer.focus_filter, false)) focus_next_control();
  ImGui::SetNextItemWidth(-1);
  if (add_text_field("##filter", "filter: Ctrl+F", viewer.filter, "filter") && !shown.empty())
    viewer.choose_clip(shown.front());
}

void press_clip(Viewer& viewer, uint32_t index) {
  if (!ImGui::GetIO().KeyCtrl) return viewer.choose_clip(index);
  const ViewLayer* blend = viewer.playing().blend();
  viewer.blend_with(blend && blend->clip == index ? std::nullopt : std::optional(index));
}

/// A clip: its number, its name, which wraps where it is long, and its duration.
void draw_clip(Viewer& viewer, uint32_t index, size_t hidden_bytes) {
  const ViewLayer* blend = viewer.playing().blend();
  const bool is_base = index == viewer.playing().clip(), is_second = blend && blend->clip == index;
  const Clip& clip = viewer.model().character.clips[index];
  const std::string number = text("%2u", index), duration = text("%.2f s", double(clip.duration_seconds()));
  const std::string name = printable(clip.name.substr(hidden_bytes));
  const float letter = ImGui::CalcTextSize("0").x, gap = ImGui::GetStyle().ItemSpacing.x;
  const float number_end = ImGui::CalcTextSize("00").x + gap;
  const float room = ImGui::GetContentRegionAvail().x, duration_at = room - ImGui::CalcTextSize(duration.c_str()).x;
  const float wrap = std::max(room - number_end, kMinNameLetters * letter);
  const ImVec2 size = ImGui::CalcTextSize(name.c_str(), nullptr, false, wrap);
  const bool one_line = number_end + size.x + gap <= duration_at;  // else the duration is below the name
  const float below = one_line ? 0 : size.y, height = one_line ? size.y : size.y + ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(int(index));
  if (is_second && !is_base) ImGui::PushStyleColor(ImGuiCol_Header, kSecond);
  if (ImGui::Selectable("##clip", is_base || is_second, 0, {0, height})) press_clip(viewer, index);
  if (is_second && !is_base) ImGui::PopStyleColor();
  ImGui::PopID();
  mark_control(text("clip %u", index));
  if (hidden_bytes > 0 && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(clip.name).c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 plain = ImGui::GetColorU32(ImGuiCol_Text), dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  list.AddText(at, dim, number.c_str());
  list.AddText({at.x + duration_at, at.y + below}, dim, duration.c_str());
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + number_end, at.y}, plain, name.c_str(), nullptr, wrap);
}

/// Which clip is blended with that of the list, and how much of each is shown.
void draw_blend(Viewer& viewer, size_t hidden_bytes) {
  std::vector<std::string> names = {"none"};
  for (const Clip& clip : viewer.source_clips()) names.push_back(printable(clip.name.substr(hidden_bytes)));
  const ViewLayer* before = viewer.playing().blend();
  size_t chosen = before ? before->clip + 1 : 0;
  if (add_list("blend with", "blend with", names, chosen))
    viewer.blend_with(chosen > 0 ? std::optional(uint32_t(chosen - 1)) : std::nullopt);
  ViewLayer* blend = viewer.playing().blend();
  if (!blend) return;
  add_slider("blend", blend->weight, 0, 1, "%.2f", "blend");
  add_check("in phase", blend->in_phase);
}

// The panel of morph targets: a slider for each weight, which then takes the place of the clip's.

/// The name of a target and its weight as a format: the slider is as wide as the panel, and names are long.
std::string format_of(const MorphTarget& target, size_t index) {
  std::string format;
  for (const char letter : target.name.empty() ? text("target %zu", index) : printable(target.name))
    format += letter == '%' ? "%%" : std::string(1, letter);
  return format + "  %.2f";
}

void draw_target(Viewer& viewer, const MorphTarget& target, size_t index, float reset_width) {
  const std::optional<float>& set = viewer.weight_overrides()[index];
  const float before = viewer.pose(viewer.selected()).weights[index];
  float weight = before;
  ImGui::SetNextItemWidth(-reset_width);
  // Weights outside of 0 to 1 are rare and valid.
  add_slider("##weight", weight, std::min(0.0f, std::floor(before)), std::max(1.0f, std::ceil(before)),
             format_of(target, index).c_str(), text("weight %zu", index));
  if (weight != before) viewer.set_weight(index, weight);
  if (!set) return;
  ImGui::SameLine();
  if (add_button("x", text("reset weight %zu", index))) viewer.set_weight(index, {});
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

void draw_clips(Viewer& viewer) {
  const Playing& playing = viewer.playing();
  if (!playing.clip()) return add_text("The file has no clips: it is shown in the rest pose.");
  const std::vector<uint32_t> shown = viewer.shown_clips();
  draw_filter(viewer, shown);
  const float height = height_left(kMinLines * ImGui::GetTextLineHeightWithSpacing());
  ImGui::BeginChild("clips", {0, height}, true);
  if (shown.empty()) add_text("no clip has '" + printable(viewer.filter) + "'", "no clip");
  const size_t hidden_bytes = shared_front(viewer.source_clips());
  // The list scrolls to the clip where this or the height changes.
  const bool is_new = std::exchange(kept("clip", -1), float(*playing.clip())) != float(*playing.clip());
  const bool is_resized = std::exchange(kept("height"), height) != height;
  for (const uint32_t index : shown) {
    draw_clip(viewer, index, hidden_bytes);
    if (index == playing.clip() && (is_new || is_resized)) ImGui::SetScrollHereY();
  }
  ImGui::EndChild();
  begin_rest();
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * kControlShare);
  draw_blend(viewer, hidden_bytes);
  ImGui::PopItemWidth();
}

void draw_morph_panel(Viewer& viewer) {
  const std::vector<MorphTarget>& targets = viewer.model().character.mesh.targets;
  const bool none_is_set =
      std::ranges::none_of(viewer.weight_overrides(), [](auto& weight) { return weight.has_value(); });
  ImGui::BeginDisabled(none_is_set);
  if (add_button("Reset all", "reset weights")) viewer.reset_weights();
  ImGui::EndDisabled();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float reset_width = ImGui::CalcTextSize("x").x + 2 * style.FramePadding.x + style.ItemSpacing.x;
  for (size_t i = 0; i < targets.size(); ++i) {
    ImGui::PushID(int(i));
    draw_target(viewer, targets[i], i, reset_width);
    ImGui::PopID();
  }
}

}  // namespace sinew::app
