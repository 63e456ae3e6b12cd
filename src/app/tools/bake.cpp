#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "asset/file.h"
#include "commands.h"
#include "options/parser.h"
#include "scene/baking.h"
#include "scene/load.h"
#include "sinew/asset/result.h"
#include "sinew/import/model.h"
#include "sinew/runtime/thread_pool.h"
#include "system/clock.h"
#include "system/output.h"
#include "system/paths.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

// What a model gets besides what its file has: sockets, masks and wearables, as a JSON file lists them.

using Json = nlohmann::json;

/// A field of an item. `take` is false for a value of another type.
struct Field {
  std::string_view name;
  const char* type;  // as in "is not a text"
  std::function<bool(const Json&)> take;
  bool required = false;
};

/// A text, a list of texts, or a flag.
template <class Value>
Field field(std::string_view name, Value& value, bool required = false) {
  constexpr bool kFlag = std::is_same_v<Value, bool>, kText = std::is_same_v<Value, std::string>;
  const auto take = [&value](const Json& json) {
    const bool fits =
        json.type() == Json(Value()).type() && (!json.is_array() || std::ranges::all_of(json, &Json::is_string));
    if (fits) value = json.get<Value>();
    return fits;
  };
  return {name, kFlag ? "true or false" : kText ? "a text" : "a list of texts", take, required};
}

Field matrix_field(std::string_view name, Matrix3x4& value) {
  const auto take = [&value](const Json& json) {
    if (!json.is_array() || json.size() != 12 || !std::ranges::all_of(json, &Json::is_number)) return false;
    for (size_t i = 0; i < 12; ++i) value.m[i / 4][i % 4] = json[i].get<float>();
    return true;
  };
  return {name, "a list of 12 numbers", take};
}

Error fault(const std::string& what) { return {ErrorCode::kInvalidData, printable(what)}; }

/// Reads the fields of an object, and refuses others.
Status read_fields(const Json& json, std::span<const Field> fields) {
  if (!json.is_object()) return fault("it is not an object");
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    names.push_back(field.name);
    if (field.required && !json.contains(field.name)) return fault("it has no '" + std::string(field.name) + "'");
  }
  for (const auto& [name, value] : json.items()) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (field == fields.end()) return fault("there is no field '" + name + "'" + did_you_mean(names, name));
    if (!field->take(value)) return fault("'" + name + "' is not " + field->type);
  }
  return {};
}

Status read_item(const Json& json, SocketOptions& socket) {
  const Field fields[] = {field("name", socket.name, true), field("joint", socket.joint, true),
                          matrix_field("joint_from_socket", socket.joint_from_socket)};
  return read_fields(json, fields);
}

Status read_item(const Json& json, MaskOptions& mask) {
  const Field fields[] = {field("name", mask.name, true), field("joints", mask.joints, true),
                          field("inverted", mask.inverted)};
  return read_fields(json, fields);
}

struct Worn : WearableOptions {
  std::string path;  // of its file, which load_wearables() loads; empty: it is made of parts of the model
};

Status read_item(const Json& json, Worn& worn) {
  const Field fields[] = {
      field("name", worn.name, true), field("choice", worn.choice),
      field("parts", worn.parts),     field("from", worn.path),
      field("joint", worn.joint),     matrix_field("joint_from_wearable", worn.joint_from_wearable)};
  return read_fields(json, fields);
}

/// The items of a list. `status` gets the fault of the first that has one.
template <class Item>
Field items_field(std::string_view name, std::vector<Item>& items, Status& status) {
  const auto take = [name, &items, &status](const Json& json) {
    if (!json.is_array()) return false;
    for (const Json& one : json) {
      const Status read = read_item(one, items.emplace_back());
      if (read || !status) continue;
      status = fault(std::string(name) + "[" + std::to_string(items.size() - 1) + "]: " + read.error().message);
    }
    return true;
  };
  return {name, "a list", take};
}

/// Loads the files of wearables, each once, without animation files. Errors as from load_file().
Status load_wearables(const LoadOptions& options, std::span<Worn> wearables) {
  LoadOptions load = options;
  load.import.animation_files.clear();
  std::map<std::string, std::shared_ptr<const Character>> loaded;
  for (Worn& worn : wearables) {
    if (worn.path.empty()) continue;
    std::shared_ptr<const Character>& character = loaded[worn.path];
    if (!character) {
      auto file = load_file(worn.path, load);
      if (!file) return file.error();
      character = std::make_shared<Character>(std::move(file->character));
    }
    worn.from = character;
  }
  return {};
}

/// Options of the bake that the command line has; none: a bake that the file has is kept, whatever its options were.
struct AskedBake {
  std::optional<float> error, reach, min_rate, max_rate;

  bool any() const { return error || reach || min_rate || max_rate; }
  BakeOptions options() const {
    const BakeOptions other;
    return {error.value_or(other.max_error), reach.value_or(other.error_radius),
            min_rate.value_or(other.min_frames_per_second), max_rate.value_or(other.max_frames_per_second)};
  }
};

/// Import as load_model() has it, but in a separate process.
LoadOptions load_as_host() {
  LoadOptions load = default_load();
  load.import.normal_map_tangents = false;
  return load;
}

struct BakeArguments {
  std::string file, output;
  LoadOptions load = load_as_host();
  AskedBake bake;
  sinew::ModelOptions model;
  std::string additions;  // the file that lists what the model gets; empty: there is none
  bool plain = false;     // nothing is made

  std::vector<OutputFile> outputs() const { return {{"--output", output}}; }
};

/// One row for each baked clip.
std::string clip_lines(const CharacterFile& file) {
  if (!file.baked) return {};
  std::string lines = text("  %-28s %9s %9s %9s %10s\n", "clip", "seconds", "a second", "frames", "error mm");
  for (const BakedClip& clip : file.baked->clips) {
    const bool is_above = !(clip.error <= file.baked->options.max_error);
    lines += text("  %-28s %9.3f %9.2f %9s %10s%s\n", printable(clip.name).c_str(),
                  double(clip.end_seconds) - double(clip.start_seconds), clip.times.frames_per_second,
                  grouped(clip.times.frame_count).c_str(), millimeters(double(clip.error) * 1e3).c_str(),
                  is_above ? ("  " + place_of_error(file.character, clip)).c_str() : "");
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
std::string table(const BakeArguments& options, const CharacterFile& file, size_t size_bytes, double ms) {
  const Character& character = file.character;
  std::string lines = text(
      "%s: %s bytes in %s ms\n  %s vertices, %s joints, %zu clips, %zu images\n", printable(options.output).c_str(),
      grouped(size_bytes).c_str(), rounded(ms).c_str(), grouped(character.mesh.vertex_count()).c_str(),
      grouped(character.skeleton.joint_count()).c_str(), character.clips.size(), character.images.size());
  lines += clip_lines(file) + level_line(file);
  if (!file.baked) return lines + "  nothing is baked\n";
  const double limit = double(file.baked->options.max_error) * 1e3;
  const double worst = error_of(*file.baked) * 1e3;
  return lines + text("  baked: %s bytes, within %s mm on a character of 1.8 m%s\n",
                      grouped(file.baked->frames.size() * sizeof(BakedCacheLine)).c_str(), millimeters(worst).c_str(),
                      !(worst <= limit) ? text(", not the %.4g mm asked for", limit).c_str() : "");
}

/// Adds what the list of --with has. Its fields are those of SocketOptions, MaskOptions and WearableOptions:
/// {"sockets": [], "masks": [], "wearables": []}. Matrices are lists of 12 numbers, row by row. "from" is a file,
/// relative to the folder of the list. Errors: kNotFound, kUnreadable, kInvalidData; the message names the file and the
/// item; and those of load_wearables().
Status read_additions(const BakeArguments& options, sinew::ModelOptions& model) {
  const std::string& path = options.additions;
  const auto cannot_read = [&](const Error& error) {
    return Error{error.code, "cannot read '" + printable(path) + "': " + error.message};
  };
  const auto file = internal::read_file(path);
  if (!file) return cannot_read(file.error());
  const auto bytes = file->bytes();
  const std::string_view words(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Json json = Json::parse(words, nullptr, false);
  if (json.is_discarded()) return cannot_read(fault("it is not JSON"));
  std::vector<Worn> wearables;
  Status items;
  const Field fields[] = {items_field("sockets", model.sockets, items), items_field("masks", model.masks, items),
                          items_field("wearables", wearables, items)};
  if (Status read = read_fields(json, fields); !read) return cannot_read(read.error());
  if (!items) return cannot_read(items.error());
  std::vector<std::string> inputs;
  for (Worn& worn : wearables) {
    if (worn.path.empty()) continue;
    worn.path = utf8_of(path_of(path).parent_path() / path_of(worn.path));
    inputs.push_back(worn.path);
  }
  if (Status distinct = check_distinct(options.outputs(), inputs); !distinct) return distinct;
  if (Status loaded = load_wearables(options.load, wearables); !loaded) return loaded;
  for (Worn& worn : wearables) model.wearables.push_back(std::move(worn));
  return {};
}

/// Makes the model that load_model() makes, except with --plain.
Status complete(const BakeArguments& options, CharacterFile& file, ProgressLine& line) {
  if (options.plain) file = {std::move(file.character), {}, std::move(file.report)};
  if (options.plain) return {};
  sinew::ModelOptions model = options.model;
  model.bake = options.bake.options();
  if (!options.additions.empty()) {
    if (Status added = read_additions(options, model); !added) return added;
  }
  if (options.bake.any() && file.baked && file.baked->options != model.bake) file.baked.reset(), file.bounds.reset();
  line.rename("baking " + printable(options.file));
  ThreadPool pool;
  model.progress = line.of_bake();
  model.parallel_for = pool.parallel_for();
  const Status completed = complete_file(file, model);
  if (completed) return {};
  return Error{completed.error().code, options.file + ": " + completed.error().message};
}

Status run(const BakeArguments& options) {
  if (Status status = check_writable(options.outputs()); !status) return status;
  const Stopwatch watch;
  ProgressLine line("reading " + printable(options.file));
  auto file = load_file(options.file, options.load);
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

/// A list of numbers between 0 and 1, or "none".
Binding shares(std::vector<float>& value) {
  Binding binding = list(value, [](float& share) { return number(share, 1e-6f, 1.0f); });
  binding.set = [&value, set = binding.set](const std::string& word) {
    return word == "none" ? (value.clear(), std::string()) : set(word);
  };
  return binding;
}

std::vector<Option> model_rows(sinew::ModelOptions& model, std::string& additions) {
  LodOptions& levels = model.levels;
  return {
      {"--space", "meters|file", choice(model.convert_space, {{"meters", true}, {"file", false}}),
       "Axes and units: y up, z to the front, in meters; or those of the file [meters]"},
      {"--size", "UNITS", number(model.size, 1e-6f, 1e6f),
       "Scale the character to this extent along its longest axis, in units of --space [as it is]"},
      {"--with", "LIST.json", word(additions),
       "Make the sockets, masks and wearables that this file lists, with the fields of SocketOptions, MaskOptions and "
       "WearableOptions (sinew/import/model.h)"},
      {"--level-shares", "SHARES", shares(levels.triangle_shares),
       "For each level of detail but the small ones, the share of the triangles that it keeps, descending; or none "
       "[0.5,0.25,0.125,0.0625]"},
      {"--level-error", "SHARE", number(levels.max_error, 1e-6f, 1.0f),
       "Largest distance that making these levels may move the surface, as a share of the diagonal [0.05]"},
      {"--small-levels", "on|off", on_off(levels.small_levels),
       "Make levels for characters of a few pixels too, down to about 20 triangles [on]"},
  };
}

std::vector<Option> rows(BakeArguments& o) {
  constexpr float kMin = 1e-6f, kMax = 1e6f;
  std::vector<Option> rows = {
      file_row(o.file),
      {.name = "--output",
       .type = "OUT.sinew",
       .value = word(o.output),
       .help = "File to write; - is standard output",
       .required = true},
      {"--error", "MM", number(o.bake.error, kMin, kMax, 1e-3f),
       "Largest error allowed, in millimeters on a character of 1.8 m [0.1]"},
      {"--reach", "METERS", number(o.bake.reach, kMin, kMax),
       "Distance from each joint at which the error is measured, in meters on a character of 1.8 m [0.1]"},
      {"--min-rate", "RATE", number(o.bake.min_rate, kMin, kMax),
       "Lowest frame rate of a baked clip, in frames per second [30]"},
      {"--max-rate", "RATE", number(o.bake.max_rate, kMin, kMax),
       "Highest frame rate at equal steps, in frames per second; other frames are at most twice as many [240]"},
      {"--plain", "", flag(o.plain), "Make nothing: write the character only, as the file has it"},
      {"--max-influences", "COUNT", number(o.load.import.max_influences, 0u, UINT32_MAX),
       "Keep only the COUNT heaviest influences of each vertex [all]"},
      {"--tangents", "", flag(o.load.import.tangents),
       "Write a tangent for every vertex: the file's own where it has one, else computed"},
      {"--normal-map-tangents", "", flag(o.load.import.normal_map_tangents),
       "Write them if a part has a normal map, for renderers that shade with it"},
      {"--images", "on|off", on_off(o.load.import.images), "Read the images of materials [on]"},
      {"--allow-no-mesh", "", flag(o.load.import.allow_no_mesh), "Also accept a file that has clips but no mesh"},
  };
  for (Option& row : model_rows(o.model, o.additions)) rows.push_back(std::move(row));
  for (Option& row : option_rows(o.load)) rows.push_back(std::move(row));
  return rows;
}

/// Checks options against each other and the outputs against the inputs.
Status check(const BakeArguments& options) {
  const BakeOptions bake = options.bake.options();
  if (bake.min_frames_per_second > bake.max_frames_per_second)
    return Error{ErrorCode::kInvalidArgument, "--min-rate is greater than --max-rate"};
  if (options.plain && !options.additions.empty())
    return Error{ErrorCode::kInvalidArgument, "--plain makes nothing: --with has no effect"};
  std::vector<std::string> inputs = input_files(options.file, options.load);
  if (!options.additions.empty()) inputs.push_back(options.additions);
  return check_distinct(options.outputs(), inputs);
}

}  // namespace

void add_bake_command(CLI::App& app, Status& status) {
  add_command<BakeArguments>(app, "bake",
                             "Makes the model that load_model() makes, and writes it as a .sinew file, quick to load",
                             status, rows, check, run);
}

}  // namespace sinew::app
