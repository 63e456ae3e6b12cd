// The command line of `sinew crowd` as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/host.h"
#include "render/draw_options.h"
#include "report/verdict.h"
#include "scene/load.h"
#include "sinew/crowd/planner.h"
#include "sinew/vulkan/skinner_info.h"
#include "skinning/evaluation.h"
#include "skinning/skinning_mode.h"
#include "system/outputs.h"

namespace sinew::app {

inline constexpr uint32_t kMaxThreads = 256;

/// Defaults are those of the command line. Options are checked against each other where they are parsed.
struct CrowdOptions {
  std::vector<std::string> files;  // character files; empty: the built-in character, or all of our own
  std::string scene = "crowd";     // a name of scene_kinds()
  bool list_scenes = false;        // print them, and draw nothing
  LoadOptions load;
  std::vector<std::string> clips;  // names or numbers of the clips to play; empty: those that are playable
  bool change_clips = true;        // false: each instance plays one clip for ever
  std::optional<bool> tint;        // none: only the built-in character is tinted
  uint32_t characters = 1000;      // of the run that is drawn
  std::vector<uint32_t> character_counts = {1000};  // of all runs, one after another
  std::optional<uint32_t> frames;                   // to measure; none: 30, or with a window until it is closed
  std::optional<uint32_t> repeats;                  // of the same frames; none: 1, or more where runs are compared
  uint32_t warmup = 3;                              // frames drawn before the measured ones
  uint32_t frames_in_flight = 2;
  uint64_t seed = 1;
  double start_seconds = 0;         // scene time of the first frame
  std::optional<uint32_t> samples;  // per pixel, 1 or 4; none: 4; 1 for measured, lit frames of a CPU device
  uint32_t width = 1280, height = 720;
  crowd::Options optimizations;
  uint64_t memory_budget = 0;  // bytes, for each skinning mode separately; 0: no budget
  DrawOptions draw;
  std::vector<uint32_t> pass_counts = {1};                        // draw.passes of all runs, one after another
  std::vector<SkinningMode> skinning = {SkinningMode::kCompute};  // several: each draws every frame, one after another
  AsyncChoice async_compute = AsyncChoice::kOff;                  // overlapping stages distort each other's times
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;  // of skinned vertices
  bool compact_palettes = false;
  EvaluatorKind evaluator = EvaluatorKind::kCrowd;
  std::optional<uint32_t> threads;  // for culling and evaluation; none: one for each core
  bool orbiting = true;             // the camera circles the crowd
  bool window = false;
  bool hide_overlay = false;   // the panel of the window is hidden at first
  bool overlay = false;        // the panel is in the screenshot too
  std::optional<float> scale;  // of letters and controls; none: that of the display
  bool validate = false;
  std::string device, screenshot, json, csv, html, trace;
  std::string compare;                     // an older report to compare with
  std::string against;                     // another program to compare with
  bool turns = false;                      // another program runs in turn with this one: --against starts both
  std::optional<double> fail_above;        // share of a frame's time: slower than the older one by more is a failure
  std::optional<uint32_t> captured_frame;  // by RenderDoc; 1 is the first frame after the warm-up

  uint32_t repeat_count() const { return repeats.value_or(compare.empty() ? 1 : kMinRepeats); }
  /// Frames to measure without a window, in each repeat.
  uint32_t frame_count() const { return frames.value_or(30); }
  /// The files to write, as check_distinct() and check_writable() read them.
  std::vector<OutputFile> outputs() const {
    return {{"--screenshot", screenshot}, {"--json", json}, {"--csv", csv}, {"--html", html}, {"--trace", trace}};
  }
};

}  // namespace sinew::app
