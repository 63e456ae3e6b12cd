#include <algorithm>

#include "report/report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// A text as one field: in quotes where it has any character that ends a field.
std::string field(const std::string& text) {
  if (text.find_first_of("\",\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(const std::optional<double>& value) { return value ? text("%.9g", *value) : ""; }

}  // namespace

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
