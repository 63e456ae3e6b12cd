// The JSON report, schema 1. Fields may be added; no field is removed or changes its meaning. Some names are older than
// the terms of the code: "held" is not_updated, "casters" shadow_only, "updated_copies" updated_meshes, "held_bytes"
// device_bytes, "slots" frames_in_flight; "leaping" counts posed meshes at a discontinuity of a clip.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/report.h"

namespace sinew::app {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// `repeats`: the median of each.
Json percentiles(const Samples& samples, uint32_t repeats) {
  if (samples.empty()) return {};
  return {{"p50", *percentile(samples, 0.5)},       {"p95", *percentile(samples, 0.95)},
          {"p99", *percentile(samples, 0.99)},      {"max", *percentile(samples, 1)},
          {"spread", *spread_of(samples, repeats)}, {"repeats", repeat_medians(samples, repeats)}};
}

Json device_json(const DeviceReport& device) {
  return {{"name", device.name},
          {"type", device.type},
          {"driver", device.driver},
          {"api", device.api},
          {"copy_gb_per_second", or_null(device.copy_gb_per_second)}};
}

Json cpu_json(const CpuReport& cpu) {
  return {{"name", cpu.name},
          {"threads", cpu.threads},
          {"instruction_set", cpu.instruction_set},
          {"store_gb_per_second", or_null(cpu.store_gb_per_second)}};
}

Json task_json(const FixedTask& task) { return {{"ms", task.median_ms}, {"spread", task.spread}}; }

Json machine_json(const std::optional<MachineReport>& machine) {
  if (!machine) return {};
  return {{"others", machine->load ? Json(machine->load->others) : Json()},
          {"stolen", machine->load ? Json(machine->load->stolen) : Json()},
          {"clock_before_mhz", or_null(machine->clock_before_mhz)},
          {"clock_after_mhz", or_null(machine->clock_after_mhz)},
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

/// The settings of a run and its counts.
Json what_ran(const RunReport& run) {
  return {{"scene", run.scene},
          {"model", run.model},
          {"characters", run.characters},
          {"clips", run.clips},
          {"change_clips", run.changes_clips},
          {"tinted", run.tinted},
          {"visible", run.visible},
          {"culled", run.culled},
          {"casters", run.shadow_only},
          {"cull", run.optimizations.cull},
          {"lod", run.optimizations.lod ? "auto" : "off"},
          {"levels", run.levels},
          {"unique_poses", run.optimizations.unique_poses},
          {"update_rate", run.optimizations.update_rate},
          {"rates", run.rates},
          {"held", run.not_updated},
          {"updated_copies", run.updated_meshes},
          {"budget", budget_json(run.budget)},
          {"joints_per_character", run.joints_per_character},
          {"vertices_per_character", run.vertices_per_character},
          {"evaluator", run.evaluator},
          {"skinning", run.skinning},
          {"async_compute", run.async_compute},
          {"format", run.format},
          {"palettes", run.palettes},
          {"vertex_fetch", run.vertex_fetch},
          {"passes", run.passes},
          {"rasterized", run.rasterized},
          {"shadow_maps", run.shadow_maps},
          {"shadow_map_size", run.shadow_map_size},
          {"shadow_map_bytes", run.shadow_map_bytes},
          {"width", run.width},
          {"height", run.height},
          {"frames", run.frames},
          {"repeats", run.repeats},
          {"warmup", run.warmup},
          {"slots", run.frames_in_flight},
          {"seed", run.seed},
          {"start_seconds", run.start_seconds},
          {"camera", run.orbiting ? "orbit" : "fixed"},
          {"samples", run.samples},
          {"joints_evaluated", run.joints_evaluated},
          {"cross_fading", run.cross_fading},
          {"masked", run.masked},
          {"draws", run.draws},
          {"dispatches", run.dispatches},
          {"kernel_instructions", run.kernel_instructions},
          {"skinned_vertices", run.skinned_vertices},
          {"shared_poses", run.shared_poses},
          {"shared_degrees", run.shared_degrees},
          {"palette_bytes", run.palette_bytes},
          {"skinned_bytes", run.skinned_bytes},
          {"mesh_bytes", run.mesh_bytes},
          {"job_bytes", run.job_bytes},
          {"touched_bytes", touched_bytes(run)},
          {"page_copies", run.page_copies},
          {"page_copy_bytes", run.page_copy_bytes},
          {"held_bytes", run.device_bytes}};
}

/// Each frame too, rounded to 0.1 microseconds.
Json frame_percentiles(const RunReport& run) {
  Json times = percentiles(run.frame_ms, run.repeats);
  if (times.is_null()) return times;
  std::vector<double> frames = run.frame_ms;
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

/// The times of a run and the figures that follow from them.
Json what_it_took(const RunReport& run, const Report& report) {
  const bool skinned_on_cpu = run.skinning == "cpu";
  const Samples none;
  return {{"sentence", summary(report, run)},
          {"frame_ms", frame_percentiles(run)},
          {"submit_ms", percentiles(run.submit_ms, run.repeats)},
          {"cpu_ms",
           {{"cull", percentiles(run.cull_ms, run.repeats)},
            {"sample", percentiles(run.sample_ms, run.repeats)},
            {"record", percentiles(run.record_ms, run.repeats)},
            {"skin", percentiles(skinned_on_cpu ? run.skin_ms : none, run.repeats)}}},
          {"gpu_ms",
           {{"upload", percentiles(run.upload_ms, run.repeats)},
            {"skin", percentiles(skinned_on_cpu ? none : run.skin_ms, run.repeats)},
            {"draw", percentiles(run.draw_ms, run.repeats)},
            {"passes", passes_json(run)},
            {"overlap", percentiles(run.overlap_ms, run.repeats)}}},
          {"ns_per_joint", or_null(ns_per_joint(run, report.cpu))},
          {"skinned_vertices_per_second", or_null(skinned_vertices_per_second(run))},
          {"skin_gb_per_second", or_null(skin_gb_per_second(run))},
          {"skin_share_of_copy", or_null(skin_share_of_copy(run, report.device))}};
}

/// The results of --validate.
Json what_was_checked(const RunReport& run) {
  return {{"max_error", or_null(run.max_error)},
          {"max_normal_error_degrees", or_null(run.max_normal_error_degrees)},
          {"max_palette_error", or_null(run.max_palette_error)},
          {"max_pose_error_mm", or_null(run.max_pose_error_mm)},
          {"max_shared_degrees", or_null(run.max_shared_degrees)},
          {"leaping", run.at_discontinuity},
          {"compared_characters", or_null(run.compared_characters)},
          {"compared_vertices", or_null(run.compared_vertices)},
          {"output_hash", or_null(run.output_hash)},
          {"validation_messages", or_null(run.validation_messages)}};
}

}  // namespace

std::string to_json(const Report& report) {
  const BuildReport build = this_build();
  Json runs = Json::array();
  for (const RunReport& run : report.runs) {
    Json json = what_ran(run);
    json.update(what_it_took(run, report));
    json.update(what_was_checked(run));
    runs.push_back(std::move(json));
  }
  const Json json = {{"schema", 1},
                     {"version", build.version},
                     {"commit", build.commit.empty() ? Json() : Json(build.commit)},
                     {"build_type", build.type},
                     {"device", device_json(report.device)},
                     {"cpu", cpu_json(report.cpu)},
                     {"machine", machine_json(report.machine)},
                     {"command", report.command},
                     {"bake", bake_json(report.bake)},
                     {"runs", std::move(runs)}};
  // Names from files and drivers need not be UTF-8; a byte that is not becomes U+FFFD.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sinew::app
