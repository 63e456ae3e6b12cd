// What `sinew crowd` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crowd/visible_set.h"
#include "render/draw_pass.h"
#include "render/skinning.h"
#include "scene/load.h"
#include "system/outputs.h"

namespace sinew::app {

enum class EvaluatorKind : uint8_t { kExact, kCrowd };

inline constexpr uint32_t kMaxThreads = 256;

struct CrowdOptions {
  std::vector<std::string> files;  // none: the built-in character
  LoadOptions load;
  uint32_t characters = 1000;
  std::optional<uint32_t> frames;  // none: 30, or until the window is closed
  uint32_t warmup = 3;
  uint32_t frames_in_flight = 2;
  uint64_t seed = 1;
  double start_seconds = 0;
  std::optional<uint32_t> samples;  // a pixel, 1 or 4; none: 4, but 1 in what a CPU is measured at
  uint32_t width = 1280, height = 720;
  Optimizations optimizations;
  uint64_t memory_budget = 0;  // bytes, for each way of skinning; 0: none
  DrawOptions draw;
  std::vector<SkinningMode> skinning = {SkinningMode::kCompute};  // several: each in its run, frame by frame in turn
  AsyncChoice async_compute = AsyncChoice::kOff;                  // where stages overlap, their times say little
  EvaluatorKind evaluator = EvaluatorKind::kCrowd;
  std::optional<uint32_t> threads;  // that evaluate; none: one for each core
  bool orbiting = true;
  bool window = false;
  bool validate = false;
  bool plant_wrong_weight = false;
  std::string device, screenshot, json;
  std::optional<uint32_t> captured_frame;  // from 1, after the warm-up

  uint32_t frame_count() const { return frames.value_or(30); }
  std::vector<OutputFile> outputs() const { return {{"--screenshot", screenshot}, {"--json", json}}; }
};

}  // namespace sinew::app
