// What a cast plays becomes its palettes: by the exact stages, or by the crowd evaluator where the models are baked.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// Copies of one model that are written to one place.
struct EvaluationRequest {
  uint32_t model = 0;
  std::span<const Playback> playbacks;
  uint32_t palette_stride = 0;
  std::span<Matrix3x4> palettes;  // as CrowdEvaluator::evaluate() wants them
};

class Evaluation {
 public:
  /// `models` must outlive it, and must not change.
  static Result<std::unique_ptr<Evaluation>> create(std::span<const Model> models, uint32_t thread_count);

  /// Writes each playback's palette. The same bytes for any number of threads. Throws std::bad_alloc.
  void evaluate(const EvaluationRequest& run);

  uint32_t thread_count() const { return pool_.thread_count(); }
  ThreadPool& pool() { return pool_; }
  /// The crowd evaluator's; empty where none is used.
  std::string instruction_set() const { return evaluators_.empty() ? "" : evaluators_.front().instruction_set(); }

 private:
  Evaluation(std::span<const Model> models, uint32_t thread_count)
      : models_(models), pool_(thread_count), scratches_(thread_count) {}
  Status create_evaluators();
  void evaluate_each(const EvaluationRequest& run);

  std::span<const Model> models_;
  ThreadPool pool_;
  std::vector<CrowdEvaluator> evaluators_;    // one a model, or none
  std::vector<EvaluationScratch> scratches_;  // one a thread
};

}  // namespace sinew::app
