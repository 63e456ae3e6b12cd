#include "viewer/panels.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "scene/data_colors.h"
#include "scene/model.h"
#include "sinew/crowd/planner.h"
#include "system/paths.h"
#include "system/text.h"
#include "tools/character_info.h"
#include "viewer/drawing.h"
#include "window/controls.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr float kSideWidth = 264, kTimeLineHeight = 62;  // at a scale of 1, pixels
constexpr float kMaxSideShare = 0.36f;                   // of the picture's width

constexpr ImU32 kGridText = IM_COL32(205, 210, 220, 230), kJointText = IM_COL32(255, 246, 220, 255),
                kChosenText = IM_COL32(255, 140, 110, 255), kBehindText = IM_COL32(10, 12, 16, 170);
constexpr int kLabeledCells = 4;

/// Sizes of the panels in a picture, in pixels.
struct Layout {
  float margin, side, bottom;
};

Layout layout_of(float width, float height, float scale) {
  return {kPanelMargin * scale, std::min(kSideWidth * scale, kMaxSideShare * width),
          std::min(kTimeLineHeight * scale, height / 4)};
}

/// A panel at this place, with what `draw` adds.
void add_panel(const char* name, ImVec2 at, ImVec2 size, float scale, ImGuiWindowFlags flags, const auto& draw) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  if (begin_panel(name, scale, flags)) draw();
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

/// The number that is typed, or else the message. While files are loaded their stage is at the same place.
void draw_message(const Viewer& viewer, const Layout& layout, float scale) {
  if (!viewer.loading.empty()) return;
  const bool typing = !viewer.typed.empty() || viewer.typing_layer;
  const std::string typed = (viewer.typing_layer ? "layer " : "clip ") + viewer.typed + "_";
  const float side = layout.side + layout.margin;
  add_message(typing ? typed : viewer.message.text(), viewer.problem, side, side, scale);
}

void draw_panels(Viewer& viewer, float scale) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = layout_of(size.x, size.y, scale);
  const auto [margin, side, bottom] = layout;
  const float height = size.y - bottom - 3 * margin;
  if (viewer.focus_filter) ImGui::SetNextWindowCollapsed(false);
  add_panel("Playing", {margin, margin}, {side, height}, scale, 0, [&] { draw_left(viewer); });
  add_panel("View", {size.x - side - margin, margin}, {side, height}, scale, 0, [&] { draw_right(viewer); });
  draw_message(viewer, layout, scale);
  add_panel("##time", {margin, size.y - bottom - margin}, {size.x - 2 * margin, bottom}, scale,
            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar, [&] { draw_time_line(viewer, scale); });
  add_key_list(view_actions(), viewer.help, scale);
  draw_file_list(viewer, scale);
}

/// Writes labels that do not cover each other.
class Writer {
 public:
  void write(Vec2 at, ImU32 color, const std::string& label, bool always = false) {
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    const float left = std::floor(at.x + 6), top = std::floor(at.y - size.y / 2);  // where letters begin in any case
    const Box own{{left, top, 0}, {left + size.x, top + size.y, 0}};
    const auto covers = [&](const Box& other) {
      return own.low.x < other.high.x && other.low.x < own.high.x && own.low.y < other.high.y &&
             other.low.y < own.high.y;
    };
    if (!always && std::any_of(written_.begin(), written_.end(), covers)) return;
    written_.push_back(own);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({own.low.x - 2, own.low.y}, {own.high.x + 2, own.high.y + 1}, kBehindText, 2);
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
  interface.add_letters(viewer.message.text() + viewer.problem);
  interface.add_letters(viewer.loading);
  if (viewer.file_list) interface.add_letters(viewer.file_list->take_new_names() + viewer.file_list->filter());
}

// The panels of what is shown, and of the joints.

constexpr float kMatrixLines = 11;  // of the selected joint

void draw_legend(const Viewer& viewer) {
  const Shown& shown = viewer.shown;
  switch (shown.colors) {
    case DataColors::kMaterials:
      return;
    case DataColors::kInfluences:
      return add_influence_legend(max_influences(viewer.model().character.mesh));
    case DataColors::kLostWeight:
      add_swatch(srgb_color(heat_color(0)), "0 % beyond the 4 heaviest");
      return add_swatch(srgb_color(heat_color(1)), text("%.0f %% or more", double(kHottestLostWeight) * 100));
    case DataColors::kJointWeight:
      if (shown.selected_joint == kNoJoint) add_text("Select a joint: click its dot, or in the tab Joints.");
      for (float weight : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f})
        add_swatch(srgb_color(heat_color(weight)), text("weight %.2f", double(weight)));
      return;
    case DataColors::kLevel:
      return add_level_legend(viewer.model().level_count());
  }
}

/// What a level costs, and where a crowd uses it.
std::vector<std::string> level_words(const LevelFacts& facts) {
  std::vector<std::string> lines = {
      text("%s vertices, %s triangles", grouped(facts.vertices).c_str(), grouped(facts.triangles).c_str()),
      text("%s joints, %u influences", grouped(facts.joints).c_str(), facts.influences)};
  if (facts.error_meters == 0) return lines;
  lines.push_back(text("error %s mm", rounded(double(facts.error_meters) * 1e3).c_str()));
  lines.push_back(text("below %s pixels, from %s on", rounded(double(facts.height_pixels)).c_str(),
                       rounded(double(facts.height_pixels * crowd::kLevelHysteresis)).c_str()));
  return lines;
}

void draw_level(Viewer& viewer) {
  const Model& model = viewer.model();
  int level = int(viewer.level_of(viewer.selected()));
  if (ImGui::SliderInt("level", &level, 0, int(model.level_count()) - 1, "%d", ImGuiSliderFlags_AlwaysClamp))
    viewer.set_level(uint32_t(level));
  mark_control("level");
  bool own_size = viewer.shown.own_size;
  add_check("own size", own_size);
  if (own_size != viewer.shown.own_size) viewer.set_own_size(own_size);
  for (const std::string& line : level_words(facts_of(model, viewer.level_of(viewer.selected()))))
    ImGui::TextDisabled("%s", line.c_str());
}

void draw_cameras(Viewer& viewer) {
  for (size_t i = 0; i < std::size(kCameraPresets); ++i) {
    const CameraPreset& preset = kCameraPresets[i];
    if (i % 3 != 0) ImGui::SameLine();
    if (add_button(preset.name, text("camera %s", preset.name))) turn_to(preset, viewer.camera);
  }
  if (add_button("Frame")) viewer.frame_selected();
  ImGui::SameLine();
  if (add_button("Save picture")) viewer.save_picture = true;
}

/// The end of a joint's descendants: they follow it without a gap.
uint32_t end_of(const Skeleton& skeleton, uint32_t joint) { return joints_below(skeleton, int32_t(joint)).end; }

void draw_joint(const Skeleton& skeleton, uint32_t joint, Shown& shown) {
  const uint32_t end = end_of(skeleton, joint);
  ImGuiTreeNodeFlags flags =
      ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_SpanAvailWidth;
  if (end == joint + 1) flags |= ImGuiTreeNodeFlags_Leaf;
  const bool selected = int32_t(joint) == shown.selected_joint;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  const std::string label = text("%s##%u", printable(skeleton.joint_names[joint]).c_str(), joint);
  const bool open = ImGui::TreeNodeEx(label.c_str(), flags);
  mark_control("joint " + skeleton.joint_names[joint]);
  if (ImGui::IsItemClicked() && !ImGui::IsItemToggledOpen())
    shown.selected_joint = selected ? kNoJoint : int32_t(joint);
  if (ImGui::IsItemHovered()) shown.hovered_joint = int32_t(joint);
  if (!open) return;
  for (uint32_t child = joint + 1; child < end; child = end_of(skeleton, child)) draw_joint(skeleton, child, shown);
  ImGui::TreePop();
}

void draw_matrices(const Viewer& viewer, uint32_t joint) {
  const PoseData& pose = viewer.pose(viewer.selected());
  const Skeleton& skeleton = viewer.model().character.skeleton;
  const auto& [t, r, s] = pose.local[joint];
  ImGui::Separator();
  add_text(text("%s, joint %u of %u", printable(skeleton.joint_names[joint]).c_str(), joint, skeleton.joint_count()));
  ImGui::TextUnformatted("local");
  ImGui::Text(" t %8.4f %8.4f %8.4f", double(t.x), double(t.y), double(t.z));
  ImGui::Text(" r %6.3f %6.3f %6.3f %6.3f", double(r.x), double(r.y), double(r.z), double(r.w));
  ImGui::Text(" s %8.4f %8.4f %8.4f", double(s.x), double(s.y), double(s.z));
  ImGui::TextUnformatted("model from joint");
  for (const auto& row : pose.model_from_joint[joint].m)
    ImGui::Text(" %7.3f %7.3f %7.3f %8.3f", row[0], row[1], row[2], row[3]);
}

constexpr float kListWidth = 560, kListHeight = 440;  // pixels at a scale of 1

using Entry = FileList::Entry;
using Kind = FileList::Kind;

void choose(Viewer& viewer, size_t index) {
  const auto file = viewer.file_list->choose(index);
  if (!file) return;
  viewer.open = {*file};
  viewer.file_list.reset();
}

/// A field of its own for each folder: the letters of the last one would stay in it.
void draw_filter(FileList& list) {
  ImGui::PushID(utf8_of(list.folder()).c_str());
  std::array<char, 128> letters{};
  std::strncpy(letters.data(), list.filter().c_str(), letters.size() - 1);
  if (!ImGui::IsAnyItemActive()) focus_next_control();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "type a part of a name", letters.data(), letters.size());
  mark_control("file filter");
  list.set_filter(letters.data());
  ImGui::PopID();
}

std::string label_of(const Entry& entry) { return printable(entry.name) + (entry.kind == Kind::kFolder ? "/" : ""); }

/// Returns the entry that was opened by a double click, or the number of entries.
size_t draw_entries(FileList& list) {
  const std::vector<const Entry*> shown = list.shown();
  const bool is_new = std::exchange(kept("selected"), float(list.selected())) != float(list.selected());
  size_t opened = shown.size();
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool is_recent = shown[i]->kind == Kind::kRecent;
    if (is_recent && i == 0) ImGui::TextDisabled("opened last");
    if (!is_recent && (i == 0 || shown[i - 1]->kind == Kind::kRecent))
      ImGui::TextDisabled("%s", printable(utf8_of(list.folder())).c_str());
    ImGui::PushID(int(i));
    if (ImGui::Selectable(label_of(*shown[i]).c_str(), i == list.selected(), ImGuiSelectableFlags_AllowDoubleClick)) {
      list.select(i);
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) opened = i;
    }
    mark_control("file " + label_of(*shown[i]));
    ImGui::PopID();
    if (i == list.selected() && is_new) ImGui::SetScrollHereY();
  }
  return opened;
}

void draw_list(Viewer& viewer) {
  FileList& list = *viewer.file_list;
  draw_filter(list);
  const float below =
      2 * ImGui::GetFrameHeightWithSpacing() + (list.problem().empty() ? 0 : ImGui::GetTextLineHeight());
  ImGui::BeginChild("entries", {0, -below}, true, ImGuiWindowFlags_HorizontalScrollbar);
  const size_t count = list.shown().size(), opened = draw_entries(list);
  ImGui::EndChild();
  if (!list.problem().empty()) add_text(list.problem(), "problem");
  ImGui::TextDisabled("Enter: open. Backspace: the folder above. Esc: close.");
  const bool open = add_button("Open", "open file");
  ImGui::SameLine();
  const bool close = add_button("Cancel", "cancel file");
  if (open || opened < count) return choose(viewer, open ? list.selected() : opened);
  if (close) viewer.file_list.reset();
}

}  // namespace

void set_free_aspect(uint32_t width, uint32_t height, float scale, Viewer& viewer) {
  const Layout layout = layout_of(float(width), float(height), scale);
  const bool small = is_small_picture(float(width), float(height), scale);
  const float taken = viewer.hidden || small ? 0 : 2 * (layout.side + layout.margin);
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

void draw_show_panel(Viewer& viewer) {
  for (const ShownSwitch& each : kShownSwitches) {
    const bool possible = each.flag != &Shown::wireframe || viewer.can_draw_wireframe;
    add_check(each.name, viewer.shown.*each.flag, possible);
    if (each.flag == &Shown::tangents && viewer.shown.tangents && viewer.model().character.mesh.tangents.empty())
      add_text("no tangents: --tangents computes them");
  }
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * kControlShare);
  draw_level(viewer);
  ImGui::PopItemWidth();
  draw_cameras(viewer);
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * kControlShare);
  std::vector<std::string> colors;
  for (const ShownColors& each : kShownColors) colors.push_back(each.name);
  add_list("colors", "colors", colors, viewer.shown.colors);
  draw_legend(viewer);  // last: it may be longer than the panel
  ImGui::PopItemWidth();
}

void draw_joints_panel(Viewer& viewer) {
  const Skeleton& skeleton = viewer.model().character.skeleton;
  if (skeleton.joint_count() == 0) return add_text("The file has no joints.");
  const int32_t selected = viewer.shown.selected_joint;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = ImGui::GetContentRegionAvail().y - (selected == kNoJoint ? 0 : kMatrixLines) * line;
  ImGui::BeginChild("tree", {0, std::max(height, 5 * line)}, false, ImGuiWindowFlags_HorizontalScrollbar);
  for (uint32_t joint = 0; joint < skeleton.joint_count(); joint = end_of(skeleton, joint))
    draw_joint(skeleton, joint, viewer.shown);
  ImGui::EndChild();
  if (selected != kNoJoint) draw_matrices(viewer, uint32_t(selected));
}

// The panel of what import did to the file: what was lost, repaired and computed, and its warnings.

std::string import_title(const ImportReport& report) {
  size_t count = 0;
  for (const ImportGroup& group : import_groups(report)) count += group.is_fact ? 0 : group.items.size();
  return count == 0 ? "Import" : text("Import (%zu)", count);
}

void draw_import_panel(const ImportReport& report) {
  const std::vector<ImportGroup> groups = import_groups(report);
  if (groups.empty()) add_text("Nothing had to be repaired, computed or dropped.");
  for (const ImportGroup& group : groups) {
    if (!add_section(group.name)) continue;
    for (const std::string& item : group.items) {
      ImGui::Bullet();
      add_text(printable(item), "import item");
    }
  }
}

void press_key_of_list(Viewer& viewer, const KeyPress& press) {
  FileList& list = *viewer.file_list;
  if (press.key == Key::kEnter) return choose(viewer, list.selected());
  if (press.key == Key::kEscape) return viewer.file_list.reset();
  if (press.key == Key::kUp) return list.move_selection(-1);
  if (press.key == Key::kDown) return list.move_selection(1);
  if (press.key == Key::kBackspace && list.filter().empty()) list.go_up();
}

void draw_file_list(Viewer& viewer, float scale) {
  if (!viewer.file_list) return;
  ImGui::SetNextWindowFocus();
  if (begin_centered_panel("Open a file", nullptr, kListWidth, kListHeight, scale)) draw_list(viewer);
  ImGui::End();
}

}  // namespace sinew::app
