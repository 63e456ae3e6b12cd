#include "overlay/view_panels.h"

#include <imgui.h>

#include <algorithm>

#include "overlay/choices.h"
#include "overlay/controls.h"
#include "overlay/labels.h"
#include "report/character_info.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kSideWidth = 264, kTimeLineHeight = 62;  // at a scale of 1, pixels
constexpr float kMaxSideShare = 0.36f;                                // of the picture's width
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus;

struct Place {
  float left, top, width, height;
};

/// Sizes of the panels in a picture, in pixels.
struct Layout {
  float margin, side, bottom;
};

Layout layout_of(float width, float height, float scale) {
  return {kMargin * scale, std::min(kSideWidth * scale, kMaxSideShare * width),
          std::min(kTimeLineHeight * scale, height / 4)};
}

bool begin_panel(const char* name, const Place& place, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos({place.left, place.top});
  ImGui::SetNextWindowSize({std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  return ImGui::Begin(name, nullptr, kPanelFlags | flags);
}

void choose_character(Viewer& viewer) {
  if (viewer.models().size() < 2) return;
  std::vector<std::string> names;
  for (const Model& model : viewer.models()) names.push_back(printable(model.name));
  ImGui::SetNextItemWidth(-1);
  const int chosen = add_list("##character", "character", names[viewer.selected()], names);
  if (chosen >= 0) viewer.select(uint32_t(chosen));
}

void draw_keys() {
  constexpr const char* kKeys[][2] = {{"0-9", "clip by its number"},
                                      {"Tab", "next clip; with Shift previous"},
                                      {"Space", "play, pause"},
                                      {"Left, Right", "a step of 1/30 s"},
                                      {"Home, End", "start, end"},
                                      {"- +", "speed"},
                                      {"P", "repeat: loop, ping-pong, once"},
                                      {"L, then 0-9", "add a layer: the clip of this number"},
                                      {"K", "drop the last layer"},
                                      {"M", "root motion"},
                                      {"C", "exact or crowd evaluator"},
                                      {"B N X", "bones, names, axes"},
                                      {"I", "colors: what they show"},
                                      {"J", "level of detail"},
                                      {"V", "wireframe"},
                                      {"F", "frame the character"},
                                      {"1-6 with Ctrl", "camera presets"},
                                      {"W A S D Q E", "fly"},
                                      {"H", "hide the panels"},
                                      {"O", "save a picture"},
                                      {"R", "capture a frame with RenderDoc"},
                                      {"Esc", "close"}};
  if (!ImGui::BeginTable("keys", 2)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
  for (const auto& [key, action] : kKeys) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(key);
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", action);
  }
  ImGui::EndTable();
}

void draw_left(Viewer& viewer, ViewControls& controls, const Place& place) {
  if (begin_panel("Playing", place)) {
    choose_character(viewer);
    if (add_section("Clips")) draw_playing_panel(viewer, controls);
    if (add_section("Layers")) draw_layers_panel(viewer, controls);
    if (ImGui::CollapsingHeader("Keys")) draw_keys();
    mark_control("Keys");
  }
  ImGui::End();
}

void tab(const char* name, const auto& draw) {
  const bool open = ImGui::BeginTabItem(name);
  mark_control(text("tab %s", name));
  if (!open) return;
  draw();
  ImGui::EndTabItem();
}

void draw_right(Viewer& viewer, ViewControls& controls, const Place& place) {
  if (begin_panel("View", place) && ImGui::BeginTabBar("tabs")) {
    tab("Show", [&] { draw_show_panel(viewer, controls); });
    tab("Joints", [&] { draw_joints_panel(viewer); });
    tab("Import", [&] { draw_report_panel(viewer); });
    ImGui::EndTabBar();
  }
  ImGui::End();
}

void draw_message(const ViewControls& controls, const Place& place) {
  const std::string typed =
      controls.number.empty() && !controls.number_is_layer
          ? ""
          : text("%s %s_", controls.number_is_layer ? "layer" : "clip", controls.number.digits().c_str());
  const std::string& shown = typed.empty() ? controls.message : typed;
  if (shown.empty()) return;
  ImGui::SetNextWindowPos({place.left + place.width / 2, place.top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {place.width, place.height});
  if (ImGui::Begin("##message", nullptr,
                   kPanelFlags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize)) {
    ImGui::PushTextWrapPos(place.width * 0.9f);
    ImGui::TextUnformatted(printable(shown).c_str());
    ImGui::PopTextWrapPos();
    mark_control("message");
  }
  ImGui::End();
}

}  // namespace

float width_beside_panels(uint32_t width, uint32_t height, float scale) {
  const Layout layout = layout_of(float(width), float(height), scale);
  return float(width) - 2 * (layout.side + layout.margin);
}

void draw_view_panels(Viewer& viewer, ViewControls& controls, float scale) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto [margin, side, bottom] = layout_of(size.x, size.y, scale);
  const float height = size.y - bottom - 3 * margin;
  draw_left(viewer, controls, {margin, margin, side, height});
  draw_right(viewer, controls, {size.x - side - margin, margin, side, height});
  draw_message(controls, {side + 2 * margin, margin, size.x - 2 * side - 4 * margin, height});
  if (begin_panel("##time", {margin, size.y - bottom - margin, size.x - 2 * margin, bottom},
                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar)) {
    draw_time_line(viewer, scale);
  }
  ImGui::End();
}

const Overlay& draw_view_overlay(const View& view, Viewer& viewer, ViewControls& controls, Interface& interface) {
  interface.begin(view.width, view.height);
  label_grid(view, viewer.models());
  if (!controls.hidden) draw_view_panels(viewer, controls, interface.scale());
  label_joints(view, viewer);  // after the panels, which find the joint under the mouse
  return interface.end();
}

void draw_report_panel(const Viewer& viewer) {
  const Model& model = viewer.models()[viewer.selected()];
  const std::vector<std::string> lines = import_items(model.report);
  if (lines.empty()) ImGui::TextWrapped("Nothing had to be repaired, computed or dropped.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    ImGui::TextWrapped("%s", printable(line).c_str());
  }
}

}  // namespace sinew::app
