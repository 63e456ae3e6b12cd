#include "scene/baking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scene/exact_poses.h"
#include "sinew/animation/bake.h"
#include "sinew/asset/cpu_skin.h"
#include "system/clock.h"
#include "system/progress.h"
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

bool differ(Vec3 a, Vec3 b) { return a.x != b.x || a.y != b.y || a.z != b.z; }
bool differ(Quat a, Quat b) { return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w; }

/// Whether the value of a track is discontinuous somewhere between two times: at a step, or at two keys of one time.
template <class Value>
bool jumps(const Track<Value>& track, double from, double to) {
  const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1, value = stride / 2;
  for (size_t i = 1; i < track.times_seconds.size(); ++i) {
    const float time = track.times_seconds[i];
    if (time < from || time > to) continue;
    const bool at_once = track.interpolation == Interpolation::kStep || time == track.times_seconds[i - 1];
    if (at_once && differ(track.values[i * stride + value], track.values[(i - 1) * stride + value])) return true;
  }
  return false;
}

/// Whether a clip is discontinuous within the baked frame that contains a time.
bool jumps(const Clip& clip, const BakedClip& baked, double time_seconds) {
  const double frame = std::floor((time_seconds - baked.start_seconds) * baked.frames_per_second);
  const double slack = 0.01;  // of a frame, because times are floats
  const double from = baked.start_seconds + (frame - slack) / baked.frames_per_second;
  const double to = baked.start_seconds + (frame + 1 + slack) / baked.frames_per_second;
  return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const JointTracks& joint) {
    return jumps(joint.translation, from, to) || jumps(joint.rotation, from, to) || jumps(joint.scale, from, to);
  });
}

}  // namespace

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

std::optional<double> allowed_error(const Character& character, const BakedCharacter& bake, const Playback& playback) {
  double error = bake.options.max_error;
  uint32_t played = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= bake.clips.size()) continue;
    const BakedClip& baked = bake.clips[layer.clip];
    if (jumps(character.clips[layer.clip], baked, layer.time_seconds)) return {};
    error = std::max(error, double(baked.error));
    ++played;
  }
  return (played < 2 ? error : error * kBlendGain) + kFloatSums;
}

double distance_between(const BakeMeasure& measure, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double largest = 0;
  for (size_t entry = 0; entry < measure.corners.size(); ++entry) {
    Matrix3x4d difference;
    for (int i = 0; i < 12; ++i)
      difference.m[i / 4][i % 4] = double(a[entry].m[i / 4][i % 4]) - b[entry].m[i / 4][i % 4];
    for (const Vec3 corner : measure.corners[entry]) {
      const double distance = length(transform_point(difference, corner));
      if (std::isnan(distance)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, distance);
    }
  }
  return largest / measure.units_per_meter;
}

namespace {

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
      text("%s: %zu of %zu clips are baked no better than within %s mm ('%s', at %.0f frames a "
           "second; %.4f mm asked). --evaluator exact plays what the file says.",
           printable(model.name).c_str(), above, clips.size(), millimeters(worst->error * 1e3).c_str(),
           printable(worst->name).c_str(), worst->frames_per_second, report.max_error_mm));
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

BakeProgress IsolatedBake::progress() {
  return {this, [](void* self, double share) {
            auto& bake = *static_cast<IsolatedBake*>(self);
            if (!bake.watch_) {
              bake.watch_.emplace();
              bake.line_.rename("baking " + bake.which_);
            }
            bake.line_.show(share);
          }};
}

Error with_hint(const Error& error) { return {error.code, error.message + " (--evaluator exact bakes nothing)"}; }

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
