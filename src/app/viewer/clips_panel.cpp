// The list of clips, which is as high as the panel leaves it, the filter above it, and the blend of two clips below.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "system/text.h"
#include "viewer/clip_filter.h"
#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kMinLines = 4.5f;  // of the list; where a panel has no room for them it scrolls
constexpr float kMinNameLetters = 8;
constexpr ImU32 kSecond = IM_COL32(150, 96, 40, 160);

void draw_filter(Viewer& viewer, std::span<const uint32_t> shown) {
  if (std::exchange(viewer.focus_filter, false)) ImGui::SetKeyboardFocusHere();
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

}  // namespace

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

}  // namespace sinew::app
