// The panel with the keys, and with what the mouse does.
#include <imgui.h>

#include <algorithm>

#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kWidth = 520, kHeight = 680;  // pixels at a scale of 1

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
  const bool open = begin_centered_panel("Keys and mouse", &viewer.help, kWidth, kHeight, scale);
  mark_panel("help");
  if (open) draw_actions();
  ImGui::End();
}

}  // namespace sinew::app
