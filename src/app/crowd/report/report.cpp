// One list of fields describes a run. JSON is these fields; the text, CSV and the page take their values from it.
//
// JSON, schema 1: fields may be added; no field is removed or changes its meaning. Some names are older than
// the terms of the code: "held" is not_updated, "casters" shadow_only, "updated_copies" updated_meshes, "held_bytes"
// device_bytes, "slots" frames_in_flight; "leaping" is always 0: poses at a jump are compared too.
#include "crowd/report/report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "options/filled.h"
#include "scene/baking.h"
#include "sinew/asset/compact_matrix.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr int kNameWidth = 19;  // "gpu depth and color"

struct StageTimes {
  std::string name;
  const Samples* samples;
};

/// The stages of a run, in the order of the table, and the passes if it has several. Points to the run.
std::vector<StageTimes> stages_of(const RunReport& run) {
  std::vector<StageTimes> stages;
  for (const StageRow& row : all_stages()) {
    if (run.has(row.stage)) stages.push_back({row.name, &run[row.stage]});
    if (row.stage != Stage::kDraw || run.passes_drawn.size() < 2) continue;
    for (const PassTimes& pass : run.passes_drawn) stages.push_back({"gpu " + pass.name, &pass.ms});
  }
  return stages;
}

// --- figures computed from a run; none where a value that they need was not measured ---

std::optional<double> median_of(const RunReport& run, Stage stage) { return percentile(run[stage], 0.5); }

/// CPU time per joint evaluated, in nanoseconds: the median of Stage::kSample times the threads, over joints_evaluated.
std::optional<double> ns_per_joint(const RunReport& run, const CpuReport& cpu) {
  const auto sample = median_of(run, Stage::kSample);
  if (!sample || run.joints_evaluated == 0) return {};
  return *sample * 1e6 * cpu.threads / double(run.joints_evaluated);
}

/// The bytes that skinning must write and read at least: vertices, palettes, static data of meshes, job lists.
uint64_t touched_bytes(const RunReport& run) {
  const uint64_t read = run.options.compact_palettes ? sizeof(Matrix3x4) / sizeof(CompactMatrix) : 1;  // once expanded
  return run.work.skinned_bytes + run.work.palette_bytes * read + run.work.mesh_bytes + run.work.job_bytes;
}

/// An amount over the median time of skinning.
std::optional<double> skinned_per_second(const RunReport& run, double amount) {
  const auto skin = median_of(run, run.skin_stage());
  return skin && *skin > 0 ? std::optional(amount / (*skin / 1e3)) : std::nullopt;
}

/// In 1e9 bytes.
std::optional<double> skin_gb_per_second(const RunReport& run) {
  const auto speed = skinned_per_second(run, double(touched_bytes(run)));
  return speed ? std::optional(*speed / 1e9) : std::nullopt;
}

/// What skinning touches in a second, as a share of the device's copy bandwidth. None where the CPU skins.
std::optional<double> skin_share_of_copy(const RunReport& run, const DeviceReport& device) {
  const auto speed = skin_gb_per_second(run);
  const double copy = device.copy_gb_per_second.value_or(0);
  return run.skinning != SkinningMode::kCpu && speed && copy > 0 ? std::optional(*speed / copy) : std::nullopt;
}

/// The run of the same crowd skinned in the vertex shader; null where the report has none, or where `run` is that run.
const RunReport* vertex_run(const Report& report, const RunReport& run) {
  const auto crowd_of = [](const RunReport& of) {
    return std::tuple(of.options.scene, of.model, of.options.characters, of.options.draw.passes,
                      of.options.draw.rasterize, of.options.width, of.options.height, of.options.seed);
  };
  const auto found = std::ranges::find_if(report.runs, [&](const RunReport& other) {
    return other.skinning == SkinningMode::kVertex && crowd_of(other) == crowd_of(run);
  });
  return found == report.runs.end() || run.skinning == SkinningMode::kVertex ? nullptr : &*found;
}

bool alternate(const RunReport& a, const RunReport& b) {
  return !a[Stage::kSubmission].empty() && !b[Stage::kSubmission].empty();
}

/// How many times as fast as skinning in the vertex shader. Modes that run alternately are compared by their
/// submissions: between the frames of one mode are those of the others. Not known where the report has no such run of
/// the same crowd, or has too few frames. The intervals of all runs of the report hold in 98 of 100 reports. Repeats
/// are less alike than frames, so that they come first, where there are enough of them.
TimeRatio speed_over_vertex(const Report& report, const RunReport& run) {
  const RunReport* vertex = vertex_run(report, run);
  if (!vertex) return {};
  const Stage stage = alternate(run, *vertex) ? Stage::kSubmission : Stage::kFrame;
  const double miss_share = kMaxMissShare / double(report.runs.size());
  const TimeRatio by_repeats = paired_ratio(repeat_medians(run[stage], run.repeats),
                                            repeat_medians((*vertex)[stage], vertex->repeats), miss_share);
  return by_repeats.is_known ? by_repeats : paired_ratio(run[stage], (*vertex)[stage], miss_share);
}

// --- JSON ---

/// `repeats`, `parts`: the median of each.
Json percentiles(const Samples& samples, uint32_t repeats) {
  if (samples.empty()) return {};
  Json json;
  for (const Percentile& stated : kPercentiles) json[stated.name] = *percentile(samples, stated.share);
  json["spread"] = json_or_null(spread_of(samples, repeats));
  json["repeats"] = repeat_medians(samples, repeats), json["parts"] = part_medians(samples, repeats);
  return json;
}

Json machine_json(const MachineReport& machine) {
  const auto task = [](const FixedTask& of) -> Json { return {{"ms", of.median_ms}, {"spread", of.spread}}; };
  return {{"others", machine.load ? Json(machine.load->others) : Json()},
          {"stolen", machine.load ? Json(machine.load->stolen) : Json()},
          {"clock_before_mhz", json_or_null(machine.clock_before_mhz)},
          {"clock_after_mhz", json_or_null(machine.clock_after_mhz)},
          {"fixed_task_before", task(machine.before)},
          {"fixed_task_after", task(machine.after)},
          {"validated", machine.validated},
          {"doubts", doubts_about(machine)}};
}

Json bake_json(const BakeReport& bake) {
  return {{"models", bake.models},
          {"ms", bake.ms},
          {"error_mm", bake.error_mm},
          {"asked_mm", bake.max_error_mm},
          {"warnings", bake.warnings}};
}

Json budget_json(const BudgetReport& budget) {
  return {{"bytes", budget.bytes}, {"needed_bytes", budget.needed_bytes}, {"lod_pixels", budget.error_pixels}};
}

Json ratio_json(const TimeRatio& ratio) {
  if (!ratio.is_known) return {};
  return {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}};
}

/// Each stage that a run has not is null. Each frame too, rounded to 0.1 microseconds. Of a run without GPU times, the
/// passes have their names alone.
void add_stages(const RunReport& run, Json& json) {
  for (const StageRow& row : all_stages())
    json[Json::json_pointer(row.json)] = run.has(row.stage) ? percentiles(run[row.stage], run.repeats) : Json();
  Samples frames = run[Stage::kFrame];
  for (double& ms : frames) ms = std::round(ms * 1e4) / 1e4;
  if (!frames.empty()) json["frame_ms"]["frames"] = std::move(frames);
  Json& passes = json["gpu_ms"]["passes"] = Json::array();
  for (const PassTimes& pass : run.passes_drawn)
    passes.push_back({{"name", pass.name}, {"ms", percentiles(pass.ms, run.repeats)}});
  json["gpu_ms"]["overlap"] = percentiles(run.overlap_ms, run.repeats);
}

Json json_of(const Report& report, const RunReport& run) {
  Json json = Json::object();
  for (const Field& field : fields_of(report, run)) json[field.name] = field.value;
  add_stages(run, json);
  return json;
}

/// All but the runs.
Json head_of(const Report& report) {
  const BuildReport build = this_build();
  const auto& [device, cpu] = std::tie(report.device, report.cpu);
  return {{"schema", 1},
          {"version", build.version},
          {"commit", build.commit.empty() ? Json() : Json(build.commit)},
          {"build_type", build.type},
          {"device",
           {{"name", device.name},
            {"type", device.type},
            {"driver", device.driver},
            {"api", device.api},
            {"copy_gb_per_second", json_or_null(device.copy_gb_per_second)}}},
          {"cpu",
           {{"name", cpu.name},
            {"threads", cpu.threads},
            {"instruction_set", cpu.instruction_set},
            {"store_gb_per_second", json_or_null(cpu.store_gb_per_second)}}},
          {"machine", report.machine ? machine_json(*report.machine) : Json()},
          {"command", report.command},
          {"date", report.date},
          {"interrupted", report.is_interrupted},
          {"bake", report.bake ? bake_json(*report.bake) : Json()}};
}

/// A value as one field of CSV: a text in quotes where it has any character that ends a field.
std::string csv_field(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float()) return text("%.9g", value.get<double>());
  const std::string plain = value.is_string() ? value.get<std::string>() : value.dump();
  if (plain.find_first_of("\",\n\r") == plain.npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// --- text ---

std::string row(const StageTimes& stage, uint32_t repeats) {
  std::string line = text("  %-*s", kNameWidth, stage.name.c_str());
  const int digits = digits_of(*stage.samples, repeats);
  for (const Percentile& wanted : kPercentiles) {
    const auto value = percentile(*stage.samples, wanted.share);
    line += text(" %9s", value ? rounded(*value, digits).c_str() : "-");
  }
  const auto spread = spread_of(*stage.samples, repeats);
  if (stage.samples->empty()) return line + "\n";
  return line + (spread ? text("   +-%4s %%", percent(*spread).c_str()) : "        -") + "\n";
}

std::string times_table(const RunReport& run) {
  std::string lines = text("  %-*s", kNameWidth, "milliseconds");
  for (const Percentile& stated : kPercentiles) lines += text(" %9s", stated.name);
  lines += "   spread\n";
  for (const StageTimes& stage : stages_of(run)) lines += row(stage, run.repeats);
  return lines;
}

/// A sentence that sums a run up. The other runs of the report may be compared with.
std::string summary(const Report& report, const RunReport& run) {
  const auto frame = median_of(run, Stage::kFrame);
  const auto speed = skinned_per_second(run, double(run.work.skinned_vertices) / 1e6);
  const auto share = skin_share_of_copy(run, report.device);
  const RunReport* vertex = vertex_run(report, run);
  const TimeRatio ratio = speed_over_vertex(report, run);
  const bool told = vertex && !ratio.contains_one();
  const Json values = {
      {"characters", run.options.characters},
      {"ms", rounded(frame.value_or(0), digits_of(run[Stage::kFrame], run.repeats))},
      {"how", run.async_compute == "none" ? "alone" : "while drawing"},
      {"millions", rounded(speed.value_or(0), digits_of(run[run.skin_stage()], run.repeats))},
      {"percent", share.value_or(0) * 100},
      {"ratio", rounded(ratio.median, ratio.high - ratio.low > 2 * kNoisySpread * ratio.median ? 2 : 3)},
      {"low", ratio.low},
      {"high", ratio.high}};
  if (!frame) return filled("{characters} characters, no frame measured.", values);
  return filled({{true, "{characters} characters in {ms} ms a frame"},
                 {speed.has_value(), "; skinning {how} makes {millions} million vertices a second"},
                 {share.has_value(), ", {percent:%.0f} % of this device's copy bandwidth"},
                 {vertex && !told, "; the times cannot tell whether that is faster than skinning in the vertex shader"},
                 {told, "; "},
                 {told && alternate(run, *vertex), "its submission is "},
                 {told, "{ratio} times as fast as skinning in the vertex shader ({low} to {high})"},
                 {true, "."}},
                values);
}

/// What was drawn, with which options, and what each of them saved in the last frame. `values`: the run's JSON.
std::string description(const Report& report, const RunReport& run, Json values) {
  const auto& [options, saved] = std::tie(run.options, run.options.optimizations);
  const bool finest = !saved.levels, cpu_skins = run.skinning == SkinningMode::kCpu;
  const auto ns = ns_per_joint(run, report.cpu);
  const double overlap_ms = percentile(run.overlap_ms, 0.5).value_or(0);
  values["frames"] = run.frames / std::max(run.repeats, 1u);
  values["ns"] = rounded(ns.value_or(0), digits_of(run[Stage::kSample], run.repeats));
  values["overlap_ms"] = overlap_ms, values["bake_ms"] = report.bake ? report.bake->ms : 0;
  values["device_bytes"] = run.device_bytes, values["copied"] = cpu_skins ? "vertices" : "palettes";
  return filled(
      {{true, "\n{scene}: {characters} characters of {model}, {evaluator} evaluator, {skinning} skinning"},
       {options.draw.passes > 1 || !options.draw.rasterize, " in {passes} pass{passes:es}"},
       {!options.draw.rasterize, " without rasterization"},
       {true, ", seed {seed:raw}, "},
       {run.repeats > 1, "{repeats:raw} times "},
       {true, "{frames} frames of {width:raw}x{height:raw} after {warmup:raw} of warm-up\n  {visible} visible, "},
       {saved.cull, "{culled} culled"},
       {!saved.cull, "culling off"},
       {options.occlusion, ", {occluded} of them hidden"},
       {run.plan.shadow_only > 0, ", {casters} of the visible shadow-only"},
       {finest, "; one level of detail"},
       {!finest && !run.plan.levels.empty(), "; levels of detail {levels}"},
       {saved.unique_poses == 0, "; every pose unique\n"},
       {saved.unique_poses > 0, "; {shared_poses} with a shared pose, within {shared_degrees} degrees\n"},
       {saved.update_rate,
        "  updated {rates.0} each frame, {rates.1} every second, {rates.2} every fourth; in the last frame {held} not "
        "updated, {updated_copies} posed meshes updated\n"},
       {run.budget.has_value(),
        "  {budget.needed_bytes:MiB} of {budget.bytes:MiB} MiB needed at most; levels of detail within "
        "{budget.lod_pixels:%.6g} pixel{budget.lod_pixels:s}\n"},
       {run.shadow_maps > 0,
        "  {shadow_maps} shadow map{shadow_maps:s} of {shadow_map_size:raw}x{shadow_map_size:raw}, "
        "{shadow_map_bytes:MB} MB\n"},
       {true,
        "  {joints_per_character} joints and {vertices_per_character} vertices each; {triangles} triangles a pass; "
        "{skinned_vertices} skinned vertices ({skinned_bytes:MB} MB) and {palette_bytes:MB} MB of palettes a frame; "
        "{device_bytes:MB} MB of device memory\n"},
       {run.work.copies.count > 0,
        "  {page_copy_bytes:MB} MB of {copied} are copied to device-local memory in each frame, by {page_copies} "
        "commands\n"},
       {run.async_compute != "none",
        "  skinning is submitted by itself, to a {async_compute}: it may overlap the drawing of the previous frame; "
        "skinned vertices are double-buffered\n"},
       {true, "  {cross_fading} cross-fading, {masked} with a masked layer"},
       {ns.has_value(), "; {ns} ns a joint"},
       {report.bake && report.bake->read < report.bake->models, "; baked in {bake_ms} ms before the first frame"},
       {true, "\n"},
       {run.device_clock_is_wrong,
        "  the timestamps of this device cannot be true: GPU times are left out, and the CPU's clock times the "
        "frames\n"},
       {overlap_ms > 0,
        "  gpu upload and gpu skin overlap the drawing of the previous frame, by {overlap_ms} ms at the median\n"}},
      values);
}

/// What --validate found. `values`: the run's JSON.
std::string comparison(const Report& report, const RunReport& run, Json values) {
  const Comparison compared = run.compared.value_or(Comparison());
  const bool baked = compared.pose_error_mm && report.bake, of_vertices = compared.position_error.has_value();
  const double allowed_mm = report.bake ? std::max(report.bake->max_error_mm, report.bake->error_mm) : 0;
  values["allowed"] = {{"position", kMaxPositionError}, {"normal", kMaxNormalDegrees}, {"palette", kMaxPaletteError}};
  values["skinner"] = compared.pose_error_mm ? "the palettes used" : "exact palettes";
  values["mm"] = {millimeters(compared.pose_error_mm.value_or(0)), millimeters(allowed_mm),
                  millimeters(allowed_mm * kBlendGain)};
  return filled(
      {{of_vertices,
        "Vertices, against the CPU skinner on {skinner}: {compared_vertices} of them, positions within "
        "{max_error:%.2g} of the diagonal ({allowed.position:%.0e} allowed"},
       {of_vertices && run.options.format == vulkan::VertexFormat::kPacked, " beyond the rounding to 16 bits"},
       {of_vertices, "), normals within {max_normal_error_degrees:%.2g} degrees ({allowed.normal:%.2f}"},
       {compared.normal_degrees > kMaxNormalDegrees, ", more where morph targets are rounded"},
       {of_vertices, ").\n"},
       {run.compared.has_value(), "Palettes, against the exact evaluator: {compared_characters} of them, within "},
       {run.compared && !baked, "{max_palette_error:%.2g} of the diagonal ({allowed.palette:%.0e} allowed).\n"},
       {baked, "{mm.0} mm on a character of 1.8 m ({mm.1} allowed, {mm.2} of blends)"},
       {baked && *compared.pose_error_mm > allowed_mm * kBlendGain,
        "; more at levels of detail that are baked coarsely, and where chains reach for targets"},
       {baked && compared.folded_blends > 0, "; {folded_blends} blends at a level with fewer joints not counted"},
       {baked, ".\n"},
       {compared.shared_degrees.has_value(),
        "Shared poses, against each character's own pose: within {max_shared_degrees:%.2f} degrees "
        "({shared_degrees:%.2f} stated).\n"},
       {run.validation_messages.has_value(), "{validation_messages} validation messages.\n"}},
      values);
}

}  // namespace

std::vector<Field> fields_of(const Report& report, const RunReport& run) {
  constexpr FieldKind kSetting = FieldKind::kSetting, kCounter = FieldKind::kCounter, kFigure = FieldKind::kFigure;
  std::vector<Field> fields;
  CrowdOptions options = run.options;
  for (const Option& row : option_rows(options)) {
    if (!row.json.empty()) fields.push_back({row.json, kSetting, row.value.json()});
  }
  const auto compared = [&](auto member) { return run.compared ? json_or_null((*run.compared).*member) : Json(); };
  const std::vector<Field> others = {
      {"model", kSetting, run.model},
      {"tinted", kSetting, run.tinted},
      {"share_of_children", kSetting, run.options.child_share()},
      {"visible", kCounter, run.plan.visible},
      {"culled", kFigure, run.plan.culled},
      {"casters", kFigure, run.plan.shadow_only},
      {"occluded", kFigure, run.plan.occluded},
      {"levels", kCounter, run.plan.levels},
      {"rates", kCounter, run.plan.rates},
      {"held", kCounter, run.plan.not_updated},
      {"updated_copies", kCounter, run.plan.updated_meshes},
      {"budget", kFigure, run.budget ? budget_json(*run.budget) : Json()},
      {"joints_per_character", kFigure, run.joints_per_character},
      {"vertices_per_character", kFigure, run.vertices_per_character},
      {"skinning", kSetting, name_of(run.skinning)},
      {"async_compute", kSetting, run.async_compute},
      {"vertex_fetch", kSetting, run.vertex_fetch},
      {"passes", kSetting, run.options.draw.passes},
      {"shadow_maps", kSetting, run.shadow_maps},
      {"shadow_map_size", kFigure, run.shadow_map_size},
      {"shadow_map_bytes", kFigure, run.shadow_map_bytes},
      {"width", kSetting, run.options.width},
      {"height", kSetting, run.options.height},
      {"frames", kFigure, run.frames},
      {"repeats", kFigure, run.repeats},
      {"joints_evaluated", kCounter, run.joints_evaluated},
      {"cross_fading", kCounter, run.cross_fading},
      {"masked", kCounter, run.masked},
      {"draws", kCounter, run.draws},
      {"dispatches", kCounter, run.work.dispatches},
      {"kernel_instructions", kCounter, run.kernel_instructions},
      {"skinned_vertices", kCounter, run.work.skinned_vertices},
      {"triangles", kCounter, run.work.triangles},
      {"shared_poses", kCounter, run.plan.shared},
      {"shared_degrees", kFigure, run.shared_degrees},
      {"palette_bytes", kCounter, run.work.palette_bytes},
      {"skinned_bytes", kCounter, run.work.skinned_bytes},
      {"mesh_bytes", kCounter, run.work.mesh_bytes},
      {"job_bytes", kCounter, run.work.job_bytes},
      {"touched_bytes", kCounter, touched_bytes(run)},
      {"page_copies", kCounter, run.work.copies.count},
      {"page_copy_bytes", kCounter, run.work.copies.bytes},
      {"held_bytes", kCounter, run.device_bytes},
      {"sentence", kFigure, summary(report, run)},
      {"ns_per_joint", kFigure, json_or_null(ns_per_joint(run, report.cpu))},
      {"skinned_vertices_per_second", kFigure,
       json_or_null(skinned_per_second(run, double(run.work.skinned_vertices)))},
      {"skin_gb_per_second", kFigure, json_or_null(skin_gb_per_second(run))},
      {"speed_over_vertex", kFigure, ratio_json(speed_over_vertex(report, run))},
      {"skin_share_of_copy", kFigure, json_or_null(skin_share_of_copy(run, report.device))},
      {"max_error", kFigure, compared(&Comparison::position_error)},
      {"max_normal_error_degrees", kFigure, compared(&Comparison::normal_degrees)},
      {"max_palette_error", kFigure, compared(&Comparison::palette_error)},
      {"max_pose_error_mm", kFigure, compared(&Comparison::pose_error_mm)},
      {"max_shared_degrees", kFigure, compared(&Comparison::shared_degrees)},
      {"leaping", kFigure, 0},
      {"folded_blends", kFigure, run.compared ? run.compared->folded_blends : 0},
      {"compared_characters", kFigure, compared(&Comparison::posed_meshes)},
      {"compared_vertices", kFigure, compared(&Comparison::vertices)},
      {"output_hash", kFigure, compared(&Comparison::output_hash)},
      {"validation_messages", kFigure, json_or_null(run.validation_messages)},
  };
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

Json json_of(const Report& report) {
  Json json = head_of(report);
  Json& runs = json["runs"] = Json::array();
  for (const RunReport& run : report.runs) runs.push_back(json_of(report, run));
  return json;
}

std::string to_json(const Report& report) {
  return json_of(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const Report& report) {
  constexpr const char* kOfARun[] = {"scene",    "model",  "characters", "visible",
                                     "skinning", "passes", "repeats",    "frames"};
  constexpr const char* kOfAStage[] = {"p50", "p95", "p99", "max", "spread"};
  std::string lines = "device,commit";
  for (const char* column : kOfARun) lines += std::string(",") + column;
  lines += ",stage";
  for (const char* column : kOfAStage) lines += std::string(",") + column;
  const Json head = head_of(report);
  for (const RunReport& run : report.runs) {
    const Json values = json_of(report, run);
    std::string first = "\n" + csv_field(head["device"]["name"]) + "," + csv_field(head["commit"]);
    for (const char* column : kOfARun) first += "," + csv_field(values[column]);
    for (const StageTimes& stage : stages_of(run)) {
      if (stage.samples->empty()) continue;
      const Json times = percentiles(*stage.samples, run.repeats);
      lines += first + "," + csv_field(stage.name);
      for (const char* column : kOfAStage) lines += "," + csv_field(times[column]);
    }
  }
  return lines + "\n";
}

std::string preamble(const Report& report) {
  Json values = head_of(report);
  values["read"] = report.bake ? report.bake->read : 0;
  return filled({{true,
                  "device  {device.name} ({device.type}), driver {device.driver}, Vulkan {device.api}\ncpu     "
                  "{cpu.name}, {cpu.threads:raw} thread{cpu.threads:s}, {cpu.instruction_set}\n"},
                 {report.bake.has_value(), "bake    {bake.models:raw} model{bake.models:s} in {bake.ms} ms"},
                 {report.bake && report.bake->read > 0, " ({read:raw} read from files)"},
                 {report.bake.has_value(),
                  ", within {bake.error_mm:%.4f} mm of the clips on a character of 1.8 m ({bake.asked_mm:%.4f} "
                  "asked)\n"},
                 {true, "sinew   {version}, commit {commit}, {build_type} build\n"}},
                values);
}

std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings = report.bake ? report.bake->warnings : std::vector<std::string>();
  if (report.device.type == "cpu") warnings.push_back("this device is a CPU. Its times say nothing about a GPU.");
  if (!this_build().optimized)
    warnings.push_back("this build is not optimized. Its times say nothing; build in Release.");
  return warnings;
}

std::string table(const Report& report) {
  const bool copies = report.device.copy_gb_per_second.has_value();
  const bool stores = report.cpu.store_gb_per_second.has_value();  // a window measures neither
  std::string lines;
  for (const RunReport& run : report.runs) {
    const Json values = json_of(report, run);
    lines += description(report, run, values) + times_table(run) + values["sentence"].get<std::string>() + "\n" +
             comparison(report, run, values);
  }
  return lines + filled({{report.is_interrupted, "Interrupted: the last run has fewer frames than were asked for.\n"},
                         {copies, "This device copies {device.copy_gb_per_second} GB/s"},
                         {stores, copies ? "; the CPU stores " : "This CPU stores "},
                         {stores, "{cpu.store_gb_per_second} GB/s"},
                         {copies || stores, ".\n"}},
                        head_of(report));
}

}  // namespace sinew::app
