#include "commands/crowd.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "commands/character_counts.h"
#include "commands/crowd_against.h"
#include "commands/crowd_run.h"
#include "commands/load_options.h"
#include "commands/options.h"
#include "scene/scenes/scene_kind.h"
#include "skinning/skinning.h"
#include "system/print.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxFrames = 1'000'000, kMaxRepeats = 1000;

/// What characters play, and in which colors.
void add_model_options(CLI::App& command, CrowdOptions& options) {
  command
      .add_option("--clip", options.clips,
                  "Play this clip only; repeatable. Of several files, each plays those of the named clips that it has "
                  "[all but short ones, deaths and bind poses]")
      ->type_name("NAME|INDEX")
      ->allow_extra_args(false);
  add_switch(command, "--change-clips", options.change_clips,
             "off: each character plays one clip for ever, without cross-fades and arm overlay [on]");
  command
      .add_option_function<std::string>(
          "--tint", [&options](const std::string& word) { options.tint = word == "on"; },
          "on: each character gets a color of its own; off: the colors of the file [on for our own characters, but "
          "not for one with a sword; off for other files]")
      ->type_name("on|off")
      ->check(one_of({"on", "off"}));
}

void add_scene_names(CLI::App& command, CrowdOptions& options) {
  command
      .add_option_function<std::string>(
          "--scene",
          [&options](const std::string& name) {
            if (!find_scene(name))
              throw CLI::ValidationError("--scene", "no scene '" + printable(name) + "': there are " + scene_names());
            options.scene = name;
          },
          "What stands where and plays what; --list-scenes describes them [crowd]")
      ->type_name("NAME");
  command.add_flag("--list-scenes", options.list_scenes,
                   "Print the scenes: name, number of characters, the number they are made for, and what is seen");
}

void add_scene_options(CLI::App& command, CrowdOptions& options) {
  command
      .add_option("FILE", options.files,
                  "Character files, mixed evenly [the built-in character; with a --scene other than crowd, "
                  "those of our own characters that fit it]")
      ->type_name("");
  add_scene_names(command, options);
  command
      .add_option_function<std::string>(
          "--characters",
          [&options](const std::string& word) {
            auto counts = parse_character_counts(word);
            if (!counts) {
              throw CLI::ValidationError("--characters", "'" + word +
                                                             "' is not a number from 1 to 1M, such as 1000 or 10k, a "
                                                             "list such as 50,200 or a range such as 1k..100k");
            }
            options.character_counts = std::move(*counts);
            options.characters = options.character_counts.front();
          },
          "Number of characters, such as 1000 or 10k; a list, such as 50,200; or a range, which doubles, such as "
          "1k..100k [1000, or that of --scene]")
      ->type_name("COUNTS");
  add_number(
      command, "--seed", uint64_t(0), UINT64_MAX, [&options](uint64_t value) { options.seed = value; },
      "Seed of the scene: the same seed gives the same pictures [1]")
      ->type_name("NUMBER");
  add_number(
      command, "--start", 0.0, 1e6, [&options](double value) { options.start_seconds = value; },
      "Scene time of the first frame, in seconds [0]")
      ->type_name("SECONDS");
  add_either(command, "--camera", "orbit", "fixed", options.orbiting,
             "orbit: the camera circles the crowd; fixed: it does not move [orbit]");
}

/// Options that reduce the work of a frame.
void add_optimization_options(CLI::App& command, crowd::Options& options) {
  add_switch(command, "--cull", options.cull,
             "Skip instances outside the view, before sampling; not those whose shadow may be in it [on]");
  add_either(
      command, "--lod", "auto", "off", options.levels,
      "auto: draw distant instances with a coarser mesh, within one pixel of error, or more where --memory-budget "
      "needs it; off: always the finest mesh [auto]");
  add_switch(command, "--update-rate", options.update_rate,
             "Update distant instances only every second or fourth frame, within one pixel of error [on]");
  add_number(
      command, "--unique-poses", 0u, kMaxCharacters, [&options](uint32_t value) { options.unique_poses = value; },
      "Share poses between small instances that play the same clip, so that about COUNT poses are left [0: off]")
      ->type_name("COUNT");
}

void add_budget_option(CLI::App& command, CrowdOptions& options) {
  add_number(
      command, "--memory-budget", 0.001, 1e6,
      [&options](double mebibytes) { options.memory_budget = uint64_t(std::llround(mebibytes * (1 << 20))); },
      "Limit on the memory of meshes, palettes and skinned vertices, in MiB. Over it, levels of detail get coarser, "
      "then poses are shared; where that is not enough, the run fails [none]")
      ->type_name("MIB");
}

void add_async_option(CLI::App& command, CrowdOptions& options) {
  const std::map<std::string, AsyncChoice> choices = {
      {"auto", AsyncChoice::kAuto}, {"on", AsyncChoice::kOn}, {"off", AsyncChoice::kOff}};
  command
      .add_option_function<std::string>(
          "--async-compute", [&options, choices](const std::string& word) { options.async_compute = choices.at(word); },
          "on: submit compute skinning separately, to a second queue where there is one, so that it can overlap the "
          "drawing of the previous frame; auto: on where there are a second queue and several frames in flight; off: "
          "stages run one after the other, so that none slows another down [off]")
      ->type_name("auto|on|off")
      ->check(one_of({"auto", "on", "off"}));
}

void add_format_option(CLI::App& command, CrowdOptions& options) {
  command
      .add_option_function<std::string>(
          "--format",
          [&options](const std::string& word) {
            options.format = vulkan::VertexFormat(parse_number(word, 12u, 24u).value_or(16));
          },
          "Bytes of a skinned vertex. 12: 16-bit positions in a box around all poses; 16: float positions; 24: float "
          "normals too [16]")
      ->type_name("12|16|24")
      ->check(one_of({"12", "16", "24"}));
}

void add_palettes_option(CLI::App& command, CrowdOptions& options) {
  command
      .add_option_function<std::string>(
          "--palettes", [&options](const std::string& word) { options.compact_palettes = word == "compact"; },
          "full: matrices (PaletteFormat kMatrices or kRigid), 48 bytes a joint; compact: rotations and translations "
          "in 16 bytes, expanded on the device, "
          "for characters whose joints do not scale. On a GPU with its own memory they cross the bus in each frame "
          "[full]")
      ->type_name("full|compact")
      ->check(one_of({"full", "compact"}));
}

void add_fetch_option(CLI::App& command, CrowdOptions& options) {
  const std::map<std::string, VertexFetch> fetches = {
      {"auto", VertexFetch::kAuto}, {"input", VertexFetch::kInput}, {"pulling", VertexFetch::kPulling}};
  command
      .add_option_function<std::string>(
          "--vertex-fetch", [&options, fetches](const std::string& word) { options.draw.fetch = fetches.at(word); },
          "How draws read skinned vertices. input: by vertex input, one draw for each posed mesh and mesh part; "
          "pulling: "
          "by the vertex shader, from a storage buffer, one instanced draw for each range and mesh part; auto: "
          "pulling, "
          "but input on CPU devices [auto]")
      ->type_name("auto|input|pulling")
      ->check(one_of({"auto", "input", "pulling"}));
}

void add_window_options(CLI::App& command, CrowdOptions& options) {
  command.add_flag("--window", options.window,
                   "Draw in a window: a panel has times and switches, drag rotates, the wheel zooms, W A S D Q E fly, "
                   "space pauses, H hides the panel, R captures with RenderDoc, Esc closes");
  command.add_flag("--hide-overlay", options.hide_overlay, "The panel of the window is hidden until H is pressed");
  command.add_flag("--overlay", options.overlay, "Show the panel in --screenshot too");
  add_scale(command, options.scale);
}

/// A number of passes, or a list of them.
std::vector<uint32_t> parse_passes(const std::string& word) {
  std::vector<uint32_t> counts;
  for (size_t first = 0; first <= word.size();) {
    const size_t end = std::min(word.find(',', first), word.size());
    const auto passes = parse_number(std::string_view(word).substr(first, end - first), 1u, kMaxPasses);
    if (!passes) {
      throw CLI::ValidationError("--passes", "'" + word + "' is not a number from 1 to " + number_text(kMaxPasses) +
                                                 ", or a list such as 1,2,3");
    }
    counts.push_back(*passes);
    first = end + 1;
  }
  return counts;
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
          "compute: once for all passes, by the library; vertex: in the vertex shader, in every pass; cpu: on the "
          "CPU; a list, such as compute,vertex: each draws every frame, one after another, to compare them [compute]")
      ->type_name("WHERE")
      ->delimiter(',')
      ->expected(1, 3)
      ->check(one_of({"compute", "vertex", "cpu"}));
  add_async_option(command, options);
  add_format_option(command, options);
  add_palettes_option(command, options);
  add_fetch_option(command, options);
  command
      .add_option_function<std::string>(
          "--passes",
          [&options](const std::string& word) {
            options.pass_counts = parse_passes(word);
            options.draw.passes = options.pass_counts.front();
          },
          "Passes over the crowd; a list, such as 1,2,3, draws each. 1: color; 2: a shadow map and color; 3: also a "
          "depth pass; 4 to 6: two to four shadow map cascades, the near ones finer [1]")
      ->type_name("COUNT");
  add_switch(command, "--rasterize", options.draw.rasterize,
             "off: run the crowd's vertex shaders but rasterize nothing, to compare ways of skinning [on]");
  command
      .add_option_function<std::string>(
          "--color",
          [&options](const std::string& word) {
            options.draw.coloring = word == "velocity" ? Coloring::kVelocity : Coloring::kLit;
          },
          "lit: materials in sunlight; velocity: the motion of each vertex on the picture since the frame before. The "
          "hue is the direction (red: right, cyan: left), the brightness the speed; white was not drawn before. Needs "
          "--skinning compute, and skins instances that change their level twice [lit]")
      ->type_name("lit|velocity")
      ->check(one_of({"lit", "velocity"}));
  command
      .add_option_function<std::string>(
          "--evaluator",
          [&options](const std::string& word) {
            options.evaluator = word == "crowd" ? EvaluatorKind::kCrowd : EvaluatorKind::kExact;
          },
          "crowd: from clips baked at the start, several instances at once; exact: from the clips as the file has them "
          "[crowd]")
      ->type_name("WHICH")
      ->check(one_of({"crowd", "exact"}));
  add_number(
      command, "--threads", 1u, kMaxThreads, [&options](uint32_t value) { options.threads = value; },
      "Threads that cull and evaluate [one for each core]")
      ->type_name("COUNT");
  add_number(
      command, "--frames", 1u, kMaxFrames, [&options](uint32_t value) { options.frames = value; },
      "Frames to measure [30; with --window, until it is closed]")
      ->type_name("COUNT");
  add_number(
      command, "--warmup", 0u, kMaxFrames, [&options](uint32_t value) { options.warmup = value; },
      "Frames to draw before the measured ones [3]")
      ->type_name("COUNT");
  add_number(
      command, "--repeat", 1u, kMaxRepeats, [&options](uint32_t value) { options.repeats = value; },
      "Draw the same frames this many times: shows how much the times vary. With --against, the number of pairs; fewer "
      "than 7 repeats or pairs give no verdict [1; 7 with --compare, 11 with --against]")
      ->type_name("COUNT");
  add_number(
      command, "--slots", 1u, 4u, [&options](uint32_t value) { options.frames_in_flight = value; },
      "Frames in flight; with 1, CPU and device do not overlap [2]")
      ->type_name("COUNT");
  command
      .add_option("--device", options.device,
                  "By index, UUID or part of the name; sinew devices lists them [the fastest]")
      ->type_name("WHICH");
  add_size(command, "Size of the picture or window, in pixels [1280x720]", options.width, options.height);
  command
      .add_option("--samples", options.samples,
                  "Samples per pixel, 1 or 4 [4; on a CPU device 1 where colors are lit, and 4 for the screenshot]")
      ->type_name("COUNT")
      ->check(one_of({"1", "4"}));
  add_window_options(command, options);
}

void add_output_options(CLI::App& command, CrowdOptions& options) {
  command.add_option("--screenshot", options.screenshot, "Write the last frame as PNG to this file")->type_name("FILE");
  command.add_option("--json", options.json, "Write the report as JSON, schema 1, to this file")->type_name("FILE");
  command.add_option("--csv", options.csv, "Write the times as CSV, one line a stage, to this file")->type_name("FILE");
  command
      .add_option("--html", options.html,
                  "Write a report for a browser to this file: table, plots, picture and JSON in one file that needs "
                  "nothing else")
      ->type_name("FILE");
  command
      .add_option("--trace", options.trace,
                  "Write what each thread and each queue did when, in Chrome's trace format, to this file; "
                  "ui.perfetto.dev opens it")
      ->type_name("FILE");
  command.add_flag("--validate", options.validate,
                   "Turn on the validation layers, and compare the vertices of the last frame with the CPU skinner");
  add_number(
      command, "--renderdoc-capture", 1u, kMaxFrames, [&options](uint32_t value) { options.captured_frame = value; },
      "Capture this frame with RenderDoc; 1 is the first measured frame")
      ->type_name("FRAME");
}

/// Options that compare with an older report or another program.
void add_comparison_options(CLI::App& command, CrowdOptions& options) {
  command
      .add_option("--compare", options.compare,
                  "Compare with an older --json report of the same machine and options: each stage is faster, slower, "
                  "same, or cannot tell")
      ->type_name("OLD.json");
  command
      .add_option("--against", options.against,
                  "Compare with another build of this program: both are alive, and draw in turn")
      ->type_name("PROGRAM");
  command.add_flag("--turns", options.turns,
                   "Between repeats, print a line and wait for one on standard input; --against uses it");
  command
      .add_option_function<std::string>(
          "--fail-above",
          [&options](std::string word) {
            if (word.ends_with('%')) word.pop_back();
            const auto percent = parse_number(word, 0.0, 1000.0);
            if (!percent) throw CLI::ValidationError("--fail-above", "'" + word + "' is not a share such as 5%");
            options.fail_above = *percent / 100;
          },
          "With --compare or --against: end with exit code 1 if frames are slower by more than this share [never]")
      ->type_name("PERCENT");
}

/// One process draws one comparison: the others must not write files.
Status check_comparison(const CrowdOptions& options) {
  const bool compares = !options.compare.empty() || !options.against.empty();
  if (options.fail_above && !compares)
    return Error{ErrorCode::kInvalidArgument, "--fail-above needs --compare or --against"};
  if (!options.compare.empty() && options.window)
    return Error{ErrorCode::kInvalidArgument, "--compare cannot be used with --window"};
  if (options.turns && options.window)
    return Error{ErrorCode::kInvalidArgument, "--turns cannot be used with --window"};
  if (options.against.empty()) return {};
  const std::pair<const char*, bool> others[] = {{"--compare", !options.compare.empty()},
                                                 {"--turns", options.turns},
                                                 {"--window", options.window},
                                                 {"--json", !options.json.empty()},
                                                 {"--csv", !options.csv.empty()},
                                                 {"--html", !options.html.empty()},
                                                 {"--trace", !options.trace.empty()},
                                                 {"--screenshot", !options.screenshot.empty()},
                                                 {"--renderdoc-capture", options.captured_frame.has_value()}};
  for (const auto& [name, is_given] : others) {
    if (is_given) return Error{ErrorCode::kInvalidArgument, std::string("--against cannot be used with ") + name};
  }
  return {};
}

/// Runs that follow one another cannot be shown in one window, or captured as one frame.
Status check_runs(const CrowdOptions& options) {
  const bool several =
      options.character_counts.size() > 1 || options.pass_counts.size() > 1 || options.repeats.value_or(1) > 1;
  if (several && (options.window || options.captured_frame)) {
    return Error{ErrorCode::kInvalidArgument,
                 "several numbers of --characters or --passes, or --repeat, cannot be used with --window "
                 "or --renderdoc-capture"};
  }
  return check_comparison(options);
}

Status check_window(const CrowdOptions& options) {
  if (options.window && !options.trace.empty())
    return Error{ErrorCode::kInvalidArgument, "--trace cannot be used with --window"};
  if (options.window) return {};
  if (options.overlay) return Error{ErrorCode::kInvalidArgument, "--overlay needs --window"};
  if (options.hide_overlay) return Error{ErrorCode::kInvalidArgument, "--hide-overlay needs --window"};
  if (options.scale) return Error{ErrorCode::kInvalidArgument, "--scale needs --window"};
  return {};
}

/// Checks options against each other and the outputs against the inputs.
Status check(const CrowdOptions& options) {
  if (options.captured_frame && options.window) {
    return Error{ErrorCode::kInvalidArgument, "--renderdoc-capture cannot be used with --window; in a window, press R"};
  }
  if (options.captured_frame && *options.captured_frame > options.frame_count())
    return Error{ErrorCode::kInvalidArgument, "--renderdoc-capture is greater than --frames"};
  if (options.skinning.size() > 1 && (options.captured_frame || options.window)) {
    return Error{ErrorCode::kInvalidArgument,
                 "a list of --skinning cannot be used with --window or --renderdoc-capture"};
  }
  const auto& modes = options.skinning;
  const auto records_compute = [](SkinningMode mode) { return properties_of({.mode = mode}).records_compute; };
  if (options.async_compute == AsyncChoice::kOn && std::none_of(modes.begin(), modes.end(), records_compute))
    return Error{ErrorCode::kInvalidArgument, "--async-compute on needs --skinning compute"};
  const auto writes_vertices = [](SkinningMode mode) { return mode == SkinningMode::kCpu; };
  if (options.compact_palettes) {
    if (modes != std::vector{SkinningMode::kCompute})
      return Error{ErrorCode::kInvalidArgument, "--palettes compact needs --skinning compute"};
    if (options.evaluator == EvaluatorKind::kExact)
      return Error{ErrorCode::kInvalidArgument, "--palettes compact needs --evaluator crowd"};
    if (options.memory_budget > 0)
      return Error{ErrorCode::kInvalidArgument, "--palettes compact cannot be used with --memory-budget"};
  }
  if (options.draw.fetch != VertexFetch::kAuto && modes == std::vector{SkinningMode::kVertex})
    return Error{ErrorCode::kInvalidArgument, "--vertex-fetch cannot be used with --skinning vertex"};
  if (options.format != vulkan::VertexFormat::kOctahedral) {
    if (std::any_of(modes.begin(), modes.end(), writes_vertices))
      return Error{ErrorCode::kInvalidArgument, "--format other than 16 cannot be used with --skinning cpu"};
    if (options.draw.coloring == Coloring::kVelocity || options.window) {
      return Error{ErrorCode::kInvalidArgument,
                   "--format other than 16 cannot be used with --color velocity or --window"};
    }
  }
  if (options.draw.coloring == Coloring::kVelocity) {
    if (modes != std::vector{SkinningMode::kCompute})
      return Error{ErrorCode::kInvalidArgument, "--color velocity needs --skinning compute"};
    if (options.async_compute == AsyncChoice::kOn)
      return Error{ErrorCode::kInvalidArgument, "--color velocity cannot be used with --async-compute on"};
  }
  if (Status checked = check_window(options); !checked) return checked;
  if (Status checked = check_runs(options); !checked) return checked;
  std::vector<std::string> inputs = options.load.import.animation_files;
  if (!options.compare.empty()) inputs.push_back(options.compare);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  if (Status distinct = check_distinct(options.outputs(), inputs); !distinct) return distinct;
  return check_png_name({"--screenshot", options.screenshot});
}

/// What a scene has its own defaults for, where no option was given.
void take_scene_defaults(const CLI::App& command, CrowdOptions& options) {
  const SceneKind& scene = *find_scene(options.scene);
  if (command.count("--characters") == 0) {
    options.characters = scene.characters;
    options.character_counts = {scene.characters};
  }
  if (command.count("--unique-poses") == 0) options.optimizations.unique_poses = scene.unique_poses;
}

}  // namespace

void add_crowd_command(CLI::App& app, Status& status, int& failure_code) {
  CLI::App* command =
      app.add_subcommand("crowd", "Draws a crowd, measures each stage, and can validate the result against the CPU");
  const auto options = std::make_shared<CrowdOptions>();
  add_scene_options(*command, *options);
  add_model_options(*command, *options);
  add_optimization_options(*command, options->optimizations);
  add_budget_option(*command, *options);
  add_run_options(*command, *options);
  add_output_options(*command, *options);
  add_load_options(*command, options->load);
  add_blend_option(*command, options->load);
  add_comparison_options(*command, *options);
  command->callback([command, options, &status, &failure_code] {
    if (options->list_scenes) {
      status = print(list_scenes());
      return;
    }
    take_scene_defaults(*command, *options);
    require(check(*options));
    status = options->against.empty() ? run_crowd(*options, failure_code) : run_against(*options, failure_code);
  });
}

}  // namespace sinew::app
