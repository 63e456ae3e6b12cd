#include "overlay/choices.h"

#include <imgui.h>

#include "overlay/controls.h"

namespace sinew::app {
namespace {

/// The right edge of the panel's contents, as SetCursorPosX() takes it.
float right_edge() { return ImGui::GetWindowContentRegionMax().x; }

bool add_button(const Choice& choice, float width) {
  if (choice.chosen) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  if (choice.chosen) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(10, 12, 16, 255));
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding.x / 4, padding.y});
  const bool clicked = ImGui::Button(choice.word, {width, 0});
  ImGui::PopStyleVar();
  if (choice.chosen) ImGui::PopStyleColor(2);
  return clicked;
}

}  // namespace

int add_choices(const char* name, std::span<const Choice> choices, int columns) {
  const float left = ImGui::GetCursorPosX(), gap = ImGui::GetStyle().ItemSpacing.x / 2;
  const float start = left + kNameShare * (right_edge() - left);
  const float width = (right_edge() - start - gap * float(columns - 1)) / float(columns);
  int clicked = -1;
  ImGui::PushID(name);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name);
  for (int i = 0; i < int(choices.size()); ++i) {
    const int column = i % columns;
    if (i == 0 || column > 0) ImGui::SameLine();
    ImGui::SetCursorPosX(start + float(column) * (width + gap));
    if (add_button(choices[size_t(i)], width)) clicked = i;
    mark_control(std::string(name) + " " + choices[size_t(i)].word);
  }
  ImGui::PopID();
  return clicked;
}

int add_list(const char* name, const std::string& mark, const std::string& shown, std::span<const std::string> items) {
  const bool open = ImGui::BeginCombo(name, shown.c_str());
  mark_control(mark);
  if (!open) return -1;
  int clicked = -1;
  for (int i = 0; i < int(items.size()); ++i) {
    const std::string& item = items[size_t(i)];
    ImGui::PushID(i);  // items may have the same name
    if (ImGui::Selectable(item.c_str(), item == shown)) clicked = i;
    mark_control(mark + ": " + item);
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return clicked;
}

void add_check(const char* name, bool& value, Half half, bool enabled) {
  if (half == Half::kRight) {
    ImGui::SameLine();
    ImGui::SetCursorPosX((ImGui::GetCursorStartPos().x + right_edge()) / 2);
  }
  ImGui::BeginDisabled(!enabled);
  ImGui::Checkbox(name, &value);
  ImGui::EndDisabled();
  mark_control(name);
}

bool add_section(const char* name) {
  const bool open = ImGui::CollapsingHeader(name, ImGuiTreeNodeFlags_DefaultOpen);
  mark_control(name);
  return open;
}

void add_row(const char* name, const char* value) {
  ImGui::TextDisabled("%s", name);
  const float at = right_edge() - ImGui::CalcTextSize(value).x;
  const float name_end = ImGui::GetCursorPosX() + ImGui::CalcTextSize(name).x + ImGui::GetStyle().ItemSpacing.x;
  if (at >= name_end) ImGui::SameLine();
  ImGui::SetCursorPosX(at);
  ImGui::TextUnformatted(value);
}

}  // namespace sinew::app
