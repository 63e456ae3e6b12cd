// What a RenderDoc capture of `sinew crowd` says about itself.
#pragma once

#include <string>

#include "commands/crowd_drawing.h"
#include "report/renderdoc.h"

namespace sinew::app {

/// `frame` names the captured frame in the title: "frame 3", or "window". `seconds`: its scene time.
CaptureText describe_capture(const CrowdOptions& options, const CrowdInputs& inputs, const std::string& frame,
                             double seconds);

}  // namespace sinew::app
