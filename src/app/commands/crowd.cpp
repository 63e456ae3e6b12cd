#include "commands/crowd.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include "commands/crowd_run.h"
#include "commands/load_options.h"
#include "commands/options.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxCharacters = 1'000'000, kMaxFrames = 1'000'000;

/// 250, 10k, 1.5k or 2M; nothing where it is no such number from 1 to kMaxCharacters.
std::optional<uint32_t> parse_count(const std::string& word) {
  double value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const std::string unit(rest, word.data() + word.size());
  if (error != std::errc{}) return {};
  if (unit == "k" || unit == "K")
    value *= 1e3;
  else if (unit == "m" || unit == "M")
    value *= 1e6;
  else if (!unit.empty())
    return {};
  if (!(value >= 1 && value <= kMaxCharacters) || value != double(uint32_t(value))) return {};
  return uint32_t(value);
}

struct Size {
  uint32_t width = 0, height = 0;
};

/// 1280x720; nothing where it is no size from 16x16 to 16384x16384.
std::optional<Size> parse_size(const std::string& word) {
  Size size;
  const char* end = word.data() + word.size();
  const auto [cross, first] = std::from_chars(word.data(), end, size.width);
  if (first != std::errc{} || cross == end || *cross != 'x') return {};
  const auto [rest, second] = std::from_chars(cross + 1, end, size.height);
  if (second != std::errc{} || rest != end) return {};
  const auto good = [](uint32_t side) { return side >= 16 && side <= 16384; };
  return good(size.width) && good(size.height) ? std::optional(size) : std::nullopt;
}

void add_scene_options(CLI::App& command, CrowdOptions& options) {
  command.add_option("FILE", options.files, "Characters, mixed evenly; none: the built-in one")->type_name("");
  command
      .add_option_function<std::string>(
          "--characters",
          [&options](const std::string& word) {
            const auto count = parse_count(word);
            if (!count)
              throw CLI::ValidationError("--characters", "'" + word + "' is not a number from 1 to 1M, as 1000 or 10k");
            options.characters = *count;
          },
          "How many, as 1000 or 10k [1000]")
      ->type_name("COUNT");
  add_number(
      command, "--seed", uint64_t(0), UINT64_MAX, [&options](uint64_t value) { options.seed = value; },
      "Same seed, same pictures [1]")
      ->type_name("NUMBER");
  add_number(
      command, "--start", 0.0, 1e6, [&options](double value) { options.start_seconds = value; },
      "The scene's time of the first frame, in seconds [0]")
      ->type_name("SECONDS");
  add_either(command, "--camera", "orbit", "fixed", options.orbiting, "How it moves [orbit]");
}

/// What makes a frame cost less than the whole scene does.
void add_optimization_options(CLI::App& command, Optimizations& options) {
  add_switch(command, "--cull", options.cull, "Leave out who is out of sight, before sampling [on]");
  add_either(command, "--lod", "auto", "off", options.levels,
             "auto: who is small is drawn with a coarser mesh, by what would show; off: always the finest [auto]");
  add_switch(command, "--update-rate", options.update_rate,
             "Who is so far that a pixel hides it is sampled and skinned in every second or fourth frame only [on]");
  add_number(
      command, "--unique-poses", 0u, kMaxCharacters, [&options](uint32_t value) { options.unique_poses = value; },
      "Who is small and plays one clip shares the pose of others, such that about so many are left [0: off]")
      ->type_name("COUNT");
}

void add_budget_option(CLI::App& command, CrowdOptions& options) {
  add_number(
      command, "--memory-budget", 0.001, 1e6,
      [&options](double mebibytes) { options.memory_budget = uint64_t(std::llround(mebibytes * (1 << 20))); },
      "For meshes, palettes and skinned vertices: beyond it, levels of detail get coarser, then poses are shared, "
      "then it is refused [none]")
      ->type_name("MIB");
}

void add_async_option(CLI::App& command, CrowdOptions& options) {
  const std::map<std::string, AsyncChoice> choices = {
      {"auto", AsyncChoice::kAuto}, {"on", AsyncChoice::kOn}, {"off", AsyncChoice::kOff}};
  command
      .add_option_function<std::string>(
          "--async-compute", [&options, choices](const std::string& word) { options.async_compute = choices.at(word); },
          "on: compute skinning is submitted by itself, to a second queue where there is one, and may overlap the "
          "drawing of the frame before; auto: on where there are a second queue and frames in flight; off: stages run "
          "one "
          "after the other, and their times are their own [off]")
      ->type_name("auto|on|off")
      ->check(one_of({"auto", "on", "off"}));
}

void add_run_options(CLI::App& command, CrowdOptions& options) {
  const std::map<std::string, SkinningMode> modes = {
      {"compute", SkinningMode::kCompute}, {"vertex", SkinningMode::kVertex}, {"cpu", SkinningMode::kCpu}};
  command
      .add_option_function<std::vector<std::string>>(
          "--skinning",
          [&options, modes](const std::vector<std::string>& words) {
            options.skinning.clear();
            for (const std::string& word : words) options.skinning.push_back(modes.at(word));
          },
          "compute: once, by the library; vertex: in the vertex shader, at every draw; cpu: on the CPU; several, as "
          "compute,vertex: in turns, to compare [compute]")
      ->type_name("WHERE")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(one_of({"compute", "vertex", "cpu"}));
  add_async_option(command, options);
  add_number(
      command, "--passes", 1u, kMaxPasses, [&options](uint32_t value) { options.draw.passes = value; },
      "Over the crowd: 1: in color; 2: a shadow map, and color; 3: the camera's depth in between; 4 to 6: two "
      "to four shadow maps, the near ones finer [1]")
      ->type_name("COUNT");
  add_switch(command, "--rasterize", options.draw.rasterize,
             "off: the crowd's vertices are shaded and nothing of it is drawn, to compare ways of skinning [on]");
  command
      .add_option_function<std::string>(
          "--evaluator",
          [&options](const std::string& word) {
            options.evaluator = word == "crowd" ? EvaluatorKind::kCrowd : EvaluatorKind::kExact;
          },
          "crowd: from clips baked at the start, several instances at once; exact: as the file says [crowd]")
      ->type_name("WHICH")
      ->check(one_of({"crowd", "exact"}));
  add_number(
      command, "--threads", 1u, kMaxThreads, [&options](uint32_t value) { options.threads = value; },
      "Threads that cull and evaluate [one for each core]")
      ->type_name("COUNT");
  add_number(
      command, "--frames", 1u, kMaxFrames, [&options](uint32_t value) { options.frames = value; },
      "Frames to measure [30; with --window until it is closed]")
      ->type_name("COUNT");
  add_number(
      command, "--warmup", 0u, kMaxFrames, [&options](uint32_t value) { options.warmup = value; },
      "Frames to draw before those [3]")
      ->type_name("COUNT");
  add_number(
      command, "--slots", 1u, 4u, [&options](uint32_t value) { options.frames_in_flight = value; },
      "Frames in flight; 1 keeps CPU and device apart [2]")
      ->type_name("COUNT");
  command
      .add_option("--device", options.device, "By index, UUID or a part of the name, see sinew devices [the fastest]")
      ->type_name("WHICH");
  command
      .add_option_function<std::string>(
          "--size",
          [&options](const std::string& word) {
            const auto size = parse_size(word);
            if (!size) throw CLI::ValidationError("--size", "'" + word + "' is no size, as 1280x720");
            options.width = size->width, options.height = size->height;
          },
          "Of the picture or window [1280x720]")
      ->type_name("WxH");
  command
      .add_option("--samples", options.samples,
                  "A pixel, 1 or 4 [4; on a device that is a CPU 1, and 4 for the screenshot]")
      ->type_name("COUNT")
      ->check(one_of({"1", "4"}));
  command.add_flag("--window", options.window, "Show it: drag turns, the wheel zooms, space pauses, Esc closes");
}

void add_output_options(CLI::App& command, CrowdOptions& options) {
  command.add_option("--screenshot", options.screenshot, "Write the last frame as PNG")->type_name("FILE");
  command.add_option("--json", options.json, "Write all figures as JSON, schema 1")->type_name("FILE");
  command.add_flag("--validate", options.validate,
                   "Validation layers on, and every vertex of the last frame against the CPU skinner");
  command.add_flag("--plant-wrong-weight", options.plant_wrong_weight,
                   "Self-test of --validate: give the device one wrong weight, which must be found");
  add_number(
      command, "--renderdoc-capture", 1u, kMaxFrames, [&options](uint32_t value) { options.captured_frame = value; },
      "Capture this frame, 1 being the first measured, where RenderDoc is loaded")
      ->type_name("FRAME");
}

/// What no single option can know.
Status check(const CrowdOptions& options) {
  if (options.captured_frame && options.window)
    return Error{ErrorCode::kInvalidArgument, "--renderdoc-capture is for runs without --window; there, press F12"};
  if (options.captured_frame && *options.captured_frame > options.frame_count())
    return Error{ErrorCode::kInvalidArgument, "--renderdoc-capture names a frame beyond --frames"};
  if (options.skinning.size() > 1 && (options.captured_frame || options.window))
    return Error{ErrorCode::kInvalidArgument, "several ways of --skinning are for runs without --window and captures"};
  const auto& ways = options.skinning;
  if (options.async_compute == AsyncChoice::kOn &&
      std::find(ways.begin(), ways.end(), SkinningMode::kCompute) == ways.end())
    return Error{ErrorCode::kInvalidArgument, "--async-compute on is for --skinning compute"};
  if (options.plant_wrong_weight && !options.validate)
    return Error{ErrorCode::kInvalidArgument, "--plant-wrong-weight needs --validate"};
  std::vector<std::string> inputs = options.load.import.animation_files;
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  return check_distinct(options.outputs(), inputs);
}

}  // namespace

void add_crowd_command(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand(
      "crowd", "Draws a crowd, says how long each stage takes, and can prove that it drew the right thing");
  const auto options = std::make_shared<CrowdOptions>();
  add_scene_options(*command, *options);
  add_optimization_options(*command, options->cast);
  add_budget_option(*command, *options);
  add_run_options(*command, *options);
  add_output_options(*command, *options);
  add_load_options(*command, options->load);
  command->callback([options, &status] {
    require(check(*options));
    status = run_crowd(*options);
  });
}

}  // namespace sinew::app
