// The panel of what is shown: bones, normals, boxes, colors and the camera.
#include <imgui.h>

#include <algorithm>

#include "overlay/choices.h"
#include "overlay/controls.h"
#include "overlay/legend.h"
#include "overlay/view_panels.h"
#include "system/text.h"
#include "view/data_colors.h"

namespace sinew::app {
namespace {

void draw_legend(const Viewer& viewer) {
  const ShownOptions& shown = viewer.shown;
  const Model& model = viewer.models()[viewer.selected()];
  if (shown.colors == DataColors::kInfluences) {
    add_influence_legend(max_influences(model.character.mesh));
  } else if (shown.colors == DataColors::kLostWeight) {
    add_swatch(srgb_color(heat_color(0)), "0 % beyond the 4 heaviest");
    add_swatch(srgb_color(heat_color(1)), text("%.0f %% or more", kHottestLostWeight * 100));
  } else if (shown.colors == DataColors::kJointWeight) {
    if (shown.selected_joint == kNoJoint) ImGui::TextWrapped("Select a joint: click its dot, or in the tab Joints.");
    for (float weight : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f})
      add_swatch(srgb_color(heat_color(weight)), text("weight %.2f", weight));
  } else if (shown.colors == DataColors::kLevel) {
    add_level_legend(model.level_count());
  }
}

void draw_level(Viewer& viewer) {
  const Model& model = viewer.model();
  int level = int(viewer.level_of(viewer.selected()));
  const int last = int(model.level_count()) - 1;
  if (ImGui::SliderInt("level", &level, 0, last, "%d", ImGuiSliderFlags_AlwaysClamp))
    viewer.shown.level = uint32_t(level);
  mark_control("level");
  const Mesh& shown = model.mesh(viewer.level_of(viewer.selected()));
  ImGui::TextDisabled("%s vertices, %s triangles", grouped(shown.vertex_count()).c_str(),
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

void draw_show_panel(Viewer& viewer, ViewControls& controls) {
  ShownOptions& shown = viewer.shown;
  add_check("bones", shown.bones);
  add_check("names", shown.names);
  add_check("axes", shown.axes);
  add_check("normals", shown.normals);
  add_check("tangents", shown.tangents);
  if (shown.tangents && viewer.model().character.mesh.tangents.empty())
    ImGui::TextWrapped("no tangents: --tangents computes them");
  add_check("bounds of the clip", shown.clip_bounds);
  add_check("bounds of the pose", shown.pose_bounds);
  add_check("wireframe", shown.wireframe, Half::kLeft, controls.can_draw_wireframe);
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.68f);
  const std::string colors[] = {"materials", "influences", "lost weight", "weight of joint", "level of detail"};
  add_list("colors", "colors", colors, shown.colors);
  draw_legend(viewer);
  draw_level(viewer);
  ImGui::PopItemWidth();
  draw_cameras(controls);
}

}  // namespace sinew::app
