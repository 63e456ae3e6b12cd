#include "scene/baking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scene/model_bake.h"
#include "sinew/animation/bake.h"
#include "system/clock.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
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
