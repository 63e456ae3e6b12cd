#include "viewer/command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "options/parser.h"
#include "record/movie.h"
#include "viewer/run.h"

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

/// Adds an option that stores a number from `min` to `max`.
template <class Number, class Value>
void add_value(CLI::App& command, const char* name, const char* type, Number min, Number max, Value& value,
               const std::string& help) {
  add_number(
      command, name, min, max, [&value](Number number) { value = Value(number); }, help)
      ->type_name(type);
}

/// Adds an option of words, each of which stores its value.
template <class Value>
void add_words(CLI::App& command, const char* name, const std::vector<std::pair<std::string, Value>>& words,
               Value& value, const std::string& help) {
  std::string type;
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) {
    type += (type.empty() ? "" : "|") + word;
    names.push_back(word);
  }
  const auto take = [&value, words](const std::string& taken) {
    for (const auto& [word, meaning] : words) value = word == taken ? meaning : value;
  };
  command.add_option_function<std::string>(name, take, help)->type_name(type)->check(one_of(names));
}

/// Adds an option that may be given several times. `take` gets each of its texts.
template <class Take>
void add_repeatable(CLI::App& command, const char* name, const char* type, Take take, const std::string& help) {
  const auto take_all = [take](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) take(text);
  };
  command.add_option_function<std::vector<std::string>>(name, take_all, help)->type_name(type)->allow_extra_args(false);
}

void add_playing_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("What plays");
  command.add_option("--clip", options.clip, "Clip to play, by name or index [the first]")->type_name("NAME|INDEX");
  add_value(command, "--time", "SECONDS", -kMaxSeconds, kMaxSeconds, options.time_seconds,
            "Time of the clip, limited to its start and end [its start]");
  const auto take_layer = [&options](const std::string& text) {
    auto layer = parse_layer(text);
    if (!layer) throw CLI::ValidationError("--layer", layer.error().message);
    options.layers.push_back(*layer);
  };
  add_repeatable(command, "--layer", "clip=NAME,...", take_layer,
                 "A clip over the base clip, for a joint and all below it; repeatable, at most 3 layers. Keys: "
                 "clip=NAME, joint=NAME [all], weight=0 to 1 [1], mode=override or additive [override], time=SECONDS "
                 "from the clip's start [0]");
  add_value(command, "--speed", "FACTOR", -double(kMaxSpeed), double(kMaxSpeed), options.speed,
            "Speed of playback; negative is backward [1]");
  add_words<Looping>(command, "--repeat",
                     {{"loop", Looping::kLoop}, {"once", Looping::kClamp}, {"ping-pong", Looping::kPingPong}},
                     options.looping, "What playback does at the end of the clip [loop]");
  add_words<RootMotion>(
      command, "--root-motion",
      {{"kept", RootMotion::kKept}, {"removed", RootMotion::kRemoved}, {"applied", RootMotion::kApplied}},
      options.root_motion,
      "Motion of the clip over the ground. kept: as in the file; removed: the character stays in place; applied: "
      "each loop begins where the last one ended [kept]");
  add_either(command, "--evaluator", "crowd", "exact", options.shown.crowd_evaluator,
             "exact: from the clips as the file has them; crowd: from baked clips, as in a crowd [exact]");
}

void add_shown_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("What is shown");
  const auto take_list = [&options](const std::string& list) {
    for (const std::string& word : split(list)) {
      if (!show(options.shown, word)) throw CLI::ValidationError("--show", "'" + word + "' is none of " + show_words());
    }
  };
  add_repeatable(command, "--show", "WHAT,...", take_list,
                 "What to show: a list of " + show_words() +
                     ". Colors: weights shows how much --joint moves each vertex, influences how many joints do, "
                     "lost-weight the weight beyond the four heaviest, level the level of detail");
  command.add_option("--joint", options.joint, "Joint of the first file to select")->type_name("NAME");
  add_value(command, "--level", "NUMBER", 0u, 255u, options.shown.level,
            "Level of detail; 0 is the finest, a number larger than the file has means its coarsest [0]");
  command.add_flag("--own-size", options.shown.own_size,
                   "Show --level as small as a crowd begins to draw it, from where its error is 0.8 pixels");
  std::vector<std::pair<std::string, CameraPreset>> cameras;
  for (const CameraPreset& preset : kCameraPresets) cameras.emplace_back(preset.word, preset);
  add_words(command, "--camera", cameras, options.camera, "Direction to look from [three-quarters]");
  for (const Option& row : option_rows(options.moved_camera)) add_option(command, row);
  add_value(command, "--zoom", "FACTOR", 0.01, 100.0, options.zoom,
            "Moves the camera nearer, or below 1 farther away [1]");
}

void add_output_options(CLI::App& command, ViewOptions& options) {
  command.option_defaults()->group("Pictures");
  command
      .add_option("--screenshot", options.screenshot, "Write a PNG and open no window; with --window: when it closes")
      ->type_name("F.png");
  const auto take_times = [&options](const std::string& list) {
    for (const std::string& word : split(list)) {
      const auto seconds = parse_number(word, -kMaxSeconds, kMaxSeconds);
      if (!seconds) throw CLI::ValidationError("--times", "'" + word + "' is not a time in seconds");
      options.times.push_back(*seconds);
    }
    if (options.times.empty()) throw CLI::ValidationError("--times", "needs a list of times");
  };
  command
      .add_option_function<std::string>(
          "--times", take_times, "Makes --screenshot a contact sheet with a picture of each of these times of the clip")
      ->type_name("S,S,...");
  command
      .add_option("--record", options.record,
                  "Write an animated WebP or PNG, a folder of PNG files, or with ffmpeg a video: the clip once from "
                  "--time")
      ->type_name(kMovieKinds);
  command.add_flag("--turntable", options.turntable, "--record turns the camera once around the character");
  add_value(command, "--seconds", "SECONDS", 0.01, 3600.0, options.seconds,
            "Duration of --record [that of the clip at --speed; 4 for a turntable]");
  add_value(command, "--frames-per-second", "COUNT", 1.0, 240.0, options.frames_per_second,
            "Pictures for each second of --record [24]");
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
  add_value(command, "--frames", "COUNT", 1u, 1000000u, options.frames,
            "Close the window after this many frames [when the user closes it]");
  command.add_flag("--overlay", options.overlay, "Show the panels in --screenshot and --record too");
  command.add_flag("--validate", options.validate, "Turn on the validation layers");
}

Status check(const ViewOptions& options) {
  const bool records = !options.record.empty(), sheet = !options.times.empty();
  const struct {
    bool is_wrong;
    const char* message;
  } kRules[] = {
      {sheet && options.screenshot.empty(), "--times needs --screenshot"},
      {sheet && options.time_seconds, "--times cannot be used with --time"},
      {sheet && (options.window || records), "--times cannot be used with --window or --record"},
      {!records && (options.turntable || options.seconds || options.frames_per_second),
       "--turntable, --seconds and --frames-per-second need --record"},
      {options.frames && !options.opens_window(), "--frames needs a window"},
      {records && options.window, "--record cannot be used with --window"},
      {options.layers.size() + 1 > kMaxLayers, "at most 3 layers can play over the base clip"},
      {options.shown.colors == DataColors::kJointWeight && !options.joint && !options.opens_window(),
       "--show weights needs --joint"},
  };
  for (const auto& [is_wrong, message] : kRules) {
    if (is_wrong) return Error{ErrorCode::kInvalidArgument, message};
  }
  std::vector<std::string> inputs = options.load.import.animation_files;
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  if (Status distinct = check_distinct(options.outputs(), inputs); !distinct) return distinct;
  if (Status is_png = check_png_name({"--screenshot", options.screenshot}); !is_png) return is_png;
  return options.record.empty() ? Status() : check_movie("--record", options.record);
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
