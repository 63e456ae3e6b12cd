#include "crowd/describe_run.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "crowd/models.h"
#include "gpu/shaders.h"
#include "options/filled.h"
#include "sinew/experimental/kernel.h"

namespace sinew::app {
namespace {

uint32_t joints_of(const Model& model) { return model.character.skeleton.joint_count(); }
uint32_t vertices_of(const Model& model) { return model.character.mesh.vertex_count(); }
uint32_t tinted_of(const Model& model) { return model.tinted; }

/// Joints evaluated for one instance at a level of detail. A bake leaves out the joints that move no vertex.
uint32_t evaluated_joints_of(const Model& model, uint32_t level) {
  if (!model.is_baked()) return joints_of(model);
  const std::vector<BakedNode>& nodes = model.bake(level).nodes;
  return uint32_t(std::count_if(nodes.begin(), nodes.end(), [](const BakedNode& node) { return node.joint >= 0; }));
}

/// Sums a count of the model over all instances of the scene.
uint64_t sum_over_instances(std::span<const Model> models, const Scene& scene, uint32_t (*count_of)(const Model&)) {
  uint64_t sum = 0;
  for (const Batch& batch : scene.batches) sum += uint64_t(batch.instance_count) * count_of(models[batch.model]);
  return sum;
}

/// Describes the plan of the last frame.
void describe_plan(std::span<const Model> models, const Renderer& renderer, RunReport& report) {
  const crowd::Plan& plan = renderer.plan();
  report.plan = plan.counters;
  report.shared_degrees = renderer.planner().shared_radians() * 180 / std::numbers::pi;
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (plan.groups[batch.group].updated)
      report.joints_evaluated += uint64_t(batch.mesh_count) * evaluated_joints_of(models[batch.model], batch.level);
  }
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (batch.previous_poses) continue;
    for (const Playback& playback : std::span(plan.playbacks).subspan(batch.first_mesh, batch.mesh_count)) {
      uint32_t unmasked = 0, masked = 0;
      for (const Layer& layer : playback.layers) {
        unmasked += layer.weight > 0 && layer.mask == 0;
        masked += layer.weight > 0 && layer.mask != 0;
      }
      report.cross_fading += unmasked > 1;
      report.masked += masked > 0;
    }
  }
}

const char* name_of(VertexSource source) {
  constexpr const char* kNames[] = {"input", "pulling", "skinning"};
  return kNames[size_t(source)];
}

/// Of the shader that skins the color pass.
uint32_t kernel_instructions(SkinningMode mode) {
  if (mode == SkinningMode::kCpu) return 0;
  return instruction_count(mode == SkinningMode::kCompute ? vulkan::experimental::builtin_kernel()
                                                          : builtin_words(Shader::kSkinVertex));
}

}  // namespace

void describe_run(const CrowdOptions& options, std::span<const Model> models, const Scene& scene,
                  const Renderer& renderer, RunReport& report) {
  const uint32_t count = options.characters;
  report.options = options;
  report.options.width = renderer.target().width, report.options.height = renderer.target().height;
  report.options.samples = renderer.samples();
  report.options.optimizations.unique_poses = renderer.planner().limits().unique_poses;
  report.options.compact_palettes = renderer.skinning().compact_palettes();
  report.options.format = renderer.skinning().properties().format;
  report.model = names_of(models);
  report.tinted = uint32_t(sum_over_instances(models, scene, tinted_of));
  report.joints_per_character = uint32_t(std::lround(double(sum_over_instances(models, scene, joints_of)) / count));
  report.vertices_per_character = uint32_t(std::lround(double(sum_over_instances(models, scene, vertices_of)) / count));
  describe_plan(models, renderer, report);
  report.skinning = renderer.skinning().mode();
  report.async_compute = name_of(renderer.skinning().async());
  report.vertex_fetch = name_of(renderer.vertex_source());
  report.repeats = options.repeat_count();
  for (const char* name : renderer.timed_passes()) report.passes_drawn.push_back({name, {}});
  const ShadowMaps& maps = renderer.shadow_maps();
  if (maps.count > 0)
    report.shadow_maps = maps.count, report.shadow_map_size = maps.size, report.shadow_map_bytes = maps.size_bytes();
  if (options.memory_budget > 0)
    report.budget = {options.memory_budget, renderer.planner().max_needed_bytes(),
                     renderer.planner().limits().error_pixels};
  report.draws = renderer.draw_count();
  report.kernel_instructions = kernel_instructions(renderer.skinning().mode());
  report.work = renderer.skinning().counters();
  report.device_bytes = renderer.skinning().device_bytes();
}

CaptureText describe_capture(const CrowdOptions& options, const CrowdInputs& inputs, const std::string& frame,
                             double seconds) {
  CrowdOptions of_rows = options;
  Json values = {{"models", names_of(inputs.models)},
                 {"mode", name_of(options.skinning.front())},
                 {"frame", frame},
                 {"seconds", seconds},
                 {"passes", options.draw.passes},
                 {"levels", options.optimizations.levels}};
  for (const Option& row : option_rows(of_rows)) values[row.name] = row.value.json();
  CaptureText result;
  result.title = filled("sinew crowd: {--characters:raw} characters of {models}, {mode} skinning, {frame}", values);
  const std::string lines = filled(
      "{--scene}: {--characters:raw} characters of {models}, seed {--seed:raw}, scene time {seconds:%g} s\n"
      "skinning: {mode}, {--format:raw} bytes a vertex, {passes:raw} passes, async compute {--async-compute}\n"
      "evaluator: {--evaluator}\n"
      "optimizations: culling {--cull}, levels of detail {levels}, update rate {--update-rate}, shared poses "
      "{--unique-poses:raw}, memory budget {--memory-budget:raw} bytes\n",
      values);
  result.comments = capture_comments(inputs.device, lines);
  return result;
}

}  // namespace sinew::app
