#include "commands/view.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <sstream>

#include "commands/options.h"
#include "commands/view_run.h"
#include "report/png_folder.h"

namespace sinew::app {
namespace {

constexpr double kMaxSeconds = 1e9;

/// The words of a list such as "0,0.2,0.4".
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

void add_layer(ViewOptions& options, const std::string& word) {
  auto layer = parse_layer(word);
  if (!layer) throw CLI::ValidationError("--layer", layer.error().message);
  options.layers.push_back(*layer);
}

void add_playing_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("What plays");
  command.add_option("--clip", options.clip, "Clip to play, by name or index [the first]")->type_name("NAME|INDEX");
  add_number(
      command, "--time", -kMaxSeconds, kMaxSeconds, [&options](double seconds) { options.time_seconds = seconds; },
      "Time of the clip, limited to its start and end [its start]")
      ->type_name("SECONDS");
  command
      .add_option_function<std::vector<std::string>>(
          "--layer",
          [&options](const std::vector<std::string>& words) {
            for (const std::string& word : words) add_layer(options, word);
          },
          "A clip over the base clip, for a joint and all below it; repeatable, at most 3 layers. Keys: clip=NAME, "
          "joint=NAME "
          "[all], weight=0 to 1 [1], mode=override or additive [override], time=SECONDS from the clip's start [0]")
      ->type_name("clip=NAME,...")
      ->allow_extra_args(false);
  add_number(
      command, "--speed", -double(kMaxSpeed), double(kMaxSpeed),
      [&options](double speed) { options.speed = float(speed); }, "Speed of playback; negative is backward [1]")
      ->type_name("FACTOR");
  const std::map<std::string, Looping> loopings = {
      {"loop", Looping::kLoop}, {"once", Looping::kClamp}, {"ping-pong", Looping::kPingPong}};
  command
      .add_option_function<std::string>(
          "--repeat", [&options, loopings](const std::string& word) { options.looping = loopings.at(word); },
          "What playback does at the end of the clip [loop]")
      ->type_name("loop|once|ping-pong")
      ->check(one_of({"loop", "once", "ping-pong"}));
  const std::map<std::string, RootMotion> motions = {
      {"kept", RootMotion::kKept}, {"removed", RootMotion::kRemoved}, {"applied", RootMotion::kApplied}};
  command
      .add_option_function<std::string>(
          "--root-motion", [&options, motions](const std::string& word) { options.root_motion = motions.at(word); },
          "Motion of the clip over the ground. kept: as in the file; removed: the character stays in place; applied: "
          "each loop begins where the last one ended [kept]")
      ->type_name("kept|removed|applied")
      ->check(one_of({"kept", "removed", "applied"}));
  add_either(command, "--evaluator", "crowd", "exact", options.crowd_evaluator,
             "exact: from the clips as the file has them; crowd: from baked clips, as in a crowd [exact]");
}

void add_shown_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("What is shown");
  command
      .add_option_function<std::vector<std::string>>(
          "--show",
          [&options](const std::vector<std::string>& lists) {
            for (const std::string& list : lists) {
              for (const std::string& word : split(list)) {
                if (show(options.shown, word)) continue;
                throw CLI::ValidationError("--show", "'" + word + "' is none of " + std::string(kShowWords));
              }
            }
          },
          "What to show: a list of " + std::string(kShowWords) +
              ". Colors: weights shows how much --joint moves each vertex, influences how many joints do, lost-weight "
              "the weight beyond the four heaviest, level the level of detail")
      ->type_name("WHAT,...")
      ->allow_extra_args(false);
  command.add_option("--joint", options.joint, "Joint of the first file to select")->type_name("NAME");
  add_number(
      command, "--level", 0u, 255u, [&options](uint32_t level) { options.shown.level = level; },
      "Level of detail; 0 is the finest, a number larger than the file has means its coarsest [0]")
      ->type_name("NUMBER");
  const std::map<std::string, CameraPreset> presets = {{"three-quarters", CameraPreset::kThreeQuarters},
                                                       {"front", CameraPreset::kFront},
                                                       {"back", CameraPreset::kBack},
                                                       {"left", CameraPreset::kLeft},
                                                       {"right", CameraPreset::kRight},
                                                       {"top", CameraPreset::kTop}};
  command
      .add_option_function<std::string>(
          "--camera", [&options, presets](const std::string& word) { options.camera = presets.at(word); },
          "Direction to look from [three-quarters]")
      ->type_name("three-quarters|front|back|left|right|top")
      ->check(one_of({"three-quarters", "front", "back", "left", "right", "top"}));
  add_number(
      command, "--turn", -360.0, 360.0, [&options](double degrees) { options.turn_degrees = float(degrees); },
      "Turns the camera further around the character [0]")
      ->type_name("DEGREES");
  add_number(
      command, "--zoom", 0.01, 100.0, [&options](double zoom) { options.zoom = float(zoom); },
      "Moves the camera nearer, or below 1 farther away [1]")
      ->type_name("FACTOR");
}

void add_output_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("Pictures");
  command
      .add_option("--screenshot", options.screenshot, "Write a PNG and open no window; with --window: when it closes")
      ->type_name("F.png");
  command
      .add_option_function<std::string>(
          "--times",
          [&options](const std::string& list) {
            for (const std::string& word : split(list)) {
              const auto seconds = parse_number(word, -kMaxSeconds, kMaxSeconds);
              if (!seconds) throw CLI::ValidationError("--times", "'" + word + "' is not a time in seconds");
              options.times.push_back(*seconds);
            }
            if (options.times.empty()) throw CLI::ValidationError("--times", "needs a list of times");
          },
          "Makes --screenshot a contact sheet with a picture of each of these times of the clip")
      ->type_name("S,S,...");
  command
      .add_option("--record", options.record,
                  "Write an animated PNG, or with a / at the end a folder of PNG files: the clip once from --time")
      ->type_name("F.png|FOLDER/");
  command.add_flag("--turntable", options.turntable, "--record turns the camera once around the character");
  add_number(
      command, "--seconds", 0.01, 3600.0, [&options](double seconds) { options.seconds = seconds; },
      "Duration of --record [that of the clip at --speed; 4 for a turntable]")
      ->type_name("SECONDS");
  add_number(
      command, "--frames-per-second", 1.0, 240.0, [&options](double rate) { options.frames_per_second = rate; },
      "Pictures for each second of --record [24]")
      ->type_name("COUNT");
}

void add_device_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("Window and device");
  add_size(command, "Size of the picture or window, in pixels [1280x720]", options.width, options.height);
  command.add_option("--samples", options.samples, "Samples per pixel, 1 or 4 [4; 1 in a window on a CPU device]")
      ->type_name("COUNT")
      ->check(one_of({"1", "4"}));
  add_scale(command, options.scale);
  command.add_option("--device", options.device, "By index, UUID or part of the name; sinew devices lists them")
      ->type_name("WHICH");
  command.add_flag("--window", options.window,
                   "Open a window even if a picture is asked for; its panel lists the keys");
  add_number(
      command, "--frames", 1u, 1000000u, [&options](uint32_t count) { options.frames = count; },
      "Close the window after this many frames [when the user closes it]")
      ->type_name("COUNT");
  command.add_flag("--overlay", options.overlay, "Show the panels in --screenshot and --record too");
  command.add_flag("--validate", options.validate, "Turn on the validation layers");
}

Status check(const ViewOptions& options) {
  const auto invalid = [](const char* message) { return Error{ErrorCode::kInvalidArgument, message}; };
  if (!options.times.empty() && options.screenshot.empty()) return invalid("--times needs --screenshot");
  if (!options.times.empty() && options.time_seconds) return invalid("--times cannot be used with --time");
  if (!options.times.empty() && (options.window || !options.record.empty()))
    return invalid("--times cannot be used with --window or --record");
  if (options.record.empty() && (options.turntable || options.seconds || options.frames_per_second))
    return invalid("--turntable, --seconds and --frames-per-second need --record");
  if (options.frames && !options.opens_window()) return invalid("--frames needs a window");
  if (!options.record.empty() && options.window) return invalid("--record cannot be used with --window");
  if (options.layers.size() + 1 > kMaxLayers) return invalid("at most 3 layers can play over the base clip");
  if (options.shown.colors == DataColors::kJointWeight && !options.joint && !options.opens_window())
    return invalid("--show weights needs --joint");
  std::vector<std::string> inputs = options.load.import.animation_files;
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  if (Status distinct = check_distinct(options.outputs(), inputs); !distinct) return distinct;
  if (Status is_png = check_png_name({"--screenshot", options.screenshot}); !is_png) return is_png;
  if (names_folder(options.record)) return {};
  return check_png_name({"--record", options.record});
}

}  // namespace

void add_view_command(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand(
      "view", "Shows characters as their files have them: clips, layers, joints, weights; in a window or as pictures");
  const auto options = std::make_shared<ViewOptions>();
  command->add_option("FILE", options->files, "Character files; --clip, --time and --layer are for each of them")
      ->type_name("")
      ->required();
  add_playing_options(*command, *options);
  add_shown_options(*command, *options);
  add_output_options(*command, *options);
  add_device_options(*command, *options);
  command->option_defaults()->group("Import");
  add_load_options(*command, options->load);
  add_blend_option(*command, options->load);
  command->add_flag("--tangents", options->load.import.tangents, "Compute tangents where the file has none");
  command->callback([options, &status] {
    require(check(*options));
    status = run_view(*options);
  });
}

}  // namespace sinew::app
