// The options of `sinew crowd` as rows: words, values and help.
#include <utility>

#include "crowd/options.h"
#include "scene/scenes/scenes.h"
#include "skinning/skinning.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kMaxFrames = 1'000'000, kMaxShadowMaps = kMaxPasses - 2;

// --- values ---

Binding scene_name(CrowdOptions& o) {
  const auto set = [&o](const std::string& name) {
    if (!find_scene(name)) {
      std::vector<std::string_view> names;
      for (const SceneKind& kind : scene_kinds()) names.push_back(kind.name);
      return "no scene '" + printable(name) + "': there are " + scene_names() + did_you_mean(names, name);
    }
    return o.scene = name, std::string();
  };
  return {set, [&o] { return o.scene; }};
}

/// In JSON the number of the run.
Binding characters(CrowdOptions& o) {
  const auto set = [&o](const std::string& word) {
    auto counts = parse_character_counts(word);
    if (!counts) {
      return "'" + word +
             "' is not a number from 1 to 1M, such as 1000 or 10k, a list such as 50,200 or a range such as 1k..100k";
    }
    return o.character_counts = std::move(*counts), std::string();
  };
  return {set, [&o] { return o.characters; }};
}

Binding map_count(uint32_t& count) { return number(count, 0u, kMaxShadowMaps); }

Binding skinning_mode(SkinningMode& mode) {
  return choice(mode,
                {{"compute", SkinningMode::kCompute}, {"vertex", SkinningMode::kVertex}, {"cpu", SkinningMode::kCpu}});
}

Binding share(std::optional<double>& value, double most, const char* such_as) {
  const auto set = [&value, most, such_as](const std::string& word) {
    const std::string_view digits = std::string_view(word).substr(0, word.size() - word.ends_with('%'));
    const auto percent = parse_number(digits, 0.0, most);
    if (!percent) return "'" + word + "' is not a share such as " + such_as;
    return value = *percent / 100, std::string();
  };
  return {set, [&value] { return json_or_null(value); }};
}

/// The words were auto and off; reports still have them, so that older ones can be compared.
Binding levels(bool& value) {
  Binding binding = on_off(value);
  binding.set = [set = binding.set](const std::string& word) { return word == "auto" ? "auto is now on" : set(word); };
  binding.json = [&value] { return value ? "auto" : "off"; };
  return binding;
}

/// What is reported is what the run was drawn with: the scene's default, or less where the budget reduced it.
Binding unique_poses(CrowdOptions& o) {
  Binding binding = number(o.unique_poses, 0u, kMaxCharacters);
  binding.json = [&o] { return o.optimizations.unique_poses; };
  return binding;
}

// --- rows ---

/// What stands where and plays what.
std::vector<Option> scene_rows(CrowdOptions& o) {
  return {
      {"FILE", "", words(o.files),
       "Character files, mixed evenly [those of our own characters that fit the scene; for --scene crowd the built-in "
       "one]"},
      {"--scene", "NAME", scene_name(o),
       "What stands where and plays what; --list-scenes describes them [festival; with FILE crowd]", "scene"},
      {"--list-scenes", "", flag(o.list_scenes),
       "Print the scenes; of each its name, the number of characters, the number it is made for, and what is seen"},
      {"--characters", "COUNTS", characters(o),
       "Number of characters, such as 1000 or 10k, a list, such as 50,200, or a range, which doubles, such as 1k..100k "
       "[1000, or that of --scene]",
       "characters"},
      {"--children", "PERCENT", share(o.children, 100 * kMaxChildren, "10%, at most 50%"),
       "How many of those who stroll or watch are children; the festival, the stadium, the marathon and the square "
       "have such people [10; with FILE 0]"},
      {"--fit", "", flag(o.fit),
       "Fit each of several FILEs to the height of a person, unless it is 0.4 to 2.3 m tall. Without, files keep their "
       "sizes to each other: those of 0.05 to 30 m in the unit of the file, or else in centimeters; only others are "
       "fitted"},
      {"--seed", "NUMBER", number(o.seed, uint64_t(0), UINT64_MAX),
       "Seed of the scene: the same seed gives the same pictures [1]", "seed"},
      {"--start-seconds", "SECONDS", number(o.start_seconds, 0.0, 1e6), "Scene time of the first frame, in seconds [0]",
       "start_seconds"},
      {"--clip", "NAME|INDEX", words(o.clips),
       "Play this clip only; repeatable. Of several files, each plays those of the named clips that it has [all but "
       "short ones, deaths and bind poses]",
       "clips"},
      {"--change-clips", "on|off", on_off(o.change_clips),
       "off: each character plays one clip for ever, without cross-fades and arm overlay [on]", "change_clips"},
      {"--tint", "on|off", on_off(o.tint),
       "on: people differ in skin, hair and clothes, where files have regions for them, as our own characters do; off: "
       "the colors of the file [on, but for swordsmen of the stress grid]"},
      {"--light", "day|dusk|night",
       choice(o.light, {{"day", Light::kDay}, {"dusk", Light::kDusk}, {"night", Light::kNight}}),
       "The light of the scene [that of the scene]"},
  };
}

std::vector<Option> camera_rows(CrowdOptions& o) {
  using enum CameraMotion;
  return {
      {"--camera", "orbit|fixed|fly", choice(o.motion, {{"orbit", kOrbit}, {"fixed", kFixed}, {"fly", kFly}}),
       "How the camera moves; orbit: around the crowd; fixed: it stands, or goes with a crowd that walks; fly: it "
       "comes from far away and goes through the heads, and back [orbit]",
       "camera"},
      {"--eye", "X,Y,Z", point(o.eye),
       "Place of the camera in meters, y is up; needs --camera fixed [that of the scene]"},
      {"--look-at", "X,Y,Z", point(o.look_at), "Where the camera looks; needs --eye [where that of the scene looks]"},
  };
}

/// Work that is left out where the picture stays the same.
std::vector<Option> saving_rows(CrowdOptions& o) {
  crowd::PlanOptions& work = o.optimizations;
  return {
      {"--cull", "on|off", on_off(work.cull),
       "Skip instances outside the view, before sampling; not those whose shadow may be in it [on]", "cull"},
      {"--occlusion", "on|off", on_off(o.occlusion),
       "Skip instances that are wholly behind others or behind stands, before sampling, by the depths of an earlier "
       "frame. Where a camera moves fast, some may appear a frame late. Needs --samples-per-pixel 1 [off]",
       "occlusion"},
      {"--lod", "on|off", levels(work.levels),
       "on: draw distant instances with a coarser mesh, within one pixel of error, or more where --memory-budget needs "
       "it; off: always the finest mesh [on]",
       "lod"},
      {"--lod-pixels", "PIXELS", number(work.error_pixels, 0.001f, 64.0f),
       "Error of a coarser mesh that is accepted, in pixels; a smaller one keeps more detail [1]"},
      {"--lod-count", "COUNT", number(o.levels, 1u, 255u),
       "Use only this many levels of detail, the finest mesh counts as one [all]"},
      {"--update-rate", "on|off", on_off(work.update_rate),
       "Update distant instances only every second or fourth frame, within one pixel of error [on]", "update_rate"},
      {"--unique-poses", "COUNT", unique_poses(o),
       "Share poses between small instances that play the same clip, so that about COUNT poses are left [0: off]",
       "unique_poses"},
      {"--memory-budget", "MIB", number(o.memory_budget, 0.001, 1e6, double(1 << 20)),
       "Limit on the memory of meshes, palettes and skinned vertices, in MiB. Over it, levels of detail get coarser, "
       "then poses are shared; where that is not enough, the run fails [none]"},
  };
}

std::vector<Option> skinning_rows(CrowdOptions& o) {
  using enum vulkan::VertexFormat;
  return {
      {"--skinning", "WHERE", list(o.skinning, skinning_mode),
       "compute, vertex or cpu, or a list, such as compute,vertex, to compare them; compute: once for all passes, by "
       "the library; vertex: in the vertex shader, in every pass; cpu: on the CPU; of a list, each draws every frame, "
       "one after another [compute]"},
      {"--async-compute", "auto|on|off",
       choice(o.async_compute, {{"auto", AsyncChoice::kAuto}, {"on", AsyncChoice::kOn}, {"off", AsyncChoice::kOff}}),
       "on: submit compute skinning separately, to a second queue where there is one, so that it can overlap the "
       "drawing of the previous frame; auto: on where there are a second queue and several frames in flight; off: "
       "stages run one after the other, so that none slows another down [off]"},
      {"--format", "12|16|24", choice(o.format, {{"12", kPacked}, {"16", kOctahedral}, {"24", kFloat}}),
       "Bytes of a skinned vertex. 12: 16-bit positions in a box around all poses; 16: float positions; 24: float "
       "normals too [16]",
       "format"},
      {"--palettes", "full|compact", choice(o.compact_palettes, {{"full", false}, {"compact", true}}),
       "full: matrices (PaletteFormat kMatrices or kRigid), 48 bytes a joint; compact: rotations and translations in "
       "16 bytes, expanded on the device, for characters whose joints do not scale. On a GPU with its own memory they "
       "cross the bus in each frame [full]",
       "palettes"},
      {"--vertex-fetch", "auto|input|pulling",
       choice(o.draw.fetch,
              {{"auto", VertexFetch::kAuto}, {"input", VertexFetch::kInput}, {"pulling", VertexFetch::kPulling}}),
       "How draws read skinned vertices. input: by vertex input, one draw for each posed mesh and mesh part; pulling: "
       "by the vertex shader, from a storage buffer, one instanced draw for each range and mesh part; auto: pulling, "
       "but on CPU devices input for all but small meshes [auto]"},
      {"--evaluator", "crowd|exact",
       choice(o.evaluator, {{"crowd", EvaluatorKind::kCrowd}, {"exact", EvaluatorKind::kExact}}),
       "crowd: from clips baked at the start, several instances at once; exact: from the clips as the file has them "
       "[crowd]",
       "evaluator"},
      {"--threads", "COUNT", number(o.threads, 1u, kMaxThreads), "Threads that cull and evaluate [one for each core]"},
  };
}

std::vector<Option> drawing_rows(CrowdOptions& o) {
  return {
      {"--shadow-maps", "COUNT", list(o.shadow_maps, map_count),
       "Shadow maps, 0 to 4; the view is divided among them, the near ones are finer. Each is one more pass over the "
       "crowd. A list, such as 0,1,2, draws each [0 in frames that are measured, 2 in pictures and windows]"},
      {"--depth-pass", "on|off", on_off(o.depth_pass),
       "With shadow maps: draw the camera's depth before its colors, one more pass over the crowd. 2 or more shadow "
       "maps need it [on with 2 or more shadow maps]"},
      {"--rasterize", "on|off", on_off(o.draw.rasterize),
       "off: run the crowd's vertex shaders but rasterize nothing, to compare ways of skinning [on]", "rasterized"},
      {"--color", "lit|velocity", choice(o.draw.coloring, {{"lit", Coloring::kLit}, {"velocity", Coloring::kVelocity}}),
       "lit: materials in sunlight; velocity: the motion of each vertex on the picture since the frame before. The hue "
       "is the direction (red: right, cyan: left), the brightness the speed; white was not drawn before. Needs "
       "--skinning compute, and skins instances that change their level twice [lit]"},
      {"--size", "WxH", size(o.width, o.height), "Size of the picture or window, in pixels [1280x720]"},
      {"--samples-per-pixel", "COUNT", choice(o.samples, {{"1", 1}, {"4", 4}}),
       "1 or 4 [4; on a CPU device 1 where colors are lit, and 4 for the screenshot]", "samples"},
  };
}

std::vector<Option> frame_rows(CrowdOptions& o) {
  return {
      {"--frames", "COUNT", number(o.frames, 1u, kMaxFrames),
       "Frames to measure [30; with --window, until it is closed]"},
      {"--warmup", "COUNT", number(o.warmup, 0u, kMaxFrames), "Frames to draw before the measured ones [3]", "warmup"},
      {"--repeat", "COUNT", number(o.repeats, 1u, kMaxRepeats),
       "Draw the same frames this many times; shows how much the times vary. With --against, the number of pairs; too "
       "few of them give no verdict [1; with --compare as the older report; 12 or more with --against]"},
      {"--slots", "COUNT", number(o.frames_in_flight, 1u, 4u),
       "Frames in flight; with 1, CPU and device do not overlap [2]", "slots"},
      {"--device", "WHICH", word(o.device),
       "By index, UUID or part of the name; sinew devices lists them [the fastest]"},
      {"--validate", "", flag(o.validate),
       "Turn on the validation layers, and compare the vertices of the last frame with the CPU skinner"},
      {"--compare", "OLD.json", word(o.compare),
       "Compare with an older --json report of the same machine and options, of 7 frames or more; each stage is "
       "faster, slower, same, or cannot tell"},
      {"--against", "PROGRAM", word(o.against),
       "Compare with another build of this program; both are alive, and draw in turn"},
      {"--wait-between-repeats", "", flag(o.wait_between_repeats),
       "Between repeats, print a line and wait for one on standard input; --against uses it"},
      {"--fail-above", "PERCENT", share(o.fail_above, 1000, "5%"),
       "With --compare or --against: end with exit code 1 if frames are slower by more than this share [never]"},
  };
}

std::vector<Option> window_rows(CrowdOptions& o) {
  return {
      {"--window", "", flag(o.window),
       "Draw in a window, with a panel of times and switches; F1 lists its keys. --frames are those since a switch or "
       "the size changed last"},
      {"--hide-overlay", "", flag(o.hide_overlay), "The panel of the window is hidden until H is pressed"},
      {"--overlay", "", flag(o.overlay), "Show the panel in --screenshot too"},
      scale_row(o.scale),
  };
}

std::vector<Option> output_rows(CrowdOptions& o) {
  return {
      {"--screenshot", "FILE", word(o.screenshot), "Write the last frame as PNG to this file"},
      {"--record", kMovieKinds, word(o.record),
       "Write a moving picture after the measurement: an animated WebP, or a folder of PNG files for ffmpeg. "
       "It ends as it begins, so that it can play for ever"},
      {"--seconds", "SECONDS", number(o.record_seconds, 0.1, 600.0), "Of --record, in scene time [4]"},
      {"--frames-per-second", "COUNT", number(o.record_rate, 1.0, 120.0), "Of --record [20]"},
      {"--json", "FILE", word(o.json),
       "Write the report as JSON, schema 1, to this file, or with - to standard output"},
      {"--csv", "FILE", word(o.csv), "Write the times as CSV, one line a stage, to this file"},
      {"--html", "FILE", word(o.html),
       "Write a report for a browser to this file; table, plots, picture and JSON in one file that needs nothing else"},
      {"--trace", "FILE", word(o.trace),
       "Write what each thread and each queue did when, in Chrome's trace format, to this file; ui.perfetto.dev opens "
       "it"},
      {"--renderdoc-capture", "FRAME", number(o.captured_frame, 1u, kMaxFrames),
       "Capture this frame with RenderDoc; 1 is the first measured frame"},
  };
}

/// What the short help has.
constexpr const char* kCommon[] = {"--scene",  "--list-scenes",      "--characters",  "--clip",    "--light",
                                   "--camera", "--skinning",         "--shadow-maps", "--size",    "--frames",
                                   "--repeat", "--device",           "--validate",    "--compare", "--against",
                                   "--window", "--screenshot",       "--record",      "--json",    "--html",
                                   "--trace",  "--renderdoc-capture"};

}  // namespace

std::vector<Option> option_rows(CrowdOptions& o) {
  std::vector<Option> all;
  const auto add = [&](const char* group, std::vector<Option> rows) { append(group, std::move(rows), kCommon, all); };
  add("Scene", scene_rows(o));
  add("Camera", camera_rows(o));
  add("Camera", option_rows(o.camera));
  add("What is left out", saving_rows(o));
  add("Skinning", skinning_rows(o));
  add("Drawing", drawing_rows(o));
  add("Measurement", frame_rows(o));
  add("Window", window_rows(o));
  add("Outputs", output_rows(o));
  add("Import", option_rows(o.load));
  add("Import", {blend_row(o.load)});
  return all;
}

}  // namespace sinew::app
