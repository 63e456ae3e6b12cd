// The pictures of a run, drawn after what is measured: screenshot, moving picture, those of a report. Afterwards the
// renderers are not those of the measurement any more.
#pragma once

#include "crowd/options.h"
#include "crowd/run_frames.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// Writes --screenshot.
Status write_screenshot(const CrowdOptions& options, Run& run);

/// Draws --record. The last frames blend into the first ones.
Status write_recording(const CrowdOptions& options, Run& run);

/// Keeps the last frame for --html.
Status keep_picture(const CrowdOptions& options, Run& run);

}  // namespace sinew::app
