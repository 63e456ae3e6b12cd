#include "scene/baking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asset/larger_error.h"
#include "scene/exact_poses.h"
#include "sinew/animation/bake.h"
#include "system/clock.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr double kReferenceExtent = 1.8;  // meters; see BakeOptions

double largest_extent(std::span<const Vec3> positions) {
  if (positions.empty()) return 0;
  const Box box = bounding_box(positions);
  return std::max({double(box.high.x) - double(box.low.x), double(box.high.y) - double(box.low.y),
                   double(box.high.z) - double(box.low.z)});
}

/// The largest scale of a matrix: its longest column. 1 where all columns are zero.
double max_scale_of(const Matrix3x4& matrix) {
  double scale = 0;
  for (int c = 0; c < 3; ++c)
    scale = std::max(scale, std::hypot(double(matrix.m[0][c]), double(matrix.m[1][c]), double(matrix.m[2][c])));
  return scale > 0 ? scale : 1;
}

std::array<Vec3, 6> corners_around(Vec3 origin, float radius) {
  return {origin + Vec3{radius, 0, 0}, origin - Vec3{radius, 0, 0}, origin + Vec3{0, radius, 0},
          origin - Vec3{0, radius, 0}, origin + Vec3{0, 0, radius}, origin - Vec3{0, 0, radius}};
}

/// Adds the error that a model's bake states, and a warning where it is above the bound.
void add(const Model& model, BakeReport& report) {
  const std::vector<BakedClip>& clips = model.baked.clips;
  const BakedClip* worst = nullptr;
  size_t above = 0;
  for (const BakedClip& clip : clips) {
    if (!worst || clip.error > worst->error) worst = &clip;
    above += !(clip.error <= model.baked.options.max_error);
  }
  report.max_error_mm = std::round(model.baked.options.max_error * 1e9) / 1e6;
  if (worst) report.error_mm = std::max(report.error_mm, worst->error * 1e3);
  if (above == 0) return;
  report.warnings.push_back(
      text("%s: %zu of %zu clips are baked no better than within %s mm ('%s', at %.0f frames a second, %s; "
           "%.4f mm asked). --evaluator exact plays what the file says.",
           printable(model.name).c_str(), above, clips.size(), millimeters(worst->error * 1e3).c_str(),
           printable(worst->name).c_str(), worst->times.frames_per_second,
           place_of_error(model.character, *worst).c_str(), report.max_error_mm));
}

/// The stated error holds near the joint. This factor allows for vertices that are far from it.
constexpr float kFarFromJoint = 20;

void grow(Box& box, float by) {
  box.low = box.low - Vec3{by, by, by};
  box.high = box.high + Vec3{by, by, by};
}

void grow(CharacterBounds& bounds, float by) {
  for (std::vector<Box>* boxes : {&bounds.clips, &bounds.pairs}) {
    for (Box& box : *boxes) grow(box, by);
  }
  for (Box* box : {&bounds.rest, &bounds.blended, &bounds.layered}) grow(*box, by);
}

/// How far exact poses may leave the bounds of baked poses, in model units.
float margin_of(const Model& model) {
  const BakeMeasure measure = measure_of(model.character, model.baked);
  return float(error_of(model.baked) * measure.units_per_meter * kBlendGain * kFarFromJoint);
}

Status bake(Model& model, const BakeProgress& progress) {
  Status completed = model.is_baked() ? Status() : complete(model, {.levels = false, .progress = progress});
  return completed ? bake_levels(model, progress) : completed;
}

}  // namespace

std::string place_of_error(const Character& character, const BakedClip& clip) {
  const std::string joint =
      clip.error_joint == kNoJoint ? "" : character.skeleton.joint_names[size_t(clip.error_joint)];
  return text("joint '%s' at %.3f s", printable(joint).c_str(), double(clip.error_seconds));
}

double error_of(const BakedCharacter& baked) {
  float error = 0;
  for (const BakedClip& clip : baked.clips) error = std::max(error, clip.error);
  return error;
}

BakeMeasure measure_of(const Character& character, const Skin& skin, const BakedCharacter& baked) {
  BakeMeasure measure;
  const std::vector<Matrix3x4> rest = exact_palette(character, skin, Playback());
  const double extent = largest_extent(exact_positions(character, Playback()));
  measure.units_per_meter = extent > 0 ? extent / kReferenceExtent : 1;
  measure.corners.resize(rest.size());
  for (const BakedNode& node : baked.nodes) {
    if (node.entry < 0) continue;
    const double radius = baked.options.error_radius * measure.units_per_meter / max_scale_of(rest[size_t(node.entry)]);
    measure.corners[size_t(node.entry)] = corners_around(node.origin, float(radius));
  }
  return measure;
}

double allowed_error(const BakedCharacter& bake, const Playback& playback) {
  double error = bake.options.max_error;
  uint32_t played = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= bake.clips.size()) continue;
    error = std::max(error, double(bake.clips[layer.clip].error));
    ++played;
  }
  return (played < 2 ? error : error * kBlendGain) + kFloatSums;
}

double distance_between(const Matrix3x4& a, const Matrix3x4& b, std::span<const Vec3> corners) {
  Matrix3x4d difference;
  for (int i = 0; i < 12; ++i) difference.m[i / 4][i % 4] = double(a.m[i / 4][i % 4]) - b.m[i / 4][i % 4];
  double largest = 0;
  for (const Vec3 corner : corners) {
    const Vec3 off = transform_point(difference, corner);
    largest = internal::larger_error(largest, std::hypot(double(off.x), double(off.y), double(off.z)));
  }
  return largest;
}

double distance_between(const BakeMeasure& measure, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double largest = 0;
  for (size_t entry = 0; entry < measure.corners.size(); ++entry)
    largest = std::max(largest, distance_between(a[entry], b[entry], measure.corners[entry]));
  return largest / measure.units_per_meter;
}

Status bake_levels(Model& model, const BakeProgress& progress) {
  for (ModelLevel& level : model.levels) {
    const uint32_t targets = level.mesh.target_count();
    if (!level.has_palette() || validate(level.baked, model.character, level.skin, targets)) continue;
    auto baked = sinew::bake(model.character, level.skin, targets, level.baked.options, progress);
    if (!baked) return baked.error();
    level.baked = std::move(*baked);
  }
  return {};
}

Error with_hint(const Error& error) { return {error.code, error.message + " (--evaluator exact needs no bake)"}; }

Result<BakeReport> bake_models(std::span<Model> models, ProgressLine* line) {
  const Stopwatch watch;
  BakeReport report;
  for (size_t i = 0; i < models.size(); ++i) {
    Model& model = models[i];
    const std::string which = text("%s, %zu of %zu", printable(model.name).c_str(), i + 1, models.size());
    if (line) line->rename("baking " + which);
    report.read += model.is_baked() && model.bake_ms == 0;
    report.ms += model.bake_ms;
    if (Status baked = bake(model, line ? line->of_bake() : BakeProgress()); !baked) return with_hint(baked.error());
    add(model, report);
  }
  report.models = uint32_t(models.size());
  report.ms += watch.elapsed_ms();
  return report;
}

void measure_bounds(std::span<Model> models, bool exact, ProgressLine* line) {
  for (Model& model : models) {
    if (line) line->rename("measuring the bounds of " + printable(model.name));
    const BakeProgress progress = line ? line->of_bake() : BakeProgress();
    if (!bake(model, progress) || !complete(model, {.levels = false, .progress = progress})) continue;
    if (exact) grow(model.bounds, margin_of(model));
  }
}

}  // namespace sinew::app
