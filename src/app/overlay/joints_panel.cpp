// The tree of joints, and the selected joint's matrices.
#include <imgui.h>

#include "overlay/controls.h"
#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// The end of a joint's descendants: they follow it without a gap.
uint32_t end_of(const Skeleton& skeleton, uint32_t joint) {
  const JointRange below = joints_below(skeleton, int32_t(joint));
  return below.end;
}

void draw_joint(Viewer& viewer, const Skeleton& skeleton, uint32_t joint) {
  const uint32_t end = end_of(skeleton, joint);
  ImGuiTreeNodeFlags flags =
      ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_SpanAvailWidth;
  if (end == joint + 1) flags |= ImGuiTreeNodeFlags_Leaf;
  if (int32_t(joint) == viewer.shown.selected_joint) flags |= ImGuiTreeNodeFlags_Selected;
  const std::string label = text("%s##%u", printable(skeleton.joint_names[joint]).c_str(), joint);
  const bool open = ImGui::TreeNodeEx(label.c_str(), flags);
  mark_control("joint " + skeleton.joint_names[joint]);
  if (ImGui::IsItemClicked() && !ImGui::IsItemToggledOpen()) {
    const bool again = viewer.shown.selected_joint == int32_t(joint);
    viewer.shown.selected_joint = again ? kNoJoint : int32_t(joint);
  }
  if (ImGui::IsItemHovered()) viewer.shown.hovered_joint = int32_t(joint);
  if (!open) return;
  for (uint32_t child = joint + 1; child < end; child = end_of(skeleton, child)) draw_joint(viewer, skeleton, child);
  ImGui::TreePop();
}

void draw_transform(const Transform& local) {
  ImGui::TextUnformatted("local");
  ImGui::Text(" t %8.4f %8.4f %8.4f", local.translation.x, local.translation.y, local.translation.z);
  ImGui::Text(" r %6.3f %6.3f %6.3f %6.3f", local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w);
  ImGui::Text(" s %8.4f %8.4f %8.4f", local.scale.x, local.scale.y, local.scale.z);
}

void draw_matrix(const char* name, const Matrix3x4d& m) {
  ImGui::TextUnformatted(name);
  for (const auto& row : m.m) ImGui::Text(" %7.3f %7.3f %7.3f %8.3f", row[0], row[1], row[2], row[3]);
}

void draw_selected(const Viewer& viewer, uint32_t joint) {
  const PoseData& pose = viewer.pose(viewer.selected());
  const Skeleton& skeleton = viewer.models()[viewer.selected()].character.skeleton;
  ImGui::Separator();
  ImGui::TextWrapped("%s, joint %u of %u", printable(skeleton.joint_names[joint]).c_str(), joint,
                     skeleton.joint_count());
  draw_transform(pose.local[joint]);
  draw_matrix("model from joint", pose.model_from_joint[joint]);
}

}  // namespace

void draw_joints_panel(Viewer& viewer) {
  const Skeleton& skeleton = viewer.model().character.skeleton;
  if (skeleton.joint_count() == 0) return ImGui::TextWrapped("The file has no joints.");
  const int32_t selected = viewer.shown.selected_joint;
  const float lines = selected == kNoJoint ? 0 : 11;
  const float height = ImGui::GetContentRegionAvail().y - lines * ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("tree", {0, std::max(height, 5 * ImGui::GetTextLineHeightWithSpacing())}, false,
                    ImGuiWindowFlags_HorizontalScrollbar);
  for (uint32_t joint = 0; joint < skeleton.joint_count(); joint = end_of(skeleton, joint))
    draw_joint(viewer, skeleton, joint);
  ImGui::EndChild();
  if (selected != kNoJoint) draw_selected(viewer, uint32_t(selected));
}

}  // namespace sinew::app
