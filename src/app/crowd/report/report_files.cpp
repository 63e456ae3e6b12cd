// The report as files for programs: JSON and CSV.
//
// JSON, schema 1: fields may be added; no field is removed or changes its meaning. Some names are older than
// the terms of the code: "held" is not_updated, "casters" shadow_only, "updated_copies" updated_meshes, "held_bytes"
// device_bytes, "slots" frames_in_flight; "leaping" counts posed meshes at a discontinuity of a clip.
#include <cmath>
#include <nlohmann/json.hpp>

#include "crowd/report/report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// `repeats`: the median of each.
Json percentiles(const Samples& samples, uint32_t repeats) {
  if (samples.empty()) return {};
  Json json;
  for (const Percentile& stated : kPercentiles) json[stated.name] = *percentile(samples, stated.share);
  json["spread"] = json_or_null(spread_of(samples, repeats)), json["repeats"] = repeat_medians(samples, repeats);
  return json;
}

Json device_json(const DeviceReport& device) {
  return {{"name", device.name},
          {"type", device.type},
          {"driver", device.driver},
          {"api", device.api},
          {"copy_gb_per_second", json_or_null(device.copy_gb_per_second)}};
}

Json cpu_json(const CpuReport& cpu) {
  return {{"name", cpu.name},
          {"threads", cpu.threads},
          {"instruction_set", cpu.instruction_set},
          {"store_gb_per_second", json_or_null(cpu.store_gb_per_second)}};
}

Json ratio_json(const TimeRatio& ratio) {
  if (!ratio.is_known) return {};
  return {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}};
}

Json task_json(const FixedTask& task) { return {{"ms", task.median_ms}, {"spread", task.spread}}; }

Json machine_json(const std::optional<MachineReport>& machine) {
  if (!machine) return {};
  return {{"others", machine->load ? Json(machine->load->others) : Json()},
          {"stolen", machine->load ? Json(machine->load->stolen) : Json()},
          {"clock_before_mhz", json_or_null(machine->clock_before_mhz)},
          {"clock_after_mhz", json_or_null(machine->clock_after_mhz)},
          {"fixed_task_before", task_json(machine->before)},
          {"fixed_task_after", task_json(machine->after)},
          {"validated", machine->validated},
          {"doubts", doubts_about(*machine)}};
}

Json bake_json(const std::optional<BakeReport>& bake) {
  if (!bake) return {};
  return {{"models", bake->models},
          {"ms", bake->ms},
          {"error_mm", bake->error_mm},
          {"asked_mm", bake->max_error_mm},
          {"warnings", bake->warnings}};
}

Json budget_json(const std::optional<BudgetReport>& budget) {
  if (!budget) return {};
  return {{"bytes", budget->bytes}, {"needed_bytes", budget->needed_bytes}, {"lod_pixels", budget->error_pixels}};
}

/// Each frame too, rounded to 0.1 microseconds.
Json frame_percentiles(const RunReport& run) {
  Json times = percentiles(run[Stage::kFrame], run.repeats);
  if (times.is_null()) return times;
  Samples frames = run[Stage::kFrame];
  for (double& ms : frames) ms = std::round(ms * 1e4) / 1e4;
  times["frames"] = std::move(frames);
  return times;
}

/// The drawing pass by pass; of a run without GPU times, their names alone.
Json passes_json(const RunReport& run) {
  Json passes = Json::array();
  for (const PassTimes& pass : run.passes_drawn)
    passes.push_back({{"name", pass.name}, {"ms", percentiles(pass.ms, run.repeats)}});
  return passes;
}

/// Each stage that a run has not is null.
void add_stages(const RunReport& run, Json& json) {
  for (const StageRow& row : all_stages())
    json[Json::json_pointer(row.json)] = run.has(row.stage) ? percentiles(run[row.stage], run.repeats) : Json();
  json["frame_ms"] = frame_percentiles(run);
  json["gpu_ms"]["passes"] = passes_json(run);
  json["gpu_ms"]["overlap"] = percentiles(run.overlap_ms, run.repeats);
}

// --- CSV ---

/// A text as one field: in quotes where it has any character that ends a field.
std::string field(const std::string& text) {
  if (text.find_first_of("\",\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(const std::optional<double>& value) { return value ? text("%.9g", *value) : ""; }

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
      {"budget", kFigure, budget_json(run.budget)},
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
      {"skinned_vertices_per_second", kFigure, json_or_null(skinned_vertices_per_second(run))},
      {"skin_gb_per_second", kFigure, json_or_null(skin_gb_per_second(run))},
      {"speed_over_vertex", kFigure, ratio_json(speed_over_vertex(report, run))},
      {"skin_share_of_copy", kFigure, json_or_null(skin_share_of_copy(run, report.device))},
      {"max_error", kFigure, compared(&Comparison::position_error)},
      {"max_normal_error_degrees", kFigure, compared(&Comparison::normal_degrees)},
      {"max_palette_error", kFigure, compared(&Comparison::palette_error)},
      {"max_pose_error_mm", kFigure, compared(&Comparison::pose_error_mm)},
      {"max_shared_degrees", kFigure, compared(&Comparison::shared_degrees)},
      {"leaping", kFigure, run.compared ? run.compared->at_discontinuity : 0},
      {"folded_blends", kFigure, run.compared ? run.compared->folded_blends : 0},
      {"compared_characters", kFigure, compared(&Comparison::posed_meshes)},
      {"compared_vertices", kFigure, compared(&Comparison::vertices)},
      {"output_hash", kFigure, compared(&Comparison::output_hash)},
      {"validation_messages", kFigure, json_or_null(run.validation_messages)},
  };
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

std::string to_json(const Report& report) {
  const BuildReport build = this_build();
  Json runs = Json::array();
  for (const RunReport& run : report.runs) {
    Json& json = runs.emplace_back(Json::object());
    for (const Field& field : fields_of(report, run)) json[field.name] = field.value;
    add_stages(run, json);
  }
  const Json json = {{"schema", 1},
                     {"version", build.version},
                     {"commit", build.commit.empty() ? Json() : Json(build.commit)},
                     {"build_type", build.type},
                     {"device", device_json(report.device)},
                     {"cpu", cpu_json(report.cpu)},
                     {"machine", machine_json(report.machine)},
                     {"command", report.command},
                     {"date", report.date},
                     {"interrupted", report.is_interrupted},
                     {"bake", bake_json(report.bake)},
                     {"runs", std::move(runs)}};
  // Names from files and drivers need not be UTF-8; a byte that is not becomes U+FFFD.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const Report& report) {
  const BuildReport build = this_build();
  std::string lines = "device,commit,scene,model,characters,visible,skinning,passes,repeats,frames,stage";
  for (const Percentile& stated : kPercentiles) lines += std::string(",") + stated.name;
  lines += ",spread\n";
  for (const RunReport& run : report.runs) {
    const std::string first = field(report.device.name) + "," + field(build.commit) + "," + field(run.options.scene) +
                              "," + field(run.model) + text(",%u,%u,", run.options.characters, run.plan.visible) +
                              name_of(run.skinning) +
                              text(",%u,%u,%u,", run.options.draw.passes, run.repeats, run.frames);
    for (const StageTimes& stage : stages_of(run)) {
      if (stage.samples->empty()) continue;
      lines += first + field(stage.name);
      for (const Percentile& stated : kPercentiles) lines += "," + number(percentile(*stage.samples, stated.share));
      lines += "," + number(spread_of(*stage.samples, run.repeats)) + "\n";
    }
  }
  return lines;
}

}  // namespace sinew::app
