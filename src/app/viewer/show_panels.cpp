// The panels of what is shown, and of the joints.
#include <imgui.h>

#include <algorithm>

#include "scene/data_colors.h"
#include "scene/level_facts.h"
#include "sinew/crowd/planner.h"
#include "system/text.h"
#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

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

}  // namespace

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

}  // namespace sinew::app
