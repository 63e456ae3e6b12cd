// What a run drew, for its report and for RenderDoc captures.
#pragma once

#include <span>
#include <string>

#include "crowd/drawing.h"
#include "crowd/report/report.h"
#include "render/renderer.h"
#include "window/renderdoc.h"

namespace sinew::app {

/// Fills in all but times and comparisons: the options, and counts of the last frame.
void describe_run(const CrowdOptions& options, std::span<const Model> models, const Scene& scene,
                  const Renderer& renderer, RunReport& report);

/// What a RenderDoc capture says about itself. `frame` names the captured frame in the title: "frame 3", or "window".
/// `seconds`: its scene time.
CaptureText describe_capture(const CrowdOptions& options, const CrowdInputs& inputs, const std::string& frame,
                             double seconds);

}  // namespace sinew::app
