#include "report/stored_report.h"

#include <fstream>
#include <iterator>

#include "report/report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// The value at a JSON pointer; null where there is none.
Json value_at(const Json& json, const char* path) {
  const Json::json_pointer pointer(path);
  return json.contains(pointer) ? json.at(pointer) : Json();
}

/// The medians of the repeats; before there were repeats, reports had one median.
std::vector<double> medians_of(const Json& times) {
  if (!times.is_object()) return {};
  if (times.contains("repeats")) return times["repeats"].get<std::vector<double>>();
  return times.contains("p50") ? std::vector{times["p50"].get<double>()} : std::vector<double>();
}

StoredRun stored_run(const Json& json) {
  const Report any_report;
  const RunReport any_run;
  StoredRun run;
  run.title = text("%s: %s characters of %s, %s skinning", json.value("scene", "").c_str(),
                   grouped(json.value("characters", uint64_t(0))).c_str(), json.value("model", "").c_str(),
                   json.value("skinning", "").c_str());
  for (const Field& field : fields_of(any_report, any_run)) {
    if (!json.contains(field.name)) continue;
    if (field.kind == FieldKind::kSetting) run.settings[field.name] = json[field.name].dump();
    if (field.kind == FieldKind::kCounter) run.counters[field.name] = json[field.name].dump();
  }
  const uint64_t repeats = json.value("repeats", uint64_t(1)), frames = json.value("frames", uint64_t(0));
  run.settings["frames_per_repeat"] = std::to_string(repeats > 0 ? frames / repeats : 0);
  for (const MeasuredStage& stage : all_stages()) {
    std::vector<double> medians = medians_of(value_at(json, stage.json));
    if (!medians.empty()) run.stages_ms[stage.name] = std::move(medians);
  }
  return run;
}

Facts machine_of(const Json& json) {
  constexpr std::pair<const char*, const char*> kPaths[] = {
      {"device", "/device/name"},          {"driver", "/device/driver"},  {"cpu", "/cpu/name"},
      {"threads", "/cpu/threads"},         {"build type", "/build_type"}, {"instruction set", "/cpu/instruction_set"},
      {"validation", "/machine/validated"}};
  Facts facts;
  for (const auto& [name, path] : kPaths) facts[name] = value_at(json, path).dump();
  return facts;
}

double fixed_task_of(const Json& json) {
  const Json before = value_at(json, "/machine/fixed_task_before/ms");
  const Json after = value_at(json, "/machine/fixed_task_after/ms");
  return before.is_number() && after.is_number() ? (before.get<double>() + after.get<double>()) / 2 : 0;
}

}  // namespace

Result<StoredReport> parse_report(const std::string& json_text, const std::string& name) {
  const std::string problem = name + ": not a report of sinew crowd, JSON schema 1";
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != Json(1) || !value_at(json, "/runs").is_array())
    return Error{ErrorCode::kInvalidData, problem};
  StoredReport report;
  try {
    const Json commit = value_at(json, "/commit");
    report.commit = commit.is_string() ? commit.get<std::string>() : "unknown";
    report.machine = machine_of(json);
    report.fixed_task_ms = fixed_task_of(json);
    for (const Json& run : json["runs"]) report.runs.push_back(stored_run(run));
  } catch (const Json::exception&) {
    return Error{ErrorCode::kInvalidData, problem + ": a field has another type"};
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
