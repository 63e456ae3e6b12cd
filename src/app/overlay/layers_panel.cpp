// The panel of layers over the base clip.
#include <imgui.h>

#include "overlay/choices.h"
#include "overlay/controls.h"
#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

std::vector<std::string> clip_names(Viewer& viewer) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < viewer.playing().clip_count(); ++i)
    names.push_back(printable(viewer.model().character.clips[i].name));
  return names;
}

std::string joint_name(const Viewer& viewer, int32_t joint) {
  if (joint == kNoJoint) return "all joints";
  return printable(viewer.models()[viewer.selected()].character.skeleton.joint_names[size_t(joint)]);
}

/// Replacing the clip of a layer starts it again.
void draw_clip(std::span<const std::string> clips, ViewLayer& layer, size_t index) {
  if (add_list("clip", text("layer %zu clip", index), clips, layer.clip)) layer.seconds = 0;
}

void draw_mode(ViewLayer& layer, size_t index) {
  const std::string modes[] = {"override", "additive"};
  add_list("mode", text("layer %zu mode", index), modes, layer.mode);
}

void draw_joint(const Viewer& viewer, ViewLayer& layer, size_t index) {
  const int32_t selected = viewer.shown.selected_joint;
  ImGui::TextWrapped("moves %s%s", joint_name(viewer, layer.joint).c_str(),
                     layer.joint == kNoJoint ? "" : " and below");
  if (selected == layer.joint) return;
  if (ImGui::SmallButton(text("move %s", joint_name(viewer, selected).c_str()).c_str())) layer.joint = selected;
  mark_control(text("layer %zu joint", index));
}

/// False: it is to be dropped.
bool draw_layer(const Viewer& viewer, std::span<const std::string> clips, ViewLayer& layer, size_t index) {
  ImGui::Separator();
  draw_clip(clips, layer, index);
  ImGui::SliderFloat("weight", &layer.weight, 0, 1, "%.2f");
  mark_control(text("layer %zu weight", index));
  draw_mode(layer, index);
  draw_joint(viewer, layer, index);
  if (layer.dropped) {
    ImGui::TextDisabled("fades out: %.2f", layer.presence);
    return true;
  }
  const bool drop = ImGui::SmallButton("Drop");
  mark_control(text("layer %zu drop", index));
  return !drop;
}

}  // namespace

void draw_layers_panel(Viewer& viewer, ViewControls& controls) {
  Playing& playing = viewer.playing();
  if (playing.clip_count() == 0) return ImGui::TextWrapped("Without clips there are no layers.");
  const int32_t selected = viewer.shown.selected_joint;
  const int32_t joint = selected == kNoJoint ? upper_body_joint(viewer.model().character.skeleton) : selected;
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.62f);
  const std::vector<std::string> clips = clip_names(viewer);
  const int added = add_list("add", "add layer", "for " + joint_name(viewer, joint), clips);
  if (added >= 0) add_layer(viewer, controls, uint32_t(added));
  for (size_t i = 0; i < playing.layers().size(); ++i) {
    ImGui::PushID(int(i));
    if (!draw_layer(viewer, clips, playing.layers()[i], i)) playing.drop_layer(i, double(viewer.fade_seconds));
    ImGui::PopID();
  }
  ImGui::PopItemWidth();
}

}  // namespace sinew::app
