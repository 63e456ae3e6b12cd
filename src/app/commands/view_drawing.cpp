#include "commands/view_drawing.h"

#include "sinew/animation/bake.h"
#include "sinew/animation/weights.h"

namespace sinew::app {
namespace {

constexpr uint32_t kPasses = 2;  // a shadow map, and color

Coloring coloring_of(DataColors colors) {
  if (colors == DataColors::kMaterials) return Coloring::kLit;
  return colors == DataColors::kLevel ? Coloring::kLevel : Coloring::kVertices;
}

}  // namespace

Result<std::unique_ptr<ViewDrawing>> ViewDrawing::create(GraphicsContext& graphics, Viewer& viewer, const Info& info) {
  std::unique_ptr<ViewDrawing> drawing(new ViewDrawing(graphics, viewer, info));
  if (Status made = drawing->fit(); !made) return made.error();
  return drawing;
}

ViewDrawing::Made ViewDrawing::wanted() const {
  Made made{viewer_.shown.level, info_.crowd_evaluator, 0};
  if (!info_.crowd_evaluator) return made;
  for (const Model& model : viewer_.models()) made.clip_count += model.character.clips.size();
  return made;
}

ViewDrawing::Colors ViewDrawing::wanted_colors() const {
  const ShownOptions& shown = viewer_.shown;
  Colors colors{shown.colors, shown.wireframe, 0, kNoJoint};
  if (shown.colors == DataColors::kJointWeight)
    colors.selected = viewer_.selected(), colors.joint = shown.selected_joint;
  return colors;
}

Status ViewDrawing::fit() {
  if (made_ != wanted()) {
    if (Status made = make_renderer(); !made) return made;
  }
  if (colors_ != wanted_colors()) {
    if (Status set = set_coloring(); !set) return set;
  }
  if (Status updated = update_masks(); !updated) return updated;
  viewer_.make_lines(lines_);
  return measure_difference();
}

/// Bakes all clips, derived ones included, where there are more than at the last time.
Status ViewDrawing::bake() {
  for (Model& model : viewer_.models()) {
    if (!info_.crowd_evaluator) {
      model.baked = {}, model.has_bounds = false;
      continue;
    }
    if (model.is_baked() && model.baked.clips.size() == model.character.clips.size()) continue;
    auto baked = sinew::bake(model.character);
    if (!baked) return baked.error();
    model.baked = std::move(*baked), model.has_bounds = false;
  }
  return {};
}

Status ViewDrawing::update_masks() {
  evaluation_->update_masks();
  for (uint32_t i = 0; i < viewer_.models().size(); ++i) {
    const std::vector<NamedMask>& masks = viewer_.models()[i].masks;
    for (uint32_t m = 0; m < masks.size(); ++m) {
      if (Status set = renderer_->skinning().set_mask(i, m + 1, masks[m].factors); !set) return set;
    }
  }
  return {};
}

Status ViewDrawing::make_renderer() {
  if (Status baked = bake(); !baked) return baked;
  made_.reset();
  uint32_t width = info_.width, height = info_.height;
  if (renderer_) width = renderer_->target().width, height = renderer_->target().height;
  renderer_.reset();
  evaluation_.reset();
  evaluation_ = std::make_unique<Evaluation>(viewer_.models(), 1,
                                             info_.crowd_evaluator ? EvaluatorKind::kCrowd : EvaluatorKind::kExact);
  RendererInfo info;
  info.skinning = {evaluation_.get(), SkinningMode::kCompute, 2};
  info.skinning.planner.cull = info.skinning.planner.update_rate = false;
  info.skinning.level = viewer_.shown.level;
  info.draw.passes = kPasses;
  info.samples = info_.samples;
  info.width = width, info.height = height;
  auto renderer = Renderer::create(graphics_.device, viewer_.models(), viewer_.scene(), info);
  if (!renderer) return renderer.error();
  renderer_ = std::move(*renderer);
  made_ = wanted();
  colors_ = Colors();  // that of a new renderer
  return {};
}

Status ViewDrawing::set_coloring() {
  const Coloring coloring = coloring_of(viewer_.shown.colors);
  uint32_t mesh = 0;
  for (size_t i = 0; i < viewer_.models().size() && coloring == Coloring::kVertices; ++i) {
    for (uint32_t level = 0; level < viewer_.models()[i].level_count(); ++level, ++mesh) {
      if (Status set = renderer_->set_vertex_colors(mesh, viewer_.vertex_colors(i, level)); !set) return set;
    }
  }
  const bool same_pipelines =
      coloring_of(colors_->meaning) == coloring && colors_->wireframe == viewer_.shown.wireframe;
  if (!same_pipelines) {
    if (Status set = renderer_->set_coloring(coloring, viewer_.shown.wireframe); !set) return set;
  }
  colors_ = wanted_colors();
  return {};
}

Status ViewDrawing::measure_difference() {
  difference_ = 0;
  if (!info_.crowd_evaluator) return {};
  const Model& model = viewer_.model();
  const Playback& playback = viewer_.scene().playbacks[viewer_.selected()];
  const std::span<const Playback> one{&playback, 1};
  std::vector<Matrix3x4> palette(model.character.skin.palette_size());
  std::vector<float> weights(model.character.mesh.target_count());
  CrowdEvaluator evaluator(model.baked);
  for (const NamedMask& mask : model.masks) {
    if (auto added = evaluator.add_mask(mask.factors); !added) return added.error();
  }
  Status evaluated = evaluator.evaluate(one, uint32_t(palette.size()), palette);
  if (evaluated && !weights.empty()) evaluated = evaluate_weights(model.baked, one, uint32_t(weights.size()), weights);
  if (!evaluated) return evaluated;
  const PosedVertices crowd = posed_vertices(model, viewer_.level_of(viewer_.selected()), palette, weights);
  difference_ = largest_distance(crowd.positions, viewer_.vertices(viewer_.selected()).positions);
  return {};
}

}  // namespace sinew::app
