// Footsteps: the moments at which feet are set down and lifted, found in a clip.
//
// The markers are for Clip::markers, so that Player::events() reports them: sounds of steps, prints, dust.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew {

/// The joints of a humanoid's feet.
struct Feet {
  uint32_t left = 0, right = 0;
};

/// Finds the feet by the words in the names of joints: "foot", else "ankle", with "left", "right", "l" or "r", as in
/// "foot_l", "mixamorig:LeftFoot" or "Bip01 R Foot"; controls ("ik", "roll") are left out. Of several, the first.
/// Nothing if a side has none. Error: kOutOfMemory.
SINEW_API Result<std::optional<Feet>> find_feet(const Skeleton& skeleton);

/// Which moments of a step are found: when a foot is set down, or also when it is lifted.
enum class StepMoments : uint8_t { kDown, kDownAndUp };

/// Finds when joints are set down in a clip: lowest and still. A joint is set down where it has come to the lowest
/// tenth of its range of heights and falls at less than a fifth of the speed that it had, if it was higher than a third
/// of that range before. One that moves up and down by less than 1 % of the height of the skeleton in the rest pose has
/// no steps. A clip that ends as it begins is taken as a loop. A joint is lifted where it would be set down if the clip
/// ran backward.
///
/// `joints` are joints that touch the ground, often ankles or balls of feet; empty: those of find_feet(). Of those,
/// what is lifted last counts: the tip of the toes. It is the vertex furthest from the ankle, of those that a joint
/// below the foot moves most that has "toe" or "ball" in its name, or the foot itself; without a mesh that joint.
/// Returns markers, ascending by time, with the names "left foot down", "left foot up", "right foot down" and "right
/// foot up" for the joints of find_feet(); for others the name of the joint when it is set down, and with " up" when it
/// is lifted. Heights are those along Character::space.up: of a clip that climbs stairs only the lowest steps are
/// found. Cost: 120 exact poses per second of the clip; allocates. Errors: kInvalidArgument (clip or joint out of
/// range, more joints than there are, clip additive, no joints given and no feet found, clip longer than 16.8 million
/// poses of joints), kInvalidData (skeleton or clip not valid), kOutOfMemory.
SINEW_API Result<std::vector<Marker>> find_footsteps(const Character& character, uint32_t clip,
                                                     std::span<const uint32_t> joints = {},
                                                     StepMoments moments = StepMoments::kDown);

}  // namespace sinew
