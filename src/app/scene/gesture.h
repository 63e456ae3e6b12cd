// What a character can do with one arm whatever the rest of it does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::app {

inline constexpr uint32_t kGestureMask = 1;  // as layers number masks

struct Gesture {
  uint32_t clip = 0;               // in Character::clips
  std::vector<float> joint_mask;   // 1 for the joints of the arm, 0 for the others
  std::vector<uint32_t> possible;  // while these clips are played
};

/// Finds a clip that waves and an arm, by their names; nothing where there is no such clip or no such arm.
std::optional<Gesture> find_gesture(const Character& character);

}  // namespace sinew::app
