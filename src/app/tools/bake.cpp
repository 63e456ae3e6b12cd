#include <algorithm>
#include <string>
#include <vector>

#include "commands.h"
#include "options/parser.h"
#include "scene/baking.h"
#include "sinew/animation/bake.h"
#include "sinew/import/model.h"
#include "system/clock.h"
#include "system/print.h"
#include "system/progress.h"
#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

struct Options {
  std::string file, output;
  LoadOptions load = default_load();
  BakeOptions bake;
  bool plain = false;   // nothing is baked
  bool meters = false;  // the space of the character is converted

  std::vector<OutputFile> outputs() const { return {{"--output", output}}; }
};

/// Of all clips, on a character of 1.8 m.
float largest_error_mm(const BakedCharacter& baked) {
  float error = 0;
  for (const BakedClip& clip : baked.clips) error = std::max(error, clip.error);
  return error * 1e3f;
}

/// One row for each baked clip.
std::string clip_lines(const CharacterFile& file) {
  if (!file.baked) return {};
  std::string lines = text("  %-28s %9s %9s %9s %10s\n", "clip", "seconds", "a second", "frames", "error mm");
  for (const BakedClip& clip : file.baked->clips) {
    lines += text("  %-28s %9.3f %9.2f %9s %10s\n", printable(clip.name).c_str(),
                  double(clip.end_seconds) - double(clip.start_seconds), clip.frames_per_second,
                  grouped(clip.frame_count).c_str(), millimeters(double(clip.error) * 1e3).c_str());
  }
  return lines;
}

/// Nothing where there is one level only.
std::string level_line(const CharacterFile& file) {
  if (file.levels.empty()) return {};
  const ModelLevel& last = file.levels.back();
  const Skin& skin = last.has_palette() ? last.skin : file.character.skin;
  return text("  levels of detail: %zu, the coarsest has %s triangles and %s joints\n", file.levels.size() + 1,
              grouped(last.mesh.indices.size() / 3).c_str(), grouped(skin.palette_size()).c_str());
}

/// The summary of the written file that is printed. `ms` is the time that reading, baking and encoding took.
std::string table(const Options& options, const CharacterFile& file, size_t size_bytes, double ms) {
  const Character& character = file.character;
  std::string lines = text(
      "%s: %s bytes in %s ms\n  %s vertices, %s joints, %zu clips, %zu images\n", printable(options.output).c_str(),
      grouped(size_bytes).c_str(), rounded(ms).c_str(), grouped(character.mesh.vertex_count()).c_str(),
      grouped(character.skeleton.joint_count()).c_str(), character.clips.size(), character.images.size());
  lines += clip_lines(file) + level_line(file);
  if (!file.baked) return lines + "  nothing is baked\n";
  const double limit = double(file.baked->options.max_error) * 1e3;
  const double worst = double(largest_error_mm(*file.baked));
  return lines + text("  baked: %s bytes, within %s mm on a character of 1.8 m%s\n",
                      grouped(file.baked->frames.size() * sizeof(BakedCacheLine)).c_str(), millimeters(worst).c_str(),
                      !(worst <= limit) ? text(", not the %.4g mm asked for", limit).c_str() : "");
}

/// Reads the file. An isolated import also bakes it.
Result<CharacterFile> read_file(const Options& options, ProgressLine& line) {
  IsolatedBake bake(printable(options.file), line);
  LoadOptions load = options.load;
  if (!options.plain) load.isolation.bake = options.bake;
  load.isolation.progress = bake.progress();
  return load_file(options.file, load);
}

/// Makes a whole model, except with --plain. A bake with the same options is kept: the file's, or the import worker's.
Status complete(const Options& options, CharacterFile& file, ProgressLine& line) {
  if (options.plain) file = {std::move(file.character), {}, std::move(file.report)};
  if (options.plain) return {};
  if (file.baked && file.baked->options != options.bake) file.baked.reset(), file.bounds.reset();
  line.rename("baking " + printable(options.file));
  const sinew::ModelOptions model{.convert_space = options.meters, .bake = options.bake, .progress = line.of_bake()};
  const Status completed = complete_model(file, model);
  if (completed) return {};
  return Error{completed.error().code, options.file + ": " + completed.error().message};
}

Status run(const Options& options) {
  if (Status status = check_writable(options.outputs()); !status) return status;
  const Stopwatch watch;
  ProgressLine line("reading " + printable(options.file));
  auto file = read_file(options, line);
  Status status = file ? complete(options, *file, line) : file.error();
  line.hide();
  if (!status) return status;
  if (Status distinct = check_distinct(options.outputs(), image_files(file->character, options.file)); !distinct)
    return distinct;
  const auto bytes = encode_character(*file);
  if (!bytes) return Error{bytes.error().code, options.file + ": " + bytes.error().message};
  const std::string_view content(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (Status written = write_file(options.output, content); !written) return written;
  return print(table(options, *file, bytes->size(), watch.elapsed_ms()));
}

std::vector<Option> rows(Options& o) {
  constexpr float kMin = 1e-6f, kMax = 1e6f;
  BakeOptions& bake = o.bake;
  std::vector<Option> rows = {
      file_row(o.file),
      {.name = "--output",
       .type = "OUT.sinew",
       .value = word(o.output),
       .help = "File to write; - is standard output",
       .required = true},
      {"--error", "MM", number(bake.max_error, kMin, kMax, 1e-3f),
       "Largest error allowed, in millimeters on a character of 1.8 m [0.1]"},
      {"--reach", "METERS", number(bake.error_radius, kMin, kMax),
       "Distance from each joint at which the error is measured, in meters on a character of 1.8 m [0.1]"},
      {"--min-rate", "RATE", number(bake.min_frames_per_second, kMin, kMax),
       "Lowest frame rate of a baked clip, in frames per second [30]"},
      {"--max-rate", "RATE", number(bake.max_frames_per_second, kMin, kMax),
       "Highest frame rate of a baked clip, in frames per second [240]"},
      {"--plain", "", flag(o.plain), "Do not bake: write the character only, as the file has it"},
      {"--meters", "", flag(o.meters), "Turn and scale the character: y up, z to the front, in meters"},
      {"--max-influences", "COUNT", number(o.load.import.max_influences, 0u, UINT32_MAX),
       "Keep only the COUNT heaviest influences of each vertex [all]"},
      {"--tangents", "", flag(o.load.import.tangents),
       "Write a tangent for every vertex: the file's own where it has one, else computed"},
      {"--allow-no-mesh", "", flag(o.load.import.allow_no_mesh), "Also accept a file that has clips but no mesh"},
  };
  for (Option& row : option_rows(o.load)) rows.push_back(std::move(row));
  return rows;
}

/// Checks options against each other and the outputs against the inputs.
Status check(const Options& options) {
  if (options.bake.min_frames_per_second > options.bake.max_frames_per_second)
    return Error{ErrorCode::kInvalidArgument, "--min-rate is greater than --max-rate"};
  return check_files(options);
}

}  // namespace

void add_bake_command(CLI::App& app, Status& status) {
  add_command<Options>(app, "bake", "Bakes a character's clips and writes both as a .sinew file, quick to load", status,
                       rows, check, run);
}

}  // namespace sinew::app
