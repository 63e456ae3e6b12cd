#include "overlay/crowd_panel.h"

#include <imgui.h>

#include <algorithm>

#include "overlay/choices.h"
#include "overlay/controls.h"
#include "overlay/time_graphs.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kWidth = 300;  // at a scale of 1, pixels
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize;
constexpr ImU32 kProblem = IM_COL32(255, 140, 110, 255);

std::string mebibytes(uint64_t bytes) { return rounded(double(bytes) / (1 << 20)) + " MiB"; }

void add_count(const char* name, uint64_t count) { add_row(name, grouped(count).c_str()); }
void add_bytes(const char* name, uint64_t bytes) { add_row(name, mebibytes(bytes).c_str()); }

template <class Counts>
std::string list_of(const Counts& counts) {
  std::string list;
  for (uint32_t count : counts) list += (list.empty() ? "" : " / ") + grouped(count);
  return list;
}

/// Posed meshes that are drawn as an earlier frame left them.
uint64_t count_not_updated(const crowd::Plan& plan) {
  uint64_t count = 0;
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (plan.groups[batch.group].updated) continue;
    for (uint32_t mesh = batch.first_mesh; mesh < batch.first_mesh + batch.mesh_count; ++mesh)
      count += plan.posed_meshes[mesh].instance_count > 0;
  }
  return count;
}

void draw_keys() {
  constexpr const char* kKeys[][2] = {{"H", "hide or show this panel"},
                                      {"Space", "pause"},
                                      {"W A S D Q E", "fly"},
                                      {"drag, wheel", "turn, zoom"},
                                      {"right drag", "pan"},
                                      {"R", "capture a frame with RenderDoc"},
                                      {"Esc", "close"}};
  for (const auto& [key, does] : kKeys) add_row(key, does);
}

void draw_sections(const CrowdFigures& figures, float scale, CrowdSwitches& switches) {
  if (!figures.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, kProblem);
    ImGui::TextWrapped("%s", figures.problem.c_str());
    ImGui::PopStyleColor();
    mark_control("problem");
  }
  if (!figures.message.empty()) {
    ImGui::TextWrapped("%s", printable(figures.message).c_str());
    mark_control("message");
  }
  if (add_section("frame times")) add_frame_graph(figures.times, scale);
  if (add_section("stages, medians in ms")) add_stage_graphs(figures.times, scale);
  draw_crowd_switches(figures, switches);
  if (add_section("counters")) draw_crowd_counters(figures);
  if (add_section("memory")) draw_crowd_memory(figures);
  if (add_section("keys")) draw_keys();
}

}  // namespace

void draw_crowd_panel(const CrowdFigures& figures, float scale, CrowdSwitches& switches) {
  const ImVec2 picture = ImGui::GetIO().DisplaySize;
  const float margin = kMargin * scale;
  const float width = std::clamp(kWidth * scale, 1.0f, std::max(picture.x - 2 * margin, 1.0f));
  ImGui::SetNextWindowPos({margin, margin});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(picture.y - 2 * margin, 1.0f)});
  if (ImGui::Begin("sinew crowd", nullptr, kPanelFlags)) draw_sections(figures, scale, switches);
  ImGui::End();
}

void draw_crowd_counters(const CrowdFigures& figures) {
  const Renderer& renderer = figures.renderer;
  const crowd::Plan& plan = renderer.plan();
  const crowd::Counters& counters = plan.counters;
  add_count("visible", counters.visible);
  add_count("culled", counters.culled);
  add_count("shadow only", counters.shadow_only);
  add_count("with a shared pose", counters.shared);
  add_count("posed meshes updated", counters.updated_meshes);
  add_count("posed meshes not updated", count_not_updated(plan));
  add_row("levels of detail", list_of(counters.levels).c_str());
  add_row("every frame / 2nd / 4th", list_of(counters.rates).c_str());
  add_count("skinned vertices", renderer.skinning().counters().skinned_vertices);
  add_count("draws in a pass", renderer.draw_count());
}

void draw_crowd_memory(const CrowdFigures& figures) {
  const Renderer& renderer = figures.renderer;
  const SkinningCounters counters = renderer.skinning().counters();
  add_bytes("skinning, allocated", renderer.skinning().device_bytes());
  if (figures.memory_budget > 0) {
    add_bytes("budget", figures.memory_budget);
    add_bytes("needed by the frame", renderer.planner().needed_bytes());
  }
  const ShadowMaps& maps = renderer.shadow_maps();
  add_row(
      "shadow maps",
      maps.count == 0
          ? "none"
          : text("%u of %ux%u, %s", maps.count, maps.size, maps.size, mebibytes(maps.size_bytes()).c_str()).c_str());
  add_bytes("palettes of the frame", counters.palette_bytes);
  add_bytes("vertices of the frame", counters.skinned_bytes);
  if (counters.copies.count > 0) add_bytes("copied to the device", counters.copies.bytes);
}

}  // namespace sinew::app
