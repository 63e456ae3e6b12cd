#include "crowd/run.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crowd/against.h"
#include "crowd/describe_run.h"
#include "crowd/drawing.h"
#include "crowd/models.h"
#include "crowd/options.h"
#include "crowd/recording.h"
#include "crowd/report/bandwidth.h"
#include "crowd/report/comparison.h"
#include "crowd/report/report.h"
#include "crowd/report/report_html.h"
#include "crowd/report/stage_times.h"
#include "crowd/report/trace.h"
#include "crowd/report/validate.h"
#include "crowd/window_loop.h"
#include "gpu/host.h"
#include "gpu/kept_pipelines.h"
#include "render/renderer.h"
#include "scene/baking.h"
#include "scene/fire.h"
#include "scene/footing.h"
#include "scene/lines.h"
#include "scene/scene.h"
#include "scene/scenes/scenes.h"
#include "sinew/asset/result.h"
#include "system/output.h"
#include "system/process.h"
#include "system/progress.h"
#include "system/text.h"
#include "window/renderdoc.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

// What a run of the crowd benchmark owns, and how it draws a frame.

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

/// Waits for the frames of all renderers.
Status finish(Run& run) {
  for (const auto& renderer : run.renderers) {
    if (Status finished = renderer->finish(); !finished) return finished;
  }
  return {};
}

// The pictures of a run, drawn after what is measured: screenshot, moving picture, those of a report. Afterwards the
// renderers are not those of the measurement any more.

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

/// Writes --screenshot.
Status write_screenshot(const CrowdOptions& options, Run& run) {
  if (options.screenshot.empty()) return {};
  const auto picture = last_picture(options, run);
  if (!picture) return picture.error();
  return write_png(options.screenshot, picture->width, picture->height, picture->rgba);
}

/// Draws --record. The last frames blend into the first ones.
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

/// Keeps the last frame for --html.
Status keep_picture(const CrowdOptions& options, Run& run) {
  if (options.html.empty() || !options.draw.rasterize || !run.drew || run.pictures.size() == kMaxPictures) return {};
  auto picture = last_picture(options, run);
  if (!picture) return picture.error();
  run.pictures.push_back(std::move(*picture));
  return {};
}

constexpr size_t kTracedSpans = 1 << 16;  // of each thread, 16 bytes each: those of some thousands of frames

Status create_evaluation(const CrowdOptions& options, Run& run) {
  if (options.evaluator == EvaluatorKind::kCrowd) {
    if (Status made = put(bake_models(run.models, &*run.line), run.report.bake); !made) return made;
  }
  const bool packed = options.format == vulkan::VertexFormat::kPacked;
  // Levels and update rates go by the nearest point of a clip that leaves its place. A window turns culling on.
  const crowd::PlanOptions& plan = options.optimizations;
  if (plan.cull || plan.levels || plan.update_rate || options.window || packed)
    measure_bounds(run.models, options.evaluator == EvaluatorKind::kExact, &*run.line);
  const auto unbounded = [](const Model& model) { return !model.has_bounds; };
  const auto lacks = std::find_if(run.models.begin(), run.models.end(), unbounded);
  if (packed && lacks != run.models.end())
    return Error{ErrorCode::kUnsupported, "--format 12: no box contains all poses of " + printable(lacks->name)};
  const auto full = std::ranges::find_if_not(run.models, can_be_compact);
  if (options.compact_palettes && full != run.models.end())
    return Error{ErrorCode::kUnsupported,
                 "--palettes compact: " + printable(full->name) + " has joints that scale, or more than 64 in a chain"};
  run.evaluation = std::make_unique<Evaluation>(
      run.models, options.threads.value_or(std::min(core_count(), kMaxThreads)), options.evaluator);
  run.report.cpu = this_cpu(run.evaluation->thread_count());
  const std::string instruction_set = run.evaluation->instruction_set();
  if (!instruction_set.empty()) run.report.cpu.instruction_set = instruction_set;
  return {};
}

/// What needs no device.
Status load(const CrowdOptions& options, Run& run) {
  if (Status made = put(load_models(options, &*run.line), run.models); !made) return made;
  Status created = create_evaluation(options, run);
  run.line->rename("preparing to draw");
  return created;
}

GraphicsOptions graphics_options(const CrowdOptions& options) {
  GraphicsOptions graphics{options.device, options.validate, options.draw.coloring == Coloring::kVelocity};
  graphics.calibrated_clock = !options.trace.empty();
  if (options.window) graphics.title = "sinew crowd";
  graphics.width = options.width, graphics.height = options.height;
  return graphics;
}

Status start_renderdoc(const CrowdOptions& options, Run& run) {
  if (!options.captured_frame) return {};
  run.renderdoc = RenderDoc::find();
  if (run.renderdoc) return {};
  return Error{ErrorCode::kUnsupported, "RenderDoc is not loaded; " + how_to_capture()};
}

// --- frames ---

/// Draws one frame within a RenderDoc capture, and waits until it is complete.
Status draw_captured(const CrowdOptions& options, Run& run, const FrameRequest& request) {
  run.renderdoc->start(run.graphics.device);
  Status drawn = draw_one(run, request);
  if (drawn) drawn = finish(run);
  const std::string frame = text("frame %u", *options.captured_frame);
  const CaptureText about = describe_capture(options, run.inputs(), frame, request.seconds);
  const auto path = run.renderdoc->end(run.graphics.device, about);
  if (!drawn) return drawn;
  if (!path) return Error{ErrorCode::kDeviceFailure, "RenderDoc could not capture the frame"};
  run.line->hide();
  return print(text("captured %s\n", path->c_str()));
}

/// Scene time advances by 1/60 s per frame, however long the frame takes: pictures do not depend on the speed of the
/// machine.
FrameRequest request_for(const CrowdOptions& options, const Scene& scene, uint32_t frame) {
  FrameRequest request;
  request.seconds = options.start_seconds + frame / kFramesPerSecond;
  request.camera = camera_at(options, scene, request.seconds);
  return request;
}

/// Draws the scene without people until `loading` is done. False: the window was closed.
Result<bool> show_empty_scene(const CrowdOptions& options, const std::future<Status>& loading, Run& run) {
  if (!options.window || find_scene(options.scene) == nullptr) return true;
  const Model stand_in = make_stand_in();
  const std::span<const Model> models(&stand_in, 1);
  Scene scene = make_scene(options, models);
  const Orbit camera = request_for(options, scene, 0).camera;
  clear_scene(scene);
  burn(options.start_seconds, scene);
  const uint32_t samples = options.samples.value_or(run.graphics.device.info.is_cpu() ? 1 : 4);
  const float scale = options.scale.value_or(run.graphics.window->scale());
  DrawOptions draw = options.draw;
  if (draw.coloring == Coloring::kVelocity) draw.coloring = Coloring::kLit;  // nothing moves
  return show_loading(run.graphics, {models, scene, camera, draw, samples, scale, !options.hide_overlay}, *run.line,
                      loading);
}

/// The frames of one repeat, with its warm-up.
uint32_t repeat_frames(const CrowdOptions& options) { return options.warmup + options.frame_count(); }

/// With --wait-between-repeats, another program draws a repeat between two of this one.
Status begin_repeat(const CrowdOptions& options, Run& run) {
  if (!options.wait_between_repeats || run.repeats_begun++ == 0) return {};
  if (Status finished = finish(run); !finished) return finished;
  return pass_turn();
}

/// `describe` is called at the end of the first repeat: later ones begin with what the one before left, such as levels
/// of detail, and count differently.
Status draw_headless(const CrowdOptions& options, Run& run, const std::function<void()>& describe) {
  const uint32_t count = repeat_frames(options), all = count * options.repeat_count();
  run.line->rename("drawing " + grouped(options.characters));
  for (uint32_t drawn_frames = 0; drawn_frames < all; ++drawn_frames) {
    run.line->show(double(drawn_frames) / all);
    const uint32_t frame = drawn_frames % count;
    if (Status begun = frame == 0 ? begin_repeat(options, run) : Status(); !begun) return begun;
    const FrameRequest request = request_for(options, run.scene, frame);
    const bool captured = options.captured_frame && *options.captured_frame + options.warmup == frame + 1;
    if (Status drawn = captured ? draw_captured(options, run, request) : draw_one(run, request); !drawn) return drawn;
    const bool is_last = InterruptFlag::is_set();
    if (drawn_frames + 1 == count || (is_last && drawn_frames < count)) describe();
    if (is_last) break;
  }
  return finish(run);
}

/// `options` become those of the last frame.
Status draw_in_window(CrowdOptions& options, Run& run) {
  run.line.reset();
  run.window.emplace(WindowLoop{options, run.inputs(), run.scene, run.graphics, run.renderers.front()});
  if (Status shown = show_crowd(*run.window); !shown) return shown;
  run.last = run.window->last;
  run.drew = run.window->frames > 0;
  return finish(run);
}

// --- report ---

/// Compares the last frames of the renderers with the CPU. `reports`: of each renderer; they have the comparison also
/// where it fails. The first failure goes into `run`.
void compare_all(const CrowdOptions& options, Run& run, std::span<RunReport> reports) {
  if (!options.validate || !run.drew) return;
  for (size_t i = 0; i < run.renderers.size(); ++i) {
    const Renderer& renderer = *run.renderers[i];
    auto compared =
        compare_frame(run.graphics.device, run.models, run.scene, renderer.plan(), renderer.skinning(), options.seed);
    if (compared) reports[i].compared = *compared;
    if (!run.compared) continue;
    if (!compared) run.compared = compared.error();
    if (compared && !compared->first_failure.empty())
      run.compared = Error{ErrorCode::kInvalidData, compared->first_failure};
  }
}

Status check_messages(const CrowdOptions& options, Run& run) {
  if (!options.validate) return {};
  const uint32_t messages = validation_messages(run.graphics.instance);
  for (RunReport& report : run.report.runs) report.validation_messages = messages;
  return check_messages(run.graphics);
}

/// Writes all, whatever fails. Returns the first failure.
Status write_reports(const CrowdOptions& options, const Run& run) {
  Status first;
  const auto write = [&](const std::string& path, const auto& make) {
    Status written = path.empty() ? Status() : write_file(path, make());
    if (first) first = std::move(written);
  };
  write(options.json, [&] { return to_json(run.report); });
  write(options.csv, [&] { return to_csv(run.report); });
  const ReportComparison* comparison = run.comparison && *run.comparison ? &**run.comparison : nullptr;
  write(options.html, [&] { return to_html(json_of(run.report), {run.pictures, comparison, options.compare}); });
  write(options.trace, [&] { return to_trace(run.trace); });
  return first;
}

/// The times of all frames that the renderer has drawn.
std::vector<FrameTimes> times_of(Run& run, Renderer& renderer) {
  std::vector<FrameTimes> times;
  if (run.window) times = std::move(run.window->times);
  const std::vector<FrameTimes> rest = renderer.take_times();
  times.insert(times.end(), rest.begin(), rest.end());
  return times;
}

/// What a renderer measured, and the clocks for it.
struct Measured {
  std::vector<FrameTimes> frames;
  TimesInfo info;
  std::optional<ClockMoment> before, after;  // only for --trace
};

void add_to_trace(const RunReport& report, Measured measured, Trace& trace) {
  TraceRun& run = trace.runs.emplace_back();
  run.title = text("%s characters, %s skinning, %u pass%s", grouped(report.options.characters).c_str(),
                   name_of(report.skinning), report.options.draw.passes, report.options.draw.passes == 1 ? "" : "es");
  if (!report.device_clock_is_wrong)
    run.queues = map_queues(measured.frames, measured.info.clocks, measured.before, measured.after);
  run.two_queues = report.async_compute == "second queue";
  for (const PassTimes& pass : report.passes_drawn) run.passes.push_back(pass.name);
  run.frames = std::move(measured.frames);
}

/// Creates the renderers, draws all frames of one number of characters, and appends to the runs of the report. A window
/// changes `options`.
Status draw(CrowdOptions& options, Run& run) {
  run.renderers.clear();  // they refer to the scene
  if (run.line) run.line->rename("preparing " + grouped(options.characters) + " characters");
  run.scene = make_scene(options, run.models);
  for (SkinningMode mode : options.skinning) {
    auto renderer = create_renderer(run.inputs(), run.scene, options, mode);
    if (!renderer) return renderer.error();
    run.renderers.push_back(std::move(*renderer));
  }
  std::vector<RunReport> reports(run.renderers.size());
  const auto describe = [&] {
    for (size_t i = 0; i < reports.size(); ++i)
      describe_run(options, run.models, run.scene, *run.renderers[i], reports[i]);
  };
  const auto before = read_both_clocks(run.graphics.device);
  if (Status drawn = options.window ? draw_in_window(options, run) : draw_headless(options, run, describe); !drawn)
    return drawn;
  if (options.window) describe();
  const auto after = read_both_clocks(run.graphics.device);
  for (size_t i = 0; i < run.renderers.size(); ++i) {
    Renderer& renderer = *run.renderers[i];
    const QueueClocks clocks = queue_clocks(run.graphics.device, renderer.skinning().async());
    TimesInfo info{clocks, options.warmup, options.window ? 0 : repeat_frames(options)};
    info.one_queue = renderer.skinning().async() != AsyncCompute::kSecondQueue;
    info.runs_alternate = reports.size() > 1;
    Measured measured{times_of(run, renderer), info, before, after};
    add_times(measured.frames, info, reports[i]);
    if (InterruptFlag::is_set()) reports[i].repeats = 1;  // the last one is not whole
    if (!options.trace.empty()) add_to_trace(reports[i], std::move(measured), run.trace);
  }
  if (InterruptFlag::is_set() && reports.front().frames == 0) return {};
  compare_all(options, run, reports);
  run.report.runs.insert(run.report.runs.end(), reports.begin(), reports.end());
  return {};
}

/// Draws each number of characters with each number of shadow maps. After a failure `run` has the reports of those
/// before.
Status draw_all(CrowdOptions& options, Run& run) {
  MachineReport machine;
  machine.validated = options.validate;
  machine.before = time_fixed_task();
  machine.clock_before_mhz = clock_mhz();
  const auto before = processor_times();
  Status drawn;
  for (const uint32_t characters : options.character_counts) {
    for (size_t i = 0; i < options.shadow_maps.size() && drawn && !InterruptFlag::is_set(); ++i) {
      options.characters = characters, options.draw.passes = options.passes_with(options.shadow_maps[i]);
      run.drew = false;
      drawn = draw(options, run);
      if (drawn && i == 0) drawn = keep_picture(options, run);
    }
  }
  const auto after = processor_times();
  if (before && after) machine.load = load_between(*before, *after);
  machine.clock_after_mhz = clock_mhz();
  machine.after = time_fixed_task();
  if (!options.window) run.report.machine = machine;
  return drawn;
}

/// Ctrl-C ends the drawing after a frame, and what was measured is reported. Another program that this one takes turns
/// with, and a window, end as usual.
Status draw_interruptibly(CrowdOptions& options, Run& run) {
  if (options.window || options.wait_between_repeats) return draw_all(options, run);
  const InterruptFlag flag;
  Status drawn = draw_all(options, run);
  run.report.is_interrupted = drawn && InterruptFlag::is_set();
  if (run.report.is_interrupted && run.report.runs.empty())
    return Error{ErrorCode::kInvalidArgument, "interrupted before a frame was measured"};
  return drawn;
}

/// Writes all outputs, after a failure too: the report and the picture then help to find its cause. Returns the first
/// failure, that of drawing before validation before outputs.
Status conclude(const CrowdOptions& options, Run& run, Status drawn) {
  Status saved = run.drew && drawn ? write_screenshot(options, run) : Status();
  run.line.reset();
  if (run.drew && drawn && saved) saved = write_recording(options, run);
  Status checked = check_messages(options, run);
  Status printed = run.report.runs.empty() ? Status() : print(table(run.report));
  if (drawn && run.older && !run.report.is_interrupted) run.comparison = compare_reports(*run.older, run.report);
  if (drawn && run.report.machine) {
    for (const std::string& doubt : doubts_about(*run.report.machine)) warn(doubt);
  }
  Status written = drawn || !run.report.runs.empty() ? write_reports(options, run) : Status();
  for (Status* status : {&drawn, &run.compared, &checked, &saved, &printed, &written}) {
    if (!*status) return std::move(*status);
  }
  return {};
}

/// This run has as many repeats as the older one, unless the options say otherwise.
Status read_older(CrowdOptions& options, Run& run, int& failure_code) {
  if (options.compare.empty()) return {};
  auto older = read_report(options.compare);
  if (!older) return older.error();
  Status checked = check_older(*older, options.compare);
  if (checked) checked = check_settings(*older, options);
  if (!checked) {
    failure_code = kIncomparable;
    return checked;
  }
  options.repeats = options.repeats.value_or(older->repeats);
  run.older = std::move(*older);
  return {};
}

/// Nothing is drawn for a comparison with another machine.
Status check_older_machine(const CrowdOptions& options, const Run& run, int& failure_code) {
  if (!run.older) return {};
  Report here = run.report;
  here.machine.emplace().validated = options.validate;
  Status checked = check_machine(*run.older, here);
  if (!checked) failure_code = kIncomparable;
  return checked;
}

}  // namespace

Status run_crowd(CrowdOptions options, int& failure_code) {
  if (Status writable = check_writable(options.outputs()); !writable) return writable;
  if (Status writable = check_movie_writable(options.record); !writable) return writable;
  Run run;
  if (Status read = read_older(options, run, failure_code); !read) return read;
  if (options.validate) host::set_validation_environment();
  auto loading = std::async(std::launch::async, [&] { return load(options, run); });
  Status ready = set_up(graphics_options(options), run.graphics);
  if (ready) ready = start_renderdoc(options, run);
  std::optional<KeptPipelines> pipelines;
  if (ready) pipelines.emplace(run.graphics.device);
  const auto shown = ready ? show_empty_scene(options, loading, run) : ready.error();
  if (Status loaded = loading.get(); !loaded) return loaded;
  if (!shown) return shown.error();
  if (!*shown) return {};
  run.line->hide();
  const DeviceInfo& device = run.graphics.device.info;
  run.report.device = {device.name, device.type, device.driver, device.api, {}};
  run.report.command = command_line(), run.report.date = utc_now();
  if (Status printed = print(preamble(run.report)); !printed) return printed;
  for (const std::string& warning : warnings_of(run.report)) warn(warning);
  if (Status same = check_older_machine(options, run, failure_code); !same) return same;
  if (!options.window) {
    run.line->rename("measuring bandwidths");
    const Bandwidth bandwidth = find_bandwidth(run.graphics.device, run.evaluation->pool(), options.writes_report());
    run.report.device.copy_gb_per_second = bandwidth.copy_gb_per_second;
    run.report.cpu.store_gb_per_second = bandwidth.store_gb_per_second;
  }
  if (!options.trace.empty()) run.evaluation->pool().record_spans(kTracedSpans);
  CrowdOptions last = options;
  Status drawn = draw_interruptibly(last, run);
  run.trace.device = run.report.device.name, run.trace.threads = run.evaluation->pool().spans();
  if (Status concluded = conclude(last, run, std::move(drawn)); !concluded) return concluded;
  if (!run.comparison) return {};
  return conclude_comparison(*run.comparison, options.compare, options, failure_code);
}

}  // namespace sinew::app
