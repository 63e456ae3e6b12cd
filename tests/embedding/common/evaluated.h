// The tube's palettes, by the bake and CrowdEvaluator of sinew::animation.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "common/tube.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"

inline WritePalettes evaluated(const sinew::Character& tube) {
  auto baked = sinew::bake(tube);
  if (!baked) {
    std::fprintf(stderr, "bake: %s\n", baked.error().message.c_str());
    std::exit(1);
  }
  const auto kept = std::make_shared<const sinew::BakedCharacter>(std::move(*baked));
  const auto evaluator = std::make_shared<const sinew::CrowdEvaluator>(*kept);
  return [kept, evaluator](uint64_t frame, uint32_t first, uint32_t count, uint32_t stride,
                           std::span<sinew::Matrix3x4> palettes) {
    std::vector<sinew::Playback> playbacks(count);
    for (uint32_t i = 0; i < count; ++i) playbacks[i].layers[0] = {0, bend_of(frame, first + i), 1};
    const sinew::Status done = evaluator->evaluate(playbacks, stride, palettes);
    if (!done) std::fprintf(stderr, "evaluate: %s\n", done.error().message.c_str()), std::exit(1);
  };
}
