#include "commands/view_drawing.h"

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
  for (uint32_t i = 0; i < viewer_.models().size(); ++i) {
    if (Status updated = evaluation_->update_masks(i); !updated) return updated;
  }
  viewer_.make_lines(lines_);
  return measure_difference();
}

/// Bakes all clips, derived ones included, where there are more than at the last time.
Status ViewDrawing::bake() {
  for (Model& model : viewer_.models()) {
    if (!info_.crowd_evaluator) {
      model.bake.reset();
      continue;
    }
    if (model.bake && model.bake->baked.clips.size() == model.character.clips.size()) continue;
    auto baked = bake_model(model.character);
    if (!baked) return baked.error();
    model.bake = std::move(*baked);
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
  auto evaluation = Evaluation::create(viewer_.models(), 1);
  if (!evaluation) return evaluation.error();
  evaluation_ = std::move(*evaluation);
  RendererInfo info;
  info.skinning = {evaluation_.get(), SkinningMode::kCompute, 2};
  info.optimizations.cull = info.optimizations.update_rate = false;
  info.level = viewer_.shown.level;
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
    for (uint32_t level = 0; level < viewer_.models()[i].levels.size(); ++level, ++mesh) {
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
  const uint32_t stride = model.palette_stride();
  std::vector<Matrix3x4> palette(stride);
  const Playback& playback = viewer_.scene().playbacks[viewer_.selected()];
  evaluation_->evaluate({viewer_.selected(), {&playback, 1}, stride, palette});
  const auto weights = weights_behind(palette, model.character.skin.palette_size());
  const PosedVertices crowd = posed_vertices(model, viewer_.level_of(viewer_.selected()), palette,
                                             weights.first(model.character.mesh.target_count()));
  difference_ = largest_distance(crowd.positions, viewer_.vertices(viewer_.selected()).positions);
  return {};
}

}  // namespace sinew::app
