#include "crowd/panel.h"

#include <imgui.h>

#include <algorithm>
#include <span>

#include "crowd/report/report.h"
#include "system/text.h"
#include "window/controls.h"
#include "window/message.h"

namespace sinew::app {
namespace {

constexpr float kWidth = 300;  // at a scale of 1, pixels

std::string mebibytes(uint64_t bytes) { return rounded(double(bytes) / (1 << 20)) + " MiB"; }

void add_count(const char* name, uint64_t count) { add_row(name, grouped(count)); }
void add_bytes(const char* name, uint64_t bytes) { add_row(name, mebibytes(bytes)); }

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
  const crowd::PlanCounters& counters = plan.counters;
  add_count("visible", counters.visible);
  add_count("culled", counters.culled);
  add_count("shadow only", counters.shadow_only);
  if (counters.occluded > 0) add_count("occluded", counters.occluded);
  add_count("with a shared pose", counters.shared);
  add_count("posed meshes updated", counters.updated_meshes);
  add_count("posed meshes not updated", count_not_updated(plan));
  add_row("levels of detail", joined(counters.levels, " / ", grouped));
  add_row("every frame / 2nd / 4th", joined(counters.rates, " / ", grouped));
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

void draw_sections(const CrowdFigures& figures, float scale, CrowdSwitches& switches) {
  if (add_button("Help")) switches.help = true;
  if (add_section("frame times")) add_frame_graph(figures.times, scale);
  if (add_section("stages, medians in ms")) add_stage_graphs(figures.times, scale);
  if (add_section("crowd")) draw_work_switches(switches);
  if (add_section("colors and lines")) draw_color_switches(figures, switches);
  if (add_section("camera and time")) draw_time_switches(switches);
  if (add_section("counters")) draw_counters(figures);
  if (add_section("memory")) draw_memory(figures);
}

/// Adds a panel in the upper left (0) or the lower right (1) corner.
void add_panel_at(float corner, const char* name, float scale, const auto& draw) {
  const ImVec2 picture = ImGui::GetIO().DisplaySize;
  const float margin = kPanelMargin * scale;
  const float most_width = std::max(picture.x - 2 * margin, 1.0f), width = std::min(kWidth * scale, most_width);
  const auto at = [&](float size) { return margin + corner * (size - 2 * margin); };
  ImGui::SetNextWindowPos({at(picture.x), at(picture.y)}, ImGuiCond_Always, {corner, corner});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(picture.y - 2 * margin, 1.0f)});
  if (begin_panel(name, scale, ImGuiWindowFlags_AlwaysAutoResize)) draw();
  ImGui::End();
}

}  // namespace

void draw_crowd_panels(const CrowdFigures& figures, float scale, CrowdSwitches& switches) {
  add_panel_at(0, "sinew crowd", scale, [&] { draw_sections(figures, scale, switches); });
  // In the corner on the other side, a person does not move what the mouse is on.
  if (!figures.picked.empty()) add_panel_at(1, "person", scale, [&] { draw_picked(figures, switches); });
  add_message(figures.message, figures.problem, (kWidth + kPanelMargin) * scale, 0, scale);
}

// Graphs of the last frames, as wide as the panel: their wall time, and their stages.

namespace {

constexpr float kFrameGraphHeight = 64, kStageGraphHeight = 44, kGraphMargin = 3;  // at a scale of 1, pixels
constexpr double kRareShare = 0.98;  // bars that are higher than those of this share of the frames may be cut off
constexpr ImU32 kBackground = IM_COL32(10, 12, 16, 160), kText = IM_COL32(235, 238, 245, 255),
                kTextBack = IM_COL32(10, 12, 16, 170), kMedianLine = IM_COL32(255, 210, 100, 230);
constexpr ImU32 kFrameColor[] = {IM_COL32(110, 170, 235, 255)};
constexpr ImU32 kStageColors[kStageCount] = {IM_COL32(78, 159, 209, 255),  IM_COL32(87, 196, 173, 255),
                                             IM_COL32(159, 209, 122, 255), IM_COL32(230, 224, 138, 255),
                                             IM_COL32(180, 140, 235, 255), IM_COL32(242, 161, 84, 255),
                                             IM_COL32(232, 99, 107, 255)};

/// Values whose bars stand on each other, from the bottom.
using Stack = std::span<const RecentTimes>;

std::string number(std::optional<double> value) { return value ? rounded(*value) : "-"; }

/// The end of the axis that all stacks fit in.
double axis_of(std::initializer_list<Stack> stacks) {
  Samples samples;
  for (size_t frame = 0; frame < stacks.begin()->front().size(); ++frame) {
    double highest = 0;
    for (const Stack stack : stacks) {
      double sum = 0;
      for (const RecentTimes& values : stack) sum += values[frame].value_or(0);
      highest = std::max(highest, sum);
    }
    samples.push_back(highest);
  }
  return axis_end(1.1 * percentile(std::move(samples), kRareShare).value_or(0));
}

/// The rectangle of a graph, and its axis.
struct Graph {
  ImVec2 low, high;
  double end_ms = 1;  // at the top

  float y_of(double ms) const { return high.y - (high.y - low.y) * float(std::clamp(ms / end_ms, 0.0, 1.0)); }
  /// The newest frame is at the right edge.
  float x_of(size_t index, size_t size) const {
    return high.x - (high.x - low.x) * float(size - index) / float(kHistoryFrames);
  }
};

/// Text in the upper left or the upper right corner.
void label_corner(const Graph& graph, const std::string& label, bool right, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(label.c_str());
  const float margin = kGraphMargin * scale;
  const ImVec2 at{right ? graph.high.x - size.x - margin : graph.low.x + margin, graph.low.y + margin};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x - margin, at.y}, {at.x + size.x + margin, at.y + size.y}, kTextBack, margin);
  list.AddText(at, kText, label.c_str());
}

/// Adds a graph without its labels.
Graph add_graph(const char* name, float height, Stack stack, const ImU32* colors, double end_ms) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, height});
  mark_control(name);
  const Graph graph{low, {low.x + width, low.y + height}, end_ms};
  list.AddRectFilled(graph.low, graph.high, kBackground);
  const size_t size = stack.front().size();
  for (size_t frame = 0; frame < size; ++frame) {
    double below = 0;
    for (size_t i = 0; i < stack.size(); ++i) {
      const double ms = stack[i][frame].value_or(0);
      if (!(ms > 0)) continue;
      list.AddRectFilled({graph.x_of(frame, size), graph.y_of(below + ms)},
                         {graph.x_of(frame + 1, size), graph.y_of(below)}, colors[i]);
      below += ms;
    }
  }
  return graph;
}

/// The color, the name and the median of a stage, between these positions.
void add_legend_entry(const TimeHistory& history, size_t stage, float left, float right) {
  const std::string median = number(history.stages[stage].percentile(0.5));
  ImGui::SetCursorPosX(left);
  add_swatch(kStageColors[stage], name_of(Stage(stage)));
  ImGui::SameLine();
  ImGui::SetCursorPosX(right - ImGui::CalcTextSize(median.c_str()).x);
  ImGui::TextUnformatted(median.c_str());
}

}  // namespace

void add_frame_graph(const TimeHistory& history, float scale) {
  const Stack frames{&history.frames, 1};
  const auto median = history.frames.percentile(0.5), p95 = history.frames.percentile(0.95);
  const Graph graph = add_graph("frame graph", kFrameGraphHeight * scale, frames, kFrameColor, axis_of({frames}));
  if (median) {
    const float y = graph.y_of(*median);
    ImGui::GetWindowDrawList()->AddLine({graph.low.x, y}, {graph.high.x, y}, kMedianLine, scale);
  }
  label_corner(graph, rounded(graph.end_ms) + " ms", true, scale);
  ImGui::Text("median %s ms, 95 %% within %s ms", number(median).c_str(), number(p95).c_str());
}

void add_stage_graphs(const TimeHistory& history, float scale) {
  const Stack cpu = Stack(history.stages).first(kCpuStageCount), gpu = Stack(history.stages).subspan(kCpuStageCount);
  const double end_ms = axis_of({cpu, gpu});
  for (const bool is_gpu : {false, true}) {
    const char* name = is_gpu ? "GPU" : "CPU";
    const Graph graph = add_graph(name, kStageGraphHeight * scale, is_gpu ? gpu : cpu,
                                  kStageColors + (is_gpu ? kCpuStageCount : 0), end_ms);
    label_corner(graph, name, false, scale);
    label_corner(graph, rounded(end_ms) + " ms", true, scale);
  }
  const float left = ImGui::GetCursorPosX(), right = ImGui::GetWindowContentRegionMax().x;
  const float middle = (left + right) / 2, gap = 2 * ImGui::GetStyle().ItemSpacing.x;
  for (size_t row = 0; row < kCpuStageCount; ++row) {
    add_legend_entry(history, row, left, middle - gap);
    if (kCpuStageCount + row >= kStageCount) continue;
    ImGui::SameLine();
    add_legend_entry(history, kCpuStageCount + row, middle, right);
  }
}

}  // namespace sinew::app
