// A character that walks, idles, slides and nods, and what the viewer plays of it.
#pragma once

#include <gtest/gtest.h>

#include "view/moving_character.h"
#include "view/playing.h"

namespace sinew::app {

inline constexpr uint32_t kWalk = 0, kIdle = 1, kSlide = 2, kNod = 3;
inline constexpr uint32_t kHips = 1, kSpine = 2, kHead = 3;

class PlayingTest : public ::testing::Test {
 protected:
  /// The share of a clip on a joint, of all layers that play it.
  float share(uint32_t clip, uint32_t joint = 0) {
    const Playback playback = playing.playback(masks);
    float sum = 0;
    for (const Layer& layer : playback.layers) {
      if (layer.clip != clip || !(layer.weight > 0)) continue;
      sum += layer.mask == 0 ? layer.weight : layer.weight * masks[layer.mask - 1][joint];
    }
    return sum;
  }

  Character character = make_moving_character();
  Playing playing{character};
  std::vector<std::vector<float>> masks{kMaxLayers, std::vector<float>(character.skeleton.joint_count())};
};

}  // namespace sinew::app
