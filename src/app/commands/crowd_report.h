// What a run drew, for its report.
#pragma once

#include <span>

#include "commands/crowd_options.h"
#include "render/renderer.h"
#include "report/report.h"

namespace sinew::app {

/// Fills in all but times and comparisons: the options, and counts of the last frame.
void describe_run(const CrowdOptions& options, std::span<const Model> models, const Scene& scene,
                  const Renderer& renderer, RunReport& report);

}  // namespace sinew::app
