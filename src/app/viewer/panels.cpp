#include "viewer/panels.h"

#include <imgui.h>

#include <algorithm>

#include "system/text.h"
#include "tools/character_info.h"
#include "viewer/level_inset.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kSideWidth = 264, kTimeLineHeight = 62;  // at a scale of 1, pixels
constexpr float kMaxSideShare = 0.36f;                                // of the picture's width
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr ImU32 kGridText = IM_COL32(205, 210, 220, 230), kJointText = IM_COL32(255, 246, 220, 255),
                kChosenText = IM_COL32(255, 140, 110, 255), kBehindText = IM_COL32(10, 12, 16, 170);
constexpr int kLabeledCells = 4;

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
  if (viewer.focus_filter) ImGui::SetNextItemOpen(true);
  if (add_section("Clips")) draw_playing_panel(viewer);
  if (add_section("Layers")) draw_layers_panel(viewer);
  if (viewer.model().character.mesh.target_count() > 0 && add_section("Morph targets", false)) draw_morph_panel(viewer);
  if (add_section("Keys", false)) draw_keys();
  end_rest();
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
  const bool typing = !viewer.typed.empty() || viewer.typing_layer;
  const std::string shown =
      typing ? (viewer.typing_layer ? "layer " : "clip ") + viewer.typed + "_" : printable(viewer.message);
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

/// Writes labels that do not cover each other.
class Writer {
 public:
  void write(Vec2 at, ImU32 color, const std::string& label, bool always = false) {
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    const Box own{{at.x + 6, at.y - size.y / 2, 0}, {at.x + 6 + size.x, at.y + size.y / 2, 0}};
    const auto covers = [&](const Box& other) {
      return own.low.x < other.high.x && other.low.x < own.high.x && own.low.y < other.high.y &&
             other.low.y < own.high.y;
    };
    if (!always && std::any_of(written_.begin(), written_.end(), covers)) return;
    written_.push_back(own);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({own.low.x - 2, own.low.y}, {own.high.x + 2, own.high.y}, kBehindText, 2);
    list.AddText({own.low.x, own.low.y}, color, label.c_str());
  }

 private:
  std::vector<Box> written_;  // in pixels
};

std::string length_label(double meters) {
  if (meters >= 1000) return text("%g km", meters / 1000);
  if (meters >= 1) return text("%g m", meters);
  if (meters >= 0.01) return text("%g cm", meters * 100);
  return text("%g mm", meters * 1000);
}

/// A frame around the inset, and how much it magnifies.
void frame_inset(const View& view, const Viewer& viewer) {
  const std::optional<Inset> inset = inset_of(viewer, {view.width, view.height});
  if (!inset) return;
  const auto& [offset, extent] = inset->to;
  const ImVec2 low{float(offset.x), float(offset.y)}, high{low.x + float(extent.width), low.y + float(extent.height)};
  ImGui::GetBackgroundDrawList()->AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, kGridText);
  Writer().write({low.x, high.y + ImGui::GetTextLineHeight()}, kGridText,
                 text("%u times as large", extent.width / inset->from.extent.width));
}

/// The lengths along the axes of the grid; none where models of several scales share the grid.
void label_grid(const View& view, std::span<const Model> models) {
  if (!has_one_scale(models)) return;
  const GridScale scale = grid_for(models.front());
  Writer writer;
  for (int cell = 1; cell <= kLabeledCells; ++cell) {
    const float away = float(cell) * scale.world_meters;
    const std::string label = length_label(cell * scale.file_meters);
    if (const auto at = to_picture(view, {away, 0, 0})) writer.write(*at, kGridText, label);
    if (const auto at = to_picture(view, {0, 0, away})) writer.write(*at, kGridText, label);
  }
}

/// The name of every joint that moves vertices, and of the selected and the hovered one whatever it moves.
void label_joints(const View& view, const Viewer& viewer) {
  Writer writer;
  const Shown& shown = viewer.shown;
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    const std::vector<bool>& moving = viewer.moving_joints(i);
    for (int32_t joint = 0; joint < int32_t(moving.size()); ++joint) {
      const bool chosen = i == viewer.selected() && (joint == shown.selected_joint || joint == shown.hovered_joint);
      if (!chosen && !(shown.names && moving[size_t(joint)])) continue;
      const std::string& name = viewer.models()[i].character.skeleton.joint_names[size_t(joint)];
      if (const auto at = to_picture(view, joint_position(viewer.posed(i), uint32_t(joint))))
        writer.write(*at, chosen ? kChosenText : kJointText, printable(name), chosen);
    }
  }
}

}  // namespace

void set_free_aspect(uint32_t width, uint32_t height, float scale, Viewer& viewer) {
  const Layout layout = layout_of(float(width), float(height), scale);
  const float taken = viewer.hidden ? 0 : 2 * (layout.side + layout.margin);
  viewer.free_aspect = (float(width) - taken) / float(std::max(height, 1u));
  viewer.picture_height = height;
}

const Overlay& draw_view_overlay(const View& view, Viewer& viewer, Interface& interface) {
  interface.begin(view.width, view.height);
  set_free_aspect(view.width, view.height, interface.scale(), viewer);
  if (!viewer.shown.own_size) label_grid(view, viewer.models());  // else labels would cover a figure that is far away
  frame_inset(view, viewer);
  if (!viewer.hidden) draw_panels(viewer, interface.scale());
  label_joints(view, viewer);  // after the panels, which find the joint under the mouse
  if (!ImGui::IsAnyItemActive() && !ImGui::IsAnyMouseDown()) viewer.end_change();
  return interface.end();
}

}  // namespace sinew::app
