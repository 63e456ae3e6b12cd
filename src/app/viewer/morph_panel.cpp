// The panel of morph targets: a slider for each weight, which then takes the place of the clip's.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "system/text.h"
#include "viewer/panels.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

/// The name of a target and its weight as a format: the slider is as wide as the panel, and names are long.
std::string format_of(const MorphTarget& target, size_t index) {
  std::string format;
  for (const char letter : target.name.empty() ? text("target %zu", index) : printable(target.name))
    format += letter == '%' ? "%%" : std::string(1, letter);
  return format + "  %.2f";
}

void draw_target(Viewer& viewer, const MorphTarget& target, size_t index, float reset_width) {
  const std::optional<float>& set = viewer.weight_overrides()[index];
  const float before = viewer.pose(viewer.selected()).weights[index];
  float weight = before;
  ImGui::SetNextItemWidth(-reset_width);
  // Weights outside of 0 to 1 are rare and valid.
  add_slider("##weight", weight, std::min(0.0f, std::floor(before)), std::max(1.0f, std::ceil(before)),
             format_of(target, index).c_str(), text("weight %zu", index));
  if (weight != before) viewer.set_weight(index, weight);
  if (!set) return;
  ImGui::SameLine();
  if (add_button("x", text("reset weight %zu", index))) viewer.set_weight(index, {});
}

}  // namespace

void draw_morph_panel(Viewer& viewer) {
  const std::vector<MorphTarget>& targets = viewer.model().character.mesh.targets;
  const bool none_is_set =
      std::ranges::none_of(viewer.weight_overrides(), [](auto& weight) { return weight.has_value(); });
  ImGui::BeginDisabled(none_is_set);
  if (add_button("Reset all", "reset weights")) viewer.reset_weights();
  ImGui::EndDisabled();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float reset_width = ImGui::CalcTextSize("x").x + 2 * style.FramePadding.x + style.ItemSpacing.x;
  for (size_t i = 0; i < targets.size(); ++i) {
    ImGui::PushID(int(i));
    draw_target(viewer, targets[i], i, reset_width);
    ImGui::PopID();
  }
}

}  // namespace sinew::app
