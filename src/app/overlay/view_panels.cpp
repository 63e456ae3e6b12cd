#include "overlay/view_panels.h"

#include <imgui.h>

#include <algorithm>

#include "overlay/controls.h"
#include "report/character_info.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kSideWidth = 264, kTimeLineHeight = 62;  // at a scale of 1, pixels
constexpr float kMaxSideShare = 0.36f;                                // of the picture's width
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Sizes of the panels in a picture, in pixels.
struct Layout {
  float margin, side, bottom;
};

Layout layout_of(float width, float height, float scale) {
  return {kMargin * scale, std::min(kSideWidth * scale, kMaxSideShare * width),
          std::min(kTimeLineHeight * scale, height / 4)};
}

/// A panel at this place, with what `draw` adds.
void add_panel(const char* name, ImVec2 at, ImVec2 size, ImGuiWindowFlags flags, const auto& draw) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  if (ImGui::Begin(name, nullptr, kPanelFlags | flags)) draw();
  ImGui::End();
}

void add_tab(const char* name, const auto& draw) {
  const bool open = ImGui::BeginTabItem(name);
  mark_control(text("tab %s", name));
  if (!open) return;
  draw();
  ImGui::EndTabItem();
}

void choose_character(Viewer& viewer) {
  if (viewer.models().size() < 2) return;
  std::vector<std::string> names;
  for (const Model& model : viewer.models()) names.push_back(printable(model.name));
  ImGui::SetNextItemWidth(-1);
  if (add_list("##character", "character", names, viewer.shown.character))
    viewer.shown.selected_joint = viewer.shown.hovered_joint = kNoJoint;
}

void draw_keys() {
  if (!ImGui::BeginTable("keys", 2)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
  for (const Action& action : view_actions()) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(action.keys);
    ImGui::TableNextColumn();
    add_text(action.does);
  }
  ImGui::EndTable();
}

void draw_left(Viewer& viewer) {
  choose_character(viewer);
  if (add_section("Clips")) draw_playing_panel(viewer);
  if (add_section("Layers")) draw_layers_panel(viewer);
  if (add_section("Keys", false)) draw_keys();
}

void draw_import_report(const ImportReport& report) {
  const std::vector<std::string> lines = import_items(report);
  if (lines.empty()) add_text("Nothing had to be repaired, computed or dropped.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    add_text(printable(line));
  }
}

void draw_right(Viewer& viewer) {
  if (!ImGui::BeginTabBar("tabs")) return;
  add_tab("Show", [&] { draw_show_panel(viewer); });
  add_tab("Joints", [&] { draw_joints_panel(viewer); });
  add_tab("Import", [&] { draw_import_report(viewer.model().report); });
  ImGui::EndTabBar();
}

/// The number that is typed, or else the message.
void draw_message(const Viewer& viewer, ImVec2 at, ImVec2 size) {
  const std::string& digits = viewer.number.digits();
  const bool typing = !digits.empty() || viewer.typing_layer;
  const std::string shown =
      typing ? text("%s %s_", viewer.typing_layer ? "layer" : "clip", digits.c_str()) : printable(viewer.message);
  if (shown.empty()) return;
  ImGui::SetNextWindowPos({at.x + size.x / 2, at.y}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, size);
  if (ImGui::Begin("##message", nullptr,
                   kPanelFlags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize)) {
    ImGui::PushTextWrapPos(size.x * 0.9f);
    ImGui::TextUnformatted(shown.c_str());
    ImGui::PopTextWrapPos();
    mark_control("message");
  }
  ImGui::End();
}

void draw_panels(Viewer& viewer, float scale) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto [margin, side, bottom] = layout_of(size.x, size.y, scale);
  const float height = size.y - bottom - 3 * margin;
  add_panel("Playing", {margin, margin}, {side, height}, 0, [&] { draw_left(viewer); });
  add_panel("View", {size.x - side - margin, margin}, {side, height}, 0, [&] { draw_right(viewer); });
  draw_message(viewer, {side + 2 * margin, margin}, {size.x - 2 * side - 4 * margin, height});
  add_panel("##time", {margin, size.y - bottom - margin}, {size.x - 2 * margin, bottom},
            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar, [&] { draw_time_line(viewer, scale); });
}

}  // namespace

void set_free_aspect(uint32_t width, uint32_t height, float scale, Viewer& viewer) {
  const Layout layout = layout_of(float(width), float(height), scale);
  const float taken = viewer.hidden ? 0 : 2 * (layout.side + layout.margin);
  viewer.free_aspect = (float(width) - taken) / float(std::max(height, 1u));
}

const Overlay& draw_view_overlay(const View& view, Viewer& viewer, Interface& interface) {
  interface.begin(view.width, view.height);
  set_free_aspect(view.width, view.height, interface.scale(), viewer);
  label_grid(view, viewer.models());
  if (!viewer.hidden) draw_panels(viewer, interface.scale());
  label_joints(view, viewer);  // after the panels, which find the joint under the mouse
  return interface.end();
}

}  // namespace sinew::app
