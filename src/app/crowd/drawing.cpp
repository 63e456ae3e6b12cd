#include "crowd/drawing.h"

#include <tuple>

#include "scene/data_colors.h"
#include "scene/footing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

/// Where several skinning modes draw, each frame is finished before the next one begins: nothing can overlap.
AsyncCompute async_of(const CrowdOptions& options, SkinningMode mode, const Device& device) {
  const bool overlaps = options.frames_in_flight > 1 && options.skinning.size() == 1;
  if (options.draw.coloring == Coloring::kVelocity) return AsyncCompute::kNone;  // drawing reads previous vertices
  return choose_async(options.async_compute,
                      {properties_of({.mode = mode}).records_compute, overlaps, device.info.second_queue.has_value()});
}

/// What a renderer is made for; the rest of what a window changes is colors.
auto renderer_key(const CrowdOptions& options) {
  const crowd::PlanOptions& work = options.optimizations;
  return std::tuple(options.scene, options.characters, options.skinning, work.cull, work.levels, work.update_rate,
                    work.unique_poses, options.draw.passes, options.occlusion);
}

auto coloring_key(const CrowdOptions& options) { return std::tuple(options.draw.coloring, options.draw.wireframe); }

/// The colors that Coloring::kVertices shows: the number of influences.
Status set_vertex_colors(std::span<const Model> models, Renderer& renderer) {
  uint32_t mesh = 0;
  for (const Model& model : models) {
    for (uint32_t level = 0; level < model.level_count(); ++level) {
      if (Status set = renderer.set_vertex_colors(mesh++, influence_colors(model.mesh(level))); !set) return set;
    }
  }
  return {};
}

}  // namespace

/// Colors that show velocity need the frame before, so that no frame can be drawn again.
bool draws_again(const CrowdOptions& options, const Device& device) {
  return !options.samples && device.info.is_cpu() && options.draw.coloring != Coloring::kVelocity;
}

Scene make_scene(const CrowdOptions& options, std::span<const Model> models) {
  Scene scene =
      find_scene(options.scene)->make(models, {options.characters, options.seed, float(options.child_share())});
  scene.light = options.light.value_or(scene.light);
  // In a crowd the exact evaluator takes no targets, and packed vertices are cut off at the bounds of the clips.
  const bool moves_chains =
      options.evaluator == EvaluatorKind::kCrowd && options.format != vulkan::VertexFormat::kPacked;
  if (!moves_chains) scene.near_people = 0;
  return scene;
}

Result<std::unique_ptr<Renderer>> create_renderer(const CrowdInputs& inputs, const Scene& scene,
                                                  const CrowdOptions& options, SkinningMode mode) {
  RendererInfo info;
  info.skinning = {&inputs.evaluation, mode, options.frames_in_flight};
  info.skinning.async = async_of(options, mode, inputs.device);
  info.skinning.format = options.format;
  info.skinning.compact_palettes = options.compact_palettes && mode == SkinningMode::kCompute;  // windows change modes
  info.skinning.planner = options.optimizations;
  info.memory_budget = options.memory_budget;
  info.draw = options.draw;
  info.samples = options.samples.value_or(draws_again(options, inputs.device) ? 1 : 4);
  info.occlusion = options.occlusion;
  info.width = options.width, info.height = options.height;
  auto renderer = Renderer::create(inputs.device, inputs.models, scene, info);
  if (!renderer || options.draw.coloring != Coloring::kVertices) return renderer;
  if (Status set = set_vertex_colors(inputs.models, **renderer); !set) return set.error();
  return renderer;
}

bool draws_alike(const CrowdOptions& a, const CrowdOptions& b) {
  return renderer_key(a) == renderer_key(b) && coloring_key(a) == coloring_key(b);
}

Result<std::string> CrowdDrawing::change(const CrowdOptions& wanted, const FrameRequest& trial) {
  const CrowdOptions before = options_;
  Status applied = apply(wanted, trial);
  std::string problem;
  if (!applied) {
    problem = applied.error().message;
    if (Status restored = apply(before, trial); !restored) return restored.error();
  }
  return problem;
}

Status CrowdDrawing::apply(const CrowdOptions& wanted, const FrameRequest& trial) {
  if (!renderer_ || renderer_key(wanted) != renderer_key(options_)) return make(wanted, trial);
  if (coloring_key(wanted) != coloring_key(options_)) {
    if (wanted.draw.coloring == Coloring::kVertices) {
      if (Status set = set_vertex_colors(inputs_.models, *renderer_); !set) return set;
    }
    if (Status set = renderer_->set_coloring(wanted.draw.coloring, wanted.draw.wireframe); !set) return set;
  }
  options_ = wanted;
  return {};
}

/// The old renderer goes first: a large crowd may need the memory that it has.
Status CrowdDrawing::make(const CrowdOptions& wanted, const FrameRequest& trial) {
  CrowdOptions options = wanted;
  if (renderer_) options.width = renderer_->target().width, options.height = renderer_->target().height;
  renderer_.reset();
  if (wanted.characters != scene_.count() || wanted.scene != options_.scene)
    scene_ = make_scene(wanted, inputs_.models);
  place_scene(inputs_.models, trial.camera, trial.seconds, inputs_.evaluation.pool().parallel_for(), scene_);
  auto renderer = create_renderer(inputs_, scene_, options, wanted.skinning.front());
  if (!renderer) return renderer.error();
  if (auto begun = (*renderer)->begin_frame(); !begun) return begun.error();
  if (Status drawn = (*renderer)->draw_frame(trial); !drawn) return drawn;
  if (Status finished = (*renderer)->finish(); !finished) return finished;
  renderer_ = std::move(*renderer);
  options_ = wanted;
  return {};
}

}  // namespace sinew::app
