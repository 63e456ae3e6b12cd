// The options of `sinew crowd`: as data, as rows for the parser and the report, and as rules between them.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "crowd/report/verdict.h"
#include "gpu/host.h"
#include "options/common_options.h"
#include "record/movie.h"
#include "render/draw_options.h"
#include "scene/load.h"
#include "scene/scene.h"
#include "sinew/crowd/planner.h"
#include "sinew/vulkan/skinner_info.h"
#include "skinning/evaluation.h"
#include "skinning/skinning.h"
#include "system/output.h"

namespace sinew::app {

inline constexpr uint32_t kPictureShadowMaps = 2;
inline constexpr uint32_t kMaxThreads = 256, kMaxCharacters = 1'000'000;

inline constexpr double kChildren = 0.1, kMaxChildren = 0.5;

enum class CameraMotion : uint8_t { kOrbit, kFixed, kFly };

/// Defaults are those of the command line, but for `load`. The report of a run has the options that the run was drawn
/// with.
struct CrowdOptions {
  std::vector<std::string> files;  // character files; empty: the built-in character, or all of our own
  std::string scene;               // a name of scene_kinds(); empty: complete() chooses
  bool list_scenes = false;        // print them, and draw nothing
  bool fit = false;                // several files to one height; else they keep their sizes to each other
  LoadOptions load;
  std::vector<std::string> clips;          // names or numbers of the clips to play; empty: those that are playable
  bool change_clips = true;                // false: each instance plays one clip for ever
  std::optional<bool> tint;                // none: on, but for some of SceneKind::tints_armed
  uint32_t characters = 1000;              // of the run that is drawn
  std::vector<uint32_t> character_counts;  // of all runs, one after another; empty: that of the scene
  std::optional<uint32_t> frames;          // to measure; none: 30, or with a window until it is closed
  std::optional<double> children;          // share, as SceneRequest has it; none: kChildren of our own characters
  std::optional<uint32_t> repeats;         // of the same frames; none: 1, or those of the older report
  uint32_t warmup = 3;                     // frames drawn before the measured ones
  uint32_t frames_in_flight = 2;
  uint64_t seed = 1;
  double start_seconds = 0;         // scene time of the first frame
  std::optional<uint32_t> samples;  // per pixel, 1 or 4; none: 4; 1 for measured, lit frames of a CPU device
  uint32_t width = 1280, height = 720;
  crowd::PlanOptions optimizations;      // of the run that is drawn
  std::optional<uint32_t> unique_poses;  // none: 0
  std::optional<Light> light;            // none: that of the scene
  uint64_t memory_budget = 0;            // bytes, for each skinning mode separately; 0: no budget
  bool occlusion = false;                // instances hidden in an earlier frame are left out
  DrawOptions draw;                      // of the run that is drawn
  std::vector<uint32_t> shadow_maps;     // of all runs, one after another; empty: none where frames are measured,
                                         // kPictureShadowMaps in pictures and windows
  uint32_t picture_shadow_maps = 0;      // of pictures drawn after the measurement; 0: as measured
  std::optional<bool> depth_pass;        // where there are shadow maps; none: where there are several
  std::vector<SkinningMode> skinning = {SkinningMode::kCompute};  // several: each draws every frame, one after another
  AsyncChoice async_compute = AsyncChoice::kOff;                  // overlapping stages distort each other's times
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;  // of skinned vertices
  bool compact_palettes = false;
  EvaluatorKind evaluator = EvaluatorKind::kCrowd;
  std::optional<uint32_t> threads;  // for culling and evaluation; none: one for each core
  CameraMotion motion = CameraMotion::kOrbit;
  CameraOptions camera;              // where it begins
  std::optional<glm::vec3> eye;      // of the camera, meters; none: that of the scene
  std::optional<glm::vec3> look_at;  // where the camera looks; none: that of the scene
  std::optional<uint32_t> levels;    // of detail at most, with the finest mesh; none: all
  bool window = false;
  bool hide_overlay = false;   // the panel of the window is hidden at first
  bool overlay = false;        // the panel is in the screenshot too
  std::optional<float> scale;  // of letters and controls; none: that of the display
  bool validate = false;
  std::string device, screenshot, json, csv, html, trace, record;
  double record_seconds = 4, record_rate = 20;  // scene time; frames a second
  std::string compare;                          // an older report to compare with
  std::string against;                          // another program to compare with
  bool wait_between_repeats = false;            // another program draws meanwhile: --against starts both
  std::optional<double> fail_above;        // share of a frame's time: slower than the older one by more is a failure
  std::optional<uint32_t> captured_frame;  // by RenderDoc; 1 is the first frame after the warm-up

  /// Of all people that may be children. 0: the scene has none.
  double child_share() const;
  uint32_t repeat_count() const { return repeats.value_or(1); }
  /// Frames to measure without a window, in each repeat.
  uint32_t frame_count() const { return frames.value_or(30); }
  /// DrawOptions::passes with that many shadow maps.
  uint32_t passes_with(uint32_t maps) const { return maps == 0 ? 1 : maps + 1 + depth_pass.value_or(maps > 1); }
  /// Whether a file gets the figures.
  bool writes_report() const { return !json.empty() || !csv.empty() || !html.empty(); }
  /// The files to write, as check_distinct() and check_writable() read them.
  std::vector<OutputFile> outputs() const {
    return {{"--screenshot", screenshot},
            {"--json", json},
            {"--csv", csv},
            {"--html", html},
            {"--trace", trace},
            {"--record", names_folder(record) ? std::string() : record}};
  }
};

/// A row for each option, in the order of the help. They refer to `options`.
std::vector<Option> option_rows(CrowdOptions& options);

/// Takes what the scene has defaults for, then checks the options against each other and the outputs against the
/// inputs. The first run is chosen.
Status complete(CrowdOptions& options);

/// Parses 250, 10k, 1.5k or 1M; lists such as 50,200; and ranges such as 1k..100k, which double: 1k, 2k, 4k and so on,
/// then their end. None where a number is not whole and from 1 to kMaxCharacters, or a range descends.
std::optional<std::vector<uint32_t>> parse_character_counts(std::string_view word);

}  // namespace sinew::app
