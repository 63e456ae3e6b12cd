#include "report/stored_report.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "system/text.h"

namespace sinew::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSettings[] = {
    "scene",  "model",        "characters",  "clips",         "change_clips", "tinted",        "cull",
    "lod",    "unique_poses", "update_rate", "evaluator",     "skinning",     "async_compute", "format",
    "passes", "rasterized",   "shadow_maps", "width",         "height",       "samples",       "frames_per_repeat",
    "warmup", "slots",        "seed",        "start_seconds", "camera",       "palettes",      "vertex_fetch"};
constexpr const char* kCounters[] = {
    "visible",          "levels",          "rates",         "held",       "updated_copies", "joints_evaluated",
    "cross_fading",     "masked",          "shared_poses",  "draws",      "dispatches",     "kernel_instructions",
    "skinned_vertices", "palette_bytes",   "skinned_bytes", "mesh_bytes", "job_bytes",      "touched_bytes",
    "page_copies",      "page_copy_bytes", "held_bytes"};

struct StageField {
  const char* name;
  Json::json_pointer times;
};

std::vector<StageField> stage_fields() {
  const auto at = [](const char* path) { return Json::json_pointer(path); };
  return {{"frame", at("/frame_ms")},           {"cpu cull", at("/cpu_ms/cull")}, {"cpu sample", at("/cpu_ms/sample")},
          {"cpu record", at("/cpu_ms/record")}, {"cpu skin", at("/cpu_ms/skin")}, {"gpu upload", at("/gpu_ms/upload")},
          {"gpu skin", at("/gpu_ms/skin")},     {"gpu draw", at("/gpu_ms/draw")}, {"submission", at("/submit_ms")}};
}

/// The value at a path of names; null where there is none.
Json value_at(const Json& json, const Json::json_pointer& path) { return json.contains(path) ? json.at(path) : Json(); }

template <class Names>
Facts facts_of(const Json& json, const Names& names) {
  Facts facts;
  for (const char* name : names) {
    if (json.contains(name)) facts.emplace_back(name, json[name].dump());
  }
  return facts;
}

/// A field that other fields give: frames are those of all repeats.
Json with_frames_per_repeat(Json run) {
  const uint64_t repeats = run.value("repeats", uint64_t(1));
  run["frames_per_repeat"] = repeats > 0 ? run.value("frames", uint64_t(0)) / repeats : 0;
  return run;
}

std::vector<StoredStage> stages_of(const Json& run) {
  std::vector<StoredStage> stages;
  for (const auto& [name, path] : stage_fields()) {
    const Json times = value_at(run, path);
    if (!times.is_object()) continue;
    StoredStage stage{name, {}};
    if (times.contains("repeats")) {
      stage.repeats_ms = times["repeats"].get<std::vector<double>>();
    } else if (times.contains("p50")) {  // written before there were repeats
      stage.repeats_ms = {times["p50"].get<double>()};
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

StoredRun stored_run(const Json& json) {
  const Json run = with_frames_per_repeat(json);
  StoredRun stored;
  stored.title = text("%s: %s characters of %s, %s skinning", run.value("scene", "").c_str(),
                      grouped(run.value("characters", uint64_t(0))).c_str(), run.value("model", "").c_str(),
                      run.value("skinning", "").c_str());
  stored.settings = facts_of(run, kSettings);
  stored.counters = facts_of(run, kCounters);
  stored.stages = stages_of(run);
  return stored;
}

Facts machine_of(const Json& json) {
  Facts facts;
  const auto add = [&](const char* name, const char* path) {
    facts.emplace_back(name, value_at(json, Json::json_pointer(path)).dump());
  };
  add("device", "/device/name"), add("driver", "/device/driver");
  add("cpu", "/cpu/name"), add("threads", "/cpu/threads"), add("instruction set", "/cpu/instruction_set");
  add("build type", "/build_type");
  add("validation", "/machine/validated");
  return facts;
}

double fixed_task_of(const Json& json) {
  const Json before = value_at(json, Json::json_pointer("/machine/fixed_task_before/ms"));
  const Json after = value_at(json, Json::json_pointer("/machine/fixed_task_after/ms"));
  return before.is_number() && after.is_number() ? (before.get<double>() + after.get<double>()) / 2 : 0;
}

}  // namespace

Result<StoredReport> parse_report(const std::string& json_text, const std::string& name) {
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != Json(1) || !json.contains("runs") ||
      !json["runs"].is_array())
    return Error{ErrorCode::kInvalidData, name + ": not a report of sinew crowd, JSON schema 1"};
  StoredReport report;
  try {
    const Json commit = json.value("commit", Json());
    report.commit = commit.is_string() ? commit.get<std::string>() : "unknown";
    report.machine = machine_of(json);
    report.fixed_task_ms = fixed_task_of(json);
    for (const Json& run : json["runs"]) report.runs.push_back(stored_run(run));
  } catch (const Json::exception&) {  // a field of another type
    return Error{ErrorCode::kInvalidData,
                 name + ": not a report of sinew crowd, JSON schema 1: a field has another type"};
  }
  return report;
}

Result<StoredReport> read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be read"};
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return parse_report(bytes, path);
}

}  // namespace sinew::app
