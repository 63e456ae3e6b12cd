#include "scene/baking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "system/clock.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// Adds the error that a model's bake states, and a warning where it is above the bound.
void add(const Model& model, BakeReport& report) {
  const std::vector<BakedClip>& clips = model.bake->baked.clips;
  const BakedClip* worst = nullptr;
  size_t above = 0;
  for (const BakedClip& clip : clips) {
    if (!worst || clip.error > worst->error) worst = &clip;
    above += !(clip.error <= model.bake->baked.options.max_error);
  }
  report.max_error_mm = std::round(model.bake->baked.options.max_error * 1e9) / 1e6;
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

/// How far exact poses may leave the bounds of baked poses, in model units. Where the bake fails, the model has no
/// bounds.
float bake_for_bounds(Model& model) {
  ProgressLine line("baking " + printable(model.name) + " for its bounds");
  auto bake = bake_model(model.character, std::exchange(model.baked, {}), line.of_bake());
  if (!bake) return 0;
  const double by = bake->error() * bake->units_per_meter * kBlendGain * kFarFromJoint;
  model.baked = std::move(bake->baked);
  return float(by);
}

}  // namespace

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

Result<BakeReport> bake_models(std::span<Model> models) {
  const Stopwatch watch;
  BakeReport report;
  ProgressLine line("baking");
  for (size_t i = 0; i < models.size(); ++i) {
    Model& model = models[i];
    const std::string which = text("%s, %zu of %zu", printable(model.name).c_str(), i + 1, models.size());
    line.rename("baking " + which);
    auto bake = bake_model(model.character, std::exchange(model.baked, {}), line.of_bake());
    if (!bake) return with_hint({bake.error().code, model.name + ": " + bake.error().message});
    model.bake = std::move(*bake);
    report.ms += model.isolated_bake_ms;
    add(model, report);
  }
  report.models = uint32_t(models.size());
  report.ms += watch.elapsed_ms();
  return report;
}

void measure_bounds(std::span<Model> models) {
  for (Model& model : models) {
    const float by = model.bake ? 0 : bake_for_bounds(model);
    if (!model.bounded_clips()) continue;
    auto bounds = sinew::measure_bounds(model.character, *model.bounded_clips());
    if (!bounds) continue;
    grow(*bounds, by);
    model.bounds = std::move(*bounds);
  }
}

}  // namespace sinew::app
