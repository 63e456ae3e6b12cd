// Morph weights in place of those that an instance plays.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace sinew::app {

/// One per morph target of a character; nothing: that of the clips.
using WeightOverrides = std::vector<std::optional<float>>;

/// `weights` are those of a level of detail, which may have fewer targets than its character.
inline void override_weights(const WeightOverrides& overrides, std::span<float> weights) {
  for (size_t i = 0; i < std::min(overrides.size(), weights.size()); ++i) {
    if (overrides[i]) weights[i] = *overrides[i];
  }
}

}  // namespace sinew::app
