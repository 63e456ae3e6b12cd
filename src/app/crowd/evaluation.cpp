#include "crowd/evaluation.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

constexpr size_t kEvaluatedAtOnce = 16;  // playbacks that a thread takes

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
    for (const std::vector<float>& mask : model.masks()) {
      if (auto added = evaluator.add_mask(mask); !added) return added.error();
    }
  }
  return {};
}

void Evaluation::evaluate(const EvaluationRequest& run) {
  if (evaluators_.empty()) return evaluate_each(run);
  const CrowdEvaluator& evaluator = evaluators_[run.model];
  if (!evaluator.evaluate(run.playbacks, run.palette_stride, run.palettes, pool_.parallel_for())) {
    throw std::bad_alloc();
  }
}

/// A task for each scratch, which takes playbacks until none is left: some cost more than others.
void Evaluation::evaluate_each(const EvaluationRequest& run) {
  const Model& model = models_[run.model];
  std::atomic<size_t> next{0};
  pool_.for_each(thread_count(), [&](uint32_t task) {
    for (size_t begin = next.fetch_add(kEvaluatedAtOnce); begin < run.playbacks.size();
         begin = next.fetch_add(kEvaluatedAtOnce)) {
      const size_t count = std::min(kEvaluatedAtOnce, run.playbacks.size() - begin);
      const auto palettes = run.palettes.subspan(begin * run.palette_stride, count * run.palette_stride);
      evaluate_exactly(model.character, run.playbacks.subspan(begin, count), run.palette_stride, palettes,
                       scratches_[task], model.masks());
    }
  });
}

}  // namespace sinew::app
