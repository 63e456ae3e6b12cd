// The panel of what is shown: bones, normals, boxes, colors and the camera.
#include <imgui.h>

#include <algorithm>

#include "overlay/controls.h"
#include "overlay/legend.h"
#include "overlay/view_panels.h"
#include "render/draw_options.h"
#include "system/text.h"
#include "view/data_colors.h"

namespace sinew::app {
namespace {

void check(const char* name, bool& value) {
  ImGui::Checkbox(name, &value);
  mark_control(name);
}

void draw_legend(const Viewer& viewer) {
  const Seeing& seeing = viewer.seeing;
  const Model& model = viewer.models()[viewer.selected()];
  if (seeing.colors == DataColors::kInfluences) {
    const uint32_t most = max_influences(model.levels.front().mesh);
    for (uint32_t count = 1; count <= std::min(most, 8u); ++count)
      add_swatch(srgb_color(influence_color(count)), text("%u influence%s", count, count == 1 ? "" : "s"));
  } else if (seeing.colors == DataColors::kLostWeight) {
    add_swatch(srgb_color(heat_color(0)), "0 % beyond the 4 heaviest");
    add_swatch(srgb_color(heat_color(1)), text("%.0f %% or more", kHottestLostWeight * 100));
  } else if (seeing.colors == DataColors::kJointWeight) {
    if (seeing.selected_joint == kNoJoint) ImGui::TextWrapped("Select a joint: click its dot, or in the tab Joints.");
    for (float weight : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f})
      add_swatch(srgb_color(heat_color(weight)), text("weight %.2f", weight));
  } else if (seeing.colors == DataColors::kLevel) {
    for (uint32_t level = 0; level < model.levels.size(); ++level)
      add_swatch(srgb_color(data_color(level)), text("level %u", level));
  }
}

void draw_level(Viewer& viewer) {
  const auto& levels = viewer.model().levels;
  int level = int(viewer.level_of(viewer.selected()));
  ImGui::SliderInt("level", &level, 0, int(levels.size()) - 1, "%d", ImGuiSliderFlags_AlwaysClamp);
  mark_control("level");
  viewer.seeing.level = uint32_t(std::max(level, 0));
  const Level& shown = levels[viewer.level_of(viewer.selected())];
  ImGui::TextDisabled("%s vertices, %s triangles", grouped(shown.mesh.vertex_count()).c_str(),
                      grouped(shown.indices.size() / 3).c_str());
}

void draw_cameras(ViewControls& controls) {
  constexpr struct {
    const char* name;
    CameraPreset preset;
  } kPresets[] = {{"3/4", CameraPreset::kThreeQuarters}, {"Front", CameraPreset::kFront}, {"Back", CameraPreset::kBack},
                  {"Left", CameraPreset::kLeft},         {"Right", CameraPreset::kRight}, {"Top", CameraPreset::kTop}};
  for (int i = 0; i < 6; ++i) {
    if (i % 3 != 0) ImGui::SameLine();
    if (ImGui::Button(kPresets[i].name)) controls.preset = kPresets[i].preset;
    mark_control(text("camera %s", kPresets[i].name));
  }
  if (ImGui::Button("Frame")) controls.frame = true;
  mark_control("Frame");
  ImGui::SameLine();
  if (ImGui::Button("Save picture")) controls.save_picture = true;
  mark_control("Save picture");
}

}  // namespace

void draw_seeing_panel(Viewer& viewer, ViewControls& controls) {
  Seeing& seeing = viewer.seeing;
  check("bones", seeing.bones);
  check("names", seeing.names);
  check("axes", seeing.axes);
  check("normals", seeing.normals);
  check("tangents", seeing.tangents);
  if (seeing.tangents && viewer.model().character.mesh.tangents.empty())
    ImGui::TextWrapped("no tangents: --tangents computes them");
  check("bounds of the clip", seeing.clip_bounds);
  check("bounds of the pose", seeing.pose_bounds);
  check("wireframe", seeing.wireframe);
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.68f);
  constexpr const char* kNames[] = {"materials", "influences", "lost weight", "weight of joint", "level of detail"};
  int colors = int(seeing.colors);
  if (ImGui::Combo("colors", &colors, kNames, 5)) seeing.colors = DataColors(colors);
  mark_control("colors");
  draw_legend(viewer);
  draw_level(viewer);
  ImGui::PopItemWidth();
  draw_cameras(controls);
}

}  // namespace sinew::app
