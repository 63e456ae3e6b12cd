#include "commands/crowd_capture.h"

#include "commands/crowd_models.h"
#include "sinew/asset/skinned_vertex.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr const char* kAsync[] = {"auto", "on", "off"};  // by AsyncChoice

const char* switched(bool on) { return on ? "on" : "off"; }

}  // namespace

CaptureText describe_capture(const CrowdOptions& options, const CrowdInputs& inputs, const std::string& frame,
                             double seconds) {
  const std::string models = names_of(inputs.models);
  const char* mode = name_of(options.skinning.front());
  const crowd::Options& plan = options.optimizations;
  CaptureText result;
  result.title = text("sinew crowd: %u characters of %s, %s skinning, %s", options.characters, models.c_str(), mode,
                      frame.c_str());
  const std::string lines =
      text("%s: %u characters of %s, seed %llu, scene time %g s\n", options.scene.c_str(), options.characters,
           models.c_str(), (unsigned long long)options.seed, seconds) +
      text("skinning: %s, %zu bytes a vertex, %u passes, async compute %s\n", mode, size_t(options.format),
           options.draw.passes, kAsync[size_t(options.async_compute)]) +
      text("evaluator: %s\n", options.evaluator == EvaluatorKind::kCrowd ? "crowd" : "exact") +
      text(
          "optimizations: culling %s, levels of detail %s, update rate %s, shared poses %u, memory budget %llu bytes\n",
          switched(plan.cull), switched(plan.levels), switched(plan.update_rate), plan.unique_poses,
          (unsigned long long)options.memory_budget);
  result.comments = capture_comments(inputs.device, lines);
  return result;
}

}  // namespace sinew::app
