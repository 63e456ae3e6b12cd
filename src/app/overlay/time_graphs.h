// Graphs of the last frames: their wall time, and their stages. Between Interface::begin() and end().
#pragma once

#include "report/time_history.h"

namespace sinew::app {

/// A bar for each frame, with the median and the 95th percentile. As wide as the panel.
void add_frame_graph(const TimeHistory& history, float scale);

/// The stages of the CPU stacked, those of the device stacked, with one axis, and a legend with medians. As wide as the
/// panel.
void add_stage_graphs(const TimeHistory& history, float scale);

}  // namespace sinew::app
