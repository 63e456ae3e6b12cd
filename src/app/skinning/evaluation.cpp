#include "skinning/evaluation.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "scene/exact_poses.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/skin.h"

namespace sinew::app {
namespace {

constexpr size_t kEvaluatedAtOnce = 16;                          // playbacks that a thread takes at once
constexpr uint32_t kFloats = sizeof(Matrix3x4) / sizeof(float);  // weights in the room of a matrix
constexpr uint32_t kCompactFloats = sizeof(CompactMatrix) / sizeof(float);

}  // namespace

Result<std::unique_ptr<Evaluation>> Evaluation::create(std::span<const Model> models, uint32_t thread_count) {
  std::unique_ptr<Evaluation> evaluation(new Evaluation(models, thread_count));
  if (Status created = evaluation->create_evaluators(); !created) return created.error();
  return evaluation;
}

Status Evaluation::create_evaluators() {
  for (const Model& model : models_) {
    if (!model.bake) continue;
    CrowdEvaluator& evaluator = evaluators_.emplace_back(model.bake->baked);
    for (const std::vector<float>& mask : model.masks) {
      if (auto added = evaluator.add_mask(mask); !added) return added.error();
    }
  }
  return {};
}

Status Evaluation::update_masks(uint32_t model) {
  if (evaluators_.empty()) return {};  // evaluate_exact() takes the masks of the model in each call
  const std::vector<std::vector<float>>& masks = models_[model].masks;
  for (uint32_t m = 0; m < masks.size(); ++m) {
    if (Status set = evaluators_[model].set_mask(m + 1, masks[m]); !set) return set;
  }
  return {};
}

void Evaluation::evaluate(const EvaluationRequest& request) {
  if (evaluators_.empty()) return evaluate_each(request);
  const CrowdEvaluator& evaluator = evaluators_[request.model];
  const bool compact = !request.compact_palettes.empty();
  const ParallelFor parallel_for = pool_.parallel_for();
  const uint32_t stride = request.palette_stride;
  const Status done = compact ? evaluator.evaluate(request.playbacks, stride, request.compact_palettes, parallel_for)
                              : evaluator.evaluate(request.playbacks, stride, request.palettes, parallel_for);
  if (!done) throw std::bad_alloc();
  const BakedCharacter& baked = models_[request.model].bake->baked;
  if (baked.target_count() == 0) return;
  const auto weights = compact ? weights_behind(request.compact_palettes, baked.palette_size)
                               : weights_behind(request.palettes, baked.palette_size);
  const uint32_t weight_stride = stride * (compact ? kCompactFloats : kFloats);
  if (!evaluate_weights(baked, request.playbacks, weight_stride, weights, parallel_for)) throw std::bad_alloc();
}

/// One task per scratch. A task takes the next playbacks until none is left, because some cost more than others.
void Evaluation::evaluate_each(const EvaluationRequest& request) {
  const Model& model = models_[request.model];
  std::atomic<size_t> next{0};
  pool_.for_each(thread_count(), [&](uint32_t task) {
    for (size_t begin = next.fetch_add(kEvaluatedAtOnce); begin < request.playbacks.size();
         begin = next.fetch_add(kEvaluatedAtOnce)) {
      const size_t count = std::min(kEvaluatedAtOnce, request.playbacks.size() - begin);
      const auto palettes = request.palettes.subspan(begin * request.palette_stride, count * request.palette_stride);
      evaluate_exact_or_throw(model.character, request.playbacks.subspan(begin, count), request.palette_stride,
                              palettes, scratches_[task], model.masks);
      if (model.character.mesh.targets.empty()) continue;
      evaluate_weights_exact_or_throw(model.character, request.playbacks.subspan(begin, count),
                                      request.palette_stride * kFloats,
                                      weights_behind(palettes, model.character.skin.palette_size()));
    }
  });
}

}  // namespace sinew::app
