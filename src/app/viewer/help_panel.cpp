// The panel with the keys, and with what the mouse does.
#include <imgui.h>

#include <algorithm>

#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kWidth = 520, kHeight = 680, kMaxShare = 0.9f;  // at a scale of 1, pixels; of the picture

void draw_actions() {
  if (!ImGui::BeginTable("actions", 2)) return;
  float width = 0;
  for (const Action& action : view_actions()) width = std::max(width, ImGui::CalcTextSize(action.keys).x);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, width);
  for (const Action& action : view_actions()) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(action.keys);
    ImGui::TableNextColumn();
    add_text(action.does);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_help(Viewer& viewer, float scale) {
  if (!viewer.help) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(kWidth * scale, kMaxShare * size.x), std::min(kHeight * scale, kMaxShare * size.y)});
  const bool open = ImGui::Begin("Keys and mouse", &viewer.help,
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                     ImGuiWindowFlags_NoSavedSettings);
  mark_panel("help");
  if (open) draw_actions();
  ImGui::End();
}

}  // namespace sinew::app
