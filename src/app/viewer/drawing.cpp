#include "viewer/drawing.h"

#include <algorithm>
#include <span>
#include <string>

#include "scene/baking.h"
#include "scene/model.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/weights.h"
#include "system/output.h"
#include "system/text.h"
#include "viewer/panels.h"

namespace sinew::app {
namespace {

// The names in character files, which panels and labels write.

void add_lines(const auto& items, std::string& lines) {
  for (const auto& item : items) lines += item.name + "\n";
}

/// All names of models and the lines of their import reports, on lines.
std::string all_names(std::span<const Model> models) {
  std::string lines;
  add_lines(models, lines);
  for (const Model& model : models) {
    const Character& character = model.character;
    for (const std::string& joint : character.skeleton.joint_names) lines += joint + "\n";
    add_lines(character.clips, lines);
    for (const Clip& clip : character.clips) add_lines(clip.markers, lines);
    add_lines(character.mesh.parts, lines);
    add_lines(character.mesh.targets, lines);
    add_lines(character.materials, lines);
    for (const std::string& warning : model.report.warnings) lines += warning + "\n";
    for (const std::string& joint : model.report.retargeted) lines += joint + "\n";
  }
  return lines;
}

constexpr float kInsetShare = 0.36f;  // of the smaller side of the free part of the picture
constexpr float kAroundFigure = 1.4f;
constexpr float kMarginShare = 0.02f;

Coloring coloring_of(DataColors colors) {
  if (colors == DataColors::kMaterials) return Coloring::kLit;
  return colors == DataColors::kLevel ? Coloring::kLevel : Coloring::kVertices;
}

}  // namespace

std::optional<Inset> inset_of(const Viewer& viewer, VkExtent2D picture) {
  if (!viewer.shown.own_size) return {};
  const float height = float(picture.height), free = std::min(viewer.free_aspect * height, float(picture.width));
  const float figure = viewer.model().size() / meters_per_pixel(viewer.camera, picture.height);
  const float side = kInsetShare * std::min(free, height);
  const uint32_t from = std::max(uint32_t(figure * kAroundFigure), 4u), scale = uint32_t(side) / from;
  if (scale < 2) return {};
  const int32_t margin = int32_t(kMarginShare * height), left = int32_t((float(picture.width) - free) / 2);
  return Inset{{{int32_t(picture.width - from) / 2, int32_t(picture.height - from) / 2}, {from, from}},
               {{left + margin, margin}, {from * scale, from * scale}}};
}

Result<std::unique_ptr<ViewDrawing>> ViewDrawing::create(GraphicsContext& graphics, Interface& interface,
                                                         Viewer& viewer, const Info& info) {
  std::unique_ptr<ViewDrawing> drawing(new ViewDrawing(graphics, interface, viewer, info));
  viewer.thickness = interface.scale();
  interface.add_letters(all_names(viewer.models()));
  viewer.can_draw_wireframe = graphics.device.info.wireframe;
  if (Status made = drawing->fit(); !made) return made.error();
  return drawing;
}

/// Whether the bakes that the crowd evaluator plays have all clips: playing derives new ones.
bool ViewDrawing::bakes_all() const {
  const auto is_baked = [](const Model& model) {
    return model.is_baked() && model.baked.clips.size() == model.character.clips.size();
  };
  return !viewer_.shown.crowd_evaluator || std::all_of(viewer_.models().begin(), viewer_.models().end(), is_baked);
}

Status ViewDrawing::fit() {
  const Shown& shown = viewer_.shown;
  const bool same_renderer =
      renderer_ && shown.level == drawn_.level && shown.crowd_evaluator == drawn_.crowd_evaluator && bakes_all();
  if (Status made = same_renderer ? Status() : make_renderer(); !made) return made;
  const bool same_joint = shown.character == drawn_.character && shown.selected_joint == drawn_.selected_joint;
  const bool same_colors = shown.colors == drawn_.colors && shown.wireframe == drawn_.wireframe &&
                           (same_joint || shown.colors != DataColors::kJointWeight);
  if (Status set = same_colors ? Status() : set_coloring(); !set) return set;
  drawn_ = shown;
  if (Status updated = update_poses(); !updated) return updated;
  lines_ = viewer_.lines();
  return measure_difference();
}

Status ViewDrawing::update_poses() {
  evaluation_->update_masks();
  for (uint32_t i = 0; i < viewer_.models().size(); ++i) {
    evaluation_->set_targets(i, viewer_.held(i));
    renderer_->skinning().set_weights(i, viewer_.weight_overrides(i));
    const std::vector<NamedMask>& masks = viewer_.models()[i].masks;
    for (uint32_t m = 0; m < masks.size(); ++m) {
      if (Status set = renderer_->skinning().set_mask(i, m + 1, masks[m].factors); !set) return set;
    }
  }
  return {};
}

void ViewDrawing::return_to_drawn() {
  viewer_.shown.level = drawn_.level;
  viewer_.shown.crowd_evaluator = drawn_.crowd_evaluator;
}

Status ViewDrawing::bake() {
  for (Model& model : viewer_.models()) {
    model.baked = {}, model.has_bounds = false;
    if (!viewer_.shown.crowd_evaluator) continue;
    if (Status made = put(sinew::bake(model.character), model.baked); !made) return made;
    if (Status levels = bake_levels(model); !levels) return levels;
  }
  return {};
}

Status ViewDrawing::make_renderer() {
  if (renderer_) info_.width = renderer_->target().width, info_.height = renderer_->target().height;
  if (Status baked = bake(); !baked) return baked;
  renderer_.reset();
  evaluation_.reset();
  const EvaluatorKind kind = viewer_.shown.crowd_evaluator ? EvaluatorKind::kCrowd : EvaluatorKind::kExact;
  evaluation_ = std::make_unique<Evaluation>(viewer_.models(), 1, kind);
  RendererInfo info;
  info.skinning = {evaluation_.get(), SkinningMode::kCompute, 2};
  info.skinning.planner.cull = info.skinning.planner.update_rate = false;
  info.skinning.planner.level = viewer_.shown.level;
  info.draw.passes = kPasses;
  info.samples = info_.samples;
  info.width = info_.width, info.height = info_.height;
  Status made = put(Renderer::create(graphics_.device, viewer_.models(), viewer_.scene(), info), renderer_);
  if (!made) return made;
  drawn_ = {};
  drawn_.level = viewer_.shown.level;
  drawn_.crowd_evaluator = viewer_.shown.crowd_evaluator;
  return {};
}

Status ViewDrawing::set_coloring() {
  const Shown& shown = viewer_.shown;
  const Coloring coloring = coloring_of(shown.colors);
  uint32_t mesh = 0;
  for (size_t i = 0; i < viewer_.models().size() && coloring == Coloring::kVertices; ++i) {
    for (uint32_t level = 0; level < viewer_.models()[i].level_count(); ++level, ++mesh) {
      if (Status set = renderer_->set_vertex_colors(mesh, viewer_.vertex_colors(i, level)); !set) return set;
    }
  }
  if (coloring_of(drawn_.colors) == coloring && drawn_.wireframe == shown.wireframe) return {};
  return renderer_->set_coloring(coloring, shown.wireframe);
}

Status ViewDrawing::measure_difference() {
  viewer_.difference_meters = 0;
  if (!viewer_.shown.crowd_evaluator) return {};
  const Model& model = viewer_.model();
  const uint32_t selected = viewer_.selected();
  const std::span<const Playback> one{&viewer_.scene().playbacks[selected], 1};
  const uint32_t level = viewer_.level_of(selected);
  const BakedCharacter& baked = model.bake(level);
  std::vector<Matrix3x4> palette(baked.palette_size);
  std::vector<float> weights(baked.target_count());
  CrowdEvaluator evaluator(baked);
  for (const NamedMask& mask : model.masks) {
    if (auto added = evaluator.add_mask(mask.factors); !added) return added.error();
  }
  if (Status set = evaluator.set_chains(model.character, model.skin(level), model.chains); !set) return set;
  EvaluationInfo info{.instances = one, .targets = viewer_.held(selected)};
  info.palette_stride = uint32_t(palette.size()), info.palettes = palette;
  Status evaluated = evaluator.evaluate(info);
  if (evaluated && !weights.empty()) evaluated = evaluate_weights(baked, one, uint32_t(weights.size()), weights);
  if (!evaluated) return evaluated;
  override_weights(viewer_.weight_overrides(), weights);
  const auto crowd = posed_vertices(model, level, palette, weights);
  const auto exact = viewer_.vertices(selected);
  float largest = 0;
  for (size_t i = 0; i < exact.positions.size(); ++i)
    largest = std::max(largest, length(crowd.positions[i] - exact.positions[i]));
  viewer_.difference_meters = largest * model.meters_per_unit();
  return {};
}

const Overlay& ViewDrawing::draw_overlay() { return draw_view_overlay(view(), viewer_, interface_); }

Result<std::vector<uint8_t>> ViewDrawing::picture() {
  if (Status fits = fit(); !fits) return fits.error();
  for (int i = 0; i < 2 && !viewer_.hidden; ++i) draw_overlay();  // panels are complete in their third frame
  const Overlay& overlay = draw_overlay();
  if (auto begun = renderer_->begin_frame(); !begun) return begun.error();
  if (Status drawn = renderer_->draw_frame(request(overlay)); !drawn) return drawn.error();
  if (Status finished = renderer_->finish(); !finished) return finished.error();
  return read_picture(graphics_.device, renderer_->target());
}

Status ViewDrawing::write_picture(const std::string& path) {
  auto rgba = picture();
  if (!rgba) return rgba.error();
  const Target& target = renderer_->target();
  if (Status written = write_png(path, target.width, target.height, *rgba); !written) return written;
  return print(text("%s: %ux%u\n", path.c_str(), target.width, target.height));
}

}  // namespace sinew::app
