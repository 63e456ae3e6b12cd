#include "crowd/run_pictures.h"

#include <utility>

#include "crowd/describe_run.h"
#include "crowd/recording.h"
#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

constexpr size_t kMaxPictures = 4;  // in an HTML report

/// Colors that show velocity need the frame before, which is drawn again too.
Status draw_last_again(const CrowdOptions& options, Run& run) {
  const FrameRequest last = run.last;
  if (options.draw.coloring == Coloring::kVelocity) {
    FrameRequest before = last;
    before.seconds -= 1 / kFramesPerSecond;
    if (Status drawn = draw_one(run, before); !drawn) return drawn;
  }
  if (Status drawn = draw_one(run, last); !drawn) return drawn;
  return finish(run);
}

/// The renderer of a picture: with sun shadows, and with four samples where nothing else is asked for.
Status make_picture_renderer(const CrowdOptions& options, Run& run) {
  CrowdOptions of_picture = options;
  if (options.picture_shadow_maps > 0) of_picture.draw.passes = options.passes_with(options.picture_shadow_maps);
  of_picture.samples = options.samples.value_or(4);
  run.renderers.clear();
  auto renderer = create_renderer(run.inputs(), run.scene, of_picture, options.skinning.front());
  if (!renderer) return renderer.error();
  run.renderers.push_back(std::move(*renderer));
  return {};
}

/// Draws the last frame once more for the screenshot, where it should differ. Measured frames have no sun shadows, so
/// that all scenes and older reports compare; and as multisampling makes drawing three times as slow on a CPU device,
/// they have one sample per pixel there. The panel of a window is left out.
Status redraw(const CrowdOptions& options, Run& run) {
  const bool multisampled = draws_again(options, run.graphics.device);
  const bool covered = run.last.overlay && !options.overlay;
  if (!multisampled && !covered && options.picture_shadow_maps == 0) return {};
  run.renderers.resize(1);
  if (covered) run.last.overlay = nullptr;
  if (options.picture_shadow_maps > 0) {
    if (Status made = make_picture_renderer(options, run); !made) return made;
  } else if (multisampled) {
    if (Status set = run.renderers.front()->set_samples(4); !set) return set;
  }
  return draw_last_again(options, run);
}

Result<ReportPicture> last_picture(const CrowdOptions& options, Run& run) {
  if (Status redrawn = redraw(options, run); !redrawn) return redrawn.error();
  const Target& target = run.renderers.front()->target();
  auto rgba = read_picture(run.graphics.device, target);
  if (!rgba) return rgba.error();
  return ReportPicture{options.scene + ": " + grouped(options.characters) + " characters", target.width, target.height,
                       std::move(*rgba)};
}

}  // namespace

Status write_screenshot(const CrowdOptions& options, Run& run) {
  if (options.screenshot.empty()) return {};
  const auto picture = last_picture(options, run);
  if (!picture) return picture.error();
  return write_png(options.screenshot, picture->width, picture->height, picture->rgba);
}

Status write_recording(const CrowdOptions& options, Run& run) {
  if (options.record.empty()) return {};
  if (Status made = make_picture_renderer(options, run); !made) return made;
  const Target& target = run.renderers.front()->target();
  const auto draw = [&](double seconds) -> Result<std::vector<uint8_t>> {
    const FrameRequest request{seconds, recorded_camera_at(options, run.scene, seconds)};
    if (Status drawn = draw_one(run, request); !drawn) return drawn.error();
    if (Status finished = finish(run); !finished) return finished.error();
    return read_picture(run.graphics.device, target);
  };
  return record({options.record, target.width, target.height, options.record_rate}, options.record_seconds,
                options.start_seconds, draw);
}

Status keep_picture(const CrowdOptions& options, Run& run) {
  if (options.html.empty() || !options.draw.rasterize || !run.drew || run.pictures.size() == kMaxPictures) return {};
  auto picture = last_picture(options, run);
  if (!picture) return picture.error();
  run.pictures.push_back(std::move(*picture));
  return {};
}

}  // namespace sinew::app
