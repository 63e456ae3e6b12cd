#include "commands.h"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "options/parser.h"
#include "record/movie.h"
#include "system/text.h"
#include "viewer/run.h"

namespace sinew::app {
namespace {

constexpr double kMaxSeconds = 1e9;

/// Each time one more list of words; `take` says what is wrong with a word.
template <class Take>
Binding lists(Take take) {
  const auto set = [take](const std::string& list) {
    for (const std::string& word : split_list(list)) {
      if (std::string problem = take(word); !problem.empty()) return problem;
    }
    return std::string();
  };
  return {set, {}, Binding::Words::kEach};
}

Binding layers(std::vector<LayerOption>& value) {
  const auto set = [&value](const std::string& word) {
    auto layer = parse_layer(word);
    if (!layer) return layer.error().message;
    return value.push_back(*layer), std::string();
  };
  return {set, {}, Binding::Words::kEach};
}

Binding shown_things(Shown& shown) {
  return lists([&shown](const std::string& word) {
    return show(shown, word) ? std::string() : "'" + word + "' is none of " + show_words();
  });
}

Binding times(std::vector<double>& value) {
  Binding binding = lists([&value](const std::string& word) {
    const auto seconds = parse_number(word, -kMaxSeconds, kMaxSeconds);
    if (!seconds) return "'" + word + "' is not a time in seconds";
    return value.push_back(*seconds), std::string();
  });
  binding.words = Binding::Words::kOne;
  return binding;
}

/// The presets of the camera by their words.
Binding preset(CameraPreset& value) {
  const auto set = [&value](const std::string& word) {
    std::vector<std::string_view> words;
    for (const CameraPreset& each : kCameraPresets) {
      if (each.word == word) return value = each, std::string();
      words.push_back(each.word);
    }
    return "'" + word + "' is no direction of the camera" + did_you_mean(words, word);
  };
  return {set, {}};
}

std::string preset_words() {
  std::string words;
  for (const CameraPreset& each : kCameraPresets) words += (words.empty() ? "" : "|") + std::string(each.word);
  return words;
}

std::vector<Option> playing_rows(ViewOptions& o) {
  return under(
      "What plays",
      {
          common("Clip to play, by name or index [the first]",
                 {"--clip", "NAME|INDEX", word(o.clip), "Clip to play, by name or index [the first]"}),
          common("Time of the clip [its start]",
                 {"--time", "SECONDS", number(o.time_seconds, -kMaxSeconds, kMaxSeconds),
                  "Time of the clip, limited to its start and end [its start]"}),
          common("A clip over the base clip, for a joint and all below it; repeatable",
                 {"--layer", "clip=NAME,...", layers(o.layers),
                  "A clip over the base clip, for a joint and all below it; repeatable, at most 3 layers. Keys: "
                  "clip=NAME, joint=NAME [all], weight=0 to 1 [1], mode=override or additive [override], time=SECONDS "
                  "from the clip's start or phase, in step with the base clip [0]"}),
          common("Negative is backward [1]",
                 {"--speed", "FACTOR", number(o.speed, -double(kMaxSpeed), double(kMaxSpeed)),
                  "Speed of playback; negative is backward [1]"}),
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
      });
}

std::vector<Option> shown_rows(ViewOptions& o) {
  return under(
      "What is shown",
      {
          common("A list of bones, names, weights, wireframe and others: see --help-all",
                 {"--show", "WHAT,...", shown_things(o.shown),
                  "What to show: a list of " + show_words() +
                      ". Colors: weights shows how much --joint moves each vertex, influences how many joints do, "
                      "lost-weight the weight beyond the four heaviest, level the level of detail"}),
          common("Joint of the first file to select",
                 {"--joint", "NAME", word(o.joint), "Joint of the first file to select"}),
          common("Level of detail; 0 is the finest [0]",
                 {"--level", "NUMBER", number(o.shown.level, 0u, 255u),
                  "Level of detail; 0 is the finest, a number larger than the file has means its coarsest [0]"}),
          {"--own-size", "", flag(o.shown.own_size),
           "Show --level as small as a crowd begins to draw it, from where its error is 0.8 pixels"},
      });
}

std::vector<Option> camera_rows(ViewOptions& o) {
  std::vector<Option> rows = option_rows(o.moved_camera);
  rows.insert(rows.begin(),
              common("Direction to look from [three-quarters]",
                     {"--camera", preset_words(), preset(o.camera), "Direction to look from [three-quarters]"}));
  rows.push_back({"--zoom", "FACTOR", number(o.zoom, 0.01, 100.0),
                  "Moves the camera nearer, with the head in the picture; below 1 farther away [1]"});
  return under("Camera", std::move(rows));
}

std::vector<Option> picture_rows(ViewOptions& o) {
  return under(
      "Pictures",
      {
          common("Write a PNG, and open no window", {"--screenshot", "F.png", word(o.screenshot),
                                                     "Write a PNG and open no window; with --window: when it closes"}),
          common("A contact sheet: a picture of each of these times",
                 {"--times", "S,S,...", times(o.times),
                  "Makes --screenshot a contact sheet with a picture of each of these times of the clip"}),
          common("Write a moving picture of the clip",
                 {"--record", kMovieKinds, word(o.record),
                  "Write an animated WebP, or a folder of PNG files for ffmpeg: the clip once from --time"}),
          common("--record turns the camera once around the character",
                 {"--turntable", "", flag(o.turntable), "--record turns the camera once around the character"}),
          {"--seconds", "SECONDS", number(o.seconds, 0.01, 3600.0),
           "Duration of --record [that of the clip at --speed; 4 for a turntable]"},
          {"--frames-per-second", "COUNT", number(o.frames_per_second, 1.0, 240.0),
           "Pictures for each second of --record [24]"},
      });
}

std::vector<Option> device_rows(ViewOptions& o) {
  return under(
      "Window and device",
      {
          common("Of the picture or window, in pixels [1280x720]",
                 {"--size", "WxH", size(o.width, o.height), "Size of the picture or window, in pixels [1280x720]"}),
          {"--samples-per-pixel", "COUNT", choice(o.samples, {{"1", 1}, {"4", 4}}),
           "1 or 4 [4; 1 in a window on a CPU device]"},
          scale_row(o.scale),
          common("Index, UUID or part of the name: sinew devices [the fastest]",
                 {"--device", "WHICH", word(o.device), "By index, UUID or part of the name; sinew devices lists them"}),
          {"--window", "", flag(o.window), "Open a window even if a picture is asked for; F1 lists its keys"},
          {"--frames", "COUNT", number(o.frames, 1u, 1000000u),
           "Close the window after this many frames [when the user closes it]"},
          {"--overlay", "", flag(o.overlay), "Show the panels in --screenshot and --record too"},
          {"--validate", "", flag(o.validate), "Turn on the validation layers"},
      });
}

std::vector<Option> import_rows(ViewOptions& o) {
  o.load = default_load();
  std::vector<Option> rows = option_rows(o.load);
  rows.push_back(blend_row(o.load));
  rows.push_back({"--tangents", "", flag(o.load.import.tangents), "Compute tangents where the file has none"});
  return under("Import", std::move(rows));
}

std::vector<Option> rows(ViewOptions& o) {
  std::vector<Option> all = {{"FILE", "", words(o.files),
                              "Character files; --clip, --time and --layer are for each of them [the built-in one]"}};
  for (auto part : {playing_rows, shown_rows, camera_rows, picture_rows, device_rows, import_rows}) {
    for (Option& row : part(o)) all.push_back(std::move(row));
  }
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
  return options.record.empty() ? Status() : check_movie("--record", options.record);
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
