// Labels in a picture: the scale of the grid, and names of joints.
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr ImU32 kGridText = IM_COL32(205, 210, 220, 230), kJointText = IM_COL32(255, 246, 220, 255),
                kChosenText = IM_COL32(255, 140, 110, 255), kBehindText = IM_COL32(10, 12, 16, 170);

constexpr int kLabeledCells = 4;

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

}  // namespace

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

}  // namespace sinew::app
