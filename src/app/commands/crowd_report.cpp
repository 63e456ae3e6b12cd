#include "commands/crowd_report.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "commands/crowd_models.h"
#include "gpu/shaders.h"
#include "sinew/experimental/kernel.h"

namespace sinew::app {
namespace {

uint32_t joints_of(const Model& model) { return model.character.skeleton.joint_count(); }
uint32_t vertices_of(const Model& model) { return model.character.mesh.vertex_count(); }
uint32_t tinted_of(const Model& model) { return model.tinted; }

/// Joints evaluated for one instance. A bake leaves out the joints that move no vertex.
uint32_t evaluated_joints_of(const Model& model) {
  if (!model.is_baked()) return joints_of(model);
  const std::vector<BakedNode>& nodes = model.baked.nodes;
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
  report.visible = plan.counters.visible, report.culled = plan.counters.culled;
  report.shadow_only = plan.counters.shadow_only;
  report.levels = plan.counters.levels;
  report.rates.assign(plan.counters.rates.begin(), plan.counters.rates.end());
  report.not_updated = plan.counters.not_updated, report.updated_meshes = plan.counters.updated_meshes;
  report.shared_poses = plan.counters.shared;
  report.shared_degrees = renderer.planner().shared_radians() * 180 / std::numbers::pi;
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (plan.groups[batch.group].updated)
      report.joints_evaluated += uint64_t(batch.mesh_count) * evaluated_joints_of(models[batch.character]);
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
  report.scene = options.scene;
  report.model = names_of(models);
  report.characters = count;
  report.clips = options.clips;
  report.changes_clips = options.change_clips;
  report.tinted = uint32_t(sum_over_instances(models, scene, tinted_of));
  report.joints_per_character = uint32_t(std::lround(double(sum_over_instances(models, scene, joints_of)) / count));
  report.vertices_per_character = uint32_t(std::lround(double(sum_over_instances(models, scene, vertices_of)) / count));
  describe_plan(models, renderer, report);
  report.evaluator = options.evaluator == EvaluatorKind::kCrowd ? "crowd" : "exact";
  report.skinning = name_of(renderer.skinning().mode());
  report.async_compute = name_of(renderer.skinning().async());
  report.format = uint32_t(renderer.skinning().properties().format);
  report.palettes = renderer.skinning().compact_palettes() ? "compact" : "full";
  report.vertex_fetch = name_of(renderer.vertex_source());
  report.width = renderer.target().width, report.height = renderer.target().height;
  report.repeats = options.repeat_count(), report.start_seconds = options.start_seconds;
  report.orbiting = options.orbiting, report.samples = renderer.samples();
  report.warmup = options.warmup, report.frames_in_flight = options.frames_in_flight;
  for (const char* name : renderer.timed_passes()) report.passes_drawn.push_back({name, {}});
  report.passes = options.draw.passes, report.rasterized = options.draw.rasterize;
  const ShadowMaps& maps = renderer.shadow_maps();
  if (maps.count > 0)
    report.shadow_maps = maps.count, report.shadow_map_size = maps.size, report.shadow_map_bytes = maps.size_bytes();
  report.seed = options.seed;
  const crowd::QualityLimits& limits = renderer.planner().limits();
  report.optimizations = {options.optimizations.cull, options.optimizations.levels, options.optimizations.update_rate,
                          limits.unique_poses};
  if (options.memory_budget > 0)
    report.budget = {options.memory_budget, renderer.planner().max_needed_bytes(), limits.error_pixels};
  const SkinningCounters counters = renderer.skinning().counters();
  report.draws = renderer.draw_count();
  report.dispatches = counters.dispatches;
  report.kernel_instructions = kernel_instructions(renderer.skinning().mode());
  report.skinned_vertices = counters.skinned_vertices;
  report.palette_bytes = counters.palette_bytes;
  report.skinned_bytes = counters.skinned_bytes;
  report.mesh_bytes = counters.mesh_bytes, report.job_bytes = counters.job_bytes;
  report.page_copies = counters.copies.count;
  report.page_copy_bytes = counters.copies.bytes;
  report.device_bytes = renderer.skinning().device_bytes();
}

}  // namespace sinew::app
