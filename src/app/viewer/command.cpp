#include "commands.h"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "options/parser.h"
#include "record/movie.h"
#include "system/text.h"
#include "viewer/run.h"

namespace sinew::app {
namespace {

constexpr double kMaxSeconds = 1e9;

Binding layers(std::vector<LayerOption>& value) {
  const auto set = [&value](const std::string& word) {
    auto layer = parse_layer(word);
    if (!layer) return layer.error().message;
    return value.push_back(*layer), std::string();
  };
  return {set, {}, Binding::Words::kEach};
}

Binding shown_things(Shown& shown) {
  const auto set = [&shown](const std::string& list) {
    for (const std::string& word : split_list(list)) {
      if (!show(shown, word)) return "'" + word + "' is none of " + show_words();
    }
    return std::string();
  };
  return {set, {}, Binding::Words::kEach};
}

Binding clip_time(double& value) { return number(value, -kMaxSeconds, kMaxSeconds); }

std::vector<std::pair<std::string, CameraPreset>> presets() {
  std::vector<std::pair<std::string, CameraPreset>> all;
  for (const CameraPreset& each : kCameraPresets) all.emplace_back(each.word, each);
  return all;
}

std::vector<Option> playing_rows(ViewOptions& o) {
  return {
      {"--clip", "NAME|INDEX", word(o.clip), "Clip to play, by name or index [the first]"},
      {"--time", "SECONDS", number(o.time_seconds, -kMaxSeconds, kMaxSeconds),
       "Time of the clip, limited to its start and end [its start]"},
      {"--layer", "clip=NAME,...", layers(o.layers),
       "A clip over the base clip, for a joint and all below it; repeatable, at most 3 layers. Keys: "
       "clip=NAME, joint=NAME [all], weight=0 to 1 [1], mode=override or additive [override], time=SECONDS "
       "from the clip's start or phase, in step with the base clip [0]"},
      {"--speed", "FACTOR", number(o.speed, -double(kMaxSpeed), double(kMaxSpeed)),
       "Speed of playback; negative is backward [1]"},
      {"--repeat", "loop|once|ping-pong",
       choice(o.looping, {{"loop", Looping::kLoop}, {"once", Looping::kClamp}, {"ping-pong", Looping::kPingPong}}),
       "What playback does at the end of the clip [loop]"},
      {"--root-motion", "kept|removed|applied",
       choice(o.root_motion,
              {{"kept", RootMotion::kKept}, {"removed", RootMotion::kRemoved}, {"applied", RootMotion::kApplied}}),
       "Motion of the clip over the ground. kept: as in the file; removed: the character stays in place; applied: "
       "each loop begins where the last one ended [kept]"},
      {"--evaluator", "crowd|exact", choice(o.shown.crowd_evaluator, {{"crowd", true}, {"exact", false}}),
       "exact: from the clips as the file has them; crowd: from baked clips, as in a crowd [exact]"},
  };
}

std::vector<Option> shown_rows(ViewOptions& o) {
  return {
      {"--show", "WHAT,...", shown_things(o.shown),
       "What to show: a list of " + show_words() +
           ". Colors: weights shows how much --joint moves each vertex, influences how many joints do, "
           "lost-weight the weight beyond the four heaviest, level the level of detail",
       "", false, "A list of bones, names, weights, wireframe and others: see --help-all"},
      {"--joint", "NAME", word(o.joint), "Joint of the first file to select"},
      {"--level", "NUMBER", number(o.shown.level, 0u, 255u),
       "Level of detail; 0 is the finest, a number larger than the file has means its coarsest [0]"},
      {"--own-size", "", flag(o.shown.own_size),
       "Show --level as small as a crowd begins to draw it, from where its error is 0.8 pixels"},
  };
}

std::vector<Option> camera_rows(ViewOptions& o) {
  std::vector<Option> rows = option_rows(o.moved_camera);
  rows.insert(rows.begin(), {"--camera", joined(kCameraPresets, "|", &CameraPreset::word), choice(o.camera, presets()),
                             "Direction to look from [three-quarters]"});
  rows.push_back({"--zoom", "FACTOR", number(o.zoom, 0.01, 100.0),
                  "Moves the camera nearer, with the head in the picture; below 1 farther away [1]"});
  return rows;
}

std::vector<Option> picture_rows(ViewOptions& o) {
  return {
      {"--screenshot", "F.png", word(o.screenshot), "Write a PNG and open no window; with --window: when it closes"},
      {"--times", "S,S,...", list(o.times, clip_time),
       "Makes --screenshot a contact sheet with a picture of each of these times of the clip"},
      {"--record", kMovieKinds, word(o.record),
       "Write an animated WebP, or a folder of PNG files for ffmpeg: the clip once from --time"},
      {"--turntable", "", flag(o.turntable), "--record turns the camera once around the character"},
      {"--seconds", "SECONDS", number(o.seconds, 0.01, 3600.0),
       "Duration of --record [that of the clip at --speed; 4 for a turntable]"},
      {"--frames-per-second", "COUNT", number(o.frames_per_second, 1.0, 240.0),
       "Pictures for each second of --record [24]"},
  };
}

std::vector<Option> device_rows(ViewOptions& o) {
  return {
      {"--size", "WxH", size(o.width, o.height), "Size of the picture or window, in pixels [1280x720]"},
      {"--samples-per-pixel", "COUNT", choice(o.samples, {{"1", 1}, {"4", 4}}),
       "1 or 4 [4; 1 in a window on a CPU device]"},
      scale_row(o.scale),
      {"--device", "WHICH", word(o.device), "By index, UUID or part of the name; sinew devices lists them"},
      {"--window", "", flag(o.window), "Open a window even if a picture is asked for; F1 lists its keys"},
      {"--frames", "COUNT", number(o.frames, 1u, 1000000u),
       "Close the window after this many frames [when the user closes it]"},
      {"--overlay", "", flag(o.overlay), "Show the panels in --screenshot and --record too"},
      {"--validate", "", flag(o.validate), "Turn on the validation layers"},
  };
}

std::vector<Option> import_rows(ViewOptions& o) {
  o.load = default_load();
  std::vector<Option> rows = option_rows(o.load);
  rows.push_back(blend_row(o.load));
  rows.push_back({"--tangents", "", flag(o.load.import.tangents), "Compute tangents where the file has none"});
  return rows;
}

/// What the short help has.
constexpr const char* kCommon[] = {"--clip",      "--time",   "--layer",      "--speed", "--joint",
                                   "--level",     "--camera", "--screenshot", "--times", "--record",
                                   "--turntable", "--size",   "--device"};

std::vector<Option> rows(ViewOptions& o) {
  std::vector<Option> all = {{"FILE", "", words(o.files),
                              "Character files; --clip, --time and --layer are for each of them [the built-in one]"}};
  append("What plays", playing_rows(o), kCommon, all);
  append("What is shown", shown_rows(o), kCommon, all);
  append("Camera", camera_rows(o), kCommon, all);
  append("Pictures", picture_rows(o), kCommon, all);
  append("Window and device", device_rows(o), kCommon, all);
  append("Import", import_rows(o), kCommon, all);
  return all;
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
  return check_movie(options.record);
}

Status run(const ViewOptions& options) {
  if (!options.files.empty()) return run_view(options);
  const auto builtin = find_builtin_character();
  if (!builtin) return builtin.error();
  ViewOptions with_file = options;
  with_file.files = {*builtin};
  return run_view(with_file);
}

}  // namespace

void add_view_command(CLI::App& app, Status& status) {
  add_command<ViewOptions>(
      app, "view",
      "Shows characters as their files have them: clips, layers, joints, weights; in a window or as pictures", status,
      rows, check, run);
}

}  // namespace sinew::app
