#include "evaluation.h"

#include <algorithm>
#include <atomic>

namespace sinew::app {
namespace {

constexpr size_t kPlayedAtOnce = 512, kEvaluatedAtOnce = 16;  // members that a thread takes

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

void Evaluation::evaluate(const EvaluatedRun& run, double seconds) {
  play(run, seconds);
  if (evaluators_.empty()) return evaluate_exactly(run);
  evaluators_[run.model].evaluate(playbacks_, run.palette_stride, run.palettes, pool_.parallel_for());
}

void Evaluation::play(const EvaluatedRun& run, double seconds) {
  playbacks_.resize(run.members.size());
  const size_t chunks = (playbacks_.size() + kPlayedAtOnce - 1) / kPlayedAtOnce;
  pool_.for_each(uint32_t(chunks), [&](uint32_t chunk) {
    const size_t end = std::min(playbacks_.size(), (chunk + size_t(1)) * kPlayedAtOnce);
    for (size_t i = chunk * kPlayedAtOnce; i < end; ++i)
      playbacks_[i] = playback_at(models_[run.model], run.members[i], seconds);
  });
}

/// A task for each scratch, which takes members until none is left: some cost more than others.
void Evaluation::evaluate_exactly(const EvaluatedRun& run) {
  const Model& model = models_[run.model];
  std::atomic<size_t> next{0};
  pool_.for_each(thread_count(), [&](uint32_t task) {
    for (size_t begin = next.fetch_add(kEvaluatedAtOnce); begin < playbacks_.size();
         begin = next.fetch_add(kEvaluatedAtOnce)) {
      const size_t count = std::min(kEvaluatedAtOnce, playbacks_.size() - begin);
      const auto palettes = run.palettes.subspan(begin * run.palette_stride, count * run.palette_stride);
      evaluate_crowd(model.character, std::span(playbacks_).subspan(begin, count), run.palette_stride, palettes,
                     scratches_[task], model.masks());
    }
  });
}

}  // namespace sinew::app
