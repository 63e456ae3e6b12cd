// Graphs of the last frames, as wide as the panel: their wall time, and their stages.
#include <imgui.h>

#include <algorithm>
#include <span>

#include "crowd/panel.h"
#include "crowd/report/report.h"
#include "system/text.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kFrameGraphHeight = 64, kStageGraphHeight = 44, kMargin = 3;  // at a scale of 1, pixels
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
  const float margin = kMargin * scale;
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
