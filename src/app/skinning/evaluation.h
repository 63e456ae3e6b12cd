// Turns the playbacks of a plan into palettes and morph weights: by the exact stages, or by the crowd evaluator for
// baked models.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// Posed meshes of one model, and where their palettes go.
struct EvaluationRequest {
  uint32_t model = 0;
  std::span<const Playback> playbacks;  // one per posed mesh
  uint32_t palette_stride = 0;          // in elements of the span that is not empty, see SkinnedRange
  // Output, with the weights behind each palette; size and alignment as in CrowdEvaluator::evaluate(). One of the two
  // is empty; compact ones need a model that can_be_compact().
  std::span<Matrix3x4> palettes;
  std::span<CompactMatrix> compact_palettes = {};
};

/// How long threads wait for the next stage before they sleep. Stages of one frame follow each other within this time;
/// waking a sleeping thread takes as long as a short stage.
inline constexpr std::chrono::microseconds kSpinTime{200};

class Evaluation {
 public:
  /// `models` must outlive the evaluation, and must not change; but clips that no bake has may be appended, and masks
  /// may change, see update_masks(). Starts `thread_count` - 1 threads.
  static Result<std::unique_ptr<Evaluation>> create(std::span<const Model> models, uint32_t thread_count);

  /// Writes the palette and the morph weights of each playback. The bytes do not depend on the number of threads. One
  /// call at a time. Throws std::bad_alloc without memory.
  void evaluate(const EvaluationRequest& request);

  /// Reads the factors of Model::masks again; their number must be the same. Not during evaluate().
  Status update_masks(uint32_t model);

  uint32_t thread_count() const { return pool_.thread_count(); }
  ThreadPool& pool() { return pool_; }
  /// The instruction set of the crowd evaluator; empty for the exact evaluator.
  std::string instruction_set() const { return evaluators_.empty() ? "" : evaluators_.front().instruction_set(); }

 private:
  Evaluation(std::span<const Model> models, uint32_t thread_count)
      : models_(models), pool_(thread_count, kSpinTime), scratches_(thread_count) {}
  Status create_evaluators();
  void evaluate_each(const EvaluationRequest& request);

  std::span<const Model> models_;
  ThreadPool pool_;
  std::vector<CrowdEvaluator> evaluators_;    // one per model, or none
  std::vector<EvaluationScratch> scratches_;  // one per thread
};

}  // namespace sinew::app
