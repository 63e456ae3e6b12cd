#include "viewer/panels.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "system/text.h"
#include "viewer/file_list_panel.h"
#include "viewer/level_inset.h"
#include "window/controls.h"
#include "window/loading.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kSideWidth = 264, kTimeLineHeight = 62;  // at a scale of 1, pixels
constexpr float kMinWidth = 720, kMinHeight = 360;                    // of pictures with open panels; likewise
constexpr float kMaxSideShare = 0.36f;                                // of the picture's width
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr ImU32 kGridText = IM_COL32(205, 210, 220, 230), kJointText = IM_COL32(255, 246, 220, 255),
                kChosenText = IM_COL32(255, 140, 110, 255), kBehindText = IM_COL32(10, 12, 16, 170);
constexpr int kLabeledCells = 4;

/// Sizes of the panels in a picture, in pixels.
struct Layout {
  float margin, side, bottom;
  bool collapses;  // the side panels are title bars, until the user opens one: the picture is small
};

Layout layout_of(float width, float height, float scale) {
  return {kMargin * scale, std::min(kSideWidth * scale, kMaxSideShare * width),
          std::min(kTimeLineHeight * scale, height / 4), width < kMinWidth * scale || height < kMinHeight * scale};
}

/// A panel at this place, with what `draw` adds.
void add_panel(const char* name, ImVec2 at, ImVec2 size, ImGuiWindowFlags flags, const auto& draw) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const bool open = ImGui::Begin(name, nullptr, kPanelFlags | flags);
  mark_panel(text("panel %s", name));
  if (open) draw();
  ImGui::End();
}

void add_tab(const char* name, const std::string& label, const auto& draw) {
  const bool open = ImGui::BeginTabItem(text("%s###%s", label.c_str(), name).c_str());
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

void draw_file_buttons(Viewer& viewer) {
  if (add_button("Open...", "open")) viewer.show_file_list();
  ImGui::SameLine();
  if (add_button("Help")) viewer.help = true;
}

void draw_left(Viewer& viewer) {
  draw_file_buttons(viewer);
  choose_character(viewer);
  if (viewer.focus_filter) ImGui::SetNextItemOpen(true);
  if (add_section("Clips")) draw_playing_panel(viewer);
  if (add_section("Layers")) draw_layers_panel(viewer);
  if (viewer.model().character.mesh.target_count() > 0 && add_section("Morph targets", false)) draw_morph_panel(viewer);
  end_rest();
}

void draw_right(Viewer& viewer) {
  if (!ImGui::BeginTabBar("tabs")) return;
  const ImportReport& report = viewer.model().report;
  add_tab("Show", "Show", [&] { draw_show_panel(viewer); });
  add_tab("Joints", "Joints", [&] { draw_joints_panel(viewer); });
  add_tab("Import", import_title(report), [&] { draw_import_panel(report); });
  ImGui::EndTabBar();
}

/// The number that is typed, or else the message.
void draw_message(const Viewer& viewer, ImVec2 at, ImVec2 size) {
  const bool typing = !viewer.typed.empty() || viewer.typing_layer;
  const std::string shown =
      typing ? (viewer.typing_layer ? "layer " : "clip ") + viewer.typed + "_" : printable(viewer.message);
  if (shown.empty() || !viewer.loading.empty()) return;
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

/// Between the side panels, or below their title bars.
void place_message(const Viewer& viewer, ImVec2 size, const Layout& layout) {
  const float height = size.y - layout.bottom - 3 * layout.margin;
  const float side = layout.collapses ? 0 : layout.side + layout.margin;
  const float below = layout.collapses ? ImGui::GetFrameHeight() + layout.margin : 0;
  draw_message(viewer, {side + layout.margin, layout.margin + below}, {size.x - 2 * (side + layout.margin), height});
}

void draw_panels(Viewer& viewer, float scale) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = layout_of(size.x, size.y, scale);
  const auto [margin, side, bottom, collapses] = layout;
  const float height = size.y - bottom - 3 * margin;
  const bool changes = std::exchange(viewer.collapsed, collapses) != collapses;
  if (changes) ImGui::SetNextWindowCollapsed(collapses);
  if (viewer.focus_filter) ImGui::SetNextWindowCollapsed(false);
  add_panel("Playing", {margin, margin}, {side, height}, 0, [&] { draw_left(viewer); });
  if (changes) ImGui::SetNextWindowCollapsed(collapses);
  add_panel("View", {size.x - side - margin, margin}, {side, height}, 0, [&] { draw_right(viewer); });
  place_message(viewer, size, layout);
  add_panel("##time", {margin, size.y - bottom - margin}, {size.x - 2 * margin, bottom},
            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar, [&] { draw_time_line(viewer, scale); });
  draw_help(viewer, scale);
  draw_file_list(viewer, scale);
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

/// What is not in the names of the characters.
void add_letters(Viewer& viewer, Interface& interface) {
  interface.add_letters(viewer.message);
  interface.add_letters(viewer.loading);
  if (viewer.file_list) interface.add_letters(viewer.file_list->take_new_names() + viewer.file_list->filter());
}

}  // namespace

void set_free_aspect(uint32_t width, uint32_t height, float scale, Viewer& viewer) {
  const Layout layout = layout_of(float(width), float(height), scale);
  const float taken = viewer.hidden || layout.collapses ? 0 : 2 * (layout.side + layout.margin);
  viewer.free_aspect = (float(width) - taken) / float(std::max(height, 1u));
  viewer.picture_height = height;
}

const Overlay& draw_view_overlay(const View& view, Viewer& viewer, Interface& interface) {
  add_letters(viewer, interface);
  interface.begin(view.width, view.height);
  if (!viewer.loading.empty()) add_loading(viewer.loading, interface.scale());
  if (viewer.stand_in) return interface.end();
  set_free_aspect(view.width, view.height, interface.scale(), viewer);
  if (!viewer.shown.own_size) label_grid(view, viewer.models());  // else labels would cover a figure that is far away
  frame_inset(view, viewer);
  if (!viewer.hidden) draw_panels(viewer, interface.scale());
  label_joints(view, viewer);  // after the panels, which find the joint under the mouse
  if (!ImGui::IsAnyItemActive() && !ImGui::IsAnyMouseDown()) viewer.end_change();
  return interface.end();
}

}  // namespace sinew::app
