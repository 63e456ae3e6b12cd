// The panel of layers over the base clip.
#include <imgui.h>

#include "overlay/controls.h"
#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// A list to choose a clip from. Returns the choice, once.
std::optional<uint32_t> choose_from_clips(Viewer& viewer, const char* label, const std::string& shown,
                                          const std::string& name) {
  std::optional<uint32_t> chosen;
  const auto& clips = viewer.model().character.clips;
  const bool open = ImGui::BeginCombo(label, shown.c_str());
  mark_control(name);
  if (!open) return {};
  for (uint32_t i = 0; i < viewer.playing().clip_count(); ++i) {
    if (ImGui::Selectable(text("%2u  %s", i, printable(clips[i].name).c_str()).c_str())) chosen = i;
    mark_control(text("%s: clip %u", name.c_str(), i));
  }
  ImGui::EndCombo();
  return chosen;
}

std::string joint_name(const Viewer& viewer, int32_t joint) {
  if (joint == kNoJoint) return "all joints";
  return printable(viewer.models()[viewer.selected()].character.skeleton.joint_names[size_t(joint)]);
}

/// Replacing the clip of a layer starts it again.
void draw_clip(Viewer& viewer, ViewLayer& layer, size_t index) {
  const std::string& name = viewer.model().character.clips[layer.clip].name;
  const auto clip = choose_from_clips(viewer, "clip", printable(name), text("layer %zu clip", index));
  if (!clip) return;
  layer.clip = *clip;
  layer.seconds = 0;
}

void draw_mode(ViewLayer& layer, size_t index) {
  constexpr const char* kNames[] = {"override", "additive"};
  int mode = int(layer.mode);
  if (ImGui::Combo("mode", &mode, kNames, 2)) layer.mode = LayerMode(mode);
  mark_control(text("layer %zu mode", index));
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
bool draw_layer(Viewer& viewer, ViewLayer& layer, size_t index) {
  ImGui::Separator();
  draw_clip(viewer, layer, index);
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
  if (const auto clip =
          choose_from_clips(viewer, "add", text("for %s", joint_name(viewer, joint).c_str()), "add layer"))
    add_layer(viewer, controls, *clip);
  for (size_t i = 0; i < playing.layers().size(); ++i) {
    ImGui::PushID(int(i));
    if (!draw_layer(viewer, playing.layers()[i], i)) playing.drop_layer(i, double(viewer.fade_seconds));
    ImGui::PopID();
  }
  ImGui::PopItemWidth();
}

}  // namespace sinew::app
