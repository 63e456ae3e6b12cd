// Arm overlay: a clip that moves one arm, played over the clips of the rest of the character.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::app {

inline constexpr uint32_t kArmMask = 1;  // number of the arm's mask in Layer::mask

struct ArmOverlay {
  uint32_t clip = 0;                 // in Character::clips
  std::vector<float> joint_mask;     // of each joint: 1 in the arm, 0 elsewhere
  std::vector<uint32_t> base_clips;  // the overlay is played over these clips only
};

/// Finds a waving clip, calm base clips and an arm by their names. Empty where one of the three is missing.
std::optional<ArmOverlay> find_arm_overlay(const Character& character);

}  // namespace sinew::app
