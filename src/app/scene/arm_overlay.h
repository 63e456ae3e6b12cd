// What a character can do with one arm whatever the rest of it does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::app {

inline constexpr uint32_t kArmMask = 1;  // as layers number masks

struct ArmOverlay {
  uint32_t clip = 0;                 // in Character::clips
  std::vector<float> joint_mask;     // 1 for the joints of the arm, 0 for the others
  std::vector<uint32_t> base_clips;  // while these clips are played
};

/// Finds a clip that waves and an arm, by their names; nothing where there is no such clip or no such arm.
std::optional<ArmOverlay> find_arm_overlay(const Character& character);

}  // namespace sinew::app
