// What a run of the crowd benchmark owns, and how it draws a frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "crowd/drawing.h"
#include "crowd/options.h"
#include "crowd/report/comparison.h"
#include "crowd/report/report.h"
#include "crowd/report/report_html.h"
#include "crowd/report/trace.h"
#include "crowd/window_loop.h"
#include "gpu/host.h"
#include "render/renderer.h"
#include "scene/pose.h"
#include "scene/scene.h"
#include "system/progress.h"
#include "window/renderdoc.h"

namespace sinew::app {

inline constexpr double kFramesPerSecond = 60;  // of scene time, without a window

/// Everything that a run owns, in the order of creation. Destroyed in reverse order: renderers before the device.
struct Run {
  std::optional<ProgressLine> line{"starting"};  // until a window shows what is done
  std::vector<Model> models;
  std::unique_ptr<Evaluation> evaluation;
  Scene scene;
  GraphicsContext graphics;
  Report report;
  std::vector<std::unique_ptr<Renderer>> renderers;  // one for each skinning mode
  std::optional<RenderDoc> renderdoc;
  std::optional<WindowLoop> window;     // what the last frame points to
  FrameRequest last;                    // the last frame drawn
  bool drew = false;                    // a frame
  uint32_t repeats_begun = 0;           // of all numbers of characters
  Status compared;                      // with the CPU: the first failure
  std::vector<ReportPicture> pictures;  // for --html
  std::optional<StoredReport> older;    // of --compare, read before anything is drawn: it may not be one
  std::optional<Result<ReportComparison>> comparison;
  Trace trace;  // for --trace

  CrowdInputs inputs() { return {graphics.device, models, *evaluation}; }
};

/// Draws one frame with every renderer, one after another. Skinning modes that are compared so run on the same machine
/// at the same time. Where there are several, each renderer waits until the device has finished its frame.
Status draw_one(Run& run, const FrameRequest& request);

/// Waits for the frames of all renderers.
Status finish(Run& run);

}  // namespace sinew::app
