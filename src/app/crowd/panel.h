// The panels of `sinew crowd --window`: graphs of times, switches, counters and memory; the person that was clicked on.
// Between Interface::begin() and end().
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "crowd/report/stage_times.h"
#include "render/renderer.h"

namespace sinew::app {

/// What the switches change. Most are options of the command line too.
struct CrowdSwitches {
  uint32_t characters = 1000;
  SkinningMode skinning = SkinningMode::kCompute;
  crowd::PlanOptions optimizations;
  DrawOptions draw;
  bool orbiting = true;

  // Of the window alone:
  bool bones = false;   // of near instances
  bool follow = false;  // the camera follows the person that was clicked on
  bool paused = false;  // the scene's time
  bool frozen = false;  // the plan is made for the camera as it was at that moment
  bool help = false;    // the list of keys
};

/// What the panel shows of the last frame.
struct CrowdFigures {
  const Renderer& renderer;
  const TimeHistory& times;
  uint64_t memory_budget = 0;       // bytes; 0: none
  uint32_t max_influences = 8;      // of any vertex
  bool can_draw_wireframe = false;  // the device
  std::string message;              // why the last change failed, or what a key did; empty: none
  std::string problem;              // stays until it is solved; empty: none
  /// Rows about the person that was clicked on; empty: none.
  std::vector<std::pair<std::string, std::string>> picked = {};
};

/// Adds the panels, as high as their contents, or as the picture with a scroll bar. Clicks change `switches`. `scale`
/// is that of the interface.
void draw_crowd_panels(const CrowdFigures& figures, float scale, CrowdSwitches& switches);

// Its graphs: wall times, with the median and the 95th percentile; the stages of the CPU and those of the device
// stacked, with one axis, and a legend with medians.
void add_frame_graph(const TimeHistory& history, float scale);
void add_stage_graphs(const TimeHistory& history, float scale);

}  // namespace sinew::app
