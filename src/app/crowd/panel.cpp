#include "crowd/panel.h"

#include <imgui.h>

#include <algorithm>

#include "system/text.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 8, kWidth = 300;  // at a scale of 1, pixels
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize;
constexpr ImU32 kProblem = IM_COL32(255, 140, 110, 255);

std::string mebibytes(uint64_t bytes) { return rounded(double(bytes) / (1 << 20)) + " MiB"; }

void add_count(const char* name, uint64_t count) { add_row(name, grouped(count)); }
void add_bytes(const char* name, uint64_t bytes) { add_row(name, mebibytes(bytes)); }

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

template <class Value>
struct Named {
  const char* word;
  Value value;
};

/// A row of buttons that sets `value`.
template <class Value, size_t kCount>
void choose(const char* name, const Named<Value> (&all)[kCount], int columns, Value& value) {
  const Value before = value;
  for (int i = 0; i < int(kCount); ++i) {
    if (add_choice(name, i, columns, all[i].word, all[i].value == before)) value = all[i].value;
  }
}

constexpr Named<uint32_t> kCharacters[] = {{"10", 10},      {"100", 100},    {"1k", 1'000},
                                           {"2k", 2'000},   {"5k", 5'000},   {"10k", 10'000},
                                           {"20k", 20'000}, {"50k", 50'000}, {"100k", 100'000}};
constexpr Named<SkinningMode> kModes[] = {
    {"compute", SkinningMode::kCompute}, {"vertex", SkinningMode::kVertex}, {"cpu", SkinningMode::kCpu}};
constexpr Named<uint32_t> kSharedPoses[] = {{"off", 0}, {"256", 256}, {"1k", 1'000}, {"4k", 4'000}};
constexpr Named<uint32_t> kPasses[] = {{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"5", 5}, {"6", 6}};
constexpr Named<Coloring> kColors[] = {{"lit", Coloring::kLit},
                                       {"level", Coloring::kLevel},
                                       {"update group", Coloring::kUpdateGroup},
                                       {"influences", Coloring::kVertices}};

void draw_group_legend(bool update_rate) {
  add_swatch(srgb_color(data_color(0)), "updated in every frame");
  if (!update_rate) return;
  for (uint32_t group = 1; group < crowd::kUpdateGroups; ++group) {
    const bool second = group < 3;
    const uint32_t phase = second ? group - 1 : group - 3;
    add_swatch(srgb_color(data_color(group)), text("every %s frame, phase %u", second ? "2nd" : "4th", phase));
  }
}

void draw_legend(const CrowdFigures& figures, const CrowdSwitches& switches) {
  switch (switches.draw.coloring) {
    case Coloring::kLevel:
      return add_level_legend(figures.renderer.plan().counters.levels.size());
    case Coloring::kUpdateGroup:
      return draw_group_legend(switches.optimizations.update_rate);
    case Coloring::kVertices:
      return add_influence_legend(figures.max_influences);
    case Coloring::kVelocity:
      return add_text("velocity: the hue is the direction (red: right, cyan: left), the brightness the speed");
    case Coloring::kLit:
      return;
  }
}

void draw_work_switches(CrowdSwitches& switches) {
  choose("characters", kCharacters, 5, switches.characters);
  const bool velocity = switches.draw.coloring == Coloring::kVelocity;  // for compute skinning only
  if (!velocity) choose("skinning", kModes, 3, switches.skinning);
  choose("shared poses", kSharedPoses, 4, switches.optimizations.unique_poses);
  choose("passes", kPasses, 6, switches.draw.passes);
  add_check("culling", switches.optimizations.cull);
  to_right_half();
  add_check("levels of detail", switches.optimizations.levels);
  add_check("update rate", switches.optimizations.update_rate);
}

void draw_color_switches(const CrowdFigures& figures, CrowdSwitches& switches) {
  if (switches.draw.coloring != Coloring::kVelocity) choose("colors", kColors, 2, switches.draw.coloring);
  draw_legend(figures, switches);
  add_check("wireframe", switches.draw.wireframe, figures.can_draw_wireframe);
  to_right_half();
  add_check("bones", switches.bones);
}

void draw_time_switches(CrowdSwitches& switches) {
  add_check("pause", switches.paused);
  to_right_half();
  add_check("orbit", switches.orbiting);
  add_check("freeze the visible set", switches.frozen);
}

void draw_picked(const CrowdFigures& figures, CrowdSwitches& switches) {
  for (const auto& [name, value] : figures.picked) add_row(name.c_str(), value);
  add_check("follow", switches.follow);
}

void draw_counters(const CrowdFigures& figures) {
  const Renderer& renderer = figures.renderer;
  const crowd::Plan& plan = renderer.plan();
  const crowd::Counters& counters = plan.counters;
  add_count("visible", counters.visible);
  add_count("culled", counters.culled);
  add_count("shadow only", counters.shadow_only);
  if (counters.occluded > 0) add_count("occluded", counters.occluded);
  add_count("with a shared pose", counters.shared);
  add_count("posed meshes updated", counters.updated_meshes);
  add_count("posed meshes not updated", count_not_updated(plan));
  add_row("levels of detail", list_of(counters.levels));
  add_row("every frame / 2nd / 4th", list_of(counters.rates));
  add_count("skinned vertices", renderer.skinning().counters().skinned_vertices);
  add_count("draws in a pass", renderer.draw_count());
}

void draw_memory(const CrowdFigures& figures) {
  const Renderer& renderer = figures.renderer;
  const SkinningCounters counters = renderer.skinning().counters();
  add_bytes("skinning, allocated", renderer.skinning().device_bytes());
  if (figures.memory_budget > 0) {
    add_bytes("budget", figures.memory_budget);
    add_bytes("needed by the frame", renderer.planner().needed_bytes());
  }
  const ShadowMaps& maps = renderer.shadow_maps();
  const std::string size =
      text("%u of %ux%u, %s", maps.count, maps.size, maps.size, mebibytes(maps.size_bytes()).c_str());
  add_row("shadow maps", maps.count == 0 ? "none" : size);
  add_bytes("palettes of the frame", counters.palette_bytes);
  add_bytes("vertices of the frame", counters.skinned_bytes);
  if (counters.copies.count > 0) add_bytes("copied to the device", counters.copies.bytes);
}

void draw_keys() {
  constexpr const char* kKeys[][2] = {{"H", "hide or show this panel"},
                                      {"Space", "pause"},
                                      {"W A S D Q E", "fly"},
                                      {"drag, wheel", "turn, zoom"},
                                      {"right drag", "pan"},
                                      {"click", "choose a person"},
                                      {"F", "follow the person"},
                                      {"R", "capture a frame with RenderDoc"},
                                      {"Esc", "let go of the person; close"}};
  for (const auto& [key, does] : kKeys) add_row(key, does);
}

void draw_sections(const CrowdFigures& figures, float scale, CrowdSwitches& switches) {
  if (!figures.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, kProblem);
    add_text(figures.problem, "problem");
    ImGui::PopStyleColor();
  }
  if (!figures.message.empty()) add_text(printable(figures.message), "message");
  if (!figures.picked.empty() && add_section("person")) draw_picked(figures, switches);
  if (add_section("frame times")) add_frame_graph(figures.times, scale);
  if (add_section("stages, medians in ms")) add_stage_graphs(figures.times, scale);
  if (add_section("crowd")) draw_work_switches(switches);
  if (add_section("colors and lines")) draw_color_switches(figures, switches);
  if (add_section("camera and time")) draw_time_switches(switches);
  if (add_section("counters")) draw_counters(figures);
  if (add_section("memory")) draw_memory(figures);
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

}  // namespace sinew::app
