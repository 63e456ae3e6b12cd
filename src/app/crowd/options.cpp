#include "crowd/options.h"

#include <algorithm>

#include "asset/read_number.h"
#include "scene/scenes/scenes.h"
#include "skinning/skinning.h"
#include "system/text.h"

namespace sinew::app {
namespace {

// --- words that are not one number or one of some words ---

std::optional<uint32_t> parse_count(std::string_view word) {
  double value = 0;
  const auto [rest, error] = read_number(word.data(), word.data() + word.size(), value);
  const std::string_view unit(rest, size_t(word.data() + word.size() - rest));
  if (error != std::errc{}) return {};
  if (unit == "k" || unit == "K") {
    value *= 1e3;
  } else if (unit == "m" || unit == "M") {
    value *= 1e6;
  } else if (!unit.empty()) {
    return {};
  }
  if (!(value >= 1 && value <= kMaxCharacters) || value != double(uint32_t(value))) return {};
  return uint32_t(value);
}

/// Appends a number, or the numbers of a range. False where it is neither.
bool append_counts(std::string_view word, std::vector<uint32_t>& counts) {
  const size_t dots = word.find("..");
  const auto first = parse_count(word.substr(0, dots));
  if (!first) return false;
  if (dots == word.npos) return counts.push_back(*first), true;
  const auto last = parse_count(word.substr(dots + 2));
  if (!last || *last < *first) return false;
  for (uint32_t count = *first; count < *last; count *= 2) counts.push_back(count);
  counts.push_back(*last);
  return true;
}

// --- rules ---

/// What must not be: a message of three parts, and whether the options break it.
struct Rule {
  std::string option;
  const char* relation;
  std::string other;
  bool is_broken;
};

constexpr const char *kNeeds = "needs", *kExcludes = "cannot be used with";

bool writes(const CrowdOptions& o, SkinningMode mode) {
  return std::find(o.skinning.begin(), o.skinning.end(), mode) != o.skinning.end();
}

bool only(const CrowdOptions& o, SkinningMode mode) { return o.skinning == std::vector{mode}; }

bool records_compute(const CrowdOptions& o) {
  return std::any_of(o.skinning.begin(), o.skinning.end(),
                     [](SkinningMode mode) { return properties_of({.mode = mode}).records_compute; });
}

/// Of skinning, formats and shadow maps.
std::vector<Rule> drawing_rules(const CrowdOptions& o) {
  const bool velocity = o.draw.coloring == Coloring::kVelocity;
  const bool other_format = o.format != vulkan::VertexFormat::kOctahedral;
  const auto [fewest, most] = std::minmax_element(o.shadow_maps.begin(), o.shadow_maps.end());
  return {
      {"--occlusion on", kNeeds, "--samples-per-pixel 1", o.occlusion && o.samples.value_or(4) != 1},
      {"--occlusion on", kExcludes, "--cull off", o.occlusion && !o.optimizations.cull},
      {"--async-compute on", kNeeds, "--skinning compute", o.async_compute == AsyncChoice::kOn && !records_compute(o)},
      {"--palettes compact", kNeeds, "--skinning compute", o.compact_palettes && !only(o, SkinningMode::kCompute)},
      {"--palettes compact", kNeeds, "--evaluator crowd", o.compact_palettes && o.evaluator == EvaluatorKind::kExact},
      {"--palettes compact", kExcludes, "--memory-budget", o.compact_palettes && o.memory_budget > 0},
      {"--vertex-fetch", kExcludes, "--skinning vertex",
       o.draw.fetch != VertexFetch::kAuto && only(o, SkinningMode::kVertex)},
      {"--format other than 16", kExcludes, "--skinning cpu", other_format && writes(o, SkinningMode::kCpu)},
      {"--format other than 16", kExcludes, "--color velocity or --window", other_format && (velocity || o.window)},
      {"--color velocity", kNeeds, "--skinning compute", velocity && !only(o, SkinningMode::kCompute)},
      {"--color velocity", kExcludes, "--async-compute on", velocity && o.async_compute == AsyncChoice::kOn},
      {"--depth-pass on", kNeeds, "--shadow-maps", o.depth_pass.value_or(false) && *most == 0},
      {"--depth-pass off", kExcludes, "--shadow-maps above 1", !o.depth_pass.value_or(true) && *most > 1},
  };
}

/// Runs that follow one another cannot be shown in one window, or captured as one frame.
std::vector<Rule> run_rules(const CrowdOptions& o) {
  const bool several = o.character_counts.size() > 1 || o.shadow_maps.size() > 1 || o.repeats.value_or(1) > 1;
  const bool one_frame = o.window || o.captured_frame;
  return {
      {"--renderdoc-capture", kExcludes, "--window; in a window, press R", o.captured_frame && o.window},
      {"--renderdoc-capture", "is greater than", "--frames", o.captured_frame.value_or(0) > o.frame_count()},
      {"a list of --skinning", kExcludes, "--window or --renderdoc-capture", o.skinning.size() > 1 && one_frame},
      {"--trace", kExcludes, "--window", o.window && !o.trace.empty()},
      {"--overlay", kNeeds, "--window", o.overlay && !o.window},
      {"--hide-overlay", kNeeds, "--window", o.hide_overlay && !o.window},
      {"--interface-scale", kNeeds, "--window", o.scale && !o.window},
      {"--eye", kNeeds, "--camera fixed", o.eye && o.motion != CameraMotion::kFixed},
      {"--eye", kExcludes, "--window", o.eye && o.window},
      {"--children", kNeeds, "--scene festival, stadium, marathon or square",
       o.children && !find_scene(o.scene)->has_children},
      {"--record", kExcludes, "--window", !o.record.empty() && o.window},
      {"--record", kExcludes, "--rasterize off", !o.record.empty() && !o.draw.rasterize},
      {"--look-at", kNeeds, "--eye", o.look_at && !o.eye},
      {"several numbers of --characters or --shadow-maps, or --repeat,", kExcludes, "--window or --renderdoc-capture",
       several && one_frame},
  };
}

Status check_camera(const CrowdOptions& o) {
  if (o.eye && *o.eye == o.look_at.value_or(*o.eye + 1.0f))
    return Error{ErrorCode::kInvalidArgument, "--eye and --look-at are the same point"};
  return {};
}

/// --against starts this program many times, and none of them may write files. The page is written at the end.
std::vector<Rule> comparison_rules(const CrowdOptions& o) {
  const bool compares = !o.compare.empty() || !o.against.empty();
  std::vector<Rule> rules = {
      {"--fail-above", kNeeds, "--compare or --against", o.fail_above && !compares},
      {"--compare", kExcludes, "--window", !o.compare.empty() && o.window},
      {"--compare", kNeeds, "--frames times --repeat of 7 or more",
       !o.compare.empty() && o.repeats && *o.repeats * o.frame_count() < kMinRepeats},
      {"--wait-between-repeats", kExcludes, "--window", o.wait_between_repeats && o.window},
      {"--against", kExcludes, "--compare", !o.against.empty() && !o.compare.empty()},
      {"--against", kExcludes, "--wait-between-repeats", !o.against.empty() && o.wait_between_repeats},
      {"--against", kExcludes, "--window", !o.against.empty() && o.window},
      {"--against", kExcludes, "--renderdoc-capture", !o.against.empty() && o.captured_frame},
  };
  for (const OutputFile& output : o.outputs())
    rules.push_back({"--against", kExcludes, output.option,
                     !o.against.empty() && !output.path.empty() && std::string_view(output.option) != "--html"});
  return rules;
}

Status check(const CrowdOptions& options) {
  for (const auto& rules : {drawing_rules(options), run_rules(options), comparison_rules(options)}) {
    for (const auto& [option, relation, other, is_broken] : rules) {
      if (is_broken) return Error{ErrorCode::kInvalidArgument, option + " " + relation + " " + other};
    }
  }
  if (Status distinct = check_camera(options); !distinct) return distinct;
  std::vector<std::string> inputs = options.load.import.animation_files;
  if (!options.compare.empty()) inputs.push_back(options.compare);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  if (Status distinct = check_distinct(options.outputs(), inputs); !distinct) return distinct;
  if (Status is_movie = check_movie(options.record); !is_movie) return is_movie;
  return check_png_name({"--screenshot", options.screenshot});
}

/// Measured frames have none unless they are asked for, so that reports compare with those of any scene and time.
void choose_shadow_maps(CrowdOptions& options) {
  if (!options.shadow_maps.empty()) return;
  const uint32_t wanted = options.draw.coloring == Coloring::kLit && options.draw.rasterize ? kPictureShadowMaps : 0;
  options.shadow_maps = {options.window ? wanted : 0};
  options.picture_shadow_maps = options.window ? 0 : wanted;
}

}  // namespace

double CrowdOptions::child_share() const {
  const SceneKind* kind = find_scene(scene);
  if (kind == nullptr || !kind->has_children) return 0;
  return children.value_or(files.empty() ? kChildren : 0);
}

Status complete(CrowdOptions& options) {
  // Other people's characters are shown as they are, without a place that may not suit them.
  if (options.scene.empty()) options.scene = options.files.empty() ? scene_kinds().front().name : "crowd";
  const SceneKind& scene = *find_scene(options.scene);
  if (options.character_counts.empty()) options.character_counts = {scene.characters};
  options.characters = options.character_counts.front();
  options.optimizations.unique_poses = options.unique_poses.value_or(0);
  choose_shadow_maps(options);
  options.draw.passes = options.passes_with(options.shadow_maps.front());
  return check(options);
}

std::optional<std::vector<uint32_t>> parse_character_counts(std::string_view word) {
  std::vector<uint32_t> counts;
  for (const std::string& part : split_list(word)) {
    if (!append_counts(part, counts)) return {};
  }
  return counts;
}

}  // namespace sinew::app
