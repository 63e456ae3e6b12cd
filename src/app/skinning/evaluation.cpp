#include "skinning/evaluation.h"

#include <algorithm>
#include <atomic>

#include "scene/exact_poses.h"
#include "sinew/animation/weights.h"

namespace sinew::app {
namespace {

constexpr size_t kAtOnce = 16;  // playbacks that a thread takes at once

}  // namespace

Evaluation::Evaluation(std::span<const Model> models, uint32_t thread_count, EvaluatorKind kind)
    : models_(models), kind_(kind), pool_(thread_count), targets_(models.size()), scratches_(thread_count) {
  update_masks();
}

void Evaluation::update_masks() {
  masks_.resize(models_.size());
  for (size_t i = 0; i < models_.size(); ++i) masks_[i] = factors_of(models_[i].masks);
}

vulkan::experimental::PoseWriter Evaluation::writer() {
  if (kind_ == EvaluatorKind::kCrowd) return {};
  return {[](void* self, uint32_t model, uint32_t level, std::span<const Playback> playbacks,
             const vulkan::InstanceRange& range) {
            static_cast<Evaluation*>(self)->write(model, level, playbacks, range);
            return Status();
          },
          this};
}

/// One task per scratch. A task takes the next playbacks until none is left, because some cost more than others.
void Evaluation::write(uint32_t model, uint32_t level, std::span<const Playback> playbacks,
                       const vulkan::InstanceRange& range) {
  const Character& character = models_[model].character;
  const Skin& skin = models_[model].skin(level);
  std::atomic<size_t> next{0};
  ChainTargets targets;
  if (playbacks.size() == 1) targets = {models_[model].chains, targets_[model]};
  pool_.for_each(thread_count(), [&](uint32_t task) {
    for (size_t begin = next.fetch_add(kAtOnce); begin < playbacks.size(); begin = next.fetch_add(kAtOnce)) {
      const auto some = playbacks.subspan(begin, std::min(kAtOnce, playbacks.size() - begin));
      throw_if_failed(
          evaluate_exact(character, skin, some, range.palette_stride,
                         range.palettes.subspan(begin * range.palette_stride, some.size() * range.palette_stride),
                         scratches_[task], masks_[model], targets));
      if (range.target_count == 0) continue;
      throw_if_failed(evaluate_weights_exact(character, some, range.weight_stride,
                                             range.weights.subspan(begin * range.weight_stride)));
    }
  });
}

const char* Evaluation::instruction_set() const {
  return kind_ == EvaluatorKind::kCrowd ? CrowdEvaluator(models_.front().baked).instruction_set() : "";
}

}  // namespace sinew::app
