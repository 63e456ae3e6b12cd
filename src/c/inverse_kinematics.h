// Chains as C++ has them.
#pragma once

#include <string>
#include <vector>

#include "border.h"
#include "layout.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/c/inverse_kinematics.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewChainTarget, ChainTarget);
SINEW_SAME_FIELD(SinewChainTarget, instance, ChainTarget, instance);
SINEW_SAME_FIELD(SinewChainTarget, chain, ChainTarget, chain);
SINEW_SAME_FIELD(SinewChainTarget, position, ChainTarget, position);
SINEW_SAME_FIELD(SinewChainTarget, weight, ChainTarget, weight);
SINEW_SAME_FIELD(SinewChainTarget, normal, ChainTarget, normal);

/// The caller's chains, or the end of the call.
std::vector<Chain> chains_of(const SinewChain* chains, uint32_t count);

}  // namespace sinew::c
