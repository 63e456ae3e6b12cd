// What a user has set in the viewer, as one value: all that can be undone. Not what goes on by itself, such as time and
// fades, nor the camera.
#pragma once

#include <algorithm>
#include <vector>

#include "scene/weight_overrides.h"
#include "sinew/animation/inverse_kinematics.h"
#include "viewer/layers.h"
#include "viewer/playing.h"
#include "viewer/shown.h"

namespace sinew::app {

struct CharacterSettings {
  PlaySettings plays;
  std::vector<ChainTarget> held;  // what holds its limbs
  WeightOverrides weights;        // of its morph targets

  friend bool operator==(const CharacterSettings& a, const CharacterSettings& b) {
    const auto same = [](const ChainTarget& x, const ChainTarget& y) {
      return x.chain == y.chain && length(x.position - y.position) == 0;
    };
    return a.plays == b.plays && a.weights == b.weights && std::ranges::equal(a.held, b.held, same);
  }
};

struct Settings {
  Shown shown;  // without the hovered joint
  float fade_seconds = 0;
  std::vector<CharacterSettings> characters;

  friend bool operator==(const Settings&, const Settings&) = default;
};

}  // namespace sinew::app
