#include "window/message.h"

#include <imgui.h>

#include "system/text.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kTextShare = 0.9f;  // of the room's width
constexpr ImU32 kProblem = IM_COL32(255, 140, 110, 255);

void add_line(const std::string& line, const char* mark) {
  if (line.empty()) return;
  ImGui::TextUnformatted(printable(line).c_str());
  mark_control(mark);
}

}  // namespace

void add_message(const std::string& message, const std::string& problem, float left, float right, float scale) {
  if (message.empty() && problem.empty()) return;
  const ImVec2 picture = ImGui::GetIO().DisplaySize;
  const float margin = kPanelMargin * scale;
  const bool small = is_small_picture(picture.x, picture.y, scale);
  if (small) left = right = 0;
  const float top = margin + (small ? ImGui::GetFrameHeight() + margin : 0);
  const float width = std::max(picture.x - left - right - 2 * margin, 1.0f);
  ImGui::SetNextWindowPos({left + margin + width / 2, top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {width, std::max(picture.y - top - margin, 1.0f)});
  constexpr int kFlags =
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing;
  if (begin_panel("##message", scale, kFlags)) {
    ImGui::PushTextWrapPos(kTextShare * width);
    add_line(message, "message");
    ImGui::PushStyleColor(ImGuiCol_Text, kProblem);
    add_line(problem, "problem");
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
}

}  // namespace sinew::app
