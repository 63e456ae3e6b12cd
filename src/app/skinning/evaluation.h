// The threads of the program, and the exact evaluator in place of the library's crowd evaluators.
#pragma once

#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "sinew/experimental/crowd_parts.h"
#include "system/thread_pool.h"

namespace sinew::app {

enum class EvaluatorKind : uint8_t {
  kExact,  // stage by stage, from the clips of the file
  kCrowd,  // the crowd evaluator, from baked clips
};

class Evaluation {
 public:
  /// `models` must outlive the evaluation, and must not change; but with the exact evaluator clips may be appended, and
  /// masks may change, see update_masks(). Starts `thread_count` - 1 threads.
  Evaluation(std::span<const Model> models, uint32_t thread_count, EvaluatorKind kind = EvaluatorKind::kExact);

  /// For experimental::CrowdParts: empty, or that of the exact evaluator. The bytes do not depend on the number of
  /// threads. It throws std::bad_alloc without memory.
  vulkan::experimental::PoseWriter writer();

  /// Reads the factors of the models' masks again; their number must be the same. Not during a call of the writer.
  void update_masks();

  /// Targets for the chains of a model of which there is one instance, for the exact evaluator. Not during a call of
  /// the writer.
  void set_targets(uint32_t model, std::span<const ChainTarget> targets) {
    targets_[model].assign(targets.begin(), targets.end());
  }

  EvaluatorKind kind() const { return kind_; }
  uint32_t thread_count() const { return pool_.thread_count(); }
  ThreadPool& pool() { return pool_; }
  /// The instruction set of the crowd evaluator; empty for the exact evaluator.
  const char* instruction_set() const;

 private:
  void write(uint32_t model, uint32_t level, std::span<const Playback> playbacks, const vulkan::InstanceRange& range);

  std::span<const Model> models_;
  EvaluatorKind kind_;
  ThreadPool pool_;
  std::vector<std::vector<std::vector<float>>> masks_;  // of each model: as evaluate_exact() takes them
  std::vector<std::vector<ChainTarget>> targets_;       // of each model
  std::vector<EvaluationScratch> scratches_;            // one per thread
};

}  // namespace sinew::app
