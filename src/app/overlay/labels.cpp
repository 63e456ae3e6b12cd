#include "overlay/labels.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "system/text.h"
#include "view/seen_lines.h"

namespace sinew::app {
namespace {

constexpr ImU32 kGridText = IM_COL32(205, 210, 220, 230), kJointText = IM_COL32(255, 246, 220, 255),
                kChosenText = IM_COL32(255, 140, 110, 255), kBehindText = IM_COL32(10, 12, 16, 170);

struct Rectangle {
  ImVec2 low, high;
};

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y;
}

/// Writes labels that do not cover each other.
class Writer {
 public:
  void write(Vec2 at, ImU32 color, const std::string& label, bool always = false) {
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    const Rectangle own{{at.x + 6, at.y - size.y / 2}, {at.x + 6 + size.x, at.y + size.y / 2}};
    const auto covers = [&](const Rectangle& other) { return overlap(own, other); };
    if (!always && std::any_of(written_.begin(), written_.end(), covers)) return;
    written_.push_back(own);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({own.low.x - 2, own.low.y}, {own.high.x + 2, own.high.y}, kBehindText, 2);
    list.AddText(own.low, color, label.c_str());
  }

 private:
  std::vector<Rectangle> written_;
};

std::string times(int count, const GridScale& scale) {
  double value = 0;
  char unit[8] = "";
  if (std::sscanf(scale.label.c_str(), "%lf %7s", &value, unit) != 2) return scale.label;
  return text("%g %s", value * count, unit);
}

}  // namespace

void label_grid(const View& view, const GridScale& scale, int cells) {
  Writer writer;
  for (int cell = 1; cell <= cells; ++cell) {
    const float away = float(cell) * scale.world_meters;
    if (const auto at = to_picture(view, {away, 0, 0})) writer.write(*at, kGridText, times(cell, scale));
    if (const auto at = to_picture(view, {0, 0, away})) writer.write(*at, kGridText, times(cell, scale));
  }
}

void label_joints(const View& view, const Viewer& viewer) {
  Writer writer;
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    const SeenPose pose = viewer.seen(i);
    const std::vector<bool> moving = moving_joints(pose.model.character);
    const auto& names = pose.model.character.skeleton.joint_names;
    for (uint32_t joint = 0; joint < moving.size(); ++joint) {
      const bool own = i == viewer.selected();
      const bool chosen =
          own && (int32_t(joint) == viewer.seeing.selected_joint || int32_t(joint) == viewer.seeing.hovered_joint);
      if (!chosen && !(viewer.seeing.names && moving[joint])) continue;
      const auto at = to_picture(view, joint_position(pose, joint));
      if (at) writer.write(*at, chosen ? kChosenText : kJointText, printable(names[joint]), chosen);
    }
  }
}

}  // namespace sinew::app
