#include "crowd/run_frames.h"

#include "scene/footing.h"

namespace sinew::app {

Status draw_one(Run& run, const FrameRequest& request) {
  run.last = request;
  place_scene(run.models, request.camera, request.seconds, run.evaluation->pool().parallel_for(), run.scene);
  run.drew = true;
  for (const auto& renderer : run.renderers) {
    if (auto begun = renderer->begin_frame(); !begun) return begun.error();
    if (Status drawn = renderer->draw_frame(request); !drawn) return drawn;
    if (run.renderers.size() == 1) continue;
    if (Status finished = renderer->finish(); !finished) return finished;
  }
  return {};
}

Status finish(Run& run) {
  for (const auto& renderer : run.renderers) {
    if (Status finished = renderer->finish(); !finished) return finished;
  }
  return {};
}

}  // namespace sinew::app
